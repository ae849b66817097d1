"""The incidents of a game of 66 as a client hears of them, for both of its protocols.

An entry of the table can bring several incidents, in this order: what the rules tell of (events),
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
from nodealer.games.seeds import (
    JsonValue,
    SeenEntry,
    acting,
    faces_in,
    json_of,
    numbers,
    word,
)
from nodealer.games.sixty_six.cards import POWERS, Power
from nodealer.games.sixty_six.message_rows import Incident, Sources
from nodealer.games.sixty_six.scoring import ends_game
from nodealer.games.sixty_six.state import FROM_DECK, NAMES, Phase
from nodealer.kernel import Seat

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


def incidents_in(seen: SeenEntry) -> list[Incident]:
    """Return what an entry brings, in its order."""
    return [
        *(incident for told in seen.events for incident in _happened(seen, told)),
        *_dealing(seen),
        *_saw(seen),
        *_ended(seen),
        *_asked(seen),
    ]


# Events.


def _happened(seen: SeenEntry, told: Event) -> Iterator[Incident]:
    reader = _EVENTS.get(told.kind)
    if reader is not None:
        yield from reader(seen, told)


def _dealt(seen: SeenEntry, _: Event) -> Iterator[Incident]:
    lying = seen.after.zone("hand", seen.me)
    cards = [_record(seen.me, place, card.face) for place, card in enumerate(lying[:2])]
    first, second = (_value(card.face) for card in lying[:2])
    yield Incident("dealt", None, {"value1": first, "value2": second, "cards": cards})


def _replaced(_: SeenEntry, told: Event) -> Iterator[Incident]:
    places = numbers(told.get("places"))
    kind = "one" if len(places) == 1 else "several"
    source = told.get("source")
    fields = {**_places(told), "fromDeck": source == FROM_DECK}
    yield Incident(f"replaced-{kind}-{source}", _seat(told), fields)


def _compared(seen: SeenEntry, told: Event) -> Iterator[Incident]:
    owner, places = _seat(told), numbers(told.get("places"))
    # In the second variant the cards are moved with the verdict: they are looked at where they lay.
    lying = seen.before.zone("hand", owner)
    values = [_value(lying[place].face) for place in places]
    cards = [_record(owner, place, lying[place].face) for place in places]
    bare = [_record(owner, place, None) for place in places]
    fields = {**_places(told), "values": values, "value": values[0]}
    shown = {"cards": bare if owner == seen.me else cards}
    yield Incident("equal" if told.get("equal") else "different", owner, {**fields, **shown})


def _discarded(seen: SeenEntry, told: Event) -> Iterator[Incident]:
    if word(seen.before, "phase") == Phase.DISCARDING_PLAIN.value:
        yield Incident("spent", _seat(told), _player(told))
    else:
        name = "power" if told.get("face") in POWERS else "discarded"
        yield Incident(name, _seat(told), _player(told))


def _peeked(seen: SeenEntry, told: Event) -> Iterator[Incident]:
    owner, place = told.get("owner"), told.get("place")
    assert isinstance(owner, int), "a card lies before somebody"
    assert isinstance(place, int), "and at some place"
    fields = _peek(Seat(owner), place, None, _seat(told))
    yield Incident(_whose("peeked", Seat(owner), _seat(told)), _seat(told), fields)
    face = seen.after.zone("hand", Seat(owner))[place].face
    if _seat(told) == seen.me and face is not None:  # it had been seen before
        yield _seen(seen.me, Seat(owner), place, face)


def _exchanged(_: SeenEntry, told: Event) -> Iterator[Incident]:
    fields: dict[str, JsonValue] = {
        **_player(told),
        "cardIndex": json_of(told.get("place")),
        "anotherPlayerIndex": json_of(told.get("other")),
        "anotherPlayerCardIndex": json_of(told.get("other_place")),
    }
    yield Incident("exchanged", _seat(told), fields)


def _stopped(_: SeenEntry, told: Event) -> Iterator[Incident]:
    yield Incident("stopped", _seat(told), _player(told))


def _won(seen: SeenEntry, _: Event) -> Iterator[Incident]:
    was_counted = word(seen.before, "phase") == Phase.ROUND_FINISHED.value and is_over(seen.before)
    yield Incident("over", None, {})
    if not was_counted:
        yield Incident("over-early", None, {})


_EVENTS: Final[Mapping[str, Callable[[SeenEntry, Event], Iterator[Incident]]]] = {
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


def _dealing(seen: SeenEntry) -> Iterator[Incident]:
    before, after = (
        [card.slot for card in view.zone("hand", seen.me)] for view in (seen.before, seen.after)
    )
    if word(seen.after, "phase") == Phase.ROUND_STARTING.value and after and after != before:
        yield Incident("dealing", None, {"playerIndex": seen.me})


def _saw(seen: SeenEntry) -> Iterator[Incident]:
    """Yield the card that was looked at, when its face comes after the entry that told of it."""
    phase, known = word(seen.after, "phase"), faces_in(seen.before)
    is_mine = seen.after.facts["active"] == seen.me
    if phase not in PEEKING or word(seen.before, "phase") != phase or not is_mine:
        return
    for owner in seen.after.seats:
        for place, card in enumerate(seen.after.zone("hand", owner)):
            if card.face is not None and card.slot not in known:
                yield _seen(seen.me, owner, place, card.face)


def _ended(seen: SeenEntry) -> Iterator[Incident]:
    if word(seen.after, "phase") != Phase.ROUND_FINISHED.value:
        return
    is_new = word(seen.before, "phase") != Phase.ROUND_FINISHED.value
    if is_new or any(told.kind == "left" for told in seen.events):
        starter = seen.after.facts["starter"]
        yield Incident("scored", Seat(starter) if isinstance(starter, int) else None, {})


def _asked(seen: SeenEntry) -> Iterator[Incident]:
    seat = acting(seen.after)
    if seat is None or _turn(seen.after) == _turn(seen.before):
        return
    phase = word(seen.after, "phase")
    if phase in DISCARDING:
        discarded = seen.after.facts["discarded"]
        yield Incident(USES[POWERS[str(discarded)]], seat, {})
    elif phase in _ASKED:
        places = numbers(seen.after.facts["chosen"])
        yield Incident(_ASKED[phase], seat, {"playerIndex": seat, "cardIndexes": places})


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


def _player(told: Event) -> dict[str, JsonValue]:
    return {"playerIndex": _seat(told)}


def _places(told: Event) -> dict[str, JsonValue]:
    places = numbers(told.get("places"))
    return {**_player(told), "cardIndex": places[0], "cardIndexes": places}


def _whose(name: str, owner: Seat, seat: Seat) -> str:
    return f"{name}-own" if owner == seat else f"{name}-anothers"


def _seen(me: Seat, owner: Seat, place: int, face: str) -> Incident:
    return Incident(_whose("saw", owner, me), me, _peek(owner, place, face, me))


def _peek(owner: Seat, place: int, face: str | None, seat: Seat) -> dict[str, JsonValue]:
    return {
        "playerIndex": seat,
        "anotherPlayerIndex": owner,
        "cardIndex": place,
        "value": _value(face),
        "cards": [_record(owner, place, face)],
    }


def _record(owner: Seat, place: int, face: str | None) -> JsonValue:
    """Return a card of somebody's hand; without a face it has no value."""
    value: dict[str, JsonValue] = {} if face is None else {"value": int(face)}
    return {"playerIndex": owner, "cardIndex": place, **value}


