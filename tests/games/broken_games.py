"""Games that break one rule of the interface each; all are the sample game but for that."""

# ruff: noqa: ARG002 - the interface has more arguments than a small game needs

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from types import FrameType
from typing import Any, cast

from high_card.rules import GAME, Rules, State
from nodealer.cards import STOCK, Board, Composition, hand
from nodealer.games.api import (
    Action,
    ActionKind,
    CardLook,
    Event,
    Option,
    Options,
    Plain,
    Standing,
    Step,
    View,
    event,
    illegal,
)
from nodealer.games.dealer import PlainDealer
from nodealer.games.effects import Compare, Move, NewDeck, Outcome, Reshuffle, Show
from nodealer.kernel import LocalError, PeerError, Reason, Seat, SlotId


class HighCard(Rules):
    """The sample game, whose page does not lie beside this module."""

    def rules(self) -> str:
        return GAME.rules()


class Leaky(HighCard):
    """Looks into the dealer's pack, from where it was called."""

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        frame: FrameType | None = sys._getframe()
        while frame and not isinstance(frame.f_locals.get("self"), PlainDealer):
            frame = frame.f_back
        assert frame is not None
        pack = frame.f_locals["self"].pack
        return {
            "tricks": state.tricks,
            "next": tuple(pack.faces[slot] for slot in board.at(STOCK)[:3]),
        }


class LeakyChoice(HighCard):
    """Lets a seat do what depends on hidden cards, though no fact shows them."""

    def legal(self, view: View) -> tuple[Action, ...]:
        legal = super().legal(view)
        frame: FrameType | None = sys._getframe()
        while frame and not isinstance(frame.f_locals.get("self"), PlainDealer):
            frame = frame.f_back
        if not legal or frame is None:
            return legal
        pack = frame.f_locals["self"].pack
        following = pack.faces[pack.board.at(STOCK)[0]]
        return legal if int(following) % 2 else legal[::-1]


class Moody(HighCard):
    """Tells something else each time."""

    counter = count()

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        told = event("laid", seat=seat, number=next(self.counter))
        return replace(step, events=(told,))


class MoodyDeal(HighCard):
    """Deals another number of cards each time."""

    counter = count()

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        return super().setup(seats, {"cards": 1 + next(self.counter) % 2})


class Refusing(HighCard):
    """Lists cards that it then refuses."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        if any(int(board.face(slot)) > 20 for slot in chosen.slots("card")[:1]):
            raise illegal("it is too high")
        return super().apply(state, board, seat, chosen)


class Losing(HighCard):
    """Shuffles a new deck in which a card is missing."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        deck = NewDeck(Composition(("1", "2")), STOCK, keep=chosen.slots("card"))
        return replace(step, effects=(*step.effects, deck))


class Reusing(HighCard):
    """Shuffles cards back that it has shuffled back before."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        back = Reshuffle(board.at(STOCK), STOCK)
        return replace(step, effects=(back, back))


class Endless(HighCard):
    """Never takes a card away."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        return Step(replace(step.state, is_over=False), events=step.events)


class Busy(HighCard):
    """Never gives anybody the turn."""

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        return Step(state, (Show(()),))


class Restless(HighCard):
    """Never gives anybody the turn, and needs nobody for it."""

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        return Step(state, (Move((), STOCK),))


class BusyWithoutSome(HighCard):
    """Never gives anybody the turn once a seat has left."""

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        if state.left:
            return Step(state, (Show(()),))
        return super().resume(state, board, outcome)


class EndlessWithoutSome(HighCard):
    """Never takes a card away once a seat has left."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        if not state.left:
            return step
        return Step(replace(step.state, is_over=False), events=step.events)


class Choosy(HighCard):
    """Takes no more than two seats with six cards."""

    def check_options(self, seats: int, options: Options) -> None:
        if seats > 2 and options["cards"] == 6:
            raise LocalError(Reason.LOCAL_ARGUMENT, "too many cards")


class Accepting(HighCard):
    """Looks at the first card only, so others can come along."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        slots = chosen.slots("card") or board.at(hand(seat))
        first = Action("lay", (("card", slots[:1]),))
        return super().apply(state, board.opened({slots[0]: "7"}), seat, first)


class Raising(HighCard):
    """Fails on a bad action with an error of its own."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        (slot,) = chosen.slots("card")
        assert slot in board.at(hand(seat))
        return super().apply(state, board, seat, chosen)


class Apologizing(HighCard):
    """Refuses a bad action as if it were a mistake of ours."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        if len(chosen.slots("card")) != 1:
            raise LocalError(Reason.LOCAL_ARGUMENT, "one card of the hand is laid")
        return super().apply(state, board, seat, chosen)


