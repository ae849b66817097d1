"""The happenings in a lobby, as people read them.

What is offered has words of its own (`term_words`). Why a lobby is over is not told here: a
guest's command ends with it, reason and advice.
"""

from __future__ import annotations

from nodealer.kernel import Reason
from nodealer.lobby import (
    Answered,
    Came,
    CharterWhole,
    Guest,
    Host,
    LineSaid,
    LobbyEvent,
    TooLate,
    TurnedAway,
    TwoOffers,
    Went,
    WordsDrawn,
    advice,
)
from nodealer.store import shown, words_in


def event_lines(event: LobbyEvent, held: Host | Guest) -> list[str]:
    """Return what to tell of an event; some are nothing to people."""
    lines: list[str] = []
    match event:
        case LineSaid() | WordsDrawn():
            lines = _told(event)
        case Came(key, name, watches, _, is_program):
            told = "watches" if watches else "has come"
            lines = [f"{shown(name, key)} {told}{', and says to be a program' * is_program}"]
        case Went(key, name):
            lines = [f"{shown(name, key)} has gone"]
        case TurnedAway(_, reason):
            more = f"; {advice(reason)}" if reason is Reason.LOBBY_VERSION else ""
            lines = [f"somebody was turned away: {reason.meaning} ({reason.slug}){more}"]
        case Answered(_, seats):
            count = 0 if held.offer is None else len(held.offer.seats)
            lines = [f"{len(seats)} of {count} have accepted"] if seats else []
        case CharterWhole():
            lines = ["the table is founded"]
        case TooLate(key, name):
            lines = [f"{shown(name, key)} does not want the table any more; open another lobby"]
        case TwoOffers():
            lines = ["the host has offered two different things under one number; you have left"]
        case _:
            pass
    return lines


def _told(event: LineSaid | WordsDrawn) -> list[str]:
    if isinstance(event, LineSaid):
        return [f"{shown(event.line.name, event.line.key)}: {event.line.text}"]
    words = " ".join(words_in(event.words))
    return [
        f"words of this lobby: {words}",
        "if all who have a seat read the same two aloud, nobody stands between you",
    ]
