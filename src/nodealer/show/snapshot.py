"""All that a screen shows of a table, as one frozen value.

`snapshot_of` makes it of a table, the book beside it, and the present tick. What is drawn, read out
or printed is made of a snapshot and of nothing else. So what a player may not see has one place to
be kept out of, and that place gets its cards from `Table.view` alone: the view that a bot or a
page would get. What the game says of it is made of that view. Everything else here is public.

Legal actions are there only while the table asks the player: not while the own action is on its
way or an answer is held back, nor after the table was left. Times stay ticks of this seat's clock;
a later moment of the same snapshot is `replace(snapshot, now=…)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeGuard

from nodealer.cards import Zone, hand
from nodealer.games import Action, ActionKind, AnyGame, CardLook, SeenZone, Standing, View
from nodealer.kernel import Counts, Height, Reach, Reason, Seat, Way
from nodealer.ledger import Awaited, LedgerReading
from nodealer.show.book import Book, ChatLine, LogLine
from nodealer.show.card_text import suit_of
from nodealer.show.notices import Notice, notices_of
from nodealer.show.progress import StepProgress, progress_of
from nodealer.show.remarks import looks_of, remarks_of, status_of
from nodealer.show.telling import names_at
from nodealer.show.text import clean
from nodealer.table import Table


class SeatStanding(Enum):
    """The standing of this seat at its table."""

    PLAYING = "playing"
    WATCHING = "watching"
    SUSPENDED = "suspended"
    SUSPECT = "suspect"
    LEFT = "left"
    LEFT_OUT = "left out"
    OVER = "over"


class Sitting(Enum):
    """The fate of a seat."""

    THERE = "there"
    LEFT = "left"
    LEFT_OUT = "left out"
    PROVEN = "proven"


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat as the others see it."""

    seat: Seat
    name: str
    mark: str
    cards: int
    sitting: Sitting
    reach: Reach
    is_you: bool
    is_bot: bool
    is_program: bool
    """Whether its player has said that a program plays."""
    is_muted: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """The player is asked, and this is when the others lose patience."""

    suspended: int
    until: int
    passes_at: int | None = None
    """When the own node says the default for a player who has said nothing, if it will."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table at one moment, as one player may see it."""

    title: str
    mark: str
    game: str
    games: int
    height: Height
    now: int
    state: SeatStanding
    seats: tuple[SeatShown, ...]
    view: View
    kinds: tuple[ActionKind, ...]
    legal: tuple[Action, ...]
    asked: Asked | None
    waiting: tuple[Awaited, ...]
    can_go_on: bool
    """Whether those who are not missed are a majority."""
    progress: StepProgress | None
    standing: Standing | None
    may_ask_again: bool
    may_put_away: bool
    """Whether the table stands still, and for good unless somebody comes back."""
    log: tuple[LogLine, ...]
    chat: tuple[ChatLine, ...]
    is_held: bool
    """Whether the player has answered, and the answer is held back for a moment."""
    counts: Counts
    """What this node has not taken of others, and who came."""
    rules: str
    status: tuple[str, ...]
    """How the round stands, in phrases of the game."""
    remarks: Mapping[str, str]
    """What the game remarks of its words: faces, zones, values."""
    looks: Mapping[str, CardLook]
    """How the faces that are seen look, where the game says it."""
    notices: tuple[Notice, ...] = ()
    """What is out of order."""
    wish_again: frozenset[Seat] = frozenset()
    """Who has said that they would like another game, since this one."""

    def name_of(self, seat: Seat) -> str:
        """Return the name of a seat."""
        return self.seats[seat].name

    @property
    def heard(self) -> tuple[ChatLine, ...]:
        """What was said, without those whom the player has muted."""
        return tuple(line for line in self.chat if not self.seats[line.seat].is_muted)

    @property
    def may_wish_again(self) -> bool:
        """Whether the player can say that another game would be welcome, and has not yet."""
        is_over = self.state is SeatStanding.OVER and self.standing is not None
        you = self.you
        return (
            is_over
            and you is not None
            and not self.may_ask_again
            and (you.seat not in self.wish_again)
        )

    @property
    def has_suits(self) -> bool:
        """Whether the cards of the game have suits, as far as they are seen."""
        return any(suit_of(card.face) for zone in self.view.zones for card in zone.cards)

    @property
    def is_hurried(self) -> bool:
        """Whether somebody waits for the player; bots have all the time of the world."""
        return any(not (seat.is_you or seat.is_bot) for seat in self.seats)

    @property
    def you(self) -> SeatShown | None:
        """The seat of the player."""
        return None if self.view.viewer is None else self.seats[self.view.viewer]


