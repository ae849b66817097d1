"""The book of a screen, with what no table knows: how seats are reached, chat, what was told.

A `Book` lies beside a table. Whoever runs the table fills it:

    book = noted(book, table, ready, now)       after every input of the table
    book = reached(book, table, seat, how)      when a link came up, was lost, or was measured
    book = counted(book, counts)                what the node has not taken of others
    book = chatted(book, seat, text)            when somebody has said something

The log is for people: every entry and every event of the ledger is told in it, one by one and in
order, in the sentences with which a recorded game is told. Nothing is decided by it. Of hidden
cards there is nothing in it, since sentences are made of what everybody may know.

Whatever others can make longer has a bound: of the log and the chat the oldest lines go, and a
message that was dropped is told once for each sender and reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, NamedTuple

from nodealer.kernel import Counts, Reach, Seat
from nodealer.ledger import Dropped, Ready, Suspended, Took
from nodealer.show.telling import Tone, Words, entry_told, event_told, names_at
from nodealer.show.text import clean
from nodealer.table import Table
from nodealer.verify import joined

LOG_LINES_MAX: Final = 5_000
"""A long evening; what is older is in the transcript."""

CHAT_LINES_MAX: Final = 500
CHAT_CHARACTERS_MAX: Final = 500
"""Of one line, so much is shown."""


class LinePlace(NamedTuple):
    """The name of a line of the log: the highest entry told so far, and a number from 0.

    Lines of an entry come first at its height, so their names are the same after a restart; what
    was told beside the entries is forgotten then.
    """

    height: int
    number: int


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sentence of the log, and the height that it is about, if it is about one."""

    at: LinePlace
    height: int | None
    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class ChatLine:
    """The words of somebody, and the how manieth this seat has said; those are its name."""

    seat: Seat
    number: int
    text: str

    @property
    def name(self) -> tuple[Seat, int]:
        """The name of the line, which outlives a restart."""
        return self.seat, self.number


@dataclass(frozen=True, slots=True)
class Book:
    """Beside a table: its name, its players' marks and links, and what was told and said."""

    title: str
    mark: str = ""
    marks: Mapping[Seat, str] = field(default_factory=lambda: MappingProxyType({}))
    bots: frozenset[Seat] = frozenset()
    programs: frozenset[Seat] = frozenset()
    """Those who have said before that a program plays."""
    reach: Mapping[Seat, Reach] = field(default_factory=lambda: MappingProxyType({}))
    chat: tuple[ChatLine, ...] = ()
    muted: frozenset[Seat] = frozenset()
    log: tuple[LogLine, ...] = ()
    missed: frozenset[Seat] = frozenset()
    """For whom the table stood still when this was last told."""
    dropped: frozenset[tuple[str, Seat | None]] = frozenset()
    counts: Counts = field(default_factory=lambda: MappingProxyType({}))
    """What this node has counted of others."""
    is_held: bool = False
    """Whether the player has answered, and the answer is held back for a moment."""
    passes_at: int | None = None
    """The tick at which this node says the default for its player, if it will."""
    asked: int | None = None
    """The tick at which the player was asked last."""


def opened(book: Book, table: Table, now: int) -> Book:
    """Return a book with the whole history of a table in its log, as after a restart."""
    names = names_at(table)
    links = list(table.ledger.tip.downwards())
    book = _written(book, [Words(_founding(table), Tone.TABLE, 0)])
    for link in reversed(links[:-1]):
        book = _written(book, entry_told(link, names, table))
    return replace(book, asked=now if table.ledger.asked else None)


def noted(book: Book, table: Table, ready: Ready, now: int) -> Book:
    """Return the book after an input of the table: everything that it shows, told in order."""
    for shown in ready.show:
        if isinstance(shown, Dropped):
            once = shown.slug, shown.sender
            if once in book.dropped:
                continue
            book = replace(book, dropped=book.dropped | {once})
        book = _written(book, event_told(shown, table, now))
        if isinstance(shown, Suspended):
            book = replace(book, missed=book.missed | frozenset(shown.missed))
        elif isinstance(shown, Took):
            book = _came_back(book, table)
    if ready.ask:
        book = replace(book, asked=now)
    return book


def reached(book: Book, table: Table, seat: Seat, how: Reach) -> Book:
    """Return the book after news of the link to a seat; losing and finding it is told."""
    before = book.reach.get(seat)
    book = replace(book, reach=MappingProxyType({**book.reach, seat: how}))
    news = _news(before, how, names_at(table)[seat])
    return _written(book, map(Words, news))


def counted(book: Book, counts: Counts) -> Book:
    """Return the book with what this node has counted so far."""
    return replace(book, counts=MappingProxyType(dict(counts)))


def chatted(book: Book, seat: Seat, number: int, text: str) -> Book:
    """Return the book after somebody has said something."""
    line = ChatLine(seat, number, clean(text[:CHAT_CHARACTERS_MAX]))
    return replace(book, chat=(*book.chat, line)[-CHAT_LINES_MAX:])


def held(book: Book, *, is_held: bool, passes_at: int | None = None) -> Book:
    """Return the book with how it stands with an answer: held back, or to be said by the node."""
    return replace(book, is_held=is_held, passes_at=passes_at)


def chat_after(lines: Sequence[ChatLine], name: tuple[Seat, int] | None) -> Sequence[ChatLine]:
    """Return the lines behind the one of that name; all of them if it is not there."""
    names = [line.name for line in lines]
    return lines[names.index(name) + 1 :] if name in names else lines


def told(book: Book, text: str) -> Book:
    """Return the book with a sentence of whoever runs the table."""
    return _written(book, [Words(text, Tone.GAME)])


def muted(book: Book, seat: Seat) -> Book:
    """Return the book with what a seat says left out, until it is heard again."""
    return replace(book, muted=book.muted | {seat})


def unmuted(book: Book, seat: Seat) -> Book:
    """Return the book with what a seat says shown again."""
    return replace(book, muted=book.muted - {seat})


def _news(before: Reach | None, how: Reach, name: str) -> Iterator[str]:
    if before is not None and how.is_reached and not before.is_reached:
        yield f"{name} can be reached{'' if how.ended is None else ' again'}."
    if before is not None and before.is_reached and not how.is_reached:
        yield f"The link to {name} is lost{f': {how.ended.cause.meaning}' if how.ended else ''}."
    if how.is_absent and (before is None or not before.is_absent):
        yield f"{name}'s program does not have this table open."


def _founding(table: Table) -> str:
    terms = table.position.setting.agreed.terms
    return f"{joined(list(terms.names))} sit down to {table.position.game.title}."


def _came_back(book: Book, table: Table) -> Book:
    if not book.missed:
        return book
    names, roster = names_at(table), table.position.roster
    back = [names[seat] for seat in sorted(book.missed) if seat in roster]
    book = replace(book, missed=frozenset())
    if not back:
        return book
    have = "has" if len(back) == 1 else "have"
    text = f"{joined(back)} {have} come back; the table goes on."
    return _written(book, [Words(text)])


def _written(book: Book, told: Iterable[Words]) -> Book:
    lines = list(book.log)
    for one in told:
        at = _place(lines[-1].at if lines else LinePlace(0, -1), one.height)
        lines.append(LogLine(at, one.height, clean(one.text), one.tone))
    return replace(book, log=tuple(lines[-LOG_LINES_MAX:]))


def _place(last: LinePlace, height: int | None) -> LinePlace:
    """Return the name of the next line; what is about no new height follows what was told last."""
    if height is not None and height > last.height:
        return LinePlace(height, 0)
    return LinePlace(last.height, last.number + 1)
