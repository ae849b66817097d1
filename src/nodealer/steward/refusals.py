"""The refusals of wishes, in a sentence each: what was wrong, and what the player can do."""

from __future__ import annotations

from nodealer.home import LobbyError
from nodealer.kernel import NodealerError
from nodealer.lobby import advice
from nodealer.store import StoreError


def why_refused(error: NodealerError) -> str:
    """Return why something cannot be done, and what can be done about it."""
    if isinstance(error, StoreError):
        found = f" ({error.found})" if error.found else ""
        return f"{error.trouble.meaning}{found}: {error.advice}"
    if isinstance(error, LobbyError):
        found = f" ({error.detail})" if error.detail else ""
        return f"{error.reason.meaning}{found}. {error.advice}"
    told = error.detail or error.reason.meaning
    advised = advice(error.reason)
    return f"{told}: {advised}" if advised else told
