"""The view of a running game: its cards by zone, with the faces that the viewer may know.

Whoever holds the cards (the table over masked ones, the plain dealer over open ones) describes the
game as a `Scene`: only what is public. A viewer's notebook adds the faces that it has been shown.
Nothing else enters a view, so whatever the viewer may not know cannot be in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic

from nodealer.cards import Board, Zone
from nodealer.games.api import Choice, Notebook, Plain, SeenCard, SeenZone, StateT, View
from nodealer.games.base import Game
from nodealer.kernel import Seat

NOTHING_KNOWN: Notebook = MappingProxyType({})
"""The notebook of a spectator."""


@dataclass(frozen=True, slots=True)
class Scene(Generic[StateT]):
    """All that is public of a running game; `underway` while effects are being carried out.

    One of them can be a choice; then `choice` says whom it still awaits.
    """

    game: Game[StateT]
    state: StateT
    board: Board
    seats: tuple[Seat, ...]
    underway: bool = False
    choice: Choice | None = None


def view_of(
    scene: Scene[StateT], viewer: Seat | None = None, notebook: Notebook = NOTHING_KNOWN
) -> View:
    """Return what a seat with this notebook sees, or a spectator."""
    game, state, board = scene.game, scene.state, scene.board
    return View(
        viewer=viewer,
        seats=scene.seats,
        duty=scene.choice if scene.underway else game.duty(state),
        zones=tuple(_seen(z, board, notebook) for z in sorted(board.layout.zones, key=rank_of)),
        facts=_sorted(game.facts(state, board, viewer)),
    )


def _seen(zone: Zone, board: Board, notebook: Notebook) -> SeenZone:
    cards = (SeenCard(slot, board.faces.get(slot, notebook.get(slot))) for slot in board.at(zone))
    return SeenZone(zone.name, zone.seat, tuple(cards))


def rank_of(zone: Zone) -> tuple[str, int]:
    """Return what zones are ordered by: the name, and the common zone before those of seats."""
    return zone.name, -1 if zone.seat is None else zone.seat


def _sorted(facts: Mapping[str, Plain]) -> Mapping[str, Plain]:
    return MappingProxyType(dict(sorted(facts.items())))
