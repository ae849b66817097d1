"""What happens in a game of 66, as far as a client hears of it, for both of its protocols.

An entry of the table can bring several moments, in this order: what the rules tell of (events),
then what a player comes to see, then the end of a round, then who has to act. The two protocols
have different words for them, and different ideas of who is told; both are tables over these.

    dealing       the cards lie; nobody has seen one
    dealt         the first two are seen
    turn          a turn begins
    taken         the card from the deck is seen by its player
    used          the discarded card is taken, to be placed
    replaced-…    old cards are open, new ones lie in their place
    equal, different    a claim is decided
    stopped, exchanged
    discarded     a plain card; `spent` is one that a false claim has cost
    power         a card with a power is discarded; `use-…` when everybody knows it
    peeked-own, peeked-anothers    somebody looks; `saw-…` when the face is there
    pick-other    the own card of an exchange is chosen
    scored        the points of a round are counted; `next-round` when somebody has to start one
    over          the game is over; `over-early` if it is so without a round being counted
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from nodealer.games.api import Event, Turn, View
from nodealer.games.sixty_six.cards import POWERS, Power
from nodealer.games.sixty_six.scoring import ends_game
from nodealer.games.sixty_six.state import FROM_DECK, NAMES, Phase
from nodealer.kernel import Seat
from nodealer.seat.rows import Moment, Sources
from nodealer.seat.saying import Json
from nodealer.seat.sight import Sight, acting, faces_in, json_of, numbers, pairs, word

USES: Final = {
    Power.PEEK_OWN: "use-peek-own",
    Power.PEEK_ANOTHERS: "use-peek-anothers",
    Power.EXCHANGE: "use-exchange",
}

PEEKING: Final = frozenset(
    phase.value for names in NAMES.values() for phase in (names.peeking_own, names.peeking_anothers)
)

DISCARDING: Final = frozenset(
    phase.value
    for names in NAMES.values()
    for power, phase in names.discarding.items()
    if power is not None
) | {Phase.AWAITING_POWER.value}


def moments_in(sight: Sight) -> list[Moment]:
    """Return what an entry brings, in its order."""
    return [
        *(moment for told in sight.events for moment in _happened(sight, told)),
        *_dealing(sight),
        *_saw(sight),
        *_ended(sight),
        *_asked(sight),
    ]


# Events.


def _happened(sight: Sight, told: Event) -> Iterator[Moment]:
    reader = _EVENTS.get(told.kind)
    if reader is not None:
        yield from reader(sight, told)


def _dealt(sight: Sight, _: Event) -> Iterator[Moment]:
    lying = sight.after.zone("hand", sight.me)
    cards = [_record(sight.me, place, card.face) for place, card in enumerate(lying[:2])]
    first, second = (_value(card.face) for card in lying[:2])
    yield Moment("dealt", None, {"value1": first, "value2": second, "cards": cards})


def _replaced(_: Sight, told: Event) -> Iterator[Moment]:
    places = numbers(told.get("places"))
    kind = "one" if len(places) == 1 else "several"
    source = told.get("source")
    fields = {**_places(told), "fromDeck": source == FROM_DECK}
    yield Moment(f"replaced-{kind}-{source}", _seat(told), fields)


def _compared(sight: Sight, told: Event) -> Iterator[Moment]:
    owner, places = _seat(told), numbers(told.get("places"))
    # In the second variant the cards are moved with the verdict: they are looked at where they lay.
    lying = sight.before.zone("hand", owner)
    values = [_value(lying[place].face) for place in places]
    cards = [_record(owner, place, lying[place].face) for place in places]
    bare = [_record(owner, place, None) for place in places]
    fields = {**_places(told), "values": values, "value": values[0]}
    shown = {"cards": bare if owner == sight.me else cards}
    yield Moment("equal" if told.get("equal") else "different", owner, {**fields, **shown})


def _discarded(sight: Sight, told: Event) -> Iterator[Moment]:
    if word(sight.before, "phase") == Phase.DISCARDING_PLAIN.value:
        yield Moment("spent", _seat(told), _player(told))
    else:
        name = "power" if told.get("face") in POWERS else "discarded"
        yield Moment(name, _seat(told), _player(told))


def _peeked(sight: Sight, told: Event) -> Iterator[Moment]:
    owner, place = told.get("owner"), told.get("place")
    assert isinstance(owner, int), "a card lies before somebody"
    assert isinstance(place, int), "and at some place"
    fields = _peek(Seat(owner), place, None, _seat(told))
    yield Moment(_whose("peeked", Seat(owner), _seat(told)), _seat(told), fields)
    face = sight.after.zone("hand", Seat(owner))[place].face
    if _seat(told) == sight.me and face is not None:  # it had been seen before
        yield _seen(sight.me, Seat(owner), place, face)


def _exchanged(_: Sight, told: Event) -> Iterator[Moment]:
    fields: dict[str, Json] = {
        **_player(told),
        "cardIndex": json_of(told.get("place")),
        "anotherPlayerIndex": json_of(told.get("other")),
        "anotherPlayerCardIndex": json_of(told.get("other_place")),
    }
    yield Moment("exchanged", _seat(told), fields)


def _stopped(_: Sight, told: Event) -> Iterator[Moment]:
    yield Moment("stopped", _seat(told), _player(told))


def _won(sight: Sight, _: Event) -> Iterator[Moment]:
    was_counted = word(sight.before, "phase") == Phase.ROUND_FINISHED.value and is_over(
        sight.before
    )
    yield Moment("over", None, {})
    if not was_counted:
        yield Moment("over-early", None, {})


_EVENTS: Final[Mapping[str, Callable[[Sight, Event], Iterator[Moment]]]] = {
    "dealt": _dealt,
    "replaced": _replaced,
    "compared": _compared,
    "discarded": _discarded,
    "peeked": _peeked,
    "exchanged": _exchanged,
    "stopped": _stopped,
    "won": _won,
}
"""The events of which clients are told; all others are for people."""


# What the board shows beside the events.


def _dealing(sight: Sight) -> Iterator[Moment]:
    before, after = (
        [card.slot for card in view.zone("hand", sight.me)] for view in (sight.before, sight.after)
    )
    if word(sight.after, "phase") == Phase.ROUND_STARTING.value and after and after != before:
        yield Moment("dealing", None, {"playerIndex": sight.me})


def _saw(sight: Sight) -> Iterator[Moment]:
    """Yield the card that was looked at, when its face comes after the entry that told of it."""
    phase, known = word(sight.after, "phase"), faces_in(sight.before)
    is_mine = sight.after.facts["active"] == sight.me
    if phase not in PEEKING or word(sight.before, "phase") != phase or not is_mine:
        return
    for owner in sight.after.seats:
        for place, card in enumerate(sight.after.zone("hand", owner)):
            if card.face is not None and card.slot not in known:
                yield _seen(sight.me, owner, place, card.face)


def _ended(sight: Sight) -> Iterator[Moment]:
    if word(sight.after, "phase") != Phase.ROUND_FINISHED.value:
        return
    is_new = word(sight.before, "phase") != Phase.ROUND_FINISHED.value
    if is_new or any(told.kind == "left" for told in sight.events):
        starter = sight.after.facts["starter"]
        yield Moment("scored", Seat(starter) if isinstance(starter, int) else None, {})


def _asked(sight: Sight) -> Iterator[Moment]:
    seat = acting(sight.after)
    if seat is None or _turn(sight.after) == _turn(sight.before):
        return
    phase = word(sight.after, "phase")
    if phase in DISCARDING:
        discarded = sight.after.facts["discarded"]
        yield Moment(USES[POWERS[str(discarded)]], seat, {})
    elif phase in _ASKED:
        places = numbers(sight.after.facts["chosen"])
        yield Moment(_ASKED[phase], seat, {"playerIndex": seat, "cardIndexes": places})


_ASKED: Final = {
    Phase.READY_FOR_TURN.value: "turn",
    Phase.DECK_CARD_TAKEN.value: "taken",
    Phase.DISCARDED_CARD_TAKEN.value: "used",
    Phase.AWAITING_REPLACEMENT.value: "source",
    Phase.PICKING_ANOTHERS_CARD_FOR_EXCHANGE.value: "pick-other",
    Phase.ROUND_FINISHED.value: "next-round",
}
"""States in which a seat has to act, and has to be told so."""


def _turn(view: View) -> tuple[object, ...]:
    """Return what makes a turn another one."""
    kinds = view.duty.kinds if isinstance(view.duty, Turn) else None
    return (kinds, acting(view), *(view.facts[name] for name in ("phase", "round", "turn")))


# Fields.


def _seat(told: Event) -> Seat:
    seat = told.get("seat")
    assert isinstance(seat, int), "somebody does it"
    return Seat(seat)


def _player(told: Event) -> dict[str, Json]:
    return {"playerIndex": _seat(told)}


def _places(told: Event) -> dict[str, Json]:
    places = numbers(told.get("places"))
    return {**_player(told), "cardIndex": places[0], "cardIndexes": places}


def _whose(name: str, owner: Seat, seat: Seat) -> str:
    return f"{name}-own" if owner == seat else f"{name}-anothers"


def _seen(me: Seat, owner: Seat, place: int, face: str) -> Moment:
    return Moment(_whose("saw", owner, me), me, _peek(owner, place, face, me))


def _peek(owner: Seat, place: int, face: str | None, seat: Seat) -> dict[str, Json]:
    return {
        "playerIndex": seat,
        "anotherPlayerIndex": owner,
        "cardIndex": place,
        "value": _value(face),
        "cards": [_record(owner, place, face)],
    }


def _record(owner: Seat, place: int, face: str | None) -> Json:
    """Return a card of somebody's hand; without a face it has no value."""
    value: dict[str, Json] = {} if face is None else {"value": int(face)}
    return {"playerIndex": owner, "cardIndex": place, **value}


