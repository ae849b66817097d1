"""The home as a page is told of it: games, clocks, tables and lobbies, people.

How a table stands is not known before its history was checked, which takes up to a second for each.
So the list is there at once, with what is known, and the rest is told as it becomes known.
"""

from __future__ import annotations

from contextlib import closing

from nodealer.dialogue import (
    LISTED_MAX,
    ClockListed,
    PersonListed,
    PolicyListed,
    TableListed,
)
from nodealer.games import registry
from nodealer.home import (
    POLICIES,
    FoundLobby,
    FoundTable,
    LobbyForMe,
    StandingTold,
    day_of,
    known_since,
    listed,
    noted_standing,
    tables_of,
)
from nodealer.kernel import LocalError, PeerError
from nodealer.ledger import Clock
from nodealer.node import CLOCKS
from nodealer.show import in_words
from nodealer.steward.refusals import why_refused
from nodealer.store import Friends, Profile, Trouble, words_of
from nodealer.table import Terms, read_terms
from nodealer.verify import joined

LOOKED_AT: str = "its record is being read"

NANOSECONDS: int = 10**9


def clocks_told() -> tuple[ClockListed, ...]:
    """Return the clocks that a host can choose, each whole."""
    return tuple(ClockListed(name, clock_words(clock)) for name, clock in CLOCKS.items())


def policies_told() -> tuple[PolicyListed, ...]:
    """Return the policies that games have, each with what becomes of a round by it."""
    return tuple(PolicyListed(name, words) for name, words in POLICIES.items())


def clock_words(clock: Clock) -> str:
    """Return all that a clock says."""
    return (
        f"{in_words(clock.act)} for a turn, {in_words(clock.answer)} for what programs answer by"
        f" themselves, {in_words(clock.rejoin)} to come back; at the longest"
        f" {in_words(clock.longest)}"
    )


def people_told(profile: Profile) -> tuple[PersonListed, ...]:
    """Return whom the player knows, who was seen last first."""
    if not profile.friends.exists():
        return ()
    with closing(Friends(profile.friends)) as friends:
        known = sorted(friends, key=lambda one: one.seen, reverse=True)
    return tuple(
        PersonListed(one.name, " ".join(words_of(one.key)), known_since(one))
        for one in known[:LISTED_MAX]
    )


def found_tables(profile: Profile) -> tuple[FoundTable, ...]:
    """Return the tables that are listed."""
    return tables_of(profile)[:LISTED_MAX]


def found_lobbies(profile: Profile) -> tuple[FoundLobby, ...]:
    """Return the lobbies that have not become a table, and can be gone on in."""
    return tuple(one for one in listed(profile) if one.seen is None or one.is_open)[:LISTED_MAX]


def table_told(one: FoundTable, told: StandingTold | None) -> TableListed:
    """Return what a page is told of a table, as far as it is known how that stands."""
    when = day_of(one.written // NANOSECONDS)
    terms = terms_of(one)
    if one.glance is None or terms is None:
        why = Trouble.DAMAGED.meaning if one.trouble is None else why_refused(one.trouble)
        return TableListed(one.mark, "?", "?", why, when=when)
    stands = noted_standing(one, one.glance, LOOKED_AT if told is None else told.words)
    is_over = told is not None and told.is_over
    game = game_title(terms.game)
    return TableListed(one.mark, game, joined(terms.names), stands, is_over=is_over, when=when)


def friends_lobby(one: LobbyForMe) -> TableListed:
    """Return how the lobby of a friend is listed that is open for this player."""
    return TableListed(
        mark=one.said.lobby.hex(),
        game=game_title(one.said.game),
        players=one.friend.name,
        stands="open for you",
        is_lobby=True,
    )


def lobby_listed(one: FoundLobby) -> TableListed:
    """Return what a page is told of a lobby."""
    offer = None if one.seen is None else one.seen.offer
    if offer is None:
        stands = "looking for its host" if one.trouble is None else why_refused(one.trouble)
        return TableListed(one.mark, "?", "", stands, is_lobby=True)
    names = joined([who.name for who in offer.seats if who is not None])
    stands = "your open lobby" if one.is_hosted else "an open lobby"
    return TableListed(one.mark, game_title(offer.game), names, stands, is_lobby=True)


def terms_of(one: FoundTable) -> Terms | None:
    """Return the terms of a table, if its journal can be read."""
    try:
        return None if one.glance is None else read_terms(one.glance.charter)[0]
    except PeerError:
        return None


def game_title(game: str) -> str:
    """Return how a game is called here; its id, where its rules are not."""
    try:
        return registry.game(game).title
    except LocalError:
        return game


def name_used(profile: Profile, key: bytes) -> str:
    """Return the name by which the player was known to others last; none, if to nobody yet."""
    for lobby in found_lobbies(profile):
        offer = None if lobby.seen is None else lobby.seen.offer
        for who in () if offer is None else offer.seats:
            if who is not None and who.key == key:
                return who.name
    for one in found_tables(profile):
        terms = terms_of(one)
        if terms is not None and key in terms.identities:
            return terms.names[terms.identities.index(key)]
    return ""
