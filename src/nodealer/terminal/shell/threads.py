"""Calls that may block for ever, in threads that may be left behind.

A terminal that takes no bytes and a pipe that gives none hold up a thread; a session that ends must
not wait for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import trio

T = TypeVar("T")

# The types that come with libp2p's dependencies describe an older trio, without this argument.
_MAY_BE_LEFT: Final[dict[str, Any]] = {"abandon_on_cancel": True}


async def in_thread(call: Callable[..., T], *args: object) -> T:
    """Call in a thread; who is cancelled goes on without it."""
    return await trio.to_thread.run_sync(call, *args, **_MAY_BE_LEFT)
