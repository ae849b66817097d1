"""A dealer who sees all cards: it runs the rules of a game without keys, proofs or messages.

It is the picture of what the table does with masked cards. Every effect is carried out exactly as
the table would, with a `Chance` in place of the joint shuffles and coins. Rules, bots and the
conformance checks of games run on it, thousands of games in seconds; nobody plays on it for real,
because the dealer knows everything.

Theory of operation. A `Pack` is all that there is of cards: true faces, the board, a notebook for
each seat. Effects make new ones, each as it says itself. `PlainDealer` holds one, and the state of
a game. Between two turns it stops before every effect that would take the table steps of its own
(these are the moments at which a seat can be left out); `advance` carries out one, `settle` all of
them. Where one of them awaits choices, `act` takes these one by one, and `settle` stops until they
are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Generic

from nodealer.cards import Board
from nodealer.games.api import Action, Choice, Event, Options, Standing, StateT, Step, View, illegal
from nodealer.games.base import Game
from nodealer.games.choosing import (
    NOTHING_CHOSEN,
    choice_of,
    kind_answered,
    require_askable,
    require_choosable,
    require_repeatable,
    require_said,
    slot_chosen,
    still_bound,
)
from nodealer.games.effects import (
    Ask,
    Choose,
    Effect,
    OpenTable,
    Outcome,
    Result,
)
from nodealer.games.pack import Pack, require
from nodealer.games.turn_checks import opened_by, proven_by, require_turn
from nodealer.games.views import NOTHING_KNOWN, Scene, view_of
from nodealer.kernel import Bug, Chance, NodealerError, Reason, Seat, SlotId

STEPS_WITHOUT_TURN_MAX = 1000
"""A game that goes on longer without giving anybody the turn will go on for ever."""


class PlainDealer(Generic[StateT]):
    """A running game with all its cards; a new one stops before its first effect."""

    def __init__(
        self, game: Game[StateT], seats: Sequence[Seat], options: Options, chance: Chance
    ) -> None:
        self.game = game
        self.seats = tuple(seats)
        self.pack = Pack(notebooks=MappingProxyType(dict.fromkeys(seats, NOTHING_KNOWN)))
        self.events: list[Event] = []
        self._chance = chance
        self._effects: tuple[Effect, ...] = ()
        self._results: tuple[Result, ...] = ()
        self._coins: tuple[tuple[str, int], ...] = ()
        self._chosen = NOTHING_CHOSEN
        step = game.setup(self.seats, options)
        self.state = step.state
        self._enter(step)

    @property
    def board(self) -> Board:
        """What of the cards is public."""
        return self.pack.board

    @property
    def underway(self) -> bool:
        """Whether effects are still to be carried out."""
        return bool(self._effects)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects that are still to be carried out."""
        return self._effects

    @property
    def choice(self) -> Choice | None:
        """The choice that is under way, with the seats that still owe theirs."""
        head = self._head
        return choice_of(head, self._chosen) if isinstance(head, Choose | Ask) else None

    @property
    def is_asking(self) -> bool:
        """Whether somebody owes a choice before anything goes on."""
        return self.choice is not None and bool(self.choice.owing)

    def choosable(self, seat: Seat) -> tuple[SlotId, ...]:
        """Return the slots of which a seat is to choose one."""
        head = self._head
        zones = dict(head.asked) if isinstance(head, Choose) else {}
        return self.board.at(zones[seat]) if seat in zones else ()

    @property
    def scene(self) -> Scene[StateT]:
        """What of the game is public."""
        return Scene(self.game, self.state, self.board, self.seats, self.underway, self.choice)

    def view(self, viewer: Seat | None = None) -> View:
        """Return what a seat sees, or a spectator."""
        notebook = NOTHING_KNOWN if viewer is None else self.pack.notebooks[viewer]
        return view_of(self.scene, viewer, notebook)

    def legal(self, seat: Seat) -> tuple[Action, ...]:
        """Return all that a seat may do now."""
        return self.game.legal(self.view(seat))

    def result(self) -> Standing | None:
        """Return the standing once the game is over."""
        return self.game.result(self.state)

    def act(self, seat: Seat, chosen: Action) -> None:
        """Let a seat act or choose, and carry out what follows; what is illegal changes nothing."""
        self.begin(seat, chosen)
        self.settle()

    def begin(self, seat: Seat, chosen: Action) -> None:
        """Let a seat act or choose, and stop before the first effect that takes its own steps."""
        head = self._head
        if isinstance(head, Choose):
            slot = slot_chosen(self.game, head, self.board, seat, chosen, self._chosen)
            self._chosen = MappingProxyType({**self._chosen, seat: slot})
            return
        if isinstance(head, Ask):
            self._answer(head, seat, chosen)
            return
        if self.underway:
            raise illegal("effects are under way")
        kind = require_turn(self.game, self.state, seat, chosen)
        slots = opened_by(kind, self.board, seat, chosen)
        if not self.pack.notebooks[seat].keys() >= set(slots):
            raise illegal("a seat opens only cards that it knows")
        pack = self.pack.opened(slots)
        step = self.game.apply(self.state, pack.board, seat, chosen)
        self.pack = pack
        self._enter(step)

    def _answer(self, asking: Ask, seat: Seat, said: Action) -> None:
        kind = kind_answered(self.game, asking, seat, said, self._chosen)
        slots = proven_by(kind, self.board, seat, said)
        if not self.pack.notebooks[seat].keys() >= set(slots):
            raise illegal("a seat proves only cards that it knows")
        proven = {slot: self.pack.faces[slot] for slot in slots}
        require_said(self.scene, asking, seat, said, proven)
        if slots:
            require(self.pack.holder_of(slots) == seat, "a seat proves only cards that it holds")
        self._chosen = MappingProxyType({**self._chosen, seat: said})

    def leave(self, seats: Sequence[Seat], policy: str) -> None:
        """Leave seats out, and stop before the first effect that takes steps of its own."""
        before, chosen, was = self._head, self._chosen, self.board
        step = self.game.leave(self.state, self.board, seats, policy)
        self.seats = tuple(seat for seat in self.seats if seat not in seats)
        staying = {seat: self.pack.notebooks[seat] for seat in self.seats}
        self.pack = replace(self.pack, notebooks=MappingProxyType(staying))
        self._enter(step)
        self._chosen = still_bound(before, self._head, chosen, self.board)
        require_repeatable(before, self._head, was, self.board)

    def advance(self) -> None:
        """Carry out the next effect that takes steps of its own, and what follows by itself."""
        require(not self.is_asking, "all have chosen before a choice is carried out")
        self._carry_out_head()
        self._go_on()

    def settle(self) -> None:
        """Carry out effects until somebody has the turn or owes a choice, or the game is over."""
        for _ in range(STEPS_WITHOUT_TURN_MAX):
            if not self.underway or self.is_asking:
                return
            self.advance()
        raise Bug(Reason.LOCAL_ARGUMENT, "not so: somebody gets the turn")

    def fork(self, chance: Chance) -> PlainDealer[StateT]:
        """Return a dealer with the same game and cards, whose further chance is another."""
        twin: PlainDealer[StateT] = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.events = list(self.events)
        twin._chance = chance
        return twin

    @property
    def _head(self) -> Effect | None:
        return self._effects[0] if self._effects else None

    def _enter(self, step: Step[StateT]) -> None:
        self._take(step)
        self._go_on()

    def _take(self, step: Step[StateT]) -> None:
        self.state = step.state
        self.events.extend(step.events)
        self._effects, self._results, self._coins = step.effects, (), ()
        self._chosen = NOTHING_CHOSEN

    def _go_on(self) -> None:
        # Ends before an effect that takes steps of its own, or when a step has no effects.
        for _ in range(STEPS_WITHOUT_TURN_MAX):
            while self._head is not None and not self._head.takes_steps:
                self._carry_out_head()
            if isinstance(self._head, Choose):
                require_choosable(self._head, self.board, self.pack.viewers, self.seats)
            if isinstance(self._head, Ask):
                require_askable(self._head, self.game, self.seats)
            if self._effects or not self._results:
                return
            outcome = Outcome(self._results, self._coins)
            self._take(self.game.resume(self.state, self.board, outcome))
        raise Bug(Reason.LOCAL_ARGUMENT, "not so: somebody gets the turn")

    def _carry_out_head(self) -> None:
        effect = self._effects[0]
        on = OpenTable(self.pack, self._chance, self._chosen, self._proven(), self._effects[1:])
        try:
            done = effect.carry_out(on)
        except NodealerError as error:
            raise Bug(error.reason, f"{effect}: {error.detail}") from error
        self.pack, self._coins = done.pack, (*self._coins, *done.coins)
        self._effects = self._effects[1 + len(done.others) :]
        self._results = (*self._results, done.result, *done.others)
        self._chosen = NOTHING_CHOSEN
        self.pack.check()

    def _proven(self) -> tuple[SlotId, ...]:
        """Return the cards that the answers given so far prove."""
        kinds = {kind.kind: kind for kind in self.game.actions}
        said = [(seat, one) for seat, one in self._chosen.items() if isinstance(one, Action)]
        return tuple(
            slot for seat, one in said for slot in proven_by(kinds[one.kind], self.board, seat, one)
        )


def deal(
    game: Game[StateT], seats: Sequence[Seat], options: Options, chance: Chance
) -> PlainDealer[StateT]:
    """Set up a game and go on until somebody has the turn."""
    dealer = PlainDealer(game, seats, options, chance)
    dealer.settle()
    return dealer
