"""Forgeries of several steps with a purpose: each is a way in which somebody honest might be named.

A forger who draws by chance comes upon these seldom; one who has read how the judge works tries
them first. Where no key is needed none is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger import Certificate, Content, Contribution, DueStep, Entry, EvictStep, Evidence
from nodealer.ledger.messages import Contributed, Sealed
from nodealer.ledger.objects import Evict, Part
from tests.verify.forger.accusing import CODES
from tests.verify.forger.forgery import Hand, Nothing, Operation, changed, refitted


def fewer_contributions(hand: Hand) -> None:
    """Leave out what others have built on, let the content name what is left, and sign nothing."""
    at = hand.at(lambda entry: any(one.on for one in entry.contributions))
    entry = hand.file.entries[at]
    built_on = {name for one in entry.contributions for name in one.on}
    gone = hand.one([one for one in entry.contributions if one.id in built_on])
    given = tuple(one for one in entry.contributions if one.id != gone.id)
    content = changed(entry.content, contributions=tuple((one.seat, one.id) for one in given))
    certificate = Certificate(content.id, entry.certificate.rank)
    if hand.happens(50):
        certificate = replace(entry.certificate, entry=content.id)
    hand.put(at, Entry(content, given, certificate, entry.beside))
    hand.tell("left out what seat", gone.seat, "contributed to entry", at + 1)


def later_vote(hand: Hand) -> None:
    """Put a vote to leave somebody out where that seat is out already."""
    votes = [vote for vote in hand.pieces.votes if isinstance(vote.choice, Evict)]
    vote = hand.one(votes)
    at = hand.at(lambda entry: entry.content.height > vote.height)
    entry = hand.file.entries[at]
    certificate = replace(entry.certificate, votes=(*entry.certificate.votes, vote)[:10])
    if hand.happens(50):
        certificate = replace(certificate, seals=(), votes=(vote,), rank=1)
    hand.put(at, replace(entry, certificate=certificate))
    hand.tell("a vote of height", vote.height, "in entry", at + 1)


def roster_made_up(hand: Hand) -> None:
    """Leave out somebody by an entry that nobody signed, below where a vote speaks of that seat."""
    vote = hand.one([vote for vote in hand.pieces.votes if isinstance(vote.choice, Evict)])
    assert isinstance(vote.choice, Evict)
    last = [n for n, one in enumerate(hand.file.entries) if one.content.id == vote.base]
    if not last or not last[0]:
        raise Nothing
    at = hand.below(last[0])
    seats = hand.one([vote.choice.seats, (vote.seat,)])
    entries = hand.file.entries
    old = entries[at].content
    content = changed(old, step=EvictStep(1, seats), contributions=())
    entry = Entry(content, (), Certificate(content.id, 1))
    entries = (*entries[:at], entry, *entries[at + 1 :])
    if hand.happens(30):
        entries = (*refitted(entries[: last[0]], at + 1), *entries[last[0] :])
    blamed = Evidence("E5", vote.seat, (vote,))
    hand.file = replace(hand.file, entries=entries, evidence=(*hand.file.evidence, blamed))
    hand.tell("seats", *seats, "left out by entry", at + 1, "and E5 against seat", vote.seat)


def twice_under_one_label(hand: Hand) -> Iterator[tuple[bytes, Contribution, Contribution]]:
    """Yield what honest seats have contributed under one label over two parents, and differs."""
    for one in hand.pieces.contributions:
        for other in hand.pieces.contributions:
            if one.seat != other.seat or one.seat == hand.key or one.parent == other.parent:
                continue
            before = dict(one.payloads)
            for label, payload in other.payloads:
                if before.get(label, payload) != payload:
                    yield label, one, other


def made_up_binding(hand: Hand) -> None:
    """Say in an entry that nobody signed that a label binds under which somebody gave two things.

    Beside it lies a certificate whose signatures are made up.
    """
    label, one, other = hand.one(list(twice_under_one_label(hand)))
    entries = hand.file.entries
    at = hand.between(0, len(entries))
    known = [n for n, entry in enumerate(entries) if entry.content.id == other.parent]
    if known and hand.happens(70):
        at = known[0] + 1
    parent = entries[at - 1].content.id if at else EntryId(hand.file.charter.table)
    old = hand.pieces.contents[0]
    entry = bound_entry(hand, old, at, parent, label)
    evidence = Evidence("E1", one.seat, (one, other))
    entries = (*entries[:at], entry, *entries[at + hand.between(0, 1) :])
    hand.file = replace(hand.file, entries=entries)
    if hand.happens(50):
        hand.file = replace(hand.file, evidence=(*hand.file.evidence, evidence))
    else:
        shown = (Contributed(one), Contributed(other))
        hand.file = replace(hand.file, open=(*hand.file.open, *shown))
    hand.tell("a label binds in entry", at + 1, "that seat", one.seat, "has used twice")


def bound_entry(hand: Hand, old: Content, at: int, parent: EntryId, label: bytes) -> Entry:
    """Return an entry that says that a label binds, with a made-up certificate beside it."""
    roster = roster_at(hand, at)
    part = Part(label, "keys", roster, binding=True, chained=False)
    content = changed(
        old,
        table=hand.file.charter.table,
        height=Height(at + 1),
        parent=parent,
        step=DueStep((part,)),
        contributions=(),
    )
    seal = hand.one(hand.pieces.seals)
    seals = tuple(
        changed(
            seal,
            seat=seat,
            table=content.table,
            height=content.height,
            parent=parent,
            entry=content.id,
            rank=0,
        )
        for seat in roster
    )
    certificate = Certificate(content.id, 0, seals=seals)
    return Entry(content, (), certificate, (certificate,))


def roster_at(hand: Hand, at: int) -> tuple[Seat, ...]:
    """Return who is left after so many entries of the file."""
    roster = hand.file.charter.seats
    for entry in hand.file.entries[:at]:
        step = entry.content.step
        if isinstance(step, EvictStep):
            roster = tuple(seat for seat in roster if seat not in step.seats)
    return roster


def open_below_no_table(hand: Hand) -> None:
    """Take seals of the charter away and all entries, and leave something open."""
    seals = hand.some(hand.file.seals, len(hand.file.seals) - 1)
    seals = tuple(sorted(seals, key=lambda seal: seal.seat))
    messages = hand.some(hand.pieces.messages, 5)
    if hand.happens(30):
        one = replace(hand.one(hand.pieces.seals), signature=bytes(64))
        messages = (*messages, Sealed(one))
    hand.file = replace(hand.file, seals=seals, entries=(), open=messages)
    hand.tell(len(seals), "seals of the charter, and open:", len(messages))


def grounds_made_up(hand: Hand) -> None:
    """Lay evidence against whoever was left out beside the votes of a majority."""
    at = hand.at(lambda entry: isinstance(entry.content.step, EvictStep))
    entry = hand.file.entries[at]
    step = entry.content.step
    assert isinstance(step, EvictStep)
    grounds = []
    for seat in step.seats:
        own = [one for one in hand.pieces.signed if one.seat == seat]
        messages = (hand.one(own), hand.one(own))[: hand.between(1, 2)]
        grounds.append(Evidence(hand.one(CODES), seat, messages))
    certificate = replace(entry.certificate, grounds=tuple(grounds))
    hand.put(at, replace(entry, certificate=certificate))
    hand.tell("grounds made up in entry", at + 1)


def eviction_rewritten(hand: Hand) -> None:
    """End the file with an eviction, and change of it what no vote speaks of."""
    at = hand.at(lambda entry: isinstance(entry.content.step, EvictStep))
    entry = hand.file.entries[at]
    given = [one for one in hand.pieces.contributions if one.parent == entry.content.parent]
    contributions: tuple[Contribution, ...] = ()
    if hand.happens(50):
        content = changed(entry.content, state=hand.one(hand.pieces.contents).state)
    else:
        contributions = tuple(sorted(hand.some(given, 3), key=lambda one: one.seat))
        named = tuple((one.seat, one.id) for one in contributions)
        content = changed(entry.content, contributions=named)
    certificate = replace(entry.certificate, entry=content.id)
    entries = (*hand.file.entries[:at], Entry(content, contributions, certificate, entry.beside))
    hand.file = replace(hand.file, entries=entries, open=(), evidence=())
    hand.tell("rewrote the eviction of entry", at + 1)


TRICKS: Final[Mapping[str, Operation]] = {
    "fewer-contributions": fewer_contributions,
    "later-vote": later_vote,
    "roster-made-up": roster_made_up,
    "made-up-binding": made_up_binding,
    "open-below-no-table": open_below_no_table,
    "grounds-made-up": grounds_made_up,
    "eviction-rewritten": eviction_rewritten,
}
