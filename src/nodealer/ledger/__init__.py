"""The countersigning protocol: one history that every seat has signed, without a server.

A table's history is a chain of entries, and an entry is complete when every seat of the roster has
sealed it. If a seat falls silent, or is proven to have broken a rule, the others settle the height
by rounds of votes. The core is free of input and output: a frozen `Ledger` takes an input and
returns the next ledger with a `Ready`, whatever is to be stored, sent, shown and asked.

It knows seats, keys, heights, contents, seals and votes. What actions and contributions mean is
known to the `Application` above it, whose states it carries without looking into them.

    objects, messages, codec, forms     what is hashed, signed and sent
    signers                             who signs here, and who checks
    application, ready                  the layer above, and the caller
    chain, certificates                 entries, and when one is complete
    entry_memory                        what is held of an entry near the tip, and far below
    duties, evidence, guilt, forks      what a seat may sign, and who is guilty
    ledger, draft, desk                 the inputs, and a ledger under change
    intake, filing, backing             messages, single objects, certificates beside them
    findings, consequences              replaying and comparing; taking and sealing
    rounds                              how long somebody may be silent, and what follows
    missed, voting, answers             who is awaited, what is voted, who is answered
    catch_up, allowance                 what somebody lacks, and what asking may cost
    recovery, recall                    restart, a doubtful journal
    reading, awaiting, phases           what others read of it
    open_end                            what a seat holds that is in no entry yet

Its page is `specs/04-ledger.md`.
"""

from nodealer.ledger import codec, messages
from nodealer.ledger.application import (
    Application,
    Authored,
    Closed,
    Due,
    Given,
    LedgerDuty,
    Moment,
    Owed,
)
from nodealer.ledger.awaiting import Awaited
from nodealer.ledger.catch_up import entry_message
from nodealer.ledger.certificates import check_certificate, in_order, stated
from nodealer.ledger.chain import (
    ChainEntry,
    Followed,
    authored,
    chain_of,
    extended,
    first_link,
    follow,
    forget_far,
    judge_contribution,
    sealed,
)
from nodealer.ledger.codec import KINDS, read, write
from nodealer.ledger.desk import ROUNDS_MAX, Desk
from nodealer.ledger.draft import SETTLED_DEPTH, Fixed, LedgerState
from nodealer.ledger.duties import DUTIES, Duties
from nodealer.ledger.entry_memory import ChainMemory
from nodealer.ledger.evidence import between, broken_vote, judge
from nodealer.ledger.forks import compare_copies
from nodealer.ledger.forms import nested
from nodealer.ledger.guilt import against_sealer, binding_in, built_on, replayed
from nodealer.ledger.ledger import Ledger, found
from nodealer.ledger.messages import (
    Contributed,
    Entry,
    Founded,
    LedgerMessage,
    Left,
    Proposal,
    Refused,
    Sealed,
    Status,
    Voted,
    signed_of,
)
from nodealer.ledger.objects import (
    DOMAINS,
    NO_PARENT,
    SEAL,
    VERSION,
    AuthoredStep,
    Certificate,
    Charter,
    Choice,
    Clock,
    Content,
    Contribution,
    DueStep,
    Evict,
    EvictStep,
    Evidence,
    Ground,
    Keep,
    Leave,
    Part,
    Refusal,
    Seal,
    Signed,
    Vote,
    label_of,
    over,
)
from nodealer.ledger.open_end import evidence_held, open_messages
from nodealer.ledger.reading import LedgerReading, reading_of
from nodealer.ledger.ready import (
    Ask,
    AskAction,
    AskContribution,
    AskSeal,
    Dropped,
    LedgerEvent,
    LeftOut,
    Outgoing,
    Ready,
    Stalled,
    Suspect,
    Suspended,
    Took,
)
from nodealer.ledger.recovery import recover, resent
from nodealer.ledger.signers import Checker, Signatures, Signer, check_signed

__all__ = [
    "DOMAINS",
    "DUTIES",
    "KINDS",
    "NO_PARENT",
    "ROUNDS_MAX",
    "SEAL",
    "SETTLED_DEPTH",
    "VERSION",
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
    "ChainMemory",
    "Charter",
    "Checker",
    "Choice",
    "Clock",
    "Closed",
    "Content",
    "Contributed",
    "Contribution",
    "Desk",
    "Dropped",
    "Due",
    "DueStep",
    "Duties",
    "Entry",
    "Evict",
    "EvictStep",
    "Evidence",
    "Fixed",
    "Followed",
    "Founded",
    "Given",
    "Ground",
    "Keep",
    "Leave",
    "Ledger",
    "LedgerDuty",
    "LedgerEvent",
    "LedgerMessage",
    "LedgerReading",
    "LedgerState",
    "Left",
    "LeftOut",
    "Moment",
    "Outgoing",
    "Owed",
    "Part",
    "Proposal",
    "Ready",
    "Refusal",
    "Refused",
    "Seal",
    "Sealed",
    "Signatures",
    "Signed",
    "Signer",
    "Stalled",
    "Status",
    "Suspect",
    "Suspended",
    "Took",
    "Vote",
    "Voted",
    "against_sealer",
    "authored",
    "between",
    "binding_in",
    "broken_vote",
    "built_on",
    "chain_of",
    "check_certificate",
    "check_signed",
    "codec",
    "compare_copies",
    "entry_message",
    "evidence_held",
    "extended",
    "first_link",
    "follow",
    "forget_far",
    "found",
    "in_order",
    "judge",
    "judge_contribution",
    "label_of",
    "messages",
    "nested",
    "open_messages",
    "over",
    "read",
    "reading_of",
    "recover",
    "replayed",
    "resent",
    "sealed",
    "signed_of",
    "stated",
    "write",
]
