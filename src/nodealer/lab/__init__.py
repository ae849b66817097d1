"""The laboratory: games played at scale, among real processes and under siege, and what they cost.

    transports    on which way the messages of games travel
    fleet         simulated games by the thousand, in several processes
    processes     real games among processes on this machine, which are killed and started again
    benches       figures of the deck, of tables, of processes on a network and of the page
    siege         attackers, and a table that is besieged

This door is light: each of the folders is a door of its own, for those who need what it loads.
Nothing here prints; commands do.
"""

from nodealer.lab.transports import LIBP2P, MEMORY, REAL_FAULTS

__all__ = ["LIBP2P", "MEMORY", "REAL_FAULTS"]
