"""The friends whom a node asks whether it may come, and what they have answered.

Only friends are asked, and only who was asked is heard: nobody can fill a list with lobbies. Each
has few of them, and what a friend has answered before is forgotten when it is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.lobby import YouMayCome
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.link import Bell

LOBBIES_MAX: Final = 4
"""Of one friend."""


class Asking:
    """The friends who are asked, and the lobbies that are open for this player."""

    def __init__(self) -> None:
        self.friends: Mapping[PeerKey, tuple[Address, ...]] = {}
        """Where each may be; on this network all are looked for."""
        self.open: dict[PeerKey, tuple[YouMayCome, ...]] = {}
        """What each has answered since it was asked last."""
        self._before: dict[PeerKey, tuple[YouMayCome, ...]] = {}
        self.bell = Bell()

    def begin(self, friends: Mapping[PeerKey, tuple[Address, ...]]) -> None:
        """Ask these from now on."""
        self.friends = dict(friends)
        for known in (self.open, self._before):
            for peer in known.keys() - friends.keys():
                del known[peer]

    @property
    def lobbies(self) -> Mapping[PeerKey, tuple[YouMayCome, ...]]:
        """The lobbies that are open; of who was just asked again as it has answered before."""
        return {**self._before, **self.open}

    def forget(self, peer: PeerKey) -> None:
        """Forget what a friend has answered, who is asked again, unless it was just now."""
        self._before[peer] = self.open.pop(peer, ())

    def hear(self, peer: PeerKey, said: YouMayCome) -> bool:
        """Take in an answer; say whether anybody wanted it."""
        known = tuple(one for one in self.open.get(peer, ()) if one.lobby != said.lobby)
        if peer not in self.friends or len(known) >= LOBBIES_MAX:
            return False
        self.open[peer] = (*known, said)
        self.bell.ring()
        return True
