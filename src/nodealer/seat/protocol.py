"""What a protocol is: how a client is told what its player sees, and how its requests are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from nodealer.games.api import Action, View
from nodealer.seat.saying import Json, Said, Told
from nodealer.seat.sight import Sight


class SeatProtocol(Protocol):
    """A protocol between a player's node and its client, as a value."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def game(self) -> str:
        """The id of the game of which it speaks."""

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The options that a table must have for it."""

    @property
    def has_acks(self) -> bool:
        """Whether clients acknowledge what they are told, one message after the other."""

    @property
    def greeting(self) -> str | None:
        """What a client has to say first on every connection, if anything."""

    @property
    def error(self) -> str:
        """The name of the message that refuses something."""

    @property
    def is_flat(self) -> bool:
        """Whether the fields stand beside the type, and not in `data`."""

    def tell(self, sight: Sight, legal: Sequence[Action]) -> tuple[Told, ...]:
        """Return what a client is told of an entry; `legal` is what its player may do after it."""

    def read(self, said: Said, view: View, legal: Sequence[Action]) -> Action:
        """Return the action that a client asks for, or raise `Refused`."""

    def greet(self, view: View, players: int) -> Mapping[str, Json]:
        """Return the answer to the greeting, at a table of so many seats."""
