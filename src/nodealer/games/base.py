"""The game: a value with pure functions, and defaults for what most games do not need.

A game knows its rules and nothing else. It sees no keys and no messages; it names cards by slots
and learns a face only when it is open to everybody. All that it decides follows from the state and
the board, so every peer, and every later reader of the history, decides the same.

Theory of operation. The table keeps a state for the game and a board for the cards.

    setup(seats, options)                  the first step
    duty(state)                            whose turn it is, with which kinds of action; or over
    apply(state, board, seat, action)      an action of the seat on turn
    resume(state, board, outcome)          after the effects of a step are carried out
    leave(state, board, seats, policy)     after seats were left out

Each returns a `Step`: the next state, effects on the cards (`games.effects`), and events for
people. While effects are under way nobody has a turn; afterwards the table calls `resume`, until a
step has no effects. Cards that an action lets its author play from own knowledge are opened with
the action, so their faces are on the board before `apply` looks at it.

One effect asks players: `Choose`. Several seats owe an action at once then, which names a card and
shows it to nobody. The rules never see these actions; they get the slots when all have chosen.

`legal(view)` lists what a seat may do, all of it; people, bots and pages get that same list, and
`apply` accepts exactly what is on it. For people `status(view, names)` says how the round stands,
and `remark(view, word)` what of a card, a zone or a value one decides by. `looks(options)` says as
data how a page draws its faces.

What is abstract here every game has to say; who leaves something out is told so by the type
checker, and cannot make the game. All else has a default that is right for a game that says
nothing of it. A game of one deal need not even say what happens when seats leave: a `RoundGame`,
whose state is a `RoundState`, begins anew without them.

The rules are in specs/games/interface.md; `games.conformance` checks a game against them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import groupby
from typing import Any, Final, Generic, TypeAlias, TypeVar

from nodealer.cards import Board
from nodealer.games.api import (
    Action,
    ActionKind,
    Bot,
    CardLook,
    Duty,
    Event,
    Milestone,
    Option,
    Options,
    Plain,
    Standing,
    StateT,
    Step,
    View,
)
from nodealer.games.effects import Outcome
from nodealer.games.seeds import SeedProtocol
from nodealer.kernel import LocalError, Reason, Seat

CONTINUE: Final = "continue"
REDEAL: Final = "redeal"
VOID: Final = "void"
"""What can become of a round when a seat leaves: it goes on, is dealt again, or does not count."""


class Game(ABC, Generic[StateT]):
    """The rules of one game."""

    __slots__ = ()

    @property
    @abstractmethod
    def id(self) -> str:
        """A short word that never changes; charters and entry points use it."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name for people."""

    @property
    @abstractmethod
    def seats(self) -> tuple[int, int]:
        """The least and the most seats."""

    @property
    @abstractmethod
    def actions(self) -> tuple[ActionKind, ...]:
        """All kinds of action. An action has every field of its kind, None where nothing fits."""

    @property
    def version(self) -> int:
        """The version of the rules; another version is another game to a running table."""
        return 1

    @property
    def earlier(self) -> tuple[Game[Any], ...]:
        """Earlier versions that this one replaces, the newest first: their tables go on by them."""
        return ()

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be chosen before the game."""
        return ()

    @property
    def policies(self) -> tuple[str, ...]:
        """What can happen to the round when a seat leaves; the first is the default."""
        return (VOID,)

    @property
    def places_matter(self) -> bool:
        """Whether players tell their cards by where they lie; else numbers are shown ascending."""
        return False

    @abstractmethod
    def setup(self, seats: Sequence[Seat], options: Options) -> Step[StateT]:
        """Begin a game."""

    @abstractmethod
    def duty(self, state: StateT) -> Duty:
        """Return what is due while no effects are under way."""

    @abstractmethod
    def apply(self, state: StateT, board: Board, seat: Seat, chosen: Action) -> Step[StateT]:
        """Do what the seat on turn chose, or raise `illegal` and change nothing.

        The caller has made sure of the turn, the fields, and that the opened cards are the seat's
        own (`games.turn_checks`); all else is for the rules to check.
        """

    @abstractmethod
    def resume(self, state: StateT, board: Board, outcome: Outcome) -> Step[StateT]:
        """Go on after the effects of the last step."""

    @abstractmethod
    def leave(
        self, state: StateT, board: Board, seats: Sequence[Seat], policy: str
    ) -> Step[StateT]:
        """Go on without these seats, whatever is under way; once the game is over, return it.

        On the board every effect is done that stands before the awaited one. The rest is dropped.
        """

    @abstractmethod
    def result(self, state: StateT) -> Standing | None:
        """Return the standing once the game is over: every seat of the set-up in one place."""

    @abstractmethod
    def legal(self, view: View) -> tuple[Action, ...]:
        """Return all that the viewer may do now, from what it may know."""

    @abstractmethod
    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        """Say for people what has happened."""

    def check_options(self, seats: int, options: Options) -> None:
        """Raise `local/argument` if these options do not go together or with so many seats."""

    def longest_window(self, options: Options) -> int:
        """Return the most seconds that this game leaves for a question; 0 if it has no window."""
        return 0

    def facts(self, state: StateT, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return what a viewer should know beside the cards; JSON-able, never a hidden face."""
        return {}

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """Say for people how the round stands, in short phrases; nothing if the cards say it all.

        It is made of the view alone, which can be anybody's, at any time. All seats have names.
        """
        return ()

    def remark(self, view: View, word: str) -> str:
        """Say what one decides by of a card, zone or value with this word; mostly nothing.

        Whatever the word is, there is an answer; for what the game does not know it is empty.
        """
        return ""

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        """Return how the faces of a table with these options look; a face without one is a word."""
        return {}

    def rules(self) -> str:
        """Return the page of rules for players, in Markdown: `page.md` beside the game's module."""
        folder = files(type(self).__module__.rpartition(".")[0])
        return folder.joinpath("page.md").read_text(encoding="utf-8")

    def bot(self) -> Bot | None:
        """Return a sensible player of this game, if it comes with one."""
        return None

    def milestones(self) -> tuple[Milestone, ...]:
        """Return what many games of this kind come to; a simulation counts it."""
        return ()

    def seed_protocols(self) -> tuple[SeedProtocol, ...]:
        """Return the protocols of the game's seeds, in which clients can play it."""
        return ()


