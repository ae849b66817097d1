"""The countersigning protocol: one history that every seat has signed, without a server.

A table's history is a chain of entries, and an entry is complete when every seat of the roster has
sealed it. If a seat falls silent, or is proven to have broken a rule, the others settle the height
by rounds of votes. The core is free of input and output: a frozen `Ledger` takes an input and
returns the next ledger with a `Ready`, whatever is to be stored, sent, shown and asked.

It knows seats, keys, heights, contents, seals and votes. What actions and contributions mean is
known to the `Application` above it, whose states it carries without looking into them.

    objects, messages, codec, forms     what is hashed, signed and sent
    application, ready                  the layer above, and the caller
    chain, certificates                 entries, and when one is complete
    duties, evidence, guilt, compare    what a seat may sign, and who is guilty
    ledger, draft, desk                 the inputs, and a ledger under change
    intake, filing, backing             messages, single objects, certificates beside them
    judging, progress                   replaying and comparing; taking and sealing
    rounds, missed, voting, answers     when somebody is silent, or behind
    exchange, recovery, recall          relay and catch-up, restart, a doubtful journal
    awaiting, phases                    what people are shown
    records                             what a seat holds that is in no entry yet

Its page is `specs/04-ledger.md`.
"""

from nodealer.ledger.application import (
    Application,
    Authored,
    Closed,
    Due,
    Duty,
    Given,
    Moment,
    Owed,
)
from nodealer.ledger.awaiting import Awaited
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.codec import KINDS, read, write
from nodealer.ledger.duties import DUTIES, Duties
from nodealer.ledger.evidence import judge
from nodealer.ledger.ledger import Ledger, found
from nodealer.ledger.messages import Entry, Founded, LedgerMessage
from nodealer.ledger.objects import (
    AuthoredStep,
    Certificate,
    Charter,
    Clock,
    Content,
    Contribution,
    DueStep,
    Evict,
    EvictStep,
    Evidence,
    Keep,
    Leave,
    Part,
    Refusal,
    Seal,
    Vote,
)
from nodealer.ledger.open_end import awaited, evidence_held, open_messages
from nodealer.ledger.ready import (
    Ask,
    AskAction,
    AskContribution,
    AskSeal,
    LedgerEvent,
    Outgoing,
    Ready,
)
from nodealer.ledger.recovery import recover, resent
from nodealer.ledger.signers import Checker, Signatures, Signer

__all__ = [
    "DUTIES",
    "KINDS",
    "Application",
    "Ask",
    "AskAction",
    "AskContribution",
    "AskSeal",
    "Authored",
    "AuthoredStep",
    "Awaited",
    "Certificate",
    "ChainEntry",
    "Charter",
    "Checker",
    "Clock",
    "Closed",
    "Content",
    "Contribution",
    "Due",
    "DueStep",
    "Duties",
    "Duty",
    "Entry",
    "Evict",
    "EvictStep",
    "Evidence",
    "Founded",
    "Given",
    "Keep",
    "Leave",
    "Ledger",
    "LedgerEvent",
    "LedgerMessage",
    "Moment",
    "Outgoing",
    "Owed",
    "Part",
    "Ready",
    "Refusal",
    "Seal",
    "Signatures",
    "Signer",
    "Vote",
    "awaited",
    "evidence_held",
    "found",
    "judge",
    "open_messages",
    "read",
    "recover",
    "resent",
    "write",
]
