"""The evidence of guilt: seven codes, each a pure function over signed messages of one seat.

    E1  two seals over one parent on different entries; two different contributions over one
        parent; different payloads of one binding label, whatever the parent
    E2  two votes of one height and round that differ
    E3  two votes of one height and base: the later one regresses
    E4  a seal or vote that states a rank of its parent, and a vote over the parent's own base that
        cannot stand beside it
    E5  a content or contribution that replay refuses; a vote whose own fields break the rules
    E6  a refusal whose reason replay shows to be false; a seal on a content that replay refuses
    E7  a leave, and something signed beyond it

E1 to E4 and E7 need nothing but the messages (and for E4 the content that links two heights), so a
stranger can judge them with the keys alone. E5 and E6 need the replay of the history up to the
parent; the functions here take its outcome as an argument.

Bodies are compared, never signatures. What lies beside a signature is never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias

from nodealer.kernel import PeerError, Reason
from nodealer.ledger.objects import (
    AuthoredStep,
    Choice,
    Content,
    Contribution,
    Evict,
    Evidence,
    Keep,
    Leave,
    Refusal,
    Seal,
    Signed,
    Vote,
)
from nodealer.ledger.signers import Checker, check_signed

EvidenceReplay: TypeAlias = Callable[[Evidence], str | None]
"""What replay says of the accused object of an E5 or E6: the reason of a refusal, or nothing."""


def two_seals(one: Seal, other: Seal) -> Evidence | None:
    """E1: two seals over one parent, on different entries."""
    if one.parent != other.parent or one.entry == other.entry:
        return None
    return Evidence("E1", one.seat, (one, other))


def two_contributions(one: Contribution, other: Contribution) -> Evidence | None:
    """E1: two different contributions over one parent."""
    if one.parent != other.parent or one.id == other.id:
        return None
    return Evidence("E1", one.seat, (one, other))


def two_bindings(
    one: Contribution, other: Contribution, binding: Collection[bytes]
) -> Evidence | None:
    """E1: different payloads of one binding label, whatever the parent."""
    before = dict(one.payloads)
    differ = any(
        label in binding and before.get(label, payload) != payload
        for label, payload in other.payloads
    )
    return Evidence("E1", one.seat, (one, other)) if differ else None


def two_votes(one: Vote, other: Vote) -> Evidence | None:
    """E2: two votes of one height and round that differ."""
    if (one.height, one.round) != (other.height, other.round) or one.body() == other.body():
        return None
    return Evidence("E2", one.seat, (one, other))


def falls_behind(choice: Choice, entry: bytes, rank: int) -> bool:
    """Say whether a choice cannot be made by a seat that holds `entry` with `rank`."""
    if isinstance(choice, Evict):
        return True
    return choice.rank < rank or (choice.rank == rank and choice.entry != entry)


def regressing_vote(one: Vote, other: Vote) -> Evidence | None:
    """E3: of two votes of one height and base, the later one regresses behind a keep."""
    if (one.height, one.base) != (other.height, other.base) or one.round == other.round:
        return None
    early, late = (one, other) if one.round < other.round else (other, one)
    if not isinstance(early.choice, Keep):
        return None
    if not falls_behind(late.choice, early.choice.entry, early.choice.rank):
        return None
    return Evidence("E3", one.seat, (early, late))


def held_and_voted(held: Seal | Vote, vote: Vote, link: Content) -> Evidence | None:
    """E4: `held` states a rank of `link`; `vote`, over the parent of `link`, denies it."""
    if held.parent != link.id:
        return None
    if vote.base != link.parent or vote.height != link.height or held.height != link.height + 1:
        return None
    if vote.round <= held.rank or not falls_behind(vote.choice, link.id, held.rank):
        return None
    return Evidence("E4", held.seat, (held, vote), (link,))


def after_leave(leave: Leave, signed: Signed) -> Evidence | None:
    """E7: something signed beyond what the leave states."""
    match signed:
        case Seal() | Contribution():
            beyond = signed.height > leave.height
        case Vote():
            is_later = signed.height == leave.height and signed.round > leave.round
            beyond = signed.height > leave.height or is_later
        case _:
            beyond = False
    return Evidence("E7", leave.seat, (leave, signed)) if beyond else None


def broken_vote(vote: Vote, roster: Collection[int]) -> Evidence | None:
    """E5: a vote whose signed fields alone break the rules of rounds."""
    choice = vote.choice
    if isinstance(choice, Evict):
        is_ordered = bool(choice.seats) and choice.seats == tuple(sorted(set(choice.seats)))
        is_good = is_ordered and vote.seat not in choice.seats and set(choice.seats) <= set(roster)
    else:
        is_good = choice.rank < vote.round
    return None if is_good and vote.round > 0 else Evidence("E5", vote.seat, (vote,))


def between(  # noqa: PLR0911 - one line for each pair of kinds
    one: Signed, other: Signed, contents: Iterable[Content], binding: Collection[bytes] = ()
) -> Evidence | None:
    """Return what two messages of one seat prove; what labels are `binding`, the caller knows.

    Every code asks for two messages of one seat at one table, and that is asked here.
    """
    if (one.seat, one.table) != (other.seat, other.table):
        return None
    match one, other:
        case Seal(), Seal():
            return two_seals(one, other)
        case Contribution(), Contribution():
            return two_contributions(one, other) or two_bindings(one, other, binding)
        case Vote(), Vote():
            found = two_votes(one, other) or regressing_vote(one, other)
            return found or _across(one, other, contents) or _across(other, one, contents)
        case Seal(), Vote():
            return _across(one, other, contents)
        case Vote(), Seal():
            return _across(other, one, contents)
        case Leave(), _:
            return after_leave(one, other)
        case _, Leave():
            return after_leave(other, one)
        case _:
            return None


def _across(held: Seal | Vote, vote: Vote, contents: Iterable[Content]) -> Evidence | None:
    for link in contents:
        if (found := held_and_voted(held, vote, link)) is not None:
            return found
    return None


def judge(
    evidence: Evidence, checker: Checker, replay: EvidenceReplay, binding: Collection[bytes] = ()
) -> None:
    """Raise `PeerError` unless the evidence names its seat rightly; for receivers and strangers."""
    for signed in evidence.messages:
        check_signed(checker, signed)
    if not _holds(evidence, replay, binding):
        raise PeerError(Reason.LEDGER_EVIDENCE, f"{evidence.code} does not hold")


def _holds(evidence: Evidence, replay: EvidenceReplay, binding: Collection[bytes]) -> bool:
    first = evidence.messages[0]
    if first.seat != evidence.seat:
        return False
    if evidence.code in ("E5", "E6"):
        return _replay_agrees(evidence, first, replay(evidence))
    if len(evidence.messages) != 2:  # noqa: PLR2004 - two messages contradict each other
        return False
    found = between(first, evidence.messages[1], evidence.contents, binding)
    return found is not None and (found.code, found.seat) == (evidence.code, evidence.seat)


def _replay_agrees(evidence: Evidence, accused: Signed, refused: str | None) -> bool:
    match accused:
        case Refusal():
            return evidence.code == "E6" and refused != accused.reason
        case Seal():
            author = _author(evidence, accused)
            code = "E5" if author == accused.seat else "E6"
            return evidence.code == code and refused is not None
        case Contribution() | Vote():
            return evidence.code == "E5" and refused is not None
        case _:
            return False


def _author(evidence: Evidence, seal: Seal) -> int | None:
    for content in evidence.contents:
        if content.id == seal.entry and isinstance(content.step, AuthoredStep):
            return content.step.seat
    return None
