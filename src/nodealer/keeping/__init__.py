"""The policy of a table's keeper as a value: when to store, sync, send, hold back and wake.

    engine          one table that is kept open, and what each input comes to
    surroundings    what is around it: the time, and how the others are reached
    table_journal   where it stores
    speech          what is said to whom, in which order
    held_seals      seals that go to their author first, among near peers
    reminders       asking for what somebody else holds and does not send
    answering       when a question of the rules is answered, and with what

Nothing here has input or output, a clock or chance of its own. `node` carries an engine out over
links and a disk; a simulation or a browser may do it over anything else.
"""

from nodealer.keeping.answering import (
    Answering,
    DrawDelay,
    delays,
    let_pass_alone,
    no_delay,
    passes_alone,
)
from nodealer.keeping.engine import Done, Engine, StoredBatch, TableInput
from nodealer.keeping.speech import Offering, Speech
from nodealer.keeping.surroundings import TICKS_IN_A_SECOND, Neighbour, Surroundings
from nodealer.keeping.table_journal import TableJournal

__all__ = [
    "TICKS_IN_A_SECOND",
    "Answering",
    "Done",
    "DrawDelay",
    "Engine",
    "Neighbour",
    "Offering",
    "Speech",
    "StoredBatch",
    "Surroundings",
    "TableInput",
    "TableJournal",
    "delays",
    "let_pass_alone",
    "no_delay",
    "passes_alone",
]
