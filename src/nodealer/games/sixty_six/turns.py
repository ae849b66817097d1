"""The deeds of a seat in its turn.

Each doing takes the state and board of the turn and returns the step that follows; whatever is not
allowed raises `illegal`. `DOINGS` says which doings there are in a state of a variant, by the kind
of the action; the two variants are made of the same ones. What follows when the cards are shown, or
everybody has taken notice, is in `going_on`.

A hand keeps its order: a card that comes into it takes the place of the one that goes, of several
the lowest place, and then the others close up. So every change of a hand is a `Move` of all its
cards in their new order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from nodealer.cards import DISCARD, STOCK, Board, Zone, hand
from nodealer.games.api import Action, Step, event, illegal
from nodealer.games.effects import Acks, Compare, Effect, Move, Show
from nodealer.games.sixty_six.cards import POWERS, Power
from nodealer.games.sixty_six.rounds import begin_round
from nodealer.games.sixty_six.state import BY_DISCARDED, FROM_DECK, V1, V2, Phase, State
from nodealer.kernel import Seat, SlotId, changed

Doing: TypeAlias = Callable[[State, Board, Seat, Action], Step[State]]
"""What one kind of action does."""


def taken(seat: Seat) -> Zone:
    """Return the place of the card that a seat has taken from the deck."""
    return Zone("taken", seat)


def start_round(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:  # noqa: ARG001 - every doing
    """Begin the first round, or the next one."""
    return begin_round(changed(state, round=state.round + 1), chosen.kind)


def take_from_deck(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Take the top card of the deck, and see it."""
    card = board.at(STOCK)[:1]
    after = changed(state, source=FROM_DECK).moved(chosen.kind, Phase.DECK_CARD_TAKEN)
    told = event("took", seat=seat, source=FROM_DECK)
    return Step(after, (Move(card, taken(seat)), Show(card, (seat,))), (told,))