class Misnaming(HighCard):
    """Refuses a bad action for a reason that says nothing of the rules."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        if len(chosen.slots("card")) != 1:
            raise PeerError(Reason.DECK_ZONE, "one card of the hand is laid")
        return super().apply(state, board, seat, chosen)


class Speechless(HighCard):
    """Has no sentence for one of its events."""

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        return {"laid": super().sentence(happened, names)}[happened.kind]


class Careless(HighCard):
    """Formats names as if they were formats."""

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        return super().sentence(happened, names) % ()


class Anonymous(HighCard):
    """Does not say who did it."""

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        return "Somebody did something."


class Counting(HighCard):
    """Takes it that there is a seat 0."""

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        step = super().resume(state, board, outcome)
        if state.turn is not None or step.state.turn is None:
            return step
        return replace(step, state=replace(step.state, turn=Seat(0)))


class Stuck(HighCard):
    """Goes on with the seats that have left."""

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        return Step(state)


class Forgetful(HighCard):
    """Has no place for those who have left."""

    def result(self, state: State) -> Standing | None:
        return super().result(replace(state, left=()))


class Generous(HighCard):
    """Lets those who have left win."""

    def result(self, state: State) -> Standing | None:
        standing = super().result(state)
        return standing and Standing(standing.places[::-1]) if state.left else standing


class Undecided(HighCard):
    """Has a result before the end."""

    def result(self, state: State) -> Standing | None:
        return super().result(replace(state, is_over=bool(state.laid) or state.is_over))


class Resulting(HighCard):
    """Is over without a result."""

    def result(self, state: State) -> Standing | None:
        return None


@dataclass(frozen=True)
class FloatState(State):
    """A state with a number that is not the same everywhere."""

    mood: float = 0.5


class Floating(HighCard):
    """Keeps such a state."""

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        state = FloatState(tuple(seats), tuple(options.items()))
        return replace(super().setup(seats, options), state=state)


@dataclass(frozen=True)
class NotingState(State):
    """A state that is not frozen to the bottom."""

    attempts: dict[str, int] = field(default_factory=dict)


class Noting(HighCard):
    """Counts refused actions in the state."""

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        state = NotingState(tuple(seats), tuple(options.items()))
        return replace(super().setup(seats, options), state=state)

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        if len(chosen.slots("card")) != 1:
            attempts = cast("NotingState", state).attempts
            attempts["bad"] = attempts.get("bad", 0) + 1
        return super().apply(state, board, seat, chosen)


@dataclass(frozen=True)
class DeepState(State):
    """A state that nests as deeply as a message may."""

    history: tuple[object, ...] = ((((((1,),),),),),)


class Deep(HighCard):
    """Keeps such a state."""

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        state = DeepState(tuple(seats), tuple(options.items()))
        return replace(super().setup(seats, options), state=state)


class DeepFact(HighCard):
    """Has a fact that is nested too deeply."""

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        return {"tricks": state.tricks, "laid": (((((1,),),),),)}


class Wordy(HighCard):
    """Has a kind of action with a long name."""

    def __init__(self) -> None:
        super().__init__(actions=(ActionKind("lay" * 22, "lay a card"),))


class Inventive(HighCard):
    """Has a policy of its own."""

    policies = ("void", "wait")


class Revealing(HighCard):
    """Goes on with the cards as they lie, one of which an action that was undone has opened."""

    policies = ("continue", "void")

    def rules(self) -> str:
        return f"{super().rules()}\n`continue`\n"


class Listing(HighCard):
    """Has a fact that is not plain."""

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        return {"tricks": state.tricks, "laid": cast("Any", list(state.laid))}


class Interrupting(HighCard):
    """Lets seats act out of turn."""

    def legal(self, view: View) -> tuple[Action, ...]:
        cards = view.zone("hand", view.viewer)
        return tuple(Action("lay", (("card", (SlotId(card.slot),)),)) for card in cards)


class Repeating(HighCard):
    """Names what is legal twice."""

    def legal(self, view: View) -> tuple[Action, ...]:
        return super().legal(view) * 2


class Mute(HighCard):
    """Has nothing to do for the seat on turn."""

    def legal(self, view: View) -> tuple[Action, ...]:
        return ()


class Unordered(HighCard):
    """Has events whose fields are in no order."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        told = Event("laid", (("seat", seat), ("number", 3)))
        return replace(step, events=(told,))


class Unexplained(HighCard):
    """Does not explain its option."""

    def rules(self) -> str:
        return "# High card\n\n`void`\n"


class Undecidable(HighCard):
    """Refuses its own defaults."""

    def __init__(self) -> None:
        super().__init__(options=(Option("cards", "cards", 9, minimum=1, maximum=6),))


class Unhurried(HighCard):
    """Refuses its own default of a table by letters."""

    def __init__(self) -> None:
        cards = Option("cards", "cards", 3, minimum=1, maximum=6, by_letters=7)
        super().__init__(options=(cards,))


class Formless(HighCard):
    """Has an option whose example it would refuse."""

    def __init__(self) -> None:
        cards = Option("cards", "cards", "3", pattern="[1-6]", examples=("9",))
        super().__init__(options=(cards,))


class Peeking(HighCard):
    """Moves a card that is not there any more."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        return replace(step, effects=(Show((SlotId(99_999),)), *step.effects))


class Prying(HighCard):
    """Compares cards that nobody has seen."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        return replace(step, effects=(Compare(board.at(STOCK)[:2]), *step.effects))


