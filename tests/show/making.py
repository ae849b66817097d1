"""Tables for the tests of what is shown: players with names, keys from a seed, a chosen clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nodealer.games.base import AnyGame
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.ledger import Clock
from nodealer.table import Agreed, Player, Terms, accept, charter_of, check_charter
from tests.support.circle import CLOCK, hashed, player_of

NAMES = ("Ana", "Bea", "Čeněk", "王小明", "Dörte", "Eva", "Fay", "Gil", "Hans", "Ida")


def player_for(seat: Seat, seed: int) -> Player:
    """Return a player whose keys follow from seat and seed."""
    return player_of(seat, ("ui", seed))


def agreed_by_names(
    players: Sequence[Player],
    rules: AnyGame,
    names: Sequence[str],
    seed: int = 0,
    clock: Clock | None = None,
    options: Mapping[str, int | str | bool] | None = None,
) -> Agreed:
    """Return a charter of these players under their names."""
    terms = Terms(
        lobby=hashed("ui lobby", seed),
        game=rules.id,
        version=rules.version,
        options=tuple(resolve(rules, len(players), options or {}).items()),
        names=tuple(names),
        identities=tuple(player.signer.verify_key.raw for player in players),
        clock=CLOCK if clock is None else clock,
        policy=rules.policies[0],
    )
    return check_charter(charter_of(terms, [accept(terms, one.keyring) for one in players]))