def snapshot_of(table: Table, book: Book, now: int) -> Snapshot:
    """Return what the player of a table may see at tick `now`."""
    position, ledger = table.position, table.ledger
    view = in_order(table.view(), position.game)
    read = ledger.reading()
    missing = read.waits
    is_asked = bool(read.asked) and not position.is_closed and table.player is not None
    legal = table.legal() if is_asked and not book.is_held else ()
    can_go_on = ledger.tip.is_majority(len(position.roster) - len(missing))
    return Snapshot(
        title=clean(book.title),
        mark=clean(book.mark),
        game=position.game.title,
        games=position.games,
        height=ledger.tip.height,
        now=now,
        state=_state(table, read),
        seats=_seats(table, read, book, view),
        view=view,
        kinds=position.game.actions,
        legal=legal,
        asked=_asked(table, book) if legal else None,
        waiting=missing,
        can_go_on=can_go_on,
        progress=progress_of(table),
        standing=position.standing,
        may_put_away=bool(book.missed) and not can_go_on and table.player is not None,
        may_ask_again=bool(read.asked) and position.can_begin_again,
        log=book.log,
        chat=book.chat,
        is_held=book.is_held,
        counts=_counts_of(table, book),
        rules=position.game.rules(),
        status=status_of(position.game, view, names_at(table)),
        remarks=remarks_of(position.game, view, legal),
        looks=looks_of(position.game, position.setting.agreed.terms.chosen, view),
        notices=notices_of(table, book),
        wish_again=_wish_again(book, position.games),
    )


def _wish_again(book: Book, games: int) -> frozenset[Seat]:
    """Return who has said so, in the very words that are said for whoever asks for it."""
    said = again_wished(games)
    return frozenset(line.seat for line in book.chat if line.text == said)


def again_wished(games: int) -> str:
    """Return what somebody says who would like another game; a seat alone may begin it."""
    return f"I would like to play again, after game {games}."


def in_order(view: View, game: AnyGame) -> View:
    """Return a view in which the viewer's own cards ascend where all of them are numbers.

    Cards of other kinds stay as they came, and so do all where the place is what players know.
    """
    if game.places_matter:
        return view
    return replace(view, zones=tuple(_ascending(zone, view.viewer) for zone in view.zones))


def _ascending(zone: SeenZone, viewer: Seat | None) -> SeenZone:
    numbers = {card: int(card.face) for card in zone.cards if _is_number(card.face)}
    if viewer is None or zone.seat != viewer or len(numbers) < len(zone.cards):
        return zone
    return replace(zone, cards=tuple(sorted(zone.cards, key=numbers.__getitem__)))


def _is_number(face: str | None) -> TypeGuard[str]:
    return face is not None and face.isdecimal()


def _state(table: Table, read: LedgerReading) -> SeatStanding:
    seat = table.seat
    if seat is not None and seat in read.left:
        return SeatStanding.LEFT
    if seat is not None and (read.left_out is not None or seat not in table.position.roster):
        return SeatStanding.LEFT_OUT
    if table.position.is_closed:
        return SeatStanding.OVER
    if read.unheard is not None:
        return SeatStanding.SUSPECT
    if read.is_suspended:
        return SeatStanding.SUSPENDED
    return SeatStanding.WATCHING if seat is None else SeatStanding.PLAYING


def _seats(table: Table, read: LedgerReading, book: Book, view: View) -> tuple[SeatShown, ...]:
    held = dict.fromkeys(names_at(table), 0)
    for zone in view.zones:
        if zone.seat is not None and _counts(zone, zone.seat):
            held[zone.seat] += len(zone.cards)
    here = Reach(Way.HERE)
    return tuple(
        SeatShown(
            seat=seat,
            name=name,
            mark=clean(book.marks.get(seat, "")),
            cards=held[seat],
            sitting=_sitting(read, seat),
            reach=here if seat == table.seat else book.reach.get(seat, Reach()),
            is_you=seat == table.seat,
            is_bot=seat in book.bots,
            is_program=seat in book.programs,
            is_muted=seat in book.muted,
        )
        for seat, name in names_at(table).items()
    )


def _counts_of(table: Table, book: Book) -> Counts:
    refused = {Reason(slug): count for slug, count in table.ledger.counts.items()}
    return Counter(book.counts) + Counter(refused)


def _counts(zone: SeenZone, seat: Seat) -> bool:
    """Say whether the cards of a zone count as those of its seat: its hand, and what is hidden.

    A zone of other cards that are seen, such as those won, has a line and a number of its own.
    """
    is_hand = Zone(zone.name, zone.seat) == hand(seat)
    return is_hand or all(card.face is None for card in zone.cards)


def _sitting(read: LedgerReading, seat: Seat) -> Sitting:
    if seat in read.proven:
        return Sitting.PROVEN
    if seat in read.left:
        return Sitting.LEFT
    return Sitting.THERE if seat in read.roster else Sitting.LEFT_OUT


def _asked(table: Table, book: Book) -> Asked:
    clock = table.position.setting.agreed.terms.clock
    since = table.ledger.now if book.asked is None else book.asked
    suspended = since + clock.act
    until = min(suspended + clock.rejoin, since + clock.longest)
    return Asked(suspended, until, book.passes_at)