def take_discarded(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Take the discarded card; it lies where it is until it is known where it goes."""
    _require_discarded(board)
    after = changed(state, source=BY_DISCARDED).moved(chosen.kind, Phase.DISCARDED_CARD_TAKEN)
    return Step(after, (), (event("took", seat=seat, source=BY_DISCARDED),))


def replace_by_taken(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Let the taken card take the place of one in the hand."""
    place = _own(board, seat, chosen)
    return replaced(changed(state, chosen=(place,)), board, chosen.kind)


def replace_by_discarded(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Let the discarded card take the place of one in the hand, at once."""
    _require_discarded(board)
    place = _own(board, seat, chosen)
    after = changed(state, chosen=(place,), source=BY_DISCARDED)
    return replaced(after, board, chosen.kind)


def claim(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Claim that some cards of the hand are alike: all others see them, and tell whether they are.

    Their owner learns the verdict by a proof, and nothing else.
    """
    lying, slots = board.at(hand(seat)), chosen.slots("cards")
    places = tuple(lying.index(slot) for slot in slots if slot in lying)
    is_in_order = list(places) == sorted(set(places)) and len(places) == len(slots)
    if slots != chosen.get("cards") or len(slots) < 2 or not is_in_order:  # noqa: PLR2004 - alike
        raise illegal("two or more cards of the own hand are shown, in their order")
    others = tuple(other for other in state.seats if other != seat)
    after = changed(state, chosen=places).moved(chosen.kind, Phase.SHOWING_CARDS)
    told = event("claimed", seat=seat, places=places)
    return Step(after, (Show(slots, others), Compare(slots)), (told,))


def replace_claimed(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:  # noqa: ARG001 - every doing
    """Let a card that nobody has seen take the place of those that were claimed."""
    return replaced(changed(state, source=FROM_DECK), board, chosen.kind)


def replace_claimed_by_discarded(
    state: State,
    board: Board,
    seat: Seat,  # noqa: ARG001 - every doing
    chosen: Action,
) -> Step[State]:
    """Let the discarded card take the place of those that were claimed."""
    _require_discarded(board)
    return replaced(changed(state, source=BY_DISCARDED), board, chosen.kind)


def stop(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:  # noqa: ARG001 - every doing
    """Stop the round: every other seat has one more turn."""
    if state.stopper is not None:
        raise illegal("the round is stopped already")
    after = changed(state, stopper=seat, stop_counter=len(state.seats) - 1)
    told = event("stopped", seat=seat)
    return Step(after.moved(chosen.kind, Phase.ROUND_STOPPING), (Acks(),), (told,))


def discard(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Discard the card taken from the deck, open; what it can do has to be done."""
    card = board.at(taken(seat))
    if chosen.get("card") != card:
        raise illegal("the card taken from the deck is discarded")
    face = board.face(card[0])
    after = changed(state, source=None)
    phase = state.names.discarding[POWERS.get(face)]
    told = event("discarded", seat=seat, face=face)
    return Step(after.moved(chosen.kind, phase), (Move(card, DISCARD), Acks()), (told,))


def peek_own(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Look at a card of the own hand."""
    _require_power(board, Power.PEEK_OWN)
    place = _own(board, seat, chosen)
    phase = state.names.peeking_own
    return _peek(state.moved(chosen.kind, phase), seat, seat, board.at(hand(seat)), place)


def peek_anothers(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Look at a card of somebody else's hand; its owner does not see it."""
    _require_power(board, Power.PEEK_ANOTHERS)
    other, place = _anothers(state, board, seat, chosen, "card")
    phase = state.names.peeking_anothers
    return _peek(state.moved(chosen.kind, phase), seat, other, board.at(hand(other)), place)


def choose_own(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Choose the card of the own hand that is to be exchanged."""
    place = _own(board, seat, chosen)
    phase = Phase.PICKING_ANOTHERS_CARD_FOR_EXCHANGE
    return Step(changed(state, chosen=(place,)).moved(chosen.kind, phase))


def exchange_chosen(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Exchange the chosen card with one of somebody else's hand."""
    (place,) = state.chosen
    return _exchange(state, board, seat, place, chosen, "card")


def exchange(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Exchange a card of the own hand with one of somebody else's."""
    _require_power(board, Power.EXCHANGE)
    return _exchange(state, board, seat, _own(board, seat, chosen), chosen, "other")


def replaced(state: State, board: Board, trigger: str) -> Step[State]:
    """Let a card from the state's source take the place of the chosen ones, which are discarded."""
    seat, source = state.on_turn, state.source
    assert source is not None, "it is known where the card comes from"
    lying = board.at(hand(seat))
    old = tuple(lying[place] for place in state.chosen)
    new = _incoming(state, board)
    kept = [new if slot == old[0] else slot for slot in lying if slot not in old[1:]]
    moves = (Move(tuple(kept), hand(seat)), Move(old, DISCARD))
    phase = state.names.replacing[source, len(old) > 1]
    return Step(state.moved(trigger, phase), (*moves, opening(board, old)))


def opening(board: Board, slots: Sequence[SlotId]) -> Effect:
    """Return the effect that opens cards; where all are open, everybody takes notice of that."""
    hidden = tuple(slot for slot in slots if slot not in board.faces)
    return Show(hidden) if hidden else Acks()


_START: Final[Mapping[str, Doing]] = {"start-game": start_round}
_START_ROUND: Final[Mapping[str, Doing]] = {"start-next-round": start_round}
_PLACING: Final[Mapping[str, Doing]] = {"pick-own-card": replace_by_taken, "show-cards": claim}

DOINGS: Final[Mapping[str, Mapping[Phase, Mapping[str, Doing]]]] = {
    V1: {
        Phase.AWAITING_START: _START,
        Phase.READY_FOR_TURN: {
            "take-card-from-deck": take_from_deck,
            "replace-card-by-discarded": replace_by_discarded,
            "show-cards": claim,
            "stop-round": stop,
        },
        Phase.DECK_CARD_TAKEN: {"replace-card-from-deck": replace_by_taken, "discard": discard},
        Phase.AWAITING_REPLACEMENT: {
            "replace-cards-from-deck": replace_claimed,
            "replace-cards-by-discarded": replace_claimed_by_discarded,
        },
        Phase.AWAITING_POWER: {
            "peek-own-card": peek_own,
            "peek-anothers-card": peek_anothers,
            "exchange-cards": exchange,
        },
        Phase.ROUND_FINISHED: _START_ROUND,
    },
    V2: {
        Phase.AWAITING_START: _START,
        Phase.READY_FOR_TURN: {
            "take-card-from-deck": take_from_deck,
            "take-discarded-card": take_discarded,
            "stop-round": stop,
        },
        Phase.DECK_CARD_TAKEN: {**_PLACING, "discard": discard},
        Phase.DISCARDED_CARD_TAKEN: _PLACING,
        Phase.DISCARDING_7_8: {"pick-own-card": peek_own},
        Phase.DISCARDING_9_10: {"pick-anothers-card": peek_anothers},
        Phase.DISCARDING_11_12: {"pick-own-card": choose_own},
        Phase.PICKING_ANOTHERS_CARD_FOR_EXCHANGE: {"pick-anothers-card": exchange_chosen},
        Phase.ROUND_FINISHED: _START_ROUND,
    },
}
"""What can be done in the states in which a seat has the turn."""


def _incoming(state: State, board: Board) -> SlotId:
    if state.source == BY_DISCARDED:
        return board.at(DISCARD)[-1]
    # In the first variant nobody has taken the card that replaces claimed ones.
    return (board.at(taken(state.on_turn)) or board.at(STOCK))[0]


def _peek(
    state: State, seat: Seat, owner: Seat, lying: Sequence[SlotId], place: int
) -> Step[State]:
    # Whether a seat has seen a card already is no rule's business; then the acks alone are due.
    told = event("peeked", seat=seat, owner=owner, place=place)
    return Step(state, (Show((lying[place],), (seat,)), Acks()), (told,))


def _exchange(
    state: State, board: Board, seat: Seat, place: int, chosen: Action, field: str
) -> Step[State]:
    other, other_place = _anothers(state, board, seat, chosen, field)
    mine, theirs = list(board.at(hand(seat))), list(board.at(hand(other)))
    mine[place], theirs[other_place] = theirs[other_place], mine[place]
    moves = (Move(tuple(mine), hand(seat)), Move(tuple(theirs), hand(other)))
    told = event("exchanged", seat=seat, place=place, other=other, other_place=other_place)
    return Step(state.moved(chosen.kind, state.names.exchanging), (*moves, Acks()), (told,))


def _own(board: Board, seat: Seat, chosen: Action) -> int:
    """Return the place of the card of the own hand that an action names."""
    lying, slots = board.at(hand(seat)), chosen.slots("card")
    if len(slots) != 1 or chosen.get("card") != slots or slots[0] not in lying:
        raise illegal("one card of the own hand is named")
    return lying.index(slots[0])


def _anothers(
    state: State, board: Board, seat: Seat, chosen: Action, field: str
) -> tuple[Seat, int]:
    """Return whose card an action names, and its place there."""
    slots = chosen.slots(field)
    for other in state.seats:
        lying = board.at(hand(other))
        if other != seat and chosen.get(field) == slots[:1] and slots and slots[0] in lying:
            return other, lying.index(slots[0])
    raise illegal("one card of somebody else's hand is named")


def _require_discarded(board: Board) -> None:
    if not board.at(DISCARD):
        raise illegal("no card is discarded yet")


def _require_power(board: Board, power: Power) -> None:
    if POWERS.get(board.face(board.at(DISCARD)[-1])) is not power:
        raise illegal("the discarded card has another power")
