"""What an entry looks like to one player: the view before it, the view after it, and its events.

All that a client is told is made from this and nothing else, so it is told nothing that its player
does not see. What a player sees again (a card looked at in an earlier turn, say) is in a view too;
which of it belongs into a message is for the tables of the protocols to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nodealer.games.api import Choice, Event, Plain, Turn, View
from nodealer.kernel import Seat, SlotId
from nodealer.seat.saying import Json


@dataclass(frozen=True, slots=True)
class Sight:
    """An entry, as one player sees it."""

    before: View
    after: View
    events: tuple[Event, ...]

    @property
    def me(self) -> Seat:
        """The seat of the player."""
        assert self.after.viewer is not None, "a client has a seat"
        return self.after.viewer


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


def pairs(value: Plain) -> dict[int, Plain]:
    """Return pairs of a number and something else."""
    assert isinstance(value, tuple), "there are pairs"
    found: dict[int, Plain] = {}
    for pair in value:
        assert isinstance(pair, tuple), "there are pairs"
        first, second = pair
        assert isinstance(first, int), "of a number and something"
        found[first] = second
    return found


def numbers(value: Plain) -> list[int]:
    """Return a list of numbers."""
    assert isinstance(value, tuple), "there are several"
    return [item for item in value if isinstance(item, int)]


def words(value: Plain) -> list[str]:
    """Return a list of words."""
    assert isinstance(value, tuple), "there are several"
    return [item for item in value if isinstance(item, str)]


def json_of(value: Plain) -> Json:
    """Return a plain value as JSON has it."""
    return [json_of(item) for item in value] if isinstance(value, tuple) else value


def faces_in(view: View) -> Mapping[SlotId, str]:
    """Return all faces that the player sees."""
    return {
        card.slot: card.face for zone in view.zones for card in zone.cards if card.face is not None
    }
