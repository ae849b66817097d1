"""Why a link is not up, in words that a player can act on.

A cause is for people and for tests. The protocol itself knows only that a stream has ended;
what a peer did wrong, if anything, is a `Reason` besides.
"""

from __future__ import annotations

from enum import Enum


class Cause(Enum):
    """What ended a connection or a link, or keeps it from coming up."""

    NOT_TRIED = "no connection was tried yet"
    BROKEN = "the connection broke"
    SILENT = "nothing was heard for too long"
    DEAF = "the peer sends, and answers nothing"
    MUTE = "the peer did not say hello"
    STUCK = "a frame did not end in time"
    REPLACED = "a newer connection took its place"
    UNREACHABLE = "nobody answers there"
    IMPOSTOR = "somebody else answers there"
    OTHER_PROTOCOL = "the peer speaks no version of the protocol that is known here"
    REFUSED = "the peer broke the rules of the link"
    PEER_LEFT = "the peer said goodbye"
    LEFT = "this node said goodbye"
    FORGOTTEN = "the peer did not come back"
    STOPPED = "this node stopped"