def _value(face: str | None) -> int | None:
    return None if face is None else int(face)


def is_over(view: View) -> bool:
    """Say whether the points end the game, or it has ended."""
    totals = {Seat(seat): total for seat, total in pairs(view.facts["totals"]).items()}
    counted = {seat: total for seat, total in totals.items() if isinstance(total, int)}
    return ends_game(counted) or word(view, "phase") == Phase.GAME_FINISHED.value


def _by_player(view: View, values: Mapping[int, Json]) -> list[Json]:
    """Return values in the order of the seats; who has none, or has no seat, has null."""
    count = max(pairs(view.facts["totals"])) + 1
    return [values.get(seat) for seat in range(count)]


def _hand_sizes(sight: Sight) -> Json:
    view = sight.after
    sizes = {seat: len(view.zone("hand", seat)) for seat in view.seats}
    return [size or 0 for size in _by_player(view, {int(s): n for s, n in sizes.items()})]


def _held(sight: Sight) -> Json:
    cards = sight.after.zone("taken", sight.me)
    return _value(cards[0].face) if cards else None


def _discarded_value(sight: Sight) -> Json:
    face = sight.after.facts["discarded"]
    return None if face is None else int(str(face))


def _hands(sight: Sight) -> Json:
    view = sight.after
    return [
        _record(seat, place, card.face)
        for seat in view.seats
        for place, card in enumerate(view.zone("hand", seat))
        if card.face is not None
    ]


def _open_hands(sight: Sight) -> Json:
    """Return all hands once they are open to everybody, which they are when points are counted."""
    return _hands(sight) if sight.after.facts["points"] else []


def _fact(name: str) -> Callable[[Sight], Json]:
    return lambda sight: json_of(sight.after.facts[name])


def _listed(name: str) -> Callable[[Sight], Json]:
    def of(sight: Sight) -> Json:
        values = {seat: json_of(value) for seat, value in pairs(sight.after.facts[name]).items()}
        return _by_player(sight.after, values)

    return of


SOURCES: Final[Sources] = {
    "deckSize": _fact("deck_size"),
    "discardedValue": _discarded_value,
    "handSizes": _hand_sizes,
    "deckCard": _held,
    "value": _held,
    "stopCounter": _fact("stop_counter"),
    "round": _fact("round"),
    "roundCount": _fact("round"),
    "turn": _fact("turn"),
    "turnCount": _fact("turn"),
    "activePlayerIndex": _fact("active"),
    "nextPlayerIndex": _fact("starter"),
    "scores": _listed("points"),
    "totalScores": _listed("totals"),
    "cards": _open_hands,
    "isGameFinished": lambda sight: is_over(sight.after),
}
"""Fields that follow from what the player sees after an entry."""
