"""The countersigned table: ledger, deck and rules put together, without input or output.

Ledgers know no cards, rules know no keys, and the deck knows no history. This package is the one
place that composes them, for everybody alike: the seat that plays, the reader who verifies, the
simulator. A later layer adds files, network or time around it and changes nothing in it.

    names, charter, plain     what the seats agree on, and the charter made of it
    actions                   what a seat on turn writes
    program                   the queue: effects of the rules, and how far the first one is
    position                  the public state at one point of the history
    operation, operations     what an effect is: the type, and one file for each effect
    carrying, acting          how it goes on: the loop over the operations, and actions
    replay                    positions along a ledger
    player, table             the private side, and a table as one seat sits at it
"""

from nodealer.table.actions import ACTED, ANSWERED, Acted, Again, ChosenSlot, read_action
from nodealer.table.charter import (
    SEALING_PART_BYTES_MAX,
    VERSION_MAX,
    Agreed,
    Terms,
    accept,
    charter_of,
    check_charter,
    check_terms,
    read_terms,
    require_rules,
)
from nodealer.table.names import NAME_CHARACTERS_MAX, folded, require_names
from nodealer.table.operation import Falsehood, Trick
from nodealer.table.operations import OPERATIONS, PARTS
from nodealer.table.operations.reshuffle import RETURN
from nodealer.table.plain import NAMED_VALUES, WORD
from nodealer.table.player import Player
from nodealer.table.position import Position, Setting
from nodealer.table.program import Program
from nodealer.table.replay import CLOSE, Replay, begin
from nodealer.table.table import (
    HEEDING,
    Table,
    come_back,
    joined,
    position_of,
    sit_down,
    state_of,
)

__all__ = [
    "ACTED",
    "ANSWERED",
    "CLOSE",
    "HEEDING",
    "NAMED_VALUES",
    "NAME_CHARACTERS_MAX",
    "OPERATIONS",
    "PARTS",
    "RETURN",
    "SEALING_PART_BYTES_MAX",
    "VERSION_MAX",
    "WORD",
    "Acted",
    "Again",
    "Agreed",
    "ChosenSlot",
    "Falsehood",
    "Player",
    "Position",
    "Program",
    "Replay",
    "Setting",
    "Table",
    "Terms",
    "Trick",
    "accept",
    "begin",
    "charter_of",
    "check_charter",
    "check_terms",
    "come_back",
    "folded",
    "joined",
    "position_of",
    "read_action",
    "read_terms",
    "require_names",
    "require_rules",
    "sit_down",
    "state_of",
]
