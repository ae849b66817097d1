"""The life of a link, as a table: which state follows when something happens.

    away       there is no connection; whoever knows an address dials
    greeting   the end that leads has said hello on a connection and waits for the answer
    up         both have said hello on one connection; frames travel
    leaving    this end has said goodbye and waits for the answer
    ended      over for good

One end of every link *leads*: the one with the smaller key. Only it decides which connection is
used, so two peers that dial each other at the same moment cannot disagree. It says hello first, on
the newest connection; the other end answers on that one and never says hello by itself, so for it
`greeting` does not occur.

What does not stand in a row cannot happen there: the session makes sure of it, and stops if it is
wrong. The diagram of the specs is the picture of this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final


class LinkState(Enum):
    """The state of an end of a link."""

    AWAY = "away"
    GREETING = "greeting"
    UP = "up"
    LEAVING = "leaving"
    ENDED = "ended"


class Happening(Enum):
    """The happenings that move a link on."""

    OPENED = "opened"
    """The leading end has begun to use a new connection."""
    GREETED = "greeted"
    """The hello of the other end has come, on the connection that is used from now on."""
    LOST = "lost"
    """The connection broke, or nothing was heard on it for too long."""
    BYE_SENT = "bye sent"
    BYE_HEARD = "bye heard"
    BROKE_RULES = "broke rules"
    """The peer has sent what no program sends that follows the page."""
    GIVEN_UP = "given up"
    """Nothing is left to wait for, or it was waited for long enough."""


_END: Final = {Happening.BROKE_RULES: LinkState.ENDED, Happening.GIVEN_UP: LinkState.ENDED}

FOLLOWING: Final[Mapping[LinkState, Mapping[Happening, LinkState]]] = {
    LinkState.AWAY: {
        Happening.OPENED: LinkState.GREETING,
        Happening.GREETED: LinkState.UP,
        **_END,
    },
    LinkState.GREETING: {
        Happening.OPENED: LinkState.GREETING,
        Happening.GREETED: LinkState.UP,
        Happening.LOST: LinkState.AWAY,
        **_END,
    },
    LinkState.UP: {
        Happening.OPENED: LinkState.GREETING,
        Happening.GREETED: LinkState.UP,
        Happening.LOST: LinkState.AWAY,
        Happening.BYE_SENT: LinkState.LEAVING,
        Happening.BYE_HEARD: LinkState.ENDED,
        **_END,
    },
    LinkState.LEAVING: {
        Happening.LOST: LinkState.ENDED,
        Happening.BYE_HEARD: LinkState.ENDED,
        **_END,
    },
    LinkState.ENDED: {},
}
"""For each state, what can happen there and what follows."""
