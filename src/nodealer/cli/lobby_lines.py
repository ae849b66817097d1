"""What happens in a lobby, as people read it.

Why a lobby is over is not told here: a guest's command ends with it, reason and advice.
"""

from __future__ import annotations

from nodealer.games.api import Plain
from nodealer.ledger import Clock
from nodealer.lobby import Guest, Host, advice
from nodealer.lobby.messages import Offer
from nodealer.lobby.ready import (
    Answered,
    Came,
    Event,
    Founded,
    Offered,
    TooLate,
    TurnedAway,
    TwoOffers,
    Went,
)
from nodealer.node.clocks import CLOCKS, SECOND
from nodealer.store.words import shown
from nodealer.verify import joined


def lines_of(event: Event, held: Host | Guest) -> list[str]:
    """Return what to tell of an event; some are nothing to people."""
    lines: list[str] = []
    match event:
        case Came(key, name, watches):
            lines = [f"{shown(name, key)} {'watches' if watches else 'has come'}"]
        case Went(key, name):
            lines = [f"{shown(name, key)} has gone"]
        case TurnedAway(_, reason):
            lines = [f"somebody was turned away: {reason.meaning} ({reason.slug})"]
        case Offered(offer, problem):
            lines = [*offer_lines(offer), *([] if problem is None else [advice(problem)])]
        case Answered(_, seats):
            count = 0 if held.offer is None else len(held.offer.seats)
            lines = [f"{len(seats)} of {count} have accepted"] if seats else []
        case Founded():
            lines = ["the table is founded"]
        case TooLate(key, name):
            lines = [f"{shown(name, key)} does not want the table any more; open another lobby"]
        case TwoOffers():
            lines = ["the host has offered two different things under one number; you have left"]
        case _:
            pass
    return lines


def offer_lines(offer: Offer) -> list[str]:
    """Return what is offered, and to whom."""
    options = ", ".join(f"{name}={_value(value)}" for name, value in offer.options)
    names = [shown(one.name, one.key) for one in offer.seats if one is not None]
    free = sum(one is None for one in offer.seats)
    seats = f"{joined(names)}; {free} free" if free else joined(names)
    return [
        f"{offer.game}, version {offer.version}{'; ' + options if options else ''}",
        f"seats: {seats}; {_clock(offer.clock)}; when somebody is left out: {offer.policy}",
    ]


def _value(value: Plain) -> str:
    """Return the value of an option as it is typed."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _clock(clock: Clock) -> str:
    names = [name for name, known in CLOCKS.items() if known == clock]
    act = _time(clock.act)
    return f"{act} for a turn ({names[0]})" if names else f"{act} for a turn"


def _time(ticks: int) -> str:
    seconds = ticks // SECOND
    for unit, name in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} seconds"
