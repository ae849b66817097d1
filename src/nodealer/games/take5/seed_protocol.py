"""The protocol of 6 nimmt!: JSON by its own description, without acknowledgements.

A client registers, and is answered with its number and the options of the table, under the name
`confg`, as the description spells it. From then on it is told everything in order, and answers two
kinds of request. An answer that is taken acknowledges all that was told before it, for nothing
else does. The tables are also specs/games/take5-protocol.md, which is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from nodealer.games.api import Action, Event, View, action
from nodealer.games.seeds import (
    ClientMessage,
    ClientRefused,
    ClientRequest,
    Fault,
    JsonValue,
    SeedProtocol,
    SeenEntry,
    is_asked_to_choose,
    json_of,
    numbers,
    require_fields,
    unknown,
    words,
)
from nodealer.games.take5.settings import STACK_NAMES

MESSAGES: Final = (
    ("register_response", "id, player_count, confg", "the answer to register_request"),
    ("deal", "list of CARD", "a round is dealt"),
    ("play_request", "BOARD", "everybody chooses a card"),
    ("played", "list of id and card, from the lowest card", "all cards of a turn are open"),
    ("taken", "id, stack", "a stack is taken"),
    ("choose_request", "BOARD", "the player's card is lower than all stacks"),
    ("game_over", "list of player and score", "the game is over"),
    ("error", "code, message", "something was refused"),
)
"""All that a client is told: the type, the data, when."""

REQUESTS: Final = (
    ("register_request", "null", "at the beginning of every connection"),
    ("play_response", "CARD", "after play_request"),
    ("choose_response", "STACK_ID", "after choose_request"),
)
"""All that a client may say."""

CONFIGURED: Final = ("turn_count", "stack_size", "win_score", "deck_size")


def _tell(seen: SeenEntry, legal: Sequence[Action]) -> tuple[ClientMessage, ...]:  # noqa: ARG001 - every one
    return tuple(_told(seen))


def _read(request: ClientRequest, view: View, legal: Sequence[Action]) -> Action:
    reader = _READERS.get(request.name)
    if reader is None:
        raise unknown(request)
    require_fields(request, ("data",))
    return reader(request.fields["data"], view, legal)


def _greet(view: View, players: int) -> Mapping[str, JsonValue]:
    options = view.by_name("options")
    least, _, most = str(options["bull_range"]).partition("-")
    configured = {name: json_of(options[name]) for name in CONFIGURED}
    configured["bull_range"] = [int(least), int(most)]
    return {
        "type": "register_response",
        "data": {"id": view.viewer, "player_count": players, "confg": configured},
    }


TAKE5_PROTOCOL: Final = SeedProtocol(
    name="take5",
    tell=_tell,
    read=_read,
    greet=_greet,
    greeting="register_request",
    is_flat=False,
)
"""The protocol of 6 nimmt!."""


def _told(seen: SeenEntry) -> Iterator[ClientMessage]:
    for happened in seen.events:
        teller = _TELLERS.get(happened.kind)
        if teller is not None:
            yield from teller(seen, happened)
    if is_asked_to_choose(seen.after) and _is_new_choice(seen):
        yield ClientMessage("play_request", {"data": _board(seen.after)}, asks=True)


def _is_new_choice(seen: SeenEntry) -> bool:
    """Say whether this choice is not the one before, asked again because somebody has left."""
    if not is_asked_to_choose(seen.before):
        return True
    before, after = (view.zone("hand", seen.me) for view in (seen.before, seen.after))
    return [card.slot for card in before] != [card.slot for card in after]


def _deal(seen: SeenEntry, _: Event) -> Iterator[ClientMessage]:
    cards = seen.after.zone("hand", seen.me)
    faces = [card.face for card in cards if card.face is not None]
    yield ClientMessage("deal", {"data": _cards(seen.after, faces)})


def _played(seen: SeenEntry, told: Event) -> Iterator[ClientMessage]:
    faces = words(told.get("cards"))
    cards = zip(numbers(told.get("seats")), _cards(seen.after, faces), strict=True)
    yield ClientMessage("played", {"data": [{"id": seat, "card": card} for seat, card in cards]})


def _taken(seen: SeenEntry, told: Event) -> Iterator[ClientMessage]:
    faces = words(told.get("cards"))
    seat = json_of(told.get("seat"))
    yield ClientMessage("taken", {"data": {"id": seat, "stack": _cards(seen.after, faces)}})


def _below(seen: SeenEntry, told: Event) -> Iterator[ClientMessage]:
    if told.get("seat") == seen.me:
        yield ClientMessage("choose_request", {"data": _board(seen.after)}, asks=True)


def _won(seen: SeenEntry, _: Event) -> Iterator[ClientMessage]:
    scores = seen.after.by_seat("scores")
    data = [{"player": seat, "score": json_of(score)} for seat, score in scores.items()]
    yield ClientMessage("game_over", {"data": data})


_TELLERS: Final[Mapping[str, Callable[[SeenEntry, Event], Iterator[ClientMessage]]]] = {
    "dealt": _deal,
    "played": _played,
    "taken": _taken,
    "below": _below,
    "won": _won,
}


def _play(data: JsonValue, view: View, legal: Sequence[Action]) -> Action:
    if not isinstance(data, dict) or data.keys() != {"face", "bull"}:
        raise ClientRefused(Fault.WRONG_FIELDS, "a card is an object with face and bull")
    if any(type(value) is not int for value in data.values()):
        raise ClientRefused(Fault.WRONG_FIELDS, "face and bull are whole numbers")
    if not view.owes_choice:
        raise ClientRefused(Fault.NOT_NOW, "no card is asked for")
    for card in view.zone("hand", view.viewer):
        if card.face is not None and data in _cards(view, [card.face]):
            return _allowed(action("play", card=(card.slot,)), legal)
    raise ClientRefused(Fault.NOT_ALLOWED, "this card is not in your hand")


def _choose(data: JsonValue, view: View, legal: Sequence[Action]) -> Action:
    if not isinstance(data, str):
        raise ClientRefused(Fault.WRONG_FIELDS, f"a stack is one of {', '.join(STACK_NAMES)}")
    if not view.has_turn:
        raise ClientRefused(Fault.NOT_NOW, "no stack is asked for")
    return _allowed(action("take", stack=data), legal)


_READERS: Final[Mapping[str, Callable[[JsonValue, View, Sequence[Action]], Action]]] = {
    "play_response": _play,
    "choose_response": _choose,
}


def _allowed(chosen: Action, legal: Sequence[Action]) -> Action:
    if chosen not in legal:
        raise ClientRefused(Fault.NOT_ALLOWED, "the rules do not allow this")
    return chosen


def _board(view: View) -> JsonValue:
    return {
        name: _cards(view, [card.face for card in view.zone(f"stack-{name}") if card.face])
        for name in STACK_NAMES
    }


def _cards(view: View, faces: Sequence[str]) -> list[dict[str, JsonValue]]:
    bulls = numbers(view.facts["bulls"])
    return [{"face": int(face), "bull": bulls[int(face) - 1]} for face in faces]
