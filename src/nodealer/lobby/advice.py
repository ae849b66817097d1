"""The advice about a refusal or a clock, in sentences for people.

A host sends a reason and never prose: what is shown on a guest's screen is written here. Whatever a
charter may say can be offered, and a player may like it; but a clock that leaves honest seats out
is called so, to whoever offers it and to whoever is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.kernel import Reason
from nodealer.ledger import Clock

ANSWER_TICKS_LEAST: Final = 2_000
"""Two seconds. A program answers within some tenths of one, but a line that loses a few packets in
a row, or a machine that shuffles for somebody else, can be silent for longer."""

ADVICE: Final[Mapping[Reason, str]] = {
    Reason.LOBBY_INVITE: "copy the whole line once more, or ask for a new invite",
    Reason.TABLE_NAME: "choose another name: 1 to 24 letters, digits, signs or single spaces",
    Reason.LOBBY_UNKNOWN: "the lobby is gone: ask for a new invite",
    Reason.LOBBY_VERSION: "both sides need a nodealer that speaks the same version: the older one"
    " has to be updated (`pip install --upgrade nodealer`), and if that is the host's, it opens"
    " another lobby",
    Reason.LOBBY_OFFER: "it gives no seat to you under your name: wait for the next, or leave",
    Reason.LOBBY_ANSWER: "go on where you have accepted, or ask for a new invite",
    Reason.LOBBY_SECRET: "the invite was replaced: ask for a new one",
    Reason.LOBBY_NAME: "choose another name and join again",
    Reason.LOBBY_FULL: "wait until somebody leaves, or ask for an invite to watch",
    Reason.LOBBY_STARTED: "the game has begun: ask for an invite to watch, or to the next one",
    Reason.LOBBY_CLOSED: "ask whether there will be another game",
    Reason.LOBBY_REMOVED: "talk to the host",
    Reason.LOBBY_RESTLESS: "talk to the host; another lobby counts anew",
    Reason.LOBBY_TWO_OFFERS: "do not play with this host before you know what went wrong:"
    " its program is broken or tampered with, or runs twice",
    Reason.TABLE_RULES: "install the version of the game that the host has, which for ours is a"
    " newer nodealer, or leave",
}


def advice(reason: Reason) -> str:
    """Return what to do, or nothing where there is nothing to be done."""
    return ADVICE.get(reason, "")


def clock_warnings(clock: Clock) -> tuple[str, ...]:
    """Return what is unusual about a clock, so that an honest seat may be left out by it."""
    found = []
    if clock.answer < ANSWER_TICKS_LEAST:
        found.append("too short to answer: an honest seat may be left out by a slow line")
    if clock.rejoin < clock.act:
        found.append(
            "less time to come back than for a turn: who loses the line may be left out sooner"
            " than who thinks"
        )
    return tuple(found)
