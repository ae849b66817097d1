"""The question of a friend whether it may come, and the answer of a host that has named it.

    ask        is there a lobby of yours to which you have named me?
    invited    there is: come in with your key, no secret is needed

Both are in no lobby: whoever asks knows of none. Who is named is known by the key that the link has
proven, so there is nothing to be shown, and nothing that could be shown again by somebody else. Who
is not named is not answered, as by a node that has no lobby; so a stranger learns from it neither
that there is a lobby nor who is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from nodealer.crypto import KEY_BYTES
from nodealer.kernel import PeerError, Reason
from nodealer.lobby.forms import LOBBY_BYTES, LOBBY_VERSION, NAME
from nodealer.lobby.host import Host
from nodealer.lobby.invite import Invite
from nodealer.lobby.messages import JOIN_BYTES_MAX
from nodealer.lobby.moves import HOST
from nodealer.table import WORD, require_names
from nodealer.wire import Field, RecordCodec, Schema, exact_bytes, read_one

NO_LOBBY: Final = bytes(LOBBY_BYTES)
"""Stands in an envelope where other messages have the number of their lobby."""


@dataclass(frozen=True, slots=True)
class MayICome:
    """Somebody asks whether a lobby is open for it."""


@dataclass(frozen=True, slots=True)
class YouMayCome:
    """A lobby is open for whoever has asked: its number, the name of its host, the game."""

    lobby: bytes
    name: str
    game: str

    def invite(self, host: bytes, addresses: tuple[str, ...]) -> Invite:
        """Return the way into this lobby of the holder of a key."""
        assert len(host) == KEY_BYTES, "a key"
        return Invite(host, self.lobby, None, watches=False, addresses=addresses)


ASK: Final = Schema("lobby/ask", RecordCodec(MayICome, ()), LOBBY_VERSION)
INVITED: Final = Schema(
    "lobby/invited",
    RecordCodec(
        YouMayCome,
        (
            Field("lobby", exact_bytes(LOBBY_BYTES)),
            Field("name", NAME),
            Field("game", WORD),
        ),
    ),
    LOBBY_VERSION,
)
_BY_KIND: Final[dict[str, Schema[Any]]] = {schema.kind: schema for schema in (ASK, INVITED)}


def read_asking(data: bytes) -> MayICome | YouMayCome:
    """Return what somebody has sent who speaks of no lobby, or raise `PeerError`."""
    if len(data) > JOIN_BYTES_MAX:
        raise PeerError(Reason.ENCODING_OVERSIZED, f"{len(data)} bytes")
    said: MayICome | YouMayCome = read_one(data, _BY_KIND)
    if isinstance(said, YouMayCome):
        require_names([said.name])
        if not said.game.isascii() or not said.game.isprintable():
            raise PeerError(Reason.LOBBY_OFFER, "a word cannot be shown")
    return said


def answer_to(host: Host, asker: bytes) -> YouMayCome | None:
    """Return what a host answers to the holder of a key that asks; nothing unless it is named."""
    if asker not in host.named or "name" not in HOST[host.phase]:
        return None
    own = next(one for one in host.seats if one is not None and one.key == host.key)
    return YouMayCome(host.keys.lobby, own.name, host.plan.game)
