"""A dealer who sees all cards: it runs the rules of a game without keys, proofs or messages.

It is the picture of what the table does with masked cards. Every effect is carried out exactly as
the table would, with a `Chance` in place of the joint shuffles and coins. Rules, bots and the
conformance checks of games run on it, thousands of games in seconds; nobody plays on it for real,
because the dealer knows everything.

Theory of operation. A `Pack` is all that there is of cards: true faces, the board, a notebook for
each seat. It is a value; effects make new ones. `PlainDealer` holds a pack and a game's state.
Between two turns it stops before every effect that would take the table steps of its own (these are
the moments at which a seat can be left out); `advance` carries out one, `settle` all of them. Where
one of them awaits choices, `act` takes these one by one, and `settle` stops until they are there.

What a pack never does, whatever a game asks for: lose or make a card, use a slot's number twice.
A game that asks for it gets a `Bug`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Generic, assert_never

from nodealer.cards import Board, Zone
from nodealer.games.acting import opened_by, require_turn
from nodealer.games.api import (
    Action,
    Choice,
    Event,
    Notebook,
    Options,
    Standing,
    StateT,
    Step,
    View,
    illegal,
)
from nodealer.games.base import Game
from nodealer.games.choosing import (
    NOTHING_CHOSEN,
    Chosen,
    asked_in,
    choice_of,
    require_choosable,
    require_repeatable,
    slot_chosen,
    slots_of,
    still_bound,
)
from nodealer.games.effects import (
    ASKING_EFFECTS,
    JOINT_EFFECTS,
    Acks,
    Choose,
    Coin,
    Compare,
    Effect,
    Move,
    NewDeck,
    Outcome,
    Reshuffle,
    Result,
    Show,
)
from nodealer.games.views import NOTHING_KNOWN, Scene, view_of
from nodealer.kernel import Bug, NodealerError, Reason, Seat, SlotId
from nodealer.kernel.chance import Chance

FIRST_SLOT = SlotId(0)

STEPS_WITHOUT_TURN_MAX = 1000
"""A game that goes on longer without giving anybody the turn will go on for ever."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The true cards: every slot's face, what is public of them, and who has seen what."""

    faces: Mapping[SlotId, str] = field(default_factory=lambda: MappingProxyType({}))
    board: Board = field(default_factory=Board)
    notebooks: Mapping[Seat, Notebook] = field(default_factory=lambda: MappingProxyType({}))
    next_slot: SlotId = FIRST_SLOT

    def check(self) -> None:
        """Raise `Bug` unless places, faces and notebooks agree with one another."""
        lying = [slot for slots in self.board.layout.zones.values() for slot in slots]
        _require(sorted(lying) == sorted(self.faces), "every card lies in one place")
        _require(all(slot < self.next_slot for slot in lying), "slots are numbered upwards")
        for known in (self.board.faces, *self.notebooks.values()):
            _require(known.items() <= self.faces.items(), "what is known of cards is true")

    def opened(self, slots: Iterable[SlotId]) -> Pack:
        """Return the pack with these slots open to everybody."""
        faces = {slot: self.faces[slot] for slot in slots}
        return replace(self, board=self.board.opened(faces))

    def shown(self, slots: Iterable[SlotId], seats: Sequence[Seat]) -> Pack:
        """Return the pack after these seats have seen these slots, everybody if none is named.

        A slot that the last of all seats now sees is open; who has seen it before changes nothing.
        """
        if not seats:
            return self.opened(slots)
        viewers = [seat for seat in self.notebooks if seat in seats]
        new = [s for s in slots if any(s not in self.notebooks[seat] for seat in viewers)]
        seen = {slot: self.faces[slot] for slot in new}
        notebooks = {
            seat: MappingProxyType({**known, **seen}) if seat in seats else known
            for seat, known in self.notebooks.items()
        }
        everybodys = [slot for slot in new if all(slot in known for known in notebooks.values())]
        return replace(self, notebooks=MappingProxyType(notebooks)).opened(everybodys)

    def viewers(self, slot: SlotId) -> set[Seat]:
        """Return who has been shown a slot; what is open counts for nobody."""
        return {seat for seat, known in self.notebooks.items() if slot in known}

    def retired(self, slots: Iterable[SlotId]) -> Pack:
        """Return the pack without these slots."""
        gone = frozenset(slots)
        notebooks = {seat: _left(known, gone) for seat, known in self.notebooks.items()}
        return replace(
            self,
            faces=_left(self.faces, gone),
            board=self.board.without(gone),
            notebooks=MappingProxyType(notebooks),
        )

    def placed(self, faces: Sequence[str], zone: Zone) -> tuple[Pack, tuple[SlotId, ...]]:
        """Return the pack with new cards behind those of a zone, and their slots."""
        slots = tuple(SlotId(self.next_slot + index) for index in range(len(faces)))
        pack = replace(
            self,
            faces=MappingProxyType({**self.faces, **dict(zip(slots, faces, strict=True))}),
            board=self.board.placed(slots, zone),
            next_slot=SlotId(self.next_slot + len(slots)),
        )
        return pack, slots


