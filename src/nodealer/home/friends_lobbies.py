"""The lobbies of friends that are open for this player, found without an invite.

A host names friends, who come in by their keys. So a friend is asked, on this network or where it
is known to be, whether there is a lobby for whoever asks; and nobody but friends is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import trio

from nodealer.home.my_lobbies import Shelf
from nodealer.home.my_tables import refused
from nodealer.home.sitting import in_lobbies
from nodealer.lobby import ADDRESSES_MAX, Invite, YouMayCome
from nodealer.node import Address, Listening, Node, PeerKey
from nodealer.store import Friend, Friends, shown
from nodealer.table import folded
from nodealer.verify import joined

ASK_AGAIN_SECONDS: Final = 2.0
"""A lobby may be opened after it was asked for."""


@dataclass(frozen=True, slots=True)
class LobbyForMe:
    """A lobby to which a friend has named this player, and the way to it."""

    friend: Friend
    said: YouMayCome
    invite: Invite


def friend_called(friends: Iterable[Friend], name: str) -> Friend:
    """Return the friend of this name, or raise `LocalError`; who is meant has to be clear."""
    known = [one for one in friends if folded(one.name) == folded(name)]
    if not known:
        raise refused(f"you know nobody called {name!r}: friends are those you have played with")
    if len(known) > 1:
        several = joined([shown(one.name, one.key) for one in known])
        raise refused(f"several whom you know are called so: {several}; give an invite instead")
    return known[0]


async def lobbies_for_me(
    shelf: Shelf,
    friends: Mapping[Friend, Sequence[Address]],
    reach: Listening,
    seconds: float,
    *,
    is_first_enough: bool = False,
) -> tuple[LobbyForMe, ...]:
    """Ask friends for so long whether a lobby of theirs is open for this player."""
    async with in_lobbies(shelf, [], reach) as node:
        with trio.move_on_after(seconds):
            while not (is_first_enough and node.asking.open):
                node.ask_friends({PeerKey(one.key): tuple(at) for one, at in friends.items()})
                with trio.move_on_after(ASK_AGAIN_SECONDS):
                    await node.asking.bell.wait()
        return tuple(found_open(node, friends))


async def keep_asking(node: Node, friends: Sequence[Friend], heard: Callable[[], None]) -> None:
    """Ask friends again and again, until cancelled; `heard` is told of each answer."""
    while True:
        before = tuple(found_open(node, friends))
        node.ask_friends({PeerKey(one.key): () for one in friends})
        await trio.sleep(ASK_AGAIN_SECONDS)
        if tuple(found_open(node, friends)) != before:
            heard()


def found_open(node: Node, known: Iterable[Friend]) -> Iterator[LobbyForMe]:
    """Yield the lobbies that were found to be open for this player."""
    friends = {one.key: one for one in known}
    for peer, lobbies in node.asking.lobbies.items():
        places = tuple(str(one) for one in node.known_of(peer))[:ADDRESSES_MAX]
        for said in lobbies:
            yield LobbyForMe(friends[peer], said, said.invite(peer, places))


def friends_of(shelf: Shelf) -> tuple[Friend, ...]:
    """Return everybody whom this player knows."""
    book = Friends(shelf.profile.friends)
    try:
        return tuple(book)
    finally:
        book.close()