def _value(face: str | None) -> int | None:
    return None if face is None else int(face)


def is_over(view: View) -> bool:
    """Say whether the points end the game, or it has ended."""
    totals = view.by_seat("totals").items()
    counted = {seat: total for seat, total in totals if isinstance(total, int)}
    limit = view.facts["limit"]
    assert isinstance(limit, int), "it is a fact of every view"
    return ends_game(counted, limit) or word(view, "phase") == Phase.GAME_FINISHED.value


def _by_player(view: View, values: Mapping[Seat, JsonValue]) -> list[JsonValue]:
    """Return values in the order of the seats; who has none, or has no seat, has null."""
    count = max(view.by_seat("totals")) + 1
    return [values.get(Seat(seat)) for seat in range(count)]


def _hand_sizes(seen: SeenEntry) -> JsonValue:
    view = seen.after
    sizes = {seat: len(view.zone("hand", seat)) for seat in view.seats}
    return [size or 0 for size in _by_player(view, sizes)]


def _held(seen: SeenEntry) -> JsonValue:
    cards = seen.after.zone("taken", seen.me)
    return _value(cards[0].face) if cards else None


def _discarded_value(seen: SeenEntry) -> JsonValue:
    face = seen.after.facts["discarded"]
    return None if face is None else int(str(face))


def _hands(seen: SeenEntry) -> JsonValue:
    view = seen.after
    return [
        _record(seat, place, card.face)
        for seat in view.seats
        for place, card in enumerate(view.zone("hand", seat))
        if card.face is not None
    ]


def _open_hands(seen: SeenEntry) -> JsonValue:
    """Return all hands once they are open to everybody, which they are when points are counted."""
    return _hands(seen) if seen.after.facts["points"] else []


def _fact(name: str) -> Callable[[SeenEntry], JsonValue]:
    return lambda seen: json_of(seen.after.facts[name])


def _listed(name: str) -> Callable[[SeenEntry], JsonValue]:
    def of(seen: SeenEntry) -> JsonValue:
        values = {seat: json_of(value) for seat, value in seen.after.by_seat(name).items()}
        return _by_player(seen.after, values)

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
    "isGameFinished": lambda seen: is_over(seen.after),
}
"""Fields that follow from what the player sees after an entry."""
