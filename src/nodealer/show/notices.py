"""The notices of a table: what is out of order, whom it concerns, and what follows from it.

A line of the log goes by; a notice stands for as long as it is so. Each has a kind, by which it is
drawn, and its sentences. Nothing is decided here: all of it is read from the table and from the
book beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nodealer.games import NewDeck
from nodealer.kernel import Cause, Reach, Way
from nodealer.ledger import AuthoredStep, EvictStep, LedgerReading
from nodealer.show.book import Book
from nodealer.show.telling import names_at
from nodealer.show.text import clean
from nodealer.table import Table, position_of
from nodealer.verify import CODES, joined

VOID: Final = "void"
"""The policy by which a round does not count once somebody was left out of it."""

KEPT: Final = "What proves it is kept with the record of this table; anybody can check it."


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that is out of order, by its kind, and what there is to say of it."""

    kind: str
    says: tuple[str, ...]


def notices_of(table: Table, book: Book) -> tuple[Notice, ...]:
    """Return what is out of order at a table now."""
    read = table.ledger.reading()
    found = (
        *_proven(table, read),
        *_own(table, read),
        *_voided(table),
        *_around(table, read, book),
    )
    return tuple(Notice(one.kind, tuple(map(clean, one.says))) for one in found)


def _proven(table: Table, read: LedgerReading) -> Iterator[Notice]:
    names = names_at(table)
    for seat, evidence in sorted(read.proven.items()):
        what = f"{names[seat]} {CODES[evidence.code]} ({evidence.code}), at height"
        yield Notice("proven", (f"{what} {evidence.height}.", KEPT))


def _own(table: Table, read: LedgerReading) -> Iterator[Notice]:
    """Yield what is out of order with this seat."""
    names = names_at(table)
    if (height := _left_out_at(table, read)) is not None:
        told = f"The others go on without you, from height {height} on."
        yield Notice("left out", (told, "What you have signed until then stays in your record."))
    elif read.unheard is not None:
        silent = [names[seat] for seat in read.unheard]
        told = "Your record may be an old copy. You sign nothing before all others have answered."
        whom = (f"Not heard yet: {joined(silent)}.",) if silent else ()
        yield Notice("suspect", (told, *whom))


def _left_out_at(table: Table, read: LedgerReading) -> int | None:
    """Return the height at which the others went on without this seat, which had not left."""
    ledger, seat = table.ledger, table.seat
    if seat is None or seat in read.left:
        return None
    if seat in read.roster:
        return read.left_out
    steps = ((link.height, link.content) for link in ledger.tip.downwards())
    return next(
        height
        for height, content in steps
        if content is not None
        and isinstance(content.step, EvictStep)
        and seat in content.step.seats
    )


def _voided(table: Table) -> Iterator[Notice]:
    """Yield that the round was broken off, until somebody has the turn again and has used it.

    It was if the rules have the cards dealt anew: before the first round, between two rounds and
    where one is left alone, nothing is.
    """
    if table.position.setting.agreed.terms.policy != VOID or table.position.is_closed:
        return
    names = names_at(table)
    for link in table.ledger.tip.downwards():
        step = None if link.content is None else link.content.step
        if isinstance(step, AuthoredStep):
            return
        if isinstance(step, EvictStep):
            if not any(isinstance(one, NewDeck) for one in position_of(link).program.effects):
                return
            who = joined([names[seat] for seat in step.seats])
            told = f"Without {who} this round does not count; it is dealt again."
            yield Notice("void", (told,))
            return


def _around(table: Table, read: LedgerReading, book: Book) -> Iterator[Notice]:
    """Yield that the table stands still, or that nobody can be reached."""
    seat = table.seat
    if table.position.is_closed or seat is None or seat in read.left:
        return
    if _left_out_at(table, read) is not None:
        return
    others = [one for one in table.position.roster if one != seat]
    links = [book.reach[one] for one in others if one in book.reach]
    if links and len(links) == len(others) and all(map(_is_out_of_reach, links)):
        told = "None of the others can be reached from here."
        yield Notice("cut off", (told, "Your node goes on trying. Nothing is lost."))
    elif read.is_suspended:
        names = names_at(table)
        who = joined([names[one.seat] for one in read.waits])
        told = f"The table stands still without {who or 'somebody'}."
        yield Notice("suspended", (told, "It goes on as soon as they are back. Nothing is lost."))


def _is_out_of_reach(reach: Reach) -> bool:
    """Say whether nothing gets to a peer; one that was not tried yet says nothing of this node."""
    was_tried = reach.cause is not Cause.NOT_TRIED or reach.ended is not None
    return reach.way is Way.NONE and was_tried
