"""What to do about a refusal, in a sentence for people.

A host sends a reason and never prose: what is shown on a guest's screen is written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.kernel import Reason

ADVICE: Final[Mapping[Reason, str]] = {
    Reason.LOBBY_INVITE: "copy the whole line once more, or ask for a new invite",
    Reason.TABLE_NAME: "choose another name: 1 to 24 letters, digits, signs or single spaces",
    Reason.LOBBY_UNKNOWN: "the lobby is gone: ask for a new invite",
    Reason.LOBBY_VERSION: "both sides need the same version of nodealer: update the older one",
    Reason.LOBBY_SECRET: "the invite was replaced: ask for a new one",
    Reason.LOBBY_NAME: "choose another name and join again",
    Reason.LOBBY_FULL: "wait until somebody leaves, or ask for an invite to watch",
    Reason.LOBBY_STARTED: "the game has begun: ask for an invite to watch, or to the next one",
    Reason.LOBBY_CLOSED: "ask whether there will be another game",
    Reason.LOBBY_REMOVED: "talk to the host",
    Reason.LOBBY_RESTLESS: "talk to the host; another lobby counts anew",
    Reason.LOBBY_TWO_OFFERS: "do not play with this host before you know what went wrong:"
    " its program is broken or tampered with, or runs twice",
    Reason.TABLE_RULES: "install the version of the game that the host has, or leave",
}


def advice(reason: Reason) -> str:
    """Return what to do, or nothing where there is nothing to be done."""
    return ADVICE.get(reason, "")
