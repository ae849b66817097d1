"""The countersigned table: ledger, deck and rules put together, without input or output.

Ledgers know no cards, rules know no keys, and the deck knows no history. This package is the one
place that composes them, for everybody alike: the seat that plays, the reader who verifies, the
simulator. A later layer adds files, network or time around it and changes nothing in it.

    names, charter, plain     what the seats agree on, and the charter made of it
    actions                   what a seat on turn writes
    program                   the queue: effects of the rules and the joint steps that they take
    position                  the public state at one point of the history
    carrying, joint, acting   how it goes on: effects, joint steps, actions
    parts                     what seats owe to joint steps: made, and checked
    replay                    positions along a ledger
    player, table             the private side, and a table as one seat sits at it
    waiting                   who owes what, since when
"""

from nodealer.table.actions import Acted, Again, Chosen, read_action
from nodealer.table.charter import Agreed, Terms, accept, charter_of, check_charter, read_terms
from nodealer.table.player import Player
from nodealer.table.position import Position, Setting
from nodealer.table.program import Joint, Program
from nodealer.table.replay import Replay, begin
from nodealer.table.table import (
    HEEDING,
    Table,
    come_back,
    joined,
    position_of,
    sit_down,
    state_of,
)
from nodealer.table.waiting import Waiting, waiting

__all__ = [
    "HEEDING",
    "Acted",
    "Again",
    "Agreed",
    "Chosen",
    "Joint",
    "Player",
    "Position",
    "Program",
    "Replay",
    "Setting",
    "Table",
    "Terms",
    "Waiting",
    "accept",
    "begin",
    "charter_of",
    "check_charter",
    "come_back",
    "joined",
    "position_of",
    "read_action",
    "read_terms",
    "sit_down",
    "state_of",
    "waiting",
]
