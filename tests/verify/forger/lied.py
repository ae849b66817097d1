"""Tables at which a seat has lied, from the simulator: what honest seats answer to lies is here.

At such a table the forger has the key of the liar. One game of Macaua of three for each way of
breaking the rules that takes one liar.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.sim.judging import transcript_of_peer
from nodealer.sim.lying import Behaviour
from nodealer.verify import read_transcript
from tests.sim.games import IN_MACAUA, lied
from tests.verify.forger.known import History

LIED: Final[Mapping[str, Behaviour]] = {
    f"lied: {one.name}": one for one in IN_MACAUA if one.liars == 1 and one.least_seats <= 3
}


def lied_history(name: str) -> History:
    """Return the history of a game with a liar."""
    world = lied(LIED[name], 3).world
    (liar,) = world.liars
    peers = {seat: peer for seat, peer in world.peers.items() if peer.table is not None}
    tables = {seat: peer.table for seat, peer in peers.items() if peer.table is not None}
    files = {transcript_of_peer(peer) for seat, peer in peers.items() if seat != liar}
    records = [message for peer in world.peers.values() for message in peer.records()]
    return History(
        name=name,
        game=world.setting.game,
        charter=world.setting.agreed.charter,
        files=tuple(read_transcript(data) for data in sorted(files)),
        sent=tuple(dict.fromkeys(records)),
        players={seat: peer.player for seat, peer in world.peers.items()},
        tables=tables,
        liar=liar,
    )
