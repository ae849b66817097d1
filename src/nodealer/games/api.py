"""The plain data that a game and whoever holds the cards exchange.

What a seat does is an `Action`, what has happened an `Event`: a word with named plain values. What
a game comes to is a `Step`: its next state, effects on the cards (`games.effects`), and events.
What is due is a `Turn`, a `Choice`, or that the game is `Over`. A seat decides from its `View`
alone: the zones with the faces that it may see, and the facts of the game.

What a game is stands in `games.base`; the rules of both are in specs/games/interface.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from nodealer.games.effects import Effect
from nodealer.games.named import Action, Event, Named, Plain, action, event
from nodealer.kernel import Chance, PeerError, Reason, Seat, SlotId

__all__ = ["Action", "Event", "Named", "Plain", "action", "event"]  # beside what is made here

StateT = TypeVar("StateT")

Options: TypeAlias = Mapping[str, int | str | bool]
"""All options of a table, every one with a value."""

STATUS_PHRASES_MAX: Final = 8
PHRASE_LETTERS_MAX: Final = 400
"""A phrase may have the names of ten players, of 24 letters each, and a number for each of them."""

REMARK_LETTERS_MAX: Final = 24
"""A remark stands beside every card of a hand."""

CardLook: TypeAlias = Mapping[str, int | str | bool]
"""A card as a page draws it: a flat JSON object in the words of specs/games/looks.md."""

LOOK_FIELDS_MAX: Final = 8
LOOK_TEXT_LETTERS_MAX: Final = 64
"""A look is a few words and numbers; those of a whole deck travel to a page in one text."""

Notebook: TypeAlias = Mapping[SlotId, str]
"""The faces that one seat knows privately."""


@dataclass(frozen=True, slots=True)
class ActionKind:
    """One kind of action; its author opens the cards that the fields in `opens` name.

    A kind by which cards are chosen has one field, for the card, and opens nothing. Of a kind by
    which a seat answers that is asked in secret, the cards in `proves` are proven to all when the
    answers are opened; they are open and still held then.
    """

    kind: str
    text: str
    fields: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    proves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A choice to be made before the game: its default, and all values or the range it may have.

    A text with a `pattern`, a regular expression, may be whatever fits it; then there are examples.
    A table at which a turn may take days has `by_letters` for a default, where there is one.
    """

    name: str
    text: str
    default: int | str | bool
    choices: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 0
    pattern: str = ""
    examples: tuple[str, ...] = ()
    by_letters: int | str | bool | None = None

    def usual(self, *, by_letters: bool) -> int | str | bool:
        """Return the value that counts where nothing is said."""
        other = self.by_letters if by_letters else None
        return self.default if other is None else other


@dataclass(frozen=True, slots=True)
class Turn:
    """It is a seat's turn, with these kinds of action."""

    seat: Seat
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over; `Game.result` has the standing."""


Duty: TypeAlias = Turn | Over


@dataclass(frozen=True, slots=True)
class Choice:
    """Seats choose a card each, by an action of this kind, which nobody sees before all are there.

    Or they are asked in secret for an action of one of several `kinds`; then `kind` is what is
    said by default, and `window` how many seconds there are for it, 0 if that is for the clock of
    the table alone. `asked` are all of them, `owing` those whose choice is not there yet. What
    somebody has chosen stands nowhere in a view.
    """

    purpose: str
    kind: str
    asked: tuple[Seat, ...]
    owing: tuple[Seat, ...]
    kinds: tuple[str, ...] = ()
    window: int = 0


@dataclass(frozen=True, slots=True)
class Step(Generic[StateT]):
    """The result of a transition."""

    state: StateT
    effects: tuple[Effect, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """The places from the first to the last, seats that share one together; and the points."""

    places: tuple[tuple[Seat, ...], ...]
    points: Mapping[Seat, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card as one viewer sees it: the face is None where it may not be known."""

    slot: SlotId
    face: str | None


@dataclass(frozen=True, slots=True)
class SeenZone:
    """A zone as one viewer sees it."""

    name: str
    seat: Seat | None
    cards: tuple[SeenCard, ...]


@dataclass(frozen=True, slots=True)
class View:
    """All that one viewer may know; `viewer` is None for a spectator.

    `duty` is None while effects are under way: nobody has a turn then. Only a choice shows itself.
    """

    viewer: Seat | None
    seats: tuple[Seat, ...]
    duty: Duty | Choice | None
    zones: tuple[SeenZone, ...]
    facts: Mapping[str, Plain]

    @property
    def has_turn(self) -> bool:
        """Whether it is the viewer's turn."""
        return isinstance(self.duty, Turn) and self.duty.seat == self.viewer

    @property
    def owes_choice(self) -> bool:
        """Whether the viewer is one of those who still have to choose a card, or to answer."""
        return isinstance(self.duty, Choice) and self.viewer in self.duty.owing

    def zone(self, name: str, seat: Seat | None = None) -> tuple[SeenCard, ...]:
        """Return the cards of a zone, none if it was never used."""
        for zone in self.zones:
            if (zone.name, zone.seat) == (name, seat):
                return zone.cards
        return ()

    def by_seat(self, name: str) -> dict[Seat, Plain]:
        """Return a fact that is pairs of a seat and something else."""
        pairs = self._pairs(name)
        return {Seat(pair[0]): pair[1] for pair in pairs if isinstance(pair[0], int)}

    def by_name(self, name: str) -> dict[str, Plain]:
        """Return a fact that is pairs of a name and something else."""
        return {str(pair[0]): pair[1] for pair in self._pairs(name)}

    def _pairs(self, name: str) -> list[tuple[Plain, ...]]:
        fact = self.facts[name]
        return [pair for pair in fact if isinstance(pair, tuple)] if type(fact) is tuple else []


@dataclass(frozen=True, slots=True)
class Milestone:
    """Something that games come to where many are played, and which events tell of it.

    A run that never came to it has not tried the game out; but it may wait for ever for what is
    rare, for what takes more seats, or for what takes seats that leave.
    """

    name: str
    kind: str
    when: Callable[[Event], bool] | None = None
    least_seats: int = 2
    is_rare: bool = False
    is_after_leaving: bool = False

    def is_told_by(self, happened: Event) -> bool:
        """Whether it has come to this with an event."""
        return happened.kind == self.kind and (self.when is None or self.when(happened))


def illegal(detail: str) -> PeerError:
    """Return the error for an action that the rules do not allow; the caller raises it.

    It is about whoever chose the action: signed, it is evidence against its author.
    """
    return PeerError(Reason.RULES_ILLEGAL, detail)


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:
        """Return one of the legal actions, from what a person in this seat would see."""
        ...


@dataclass(frozen=True, slots=True)
class SensibleBot:
    """A player that does what it thinks best; `worths` says what each action is worth to it."""

    worths: Callable[[View, Sequence[Action]], Sequence[float]]

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:
        """Return the best of the legal actions, one of them by chance where they are alike."""
        worths = self.worths(view, legal)
        best = max(worths)
        return chance.pick(
            [chosen for chosen, worth in zip(legal, worths, strict=True) if worth == best]
        )
