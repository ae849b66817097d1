"""A table to be explored: how many seats, which of them are Byzantine, and what is switched off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nodealer.kernel import Seat
from nodealer.ledger import DUTIES, Duties
from tests.ledger.explore.stage import SCRIPT

CODES = ("E1", "E2", "E3", "E4", "E5", "E6", "E7")


@dataclass(frozen=True)
class Setting:
    """A table to be explored, and the rules that its honest seats follow."""

    byzantine: tuple[int, ...] = ()
    count: int = 3
    free: int = 1
    duties: Callable[[Seat], Duties] = lambda _: DUTIES
    codes: frozenset[str] = frozenset(CODES)
    overstates: bool = False
    forgets: bool = False
    leaves: bool = False
    names_only: bool = False
    """Whether nothing is looked for but the naming of an honest seat."""
    script: tuple[str, ...] = SCRIPT
    is_grouped: bool = True
    """Whether seats are told messages group by group; the other way is there to compare."""
    is_merged: bool = False
    """Whether states that can do no more than others are left out: see `alike`."""
