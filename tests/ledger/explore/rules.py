"""The rules, each taken away: what is explored then, and what must break.

A row is a setting in which one rule is off. Its search has to stop at a bad end whose words begin
as the row says. Rows of the page's second table come first; behind them are those that let an
honest seat be named by a code of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

from nodealer.kernel import EntryId, Seat
from nodealer.ledger import DUTIES, Duties, Fixed
from nodealer.ledger.chain import eviction
from nodealer.ledger.duties import Own
from nodealer.ledger.ledger import unsealed
from nodealer.ledger.objects import Choice, Keep
from tests.ledger.explore.setting import CODES, Setting
from tests.ledger.explore.stage import Stage
from tests.ledger.explore.table import SignatureTable
from tests.ledger.world import charter_of, seats

NAMED, FORKED, STUCK, DIFFER = "an honest seat is named", "two histories", "stuck", "differ"


@dataclass(frozen=True)
class Row:
    """A rule, the setting without it, and how the bad end begins."""

    rule: str
    setting: Setting
    end: str
    along: tuple[str, ...] = ()
    """Moves to begin with, for those rows whose bad ends are far away; the full visit has none."""

    def __str__(self) -> str:
        return f"{self.rule}, {len(self.setting.byzantine)} Byzantine"


def _without(duties: Duties) -> Setting:
    return Setting(duties=lambda _: duties)


def _both(rule: str, setting: Setting, end: str) -> tuple[Row, ...]:
    """Return the rows of a rule without and with a Byzantine seat."""
    return (Row(rule, setting, end), _one(rule, setting, end))


def _one(rule: str, setting: Setting, end: str, along: tuple[str, ...] = ()) -> Row:
    return Row(rule, replace(setting, byzantine=(0,)), end, along)


def _keeps_no_own_eviction(seat: Seat) -> Duties:
    """Return the rules without "V may be an eviction of S itself", at the first height."""
    count = Setting().count
    fixed = Fixed(charter_of(count), None, None, SignatureTable())
    first = unsealed(fixed, Stage(seats(count))).tip
    own = {
        eviction(first, number, out).content.id
        for number in range(1, OWN_ROUNDS)
        for size in range(1, count)
        for out in combinations(seats(count), size)
        if seat in out
    }

    def keep(past: Own, height: int, base: EntryId, choice: Choice) -> bool:
        is_own = isinstance(choice, Keep) and choice.entry in own
        return not is_own and DUTIES.keep(past, height, base, choice)

    return replace(DUTIES, keep=keep)


OWN_ROUNDS = 64
"""Evictions by rounds below this one are known to `_keeps_no_own_eviction`."""

_BARRED = (
    "seat 2 loses patience: vote of 2 at 1 round 1: evict [1]",
    "seat 2 loses patience: vote of 2 at 1 round 2: evict [0]",
    "seat 1 loses patience: vote of 1 at 1 round 2: evict [2]",
)

_SEALED = ("seat 1 gets proposal", "rank 0, entry", "seat 1 gets seal")
_FAR = ("seat 1 gets proposal", "seat 1 loses patience: vote of 1 at 1 round 1: evict [2], entry")


_NOT_REPLACED = _without(replace(DUTIES, replace=lambda *_: False))

_signs: Callable[[Own], bool] = lambda own: not own.is_out  # noqa: E731 - one of a table

PAGE_ROWS = (
    *_both("4 guard", _without(replace(DUTIES, guard=lambda *_: True)), NAMED),
    *_both("answering", _without(replace(DUTIES, answers_with_keep=False)), STUCK),
    *_both(
        "3 holder",
        _without(replace(DUTIES, holder=lambda *_: True, stands_by=lambda *_: True)),
        NAMED,
    ),
    Row("7 replace", _NOT_REPLACED, STUCK),
    _one(
        "7 replace",
        _NOT_REPLACED,
        DIFFER,
        along=(*_SEALED, "seat 1 contributes", "seat 2 contributes"),
    ),
    *_both("6 rank not stated", _without(replace(DUTIES, stated_rank=lambda _: 0)), NAMED),
    _one(
        "6 rank not backed by a certificate",
        replace(_without(replace(DUTIES, ranks_need_certificates=False)), overstates=True),
        FORKED,
        along=_FAR,
    ),
    _one("evidence E4", Setting(codes=frozenset(CODES) - {"E4"}), FORKED, along=_FAR),
    _one(
        "5 keep of the own eviction",
        Setting(free=2, duties=_keeps_no_own_eviction),
        STUCK,
        along=_BARRED,
    ),
    _one("9 remember", Setting(forgets=True), NAMED),
    Row(
        "majority (one of 4 suffices)",
        replace(_without(replace(DUTIES, quorum_of=lambda _: 1)), count=4),
        FORKED,
    ),
)

NAMING_ROWS = {
    "E1": Row("1 one seal", _without(replace(DUTIES, one_seal=lambda *_: True)), NAMED),
    "E2": Row("2 one vote", _without(replace(DUTIES, one_vote=lambda *_: True)), NAMED),
    "E7": Row("10 leave", replace(_without(replace(DUTIES, signs_on=_signs)), leaves=True), NAMED),
}
