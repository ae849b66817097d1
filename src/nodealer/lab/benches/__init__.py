"""Figures, measured as quotients in one run.

    bench_cards     a table of the deck alone
    bench_play      seats in lockstep, without a network
    bench_hands     what becomes of a hand
    bench_ledger    countersigning alone
    bench_memory    what a seat keeps of an entry
    bench_verify    the judging of a game
    deck_figures    all figures of the deck
    table_figures   all figures of a table
    net_figures     all figures of processes on a network
    page_figures    what somebody waits for at the page

Those of the network and of the page load the network, so each of the two is a door beside this one.
Each is told as it is; what is to be reached stands with the command that shows it.
"""

from nodealer.lab.benches.deck_figures import FIGURES, Measured, Results, measure_deck
from nodealer.lab.benches.table_figures import TableFigures, measure_table

__all__ = ["FIGURES", "Measured", "Results", "TableFigures", "measure_deck", "measure_table"]