AnyGame: TypeAlias = Game[Any]
"""A game for those who carry its state about without looking into it."""


@dataclass(frozen=True)
class RoundState:
    """The least that a game of one deal remembers: who plays, how, who has left, if it is over."""

    seats: tuple[Seat, ...]
    options: tuple[tuple[str, int | str | bool], ...]
    left: tuple[tuple[Seat, ...], ...] = ()
    is_over: bool = False

    def option(self, name: str) -> int | str | bool:
        """Return what was chosen before the game."""
        return dict(self.options)[name]


RoundT = TypeVar("RoundT", bound=RoundState)


class RoundGame(Game[RoundT]):
    """A game of one deal, which begins anew without those who leave."""

    __slots__ = ()

    def leave(
        self, state: RoundT, board: Board, seats: Sequence[Seat], policy: str
    ) -> Step[RoundT]:
        """Begin anew without these seats; whoever is left alone has won."""
        if state.is_over:
            return Step(state)
        gone, staying = parted(state.seats, seats, policy, self.policies)
        left = (*state.left, gone)
        if len(staying) == 1:
            return Step(replace(state, seats=staying, left=left, is_over=True))
        step = self.setup(staying, dict(state.options))
        return replace(step, state=replace(step.state, left=left))


def parted(
    in_game: Sequence[Seat], leaving: Iterable[Seat], policy: str, policies: Sequence[str]
) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Return who leaves and who stays, where some but not all can leave by this policy."""
    gone = tuple(sorted(set(leaving)))
    if not gone or not set(gone) < set(in_game):
        raise LocalError(Reason.LOCAL_ARGUMENT, f"seats {gone} cannot leave {tuple(in_game)}")
    if policy not in policies:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"there is no policy {policy!r}")
    return gone, tuple(seat for seat in in_game if seat not in gone)


def ranked(
    seats: Iterable[Seat], left: Sequence[tuple[Seat, ...]], score: Callable[[Seat], int]
) -> tuple[tuple[Seat, ...], ...]:
    """Return places: by a score, the lowest first; then those who have left, the last first."""
    stayed = (tuple(group) for _, group in groupby(sorted(seats, key=score), key=score))
    return (*stayed, *reversed(left))
