"""The standing of a round of 66, and what the card that was taken can do, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from nodealer.games.api import Plain, View
from nodealer.games.phrases import SeatNames, numbered
from nodealer.games.sixty_six.cards import POWERS, Power
from nodealer.games.sixty_six.state import Phase
from nodealer.kernel import Seat

_POWERS: Final[Mapping[Power, str]] = {
    Power.PEEK_OWN: "look at your own",
    Power.PEEK_ANOTHERS: "look at another's",
    Power.EXCHANGE: "exchange",
}


def status(view: View, names: SeatNames) -> tuple[str, ...]:
    """Say which turn it is, whether the round is stopped, and who has how many points."""
    totals = numbered(view, "totals", names)
    ending = f"points, until one has more than {view.facts['limit']}: {totals}"
    return (*_turn(view, names), *_stop(view, names), ending, *_ended(view, names))


def remark(view: View, word: str) -> str:
    """Say what the card that the viewer has taken lets it do when it is discarded."""
    taken = view.zone("taken", view.viewer) if word == "taken" else ()
    powers = (POWERS.get(card.face or "") for card in taken)
    return next((_POWERS[power] for power in powers if power is not None), "")


def _turn(view: View, names: SeatNames) -> Iterator[str]:
    number, active, chosen = view.facts["round"], view.facts["active"], view.facts["chosen"]
    if isinstance(active, int):
        name = names[Seat(active)]
        yield f"round {number}, turn {view.facts['turn']}: {name}"
        is_exchange = view.facts["phase"] == Phase.PICKING_ANOTHERS_CARD_FOR_EXCHANGE.value
        if is_exchange and isinstance(chosen, tuple):
            (place,) = chosen
            yield f"card {_counted(place)} of {name} is to be exchanged"
    elif number:
        yield f"round {number}"


def _stop(view: View, names: SeatNames) -> Iterator[str]:
    stopper, left = view.facts["stopper"], view.facts["stop_counter"]
    if isinstance(stopper, int):
        turns = "1 turn is" if left == 1 else f"{left or 'no'} turns are"
        yield f"{names[Seat(stopper)]} has stopped it, {turns} left"


def _ended(view: View, names: SeatNames) -> Iterator[str]:
    """Say how the last round was counted, and who will begin the next one."""
    starter = view.facts["starter"]
    if view.facts["points"]:
        yield f"in this round: {numbered(view, 'points', names)}"
    if view.facts["phase"] == Phase.ROUND_FINISHED.value and isinstance(starter, int):
        yield f"{names[Seat(starter)]} will begin the next round"


def _counted(place: Plain) -> int:
    assert isinstance(place, int), "places are numbers"
    return place + 1
