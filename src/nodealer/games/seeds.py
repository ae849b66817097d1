"""The protocol of a seed: how a client hears what its player sees, and asks for actions.

A game may have been described before with a server that speaks to clients; such a description is a
seed. At a table without a server the player's own node takes the server's place, so that a client
which was written for the server sits down unchanged. A `SeedProtocol` says how: it belongs to a
game (`Game.seed_protocols`), lies in its folder and has its page beside that of the game. Sockets,
acknowledgements and what is said again after a restart are the same for all and not its business
(`nodealer.seat`); nor does it decide anything.

All that a client is told is made from a `SeenEntry` and nothing else, so it is told nothing that
its player does not see. What it asks for becomes one of the player's legal actions, or is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias

from nodealer.games.api import Action, Choice, Event, Plain, Turn, View
from nodealer.kernel import Seat, SlotId

JsonValue: TypeAlias = (
    Mapping[str, "JsonValue"] | Sequence["JsonValue"] | str | int | float | bool | None
)

NAME_SHOWN_MAX: Final = 40
"""Of a name that nobody knows, so much is repeated."""

NO_FIELDS: Final[Mapping[str, JsonValue]] = MappingProxyType({})


class Fault(Enum):
    """The faults of something that a client says."""

    MALFORMED = "malformed"
    TOO_LONG = "too-long"
    UNKNOWN_MESSAGE = "unknown-message"
    WRONG_FIELDS = "wrong-fields"
    UNACKNOWLEDGED = "unacknowledged"
    UNREGISTERED = "unregistered"
    NOT_NOW = "not-now"
    NOT_ALLOWED = "not-allowed"
    LEFT_OUT = "left-out"


class ClientRefused(Exception):  # noqa: N818 - it says what it is
    """The refusal of something that a client says; it changes nothing."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """A message to a client; `asks` if the player has to act after it."""

    name: str
    fields: Mapping[str, JsonValue] = field(default_factory=lambda: NO_FIELDS)
    asks: bool = False


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """A message of a client: its name, and all else that is in it."""

    name: str
    fields: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class SeenEntry:
    """An entry of the table as one player sees it: the views around it, and its events.

    What a player sees again (a card looked at in an earlier turn, say) is in a view too; which of
    it belongs into a message is for the protocol to say.
    """

    before: View
    after: View
    events: tuple[Event, ...]

    @property
    def me(self) -> Seat:
        """The seat of the player."""
        assert self.after.viewer is not None, "a client has a seat"
        return self.after.viewer


def nobody_greets(view: View, players: int) -> Mapping[str, JsonValue]:  # noqa: ARG001 - every one
    """Return nothing, for a protocol whose clients do not greet."""
    return NO_FIELDS


@dataclass(frozen=True, slots=True)
class SeedProtocol:
    """A protocol between a player's node and its client, as a value."""

    name: str
    tell: Callable[[SeenEntry, Sequence[Action]], tuple[ClientMessage, ...]]
    """What a client is told of an entry, after which its player may do so much."""
    read: Callable[[ClientRequest, View, Sequence[Action]], Action]
    """The action that a client asks for; what is none raises `ClientRefused`."""
    greet: Callable[[View, int], Mapping[str, JsonValue]] = nobody_greets
    """The answer to the greeting, at a table of so many seats."""
    options: tuple[tuple[str, str], ...] = ()
    """The options that a table must have for it."""
    has_acks: bool = False
    """Whether clients acknowledge what they are told, one message after the other."""
    greeting: str | None = None
    """What a client has to say first on every connection, if anything."""
    error: str = "error"
    """The name of the message that refuses something."""
    is_flat: bool = True
    """Whether the fields stand beside the type, and not in `data`."""


def require_fields(request: ClientRequest, names: Sequence[str]) -> None:
    """Raise `ClientRefused` unless a message has exactly these fields."""
    if request.fields.keys() != set(names):
        listed = ", ".join(names) if names else "no fields"
        raise ClientRefused(Fault.WRONG_FIELDS, f"{request.name} has {listed}")


def unknown(request: ClientRequest) -> ClientRefused:
    """Return the refusal of a message that the protocol does not have."""
    return ClientRefused(Fault.UNKNOWN_MESSAGE, f"there is no {request.name[:NAME_SHOWN_MAX]!r}")


def may_act(view: View) -> bool:
    """Say whether the player of a view has the turn, or owes a choice."""
    return view.has_turn or view.owes_choice


def acting(view: View) -> Seat | None:
    """Return whose turn it is, if it is anybody's."""
    return view.duty.seat if isinstance(view.duty, Turn) else None


def is_asked_to_choose(view: View) -> bool:
    """Say whether the player is among those who choose a card now."""
    return isinstance(view.duty, Choice) and view.viewer in view.duty.asked


def word(view: View, name: str) -> str:
    """Return a fact that is a word."""
    value = view.facts[name]
    assert isinstance(value, str), f"{name} is a word"
    return value


def numbers(value: Plain) -> list[int]:
    """Return a list of numbers."""
    assert isinstance(value, tuple), "there are several"
    return [item for item in value if isinstance(item, int)]


def words(value: Plain) -> list[str]:
    """Return a list of words."""
    assert isinstance(value, tuple), "there are several"
    return [item for item in value if isinstance(item, str)]


def json_of(value: Plain) -> JsonValue:
    """Return a plain value as JSON has it."""
    return [json_of(item) for item in value] if isinstance(value, tuple) else value


def faces_in(view: View) -> Mapping[SlotId, str]:
    """Return all faces that the player sees."""
    return {
        card.slot: card.face for zone in view.zones for card in zone.cards if card.face is not None
    }