def carry_out(
    pack: Pack, effect: Effect, chance: Chance, chosen: Chosen = NOTHING_CHOSEN
) -> tuple[Pack, Result]:
    """Return the pack after an effect, and what `Game.resume` gets of it."""
    result: Result = None
    match effect:
        case NewDeck():
            pack, result = _new_deck(pack, effect, chance)
        case Reshuffle(slots, zone):
            _require(len(slots) > 0, "a reshuffle has cards")
            faces = [pack.faces[slot] for slot in _known(pack, slots)]
            chance.shuffle(faces)
            pack, result = pack.retired(slots).placed(faces, zone)
        case Coin(_, sides):
            result = chance.below(sides)
        case Move(slots, zone):
            pack = replace(pack, board=pack.board.moved(_known(pack, slots), zone))
        case Show(slots, seats):
            pack = pack.shown(_known(pack, slots), seats)
        case Compare(slots):
            result = _is_one_face(pack, slots)
        case Choose():
            result = slots_of(effect, chosen)
        case Acks():
            pass  # here nobody has to be told
        case _:
            assert_never(effect)
    return pack, result


def _is_one_face(pack: Pack, slots: Sequence[SlotId]) -> bool:
    """Say whether slots are alike, where there is a seat that could prove it."""
    _require(len(slots) > 1, "it takes two slots to compare")
    hidden = set(_known(pack, slots)) - pack.board.faces.keys()
    is_seen = any(known.keys() >= hidden for known in pack.notebooks.values())
    _require(is_seen, "a seat that sees all slots compares them")
    return len({pack.faces[slot] for slot in slots}) == 1


def _new_deck(pack: Pack, effect: NewDeck, chance: Chance) -> tuple[Pack, Result]:
    kept = set(_known(pack, effect.keep))
    _require(kept <= pack.board.faces.keys(), "only open cards outlive a new deck")
    if kept:
        before = Counter(pack.faces.values())
        after = Counter(pack.faces[slot] for slot in kept) + Counter(effect.composition.faces)
        _require(before == after, "kept cards and new deck are the cards that were there")
    faces = list(effect.composition.faces)
    chance.shuffle(faces)
    return pack.retired(set(pack.faces) - kept).placed(faces, effect.into)


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
        return choice_of(head, self._chosen) if isinstance(head, Choose) else None

    @property
    def is_asking(self) -> bool:
        """Whether somebody owes a choice before anything goes on."""
        return self.choice is not None and bool(self.choice.owing)

    def choosable(self, seat: Seat) -> tuple[SlotId, ...]:
        """Return the slots of which a seat is to choose one."""
        head = self._head
        zones = dict(asked_in(head)) if isinstance(head, Choose) else {}
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
        _require(not self.is_asking, "all have chosen before a choice is carried out")
        self._carry_out_head()
        self._go_on()

    def settle(self) -> None:
        """Carry out effects until somebody has the turn or owes a choice, or the game is over."""
        for _ in range(STEPS_WITHOUT_TURN_MAX):
            if not self.underway or self.is_asking:
                return
            self.advance()
        raise _bug("somebody gets the turn")

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
            while self._effects and not isinstance(self._head, (*JOINT_EFFECTS, *ASKING_EFFECTS)):
                self._carry_out_head()
            if isinstance(self._head, Choose):
                require_choosable(self._head, self.board, self.pack.viewers, self.seats)
            if self._effects or not self._results:
                return
            outcome = Outcome(self._results, self._coins)
            self._take(self.game.resume(self.state, self.board, outcome))
        raise _bug("somebody gets the turn")

    def _carry_out_head(self) -> None:
        effect, *rest = self._effects
        coin = effect.coin if isinstance(effect, NewDeck) else effect
        try:
            self.pack, result = carry_out(self.pack, effect, self._chance, self._chosen)
        except NodealerError as error:
            raise Bug(error.reason, f"{effect}: {error.detail}") from error
        if isinstance(coin, Coin):
            fell = result if coin is effect else self._chance.below(coin.sides)
            assert isinstance(fell, int)
            self._coins = (*self._coins, (coin.purpose, fell))
        self._effects, self._results = tuple(rest), (*self._results, result)
        self._chosen = NOTHING_CHOSEN
        self.pack.check()


def deal(
    game: Game[StateT], seats: Sequence[Seat], options: Options, chance: Chance
) -> PlainDealer[StateT]:
    """Set up a game and go on until somebody has the turn."""
    dealer = PlainDealer(game, seats, options, chance)
    dealer.settle()
    return dealer


def _known(pack: Pack, slots: Sequence[SlotId]) -> Sequence[SlotId]:
    _require(len(set(slots)) == len(slots), "a slot is named once")
    _require(pack.faces.keys() >= set(slots), "a slot that is named exists")
    return slots


def _left(known: Notebook, gone: frozenset[SlotId]) -> Notebook:
    return MappingProxyType({slot: face for slot, face in known.items() if slot not in gone})


def _require(holds: object, rule: str) -> None:
    if not holds:
        raise _bug(rule)


def _bug(rule: str) -> Bug:
    return Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")
