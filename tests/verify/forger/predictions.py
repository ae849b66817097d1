"""What refuses each kind of forgery, where the pages say so: a height, a class, and who is named.

A kind is done to one place of an honest file, which ends a little above it. What is returned is the
height at which it fails; kinds that leave a sound file return nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger import (
    Certificate,
    Content,
    Contribution,
    DueStep,
    Entry,
    EvictStep,
    Evidence,
    Leave,
    LedgerMessage,
    Refusal,
    Seal,
    Vote,
)
from nodealer.ledger.messages import Contributed, Left, Sealed, Voted
from nodealer.ledger.objects import Evict
from tests.verify.forger.forgery import Hand, Nothing, changed
from tests.verify.forger.signing import link_of
from tests.verify.forger.tricks import roster_at


@dataclass(frozen=True)
class Kind:
    """A kind of forgery, and the classes of which one refuses it; none if it is not refused.

    `names` says whether the seat whose key the forger has is named for it.
    """

    make: Callable[[Hand], int | None]
    classes: tuple[str, ...] = ()
    names: bool = False


def sealed(entry: Entry) -> bool:
    """Say whether an entry is held by seals."""
    return bool(entry.certificate.seals)


def voted(entry: Entry) -> bool:
    """Say whether an entry is held by votes."""
    return bool(entry.certificate.votes)


def evicts(entry: Entry) -> bool:
    """Say whether an entry leaves seats out."""
    return isinstance(entry.content.step, EvictStep)


def place(hand: Hand, fits: Callable[[Entry], bool] = lambda _: True) -> int:
    """Return the place of an entry, and end the file right above the one after it."""
    at = hand.at(fits)
    entries = hand.file.entries[: at + 2]
    hand.file = replace(hand.file, entries=entries, open=(), evidence=())
    return at


# The order of entries.


def entry_left_out(hand: Hand) -> int:
    """Leave out an entry that is not the last."""
    entries = hand.file.entries
    at = hand.one(range(len(entries) - 1))
    hand.file = replace(hand.file, entries=(*entries[:at], *entries[at + 1 :]))
    return at + 1


def entry_twice(hand: Hand) -> int:
    """Write an entry twice."""
    at = place(hand)
    entries = hand.file.entries
    hand.file = replace(hand.file, entries=(*entries[: at + 1], *entries[at:]))
    return at + 2


def entries_exchanged(hand: Hand) -> int:
    """Exchange an entry with the next one."""
    at = hand.one(range(len(hand.file.entries) - 1))
    entries = list(hand.file.entries)
    entries[at], entries[at + 1] = entries[at + 1], entries[at]
    hand.file = replace(hand.file, entries=tuple(entries))
    return at + 1


def entry_of_another_table(hand: Hand) -> int:
    """Put an entry of another table in the place of one."""
    at = place(hand)
    hand.put(at, hand.one(hand.elsewhere.entries))
    return at + 1


def cut(hand: Hand) -> None:
    """End the file after any entry."""
    most = hand.between(0, len(hand.file.entries))
    hand.file = replace(hand.file, entries=hand.file.entries[:most], open=(), evidence=())


# What nobody has signed.


def content_rewritten(hand: Hand) -> int:
    """Change a content, and nothing else."""
    at = place(hand)
    content = hand.file.entries[at].content
    hand.recontent(at, changed(content, state=bytes(32)), named=False)
    return at + 1


def content_rewritten_and_named(hand: Hand) -> int:
    """Change a content under its seals, which are not on it any more."""
    at = place(hand, sealed)
    content = hand.file.entries[at].content
    hand.recontent(at, changed(content, state=bytes(32)), named=True)
    return at + 1


def other_state_after_votes(hand: Hand) -> int:
    """Change the state after an eviction, whose votes do not speak of it."""
    at = place(hand, evicts)
    content = hand.file.entries[at].content
    hand.recontent(at, changed(content, state=bytes(32)), named=True)
    return at + 1


def contribution_left_out(hand: Hand) -> int:
    """Leave a contribution out of an entry."""
    at = place(hand, lambda entry: bool(entry.contributions))
    entry = hand.file.entries[at]
    hand.put(at, replace(entry, contributions=entry.contributions[1:]))
    return at + 1


def contribution_left_out_and_named(hand: Hand) -> int:
    """Leave out what nobody builds on; the content names what is left, and nobody has sealed it."""
    at = place(hand, lambda entry: bool(entry.contributions) and sealed(entry))
    entry = hand.file.entries[at]
    given = entry.contributions[:-1]
    content = changed(entry.content, contributions=tuple((one.seat, one.id) for one in given))
    hand.put(at, Entry(content, given, Certificate(content.id, 0)))
    return at + 1


def built_on_left_out(hand: Hand) -> int:
    """Leave out what others have built on; the content names what is left."""
    at = place(hand, lambda entry: any(one.on for one in entry.contributions))
    entry = hand.file.entries[at]
    given = entry.contributions[1:]
    content = changed(entry.content, contributions=tuple((one.seat, one.id) for one in given))
    hand.put(at, Entry(content, given, Certificate(content.id, 0)))
    return at + 1


def eviction_made_up(hand: Hand) -> int:
    """Make up an eviction, with the state that it would lead to, and no votes."""
    at = place(hand)
    content = eviction_over(hand, at)
    hand.put(at, Entry(content, (), Certificate(content.id, 1)))
    return at + 1


def eviction_over(hand: Hand, at: int) -> Content:
    """Return an eviction of one seat at a place of the file, whatever it would take."""
    entries = hand.file.entries
    parent = entries[at - 1].content.id if at else EntryId(hand.file.charter.table)
    roster, link = roster_at(hand, at), link_of(hand, parent)
    if len(roster) == 1 or link is None:
        raise Nothing
    out = (hand.one(roster),)
    state = link.state.evicted(link.moment(), out).digest()
    table = hand.file.charter.table
    return Content(table, Height(at + 1), parent, EvictStep(1, out), (), state)


def charter_rewritten(hand: Hand) -> int:
    """Change the clock of the charter."""
    charter = hand.file.charter
    clock = replace(charter.clock, act=charter.clock.act + 1)
    hand.file = replace(hand.file, charter=replace(charter, clock=clock))
    return 0


# Certificates.


def seal_left_out(hand: Hand) -> int:
    """Leave out a seal."""
    return _certified(hand, sealed, lambda one: replace(one, seals=one.seals[:-1]))


def seals_exchanged(hand: Hand) -> int:
    """Put the seals in another order."""

    def several(entry: Entry) -> bool:
        return len(entry.certificate.seals) > 1

    return _certified(hand, several, lambda one: replace(one, seals=one.seals[::-1]))


def seal_twice(hand: Hand) -> int:
    """Repeat a seal."""
    return _certified(hand, sealed, lambda one: replace(one, seals=(*one.seals, one.seals[-1])))


def vote_left_out(hand: Hand) -> int:
    """Leave out a vote; its content still says so many left out, so many must have voted."""
    return _certified(hand, evicts, lambda one: replace(one, votes=one.votes[:-1]))


def other_rank(hand: Hand) -> int:
    """State another rank."""
    return _certified(hand, lambda _: True, lambda one: replace(one, rank=one.rank + 1))


def needless_grounds(hand: Hand) -> int:
    """Give grounds where nobody is left out."""
    leave = hand.one(hand.pieces.leaves)
    return _certified(
        hand, lambda entry: not evicts(entry), lambda one: replace(one, grounds=(leave,))
    )


def _certified(
    hand: Hand, fits: Callable[[Entry], bool], change: Callable[[Certificate], Certificate]
) -> int:
    at = place(hand, fits)
    entry = hand.file.entries[at]
    hand.put(at, replace(entry, certificate=change(entry.certificate)))
    return at + 1


def seal_of_another_entry(hand: Hand) -> int:
    """Put a seal of the same seat on another entry in the place of one."""
    at = place(hand, sealed)
    entry = hand.file.entries[at]
    first, *rest = entry.certificate.seals
    others = [one for one in hand.pieces.seals if one.seat == first.seat and one != first]
    seals = (hand.one(others), *rest)
    hand.put(at, replace(entry, certificate=replace(entry.certificate, seals=seals)))
    return at + 1


def vote_moved(hand: Hand) -> int:
    """Put a vote into the certificate of a later entry."""
    vote = hand.one(hand.pieces.votes)
    at = place(hand, lambda entry: entry.content.height > vote.height)
    entry = hand.file.entries[at]
    certificate = replace(entry.certificate, votes=(*entry.certificate.votes, vote))
    hand.put(at, replace(entry, certificate=certificate))
    return at + 1


def needless_beside(hand: Hand) -> int:
    """Lay a good certificate beside an entry that rests on none."""
    at = place(hand, lambda entry: not entry.beside and sealed(entry))
    entries = hand.file.entries
    below = entries[at - 1].certificate if at else None
    if below is None:
        raise Nothing
    hand.put(at, replace(entries[at], beside=(below,)))
    return at + 1


def signature_damaged(hand: Hand) -> int:
    """Change a signature."""
    at = place(hand, sealed)
    entry = hand.file.entries[at]
    first, *rest = entry.certificate.seals
    bent = first.signature[:-1] + bytes([first.signature[-1] ^ 1])
    seals = (replace(first, signature=bent), *rest)
    hand.put(at, replace(entry, certificate=replace(entry.certificate, seals=seals)))
    return at + 1


def seat_that_is_none(hand: Hand) -> int:
    """Let a seal be that of a seat that does not exist."""
    at = place(hand, sealed)
    entry = hand.file.entries[at]
    *rest, last = entry.certificate.seals
    seals = (*rest, replace(last, seat=Seat(9)))
    hand.put(at, replace(entry, certificate=replace(entry.certificate, seals=seals)))
    return at + 1


# The founding and the end.


def charter_unsealed(hand: Hand) -> int:
    """Leave out a seal of the charter, below entries."""
    place(hand)
    hand.file = replace(hand.file, seals=hand.file.seals[1:])
    return 0


def charter_alone_unsealed(hand: Hand) -> None:
    """Leave out seals of the charter, and everything after it."""
    most = hand.between(0, len(hand.file.seals) - 1)
    hand.file = replace(hand.file, seals=hand.file.seals[:most], entries=(), open=(), evidence=())


def open_left_out(hand: Hand) -> None:
    """Leave out what is open."""
    hand.file = replace(hand.file, open=(), evidence=())


def open_of_another_table(hand: Hand) -> int:
    """Add an open message of another table."""
    height = len(hand.file.entries) + 1
    one = hand.one([one for one in hand.elsewhere.seals if one.height])
    hand.file = replace(hand.file, open=(*hand.file.open, Sealed(one)))
    return height


def open_damaged(hand: Hand) -> int:
    """Add an open message with a bad signature."""
    height = len(hand.file.entries) + 1
    one = replace(hand.one(hand.pieces.seals), signature=bytes(64))
    hand.file = replace(hand.file, open=(*hand.file.open, Sealed(one)))
    return height


def false_evidence(hand: Hand) -> int:
    """Bring two messages as evidence that do not contradict each other."""
    first = hand.one(hand.pieces.seals)
    mine = [one for one in hand.pieces.seals if one.seat == first.seat and one != first]
    second = hand.one(mine)
    evidence = Evidence("E1", first.seat, (first, second))
    hand.file = replace(hand.file, open=(), evidence=(evidence,))
    return max(first.height, second.height)


# What the one dishonest seat is named for.


def own_seal_at_another_height(hand: Hand) -> int:
    """Seal a good entry, and say another height."""
    key = hand.key

    def mine(entry: Entry) -> bool:
        return any(seal.seat == key for seal in entry.certificate.seals)

    at = place(hand, mine)
    entry = hand.file.entries[at]
    seals = tuple(
        hand.sign(seal, height=Height(seal.height + 1)) if seal.seat == key else seal
        for seal in entry.certificate.seals
    )
    hand.put(at, replace(entry, certificate=replace(entry.certificate, seals=seals)))
    return at + 1


def own_contribution_bent(hand: Hand) -> int:
    """Contribute what proves nothing, and seal the entry of it alone."""

    def proves(entry: Entry) -> bool:
        step = entry.content.step
        is_mine = any(one.seat == hand.key for one in entry.contributions)
        return is_mine and isinstance(step, DueStep) and step.parts[0].kind in PROVEN

    at = place(hand, proves)
    entry = hand.file.entries[at]
    given = tuple(
        hand.sign(one, payloads=_bent(one)) if one.seat == hand.key else one
        for one in entry.contributions
    )
    content = changed(entry.content, contributions=tuple((one.seat, one.id) for one in given))
    hand.put(at, sealed_alone(hand, content, given))
    return at + 1


PROVEN: Final = frozenset({"keys", "shuffle", "mask", "release", "verdict"})
"""Kinds of parts that carry a proof; a commitment can be anything, and so can a choice."""


def _bent(one: Contribution) -> tuple[tuple[bytes, bytes], ...]:
    (label, payload), *rest = one.payloads
    return ((label, payload[:-1] + bytes([payload[-1] ^ 1])), *rest)


def sealed_alone(hand: Hand, content: Content, given: tuple[Contribution, ...] = ()) -> Entry:
    """Return an entry that the dishonest seat alone has sealed."""
    assert hand.key is not None, "a stranger seals nothing"
    place = (content.table, content.height, content.parent)
    seal = hand.sign(Seal(*place, content.id, 0, hand.key, b""))
    return Entry(content, given, Certificate(content.id, 0, seals=(seal,)))


def own_state_sealed(hand: Hand) -> int:
    """Seal a content that leads to another state."""
    at = place(hand)
    entry = hand.file.entries[at]
    content = changed(entry.content, state=bytes(32))
    hand.put(at, sealed_alone(hand, content, entry.contributions))
    return at + 1


def own_vote_against_oneself(hand: Hand) -> int:
    """Vote to leave oneself out."""
    assert hand.key is not None, "a stranger casts no vote"
    at = place(hand)
    entry = hand.file.entries[at]
    content = entry.content
    seats = (content.table, content.height, content.parent)
    vote = hand.sign(Vote(*seats, 0, 1, Evict((hand.key,)), hand.key, b""))
    certificate = Certificate(content.id, 1, votes=(vote,))
    hand.put(at, replace(entry, certificate=certificate, beside=()))
    return at + 1


def _shown(hand: Hand, *messages: LedgerMessage) -> None:
    hand.file = replace(hand.file, open=(*hand.file.open, *messages))


def two_seals(hand: Hand) -> None:
    """Seal two contents over the tip."""
    parent, height = _tip(hand)
    seals = [
        hand.sign(
            Seal(hand.file.charter.table, height, parent, EntryId(bytes([n] * 32)), 0, Seat(0), b"")
        )
        for n in (1, 2)
    ]
    _shown(hand, *map(Sealed, seals))


def two_contributions(hand: Hand) -> None:
    """Contribute two things over the tip."""
    parent, height = _tip(hand)
    table = hand.file.charter.table
    given = [
        hand.sign(Contribution(table, height, parent, Seat(0), ((b"label", bytes([n])),), (), b""))
        for n in (1, 2)
    ]
    _shown(hand, *map(Contributed, given))


def two_votes(hand: Hand) -> None:
    """Cast two votes in one round."""
    assert hand.key is not None, "a stranger casts no vote"
    parent, height = _tip(hand)
    table, roster = hand.file.charter.table, roster_at(hand, len(hand.file.entries))
    others = [seat for seat in roster if seat != hand.key]
    if len(others) < 3:
        raise Nothing
    votes = [
        hand.sign(Vote(table, height, parent, 0, 1, Evict((seat,)), Seat(0), b""))
        for seat in others[:2]
    ]
    _shown(hand, *map(Voted, votes))


def on_after_leaving(hand: Hand) -> None:
    """Leave, and seal something later."""
    parent, height = _tip(hand)
    table = hand.file.charter.table
    leave = hand.sign(Leave(table, Height(height - 1), parent, 0, Seat(0), b""))
    seal = hand.sign(Seal(table, height, parent, EntryId(bytes(32)), 0, Seat(0), b""))
    _shown(hand, Left(leave), Sealed(seal))


def good_refused(hand: Hand) -> None:
    """Refuse what somebody else has rightly contributed, and bring that as evidence."""
    assert hand.key is not None, "a stranger refuses nothing"
    at = hand.at(lambda entry: any(not one.on for one in entry.contributions))
    hand.file = replace(hand.file, open=(), evidence=())
    one = hand.one([one for one in hand.file.entries[at].contributions if not one.on])
    place = (one.table, one.height, one.parent)
    refusal = hand.sign(Refusal(*place, one.id, "rules/illegal", (), Seat(0), b""))
    hand.file = replace(hand.file, evidence=(Evidence("E6", hand.key, (refusal, one)),))


def _tip(hand: Hand) -> tuple[EntryId, Height]:
    """Return the tip of the file and the height over it, after leaving out what was open.

    The dishonest seat is in the roster there.
    """
    entries = hand.file.entries
    if hand.key not in roster_at(hand, len(entries)):
        raise Nothing
    hand.file = replace(hand.file, open=(), evidence=())
    tip = entries[-1].content.id if entries else EntryId(hand.file.charter.table)
    return tip, Height(len(entries) + 1)


BY_STRANGERS: Final[Mapping[str, Kind]] = {
    "an entry left out": Kind(entry_left_out, ("chain",)),
    "an entry twice": Kind(entry_twice, ("chain",)),
    "entries exchanged": Kind(entries_exchanged, ("chain",)),
    "an entry of another table": Kind(entry_of_another_table, ("chain", "identity")),
    "the file cut": Kind(cut),
    "a content rewritten": Kind(content_rewritten, ("chain",)),
    "a content rewritten and named": Kind(content_rewritten_and_named, ("chain",)),
    "another state after votes": Kind(other_state_after_votes, ("rules",)),
    "a contribution left out": Kind(contribution_left_out, ("chain",)),
    "a contribution left out and named": Kind(contribution_left_out_and_named, ("completeness",)),
    "what others build on left out": Kind(built_on_left_out, ("chain",)),
    "an eviction made up": Kind(eviction_made_up, ("completeness",)),
    "the charter rewritten": Kind(charter_rewritten, ("chain",)),
    "a seal left out": Kind(seal_left_out, ("completeness",)),
    "seals exchanged": Kind(seals_exchanged, ("completeness",)),
    "a seal twice": Kind(seal_twice, ("completeness",)),
    "a vote left out": Kind(vote_left_out, ("completeness",)),
    "another rank": Kind(other_rank, ("completeness",)),
    "needless grounds": Kind(needless_grounds, ("completeness",)),
    "a seal of another entry": Kind(seal_of_another_entry, ("chain",)),
    "a vote moved": Kind(vote_moved, ("chain",)),
    "a needless certificate": Kind(needless_beside, ("completeness",)),
    "a signature damaged": Kind(signature_damaged, ("signatures",)),
    "a seat that is none": Kind(seat_that_is_none, ("identity",)),
    "a charter not sealed": Kind(charter_unsealed, ("completeness",)),
    "a charter alone, not sealed": Kind(charter_alone_unsealed),
    "what is open left out": Kind(open_left_out),
    "an open message of another table": Kind(open_of_another_table, ("chain", "identity")),
    "an open message damaged": Kind(open_damaged, ("signatures",)),
    "evidence of what is right": Kind(false_evidence, ("liveness",)),
}

BY_A_SEAT: Final[Mapping[str, Kind]] = {
    "an own seal at another height": Kind(own_seal_at_another_height, ("chain",), names=True),
    "an own contribution bent": Kind(own_contribution_bent, ("cryptography",), names=True),
    "another state sealed": Kind(own_state_sealed, ("rules",), names=True),
    "a vote against oneself": Kind(own_vote_against_oneself, ("completeness",), names=True),
    "two seals": Kind(two_seals, names=True),
    "two contributions": Kind(two_contributions, names=True),
    "two votes": Kind(two_votes, names=True),
    "on after leaving": Kind(on_after_leaving, names=True),
    "what is good refused": Kind(good_refused, names=True),
}
