"""All the ways of breaking the rules that a simulation knows, each with its expected end.

authored       actions, countersignatures, refusals
voted          rounds, and leaving
silent         saying nothing
noise          what is dropped
owed           parts of due steps, in games that ask for the effects that take them
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.kernel import Chance, Seat
from nodealer.sim.lies.authored import AUTHORED
from nodealer.sim.lies.noise import NOISE
from nodealer.sim.lies.owed import OWED
from nodealer.sim.lies.silent import SILENT
from nodealer.sim.lies.voted import VOTED
from nodealer.sim.lying import Behaviour, Liar
from nodealer.sim.peer import Peer
from nodealer.sim.repertoire import Features

BEHAVIOURS: Final[tuple[Behaviour, ...]] = (*AUTHORED, *VOTED, *SILENT, *NOISE)
"""What is possible whatever a game asks for."""


def behaviours_at(seats: int, features: Features) -> tuple[Behaviour, ...]:
    """Return the behaviours that are possible at a table of so many seats, in such a game."""
    more = (one for effect, listed in OWED.items() if effect in features for one in listed)
    return tuple(
        one
        for one in (*BEHAVIOURS, *more)
        if one.least_seats <= seats and (one.needs is None or one.needs in features)
    )


def liars_at(
    number: int, peers: Mapping[Seat, Peer], chance: Chance, features: Features
) -> tuple[Liar, ...]:
    """Return the liars of a table; `number` counts through the behaviours."""
    return liars_with(behaviour_at(number, len(peers), features), peers, chance)


def behaviour_at(number: int, seats: int, features: Features) -> Behaviour:
    """Return the behaviour of a number, which counts through all that are possible."""
    possible = behaviours_at(seats, features)
    return possible[number % len(possible)]


def liars_with(
    behaviour: Behaviour, peers: Mapping[Seat, Peer], chance: Chance
) -> tuple[Liar, ...]:
    """Return the liars of a table that behave so."""
    drawn = chance.below(len(peers))
    first = drawn if behaviour.sits is None else behaviour.sits
    seats = [Seat((first + role) % len(peers)) for role in range(behaviour.liars)]
    for seat in seats:
        peers[seat].is_honest = False
    return tuple(
        Liar(
            peer=peers[seat],
            behaviour=behaviour,
            others=tuple(other for other in sorted(peers) if other not in seats),
            chance=chance.branch("liar", seat),
            role=role,
        )
        for role, seat in enumerate(seats)
    )