class Fickle(HighCard):
    """Says something else of the same view."""

    counter = count()

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        return (f"mood {next(self.counter)}",)


class Suggesting(HighCard):
    """Remarks something else of the same card."""

    counter = count()

    def remark(self, view: View, word: str) -> str:
        return str(next(self.counter) % 100)


class Personal(HighCard):
    """Says how it stands to players alone."""

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        assert view.viewer is not None
        return (f"{names[view.viewer]} plays",)


class Talkative(HighCard):
    """Has a phrase for every card."""

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        return tuple(f"card {card.slot}" for card in view.zone("stock"))


class Broadcasting(HighCard):
    """Says how it stands on several lines."""

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        return ("\n".join(names.values()),)


class Numeric(HighCard):
    """Remarks something of numbers, and takes every word for one."""

    def remark(self, view: View, word: str) -> str:
        return str(int(word) % 2)


class Explaining(HighCard):
    """Has more to say of a card than has room."""

    def remark(self, view: View, word: str) -> str:
        return "lay this one if you have no other that is higher"


class Changing(HighCard):
    """Draws its cards otherwise each time."""

    counter = count()

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        return {"1": {"kind": "number", "number": next(self.counter)}}


class Ornate(HighCard):
    """Draws its cards with a text that is longer than a card."""

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        return {"1": {"kind": "picture", "title": "a card " * 10}}


class Dealing(HighCard):
    """Looks up the options of another game."""

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        return {"1": {"kind": "number", "number": options["numbers"]}}


class Abundant(HighCard):
    """Draws more cards than a deck can have."""

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        return {str(number): {"kind": "number", "number": number} for number in range(300)}


class Later(HighCard):
    """Calls a version earlier that is not."""

    version = 2
    earlier = (HighCard(), HighCard())


class Stacked(HighCard):
    """Has an earlier version that has one itself, as if some were to be looked for in others."""

    version = 4
    earlier = (Later(),)


BROKEN = [
    # the game, and the rule that the kit finds broken
    (Leaky(), "a view shows nothing that is hidden"),
    (LeakyChoice(), "what is legal depends on nothing that is hidden"),
    (Moody(), "the same action comes to the same"),
    (MoodyDeal(), "a replay comes to the same states"),
    (Refusing(), "a legal action is accepted"),
    (Losing(), "effects can be carried out"),
    (Reusing(), "effects can be carried out"),
    (Endless(), "a game ends"),
    (Busy(), "somebody gets the turn"),
    (Restless(), "effects can be carried out"),
    (BusyWithoutSome(), "the game goes on when seats have left"),
    (EndlessWithoutSome(), "the game ends when seats have left"),
    (Accepting(), "a bad action is refused"),
    (Raising(), "a bad action is refused as such"),
    (Apologizing(), "a bad action is refused as such"),
    (Misnaming(), "a bad action is refused as such"),
    (Speechless(), "there is a sentence for every event"),
    (Careless(), "there is a sentence for every event"),
    (Anonymous(), "a sentence names the seats"),
    (Counting(), "whoever has the turn is in the game"),
    (Stuck(), "when seats have left|who is left alone|has the turn is in the game"),
    (Forgetful(), "every seat has one place"),
    (Generous(), "those who have left are the last"),
    (Undecided(), "a game with a result is over"),
    (Resulting(), "a game that is over has a result"),
    (Floating(), "a state can be encoded"),
    (Noting(), "refused actions change nothing in the state"),
    (Listing(), "facts are plain"),
    (Deep(), "a state is not nested too deeply"),
    (DeepFact(), "facts are plain"),
    (Wordy(), "words have at most 64 bytes"),
    (Inventive(), "policies are known ones"),
    (Revealing(), "what goes on with its cards opens none by an action"),
    (Interrupting(), "who has not the turn can do nothing"),
    (Repeating(), "a legal action is named once"),
    (Mute(), "whoever has the turn can do something"),
    (Unordered(), "fields are in the order of their names"),
    (Unexplained(), "the page of rules tells of every option"),
    (Undecidable(), "the defaults fit every number of seats"),
    (Unhurried(), "the defaults fit every number of seats"),
    (Formless(), "an option with a pattern has examples that fit"),
    (Peeking(), "effects can be carried out"),
    (Prying(), "effects can be carried out"),
    (Fickle(), "what is told of a view follows from it"),
    (Suggesting(), "what is told of a view follows from it"),
    (Personal(), "it can be told how a game stands"),
    (Talkative(), "how a game stands is told in a few phrases"),
    (Broadcasting(), "how a game stands is told in a few phrases"),
    (Numeric(), "there is a remark for every word, or none"),
    (Explaining(), "a remark is a few letters"),
    (Changing(), "looks follow from the options"),
    (Ornate(), "a look is a small flat object"),
    (Dealing(), "cards have looks or none"),
    (Abundant(), "there are looks for a deck"),
    (Later(), "earlier versions have lower numbers"),
    (Stacked(), "earlier versions are of the same game, and stand in one list"),
]
