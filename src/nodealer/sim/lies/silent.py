"""Seats that fall silent, each at another step, and seats that speak to some and not to others.

Silence is no proof of anything. A seat that says nothing any more is missed, and left out if the
others are a majority; with two seats the table stays unfinished. A seat that speaks to a part of
the others only is not missed at all: what it says is handed on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, TypeAlias

from nodealer.ledger import (
    Contributed,
    Due,
    Entry,
    LedgerMessage,
    Outgoing,
    Proposal,
    Sealed,
    signed_of,
    write,
)
from nodealer.sim.lying import Behaviour, End, Liar, Lie, as_it_is, once, to_all

Occasion: TypeAlias = Callable[[Liar, LedgerMessage], bool]


def silent_from(occasion: Occasion) -> Callable[[Liar, Outgoing], Iterable[Lie]]:
    """Return the behaviour that says nothing any more from an occasion on."""

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        signed = signed_of(out.message)
        is_own = signed is not None and signed.seat == liar.seat
        if is_own and occasion(liar, out.message):
            liar.strikes += 1
            liar.is_silent = True
            return []
        return [as_it_is(out)]

    return leaving


def owing(kind: str) -> Occasion:
    """Return the occasion on which the seat owes a part, or seals one that nobody owes."""

    def occasion(liar: Liar, message: LedgerMessage) -> bool:
        tip = liar.tip
        if isinstance(message, Sealed) and message.seal.parent == tip.id:
            return any(part.kind == kind and not part.seats for part in tip.parts)
        is_part = isinstance(message, Contributed)
        return is_part and any(part.kind == kind for part in tip.owed_by(liar.seat))

    return occasion


def _sealing(liar: Liar, message: LedgerMessage) -> bool:
    return isinstance(message, Sealed) and not isinstance(liar.tip.duty, Due)


def _sealing_due(liar: Liar, message: LedgerMessage) -> bool:
    is_due = isinstance(liar.tip.duty, Due) and liar.tip.height > 0
    return isinstance(message, Sealed) and is_due and message.seal.height > 0


def _closing(liar: Liar, message: LedgerMessage) -> bool:
    duty = liar.tip.duty
    is_close = isinstance(duty, Due) and not any(part.seats for part in duty.parts)
    return isinstance(message, Sealed) and is_close


def _leaving(liar: Liar, out: Outgoing) -> Iterable[Lie] | None:
    """Leave for good, properly, in the middle of a game."""
    message = out.message
    if not (isinstance(message, Sealed) and message.seal.seat == liar.seat):
        return None
    if liar.tip.height < 8 or not liar.chance.happens(20):  # noqa: PLR2004
        return None
    _, ready = liar.table.leave()
    lies = [as_it_is(out), *(to_all(*(one.message for one in ready.send)))]
    liar.is_silent = True
    return lies


def _one_sided(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Tell everything to one seat only."""
    liar.strikes += 1
    return [(liar.others[0], write(out.message))] if out.to in (None, liar.others[0]) else []


def _selfish(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Never hand on what others have said."""
    signed = signed_of(out.message)
    is_other = isinstance(out.message, Entry) or (signed is not None and signed.seat != liar.seat)
    liar.strikes += is_other
    return [] if is_other else [as_it_is(out)]


def _coming_back(liar: Liar, message: LedgerMessage) -> Iterable[Lie]:
    """Once left out, seal whatever the others seal."""
    is_out = liar.seat not in liar.tip.roster
    if not liar.strikes or not is_out or not isinstance(message, Sealed):
        return []
    return liar.says(Sealed(liar.signed(replace(message.seal, seat=liar.seat))))


def _mute(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Say nothing any more from an action on."""
    if liar.strikes or isinstance(out.message, Proposal):
        liar.strikes += 1
        return []
    return liar.passes(out)


SILENT: Final = (
    Behaviour("silent from the start", End.SILENT, silent_from(lambda _, __: True)),
    Behaviour(
        "silent instead of acting",
        End.SILENT,
        silent_from(lambda _, message: isinstance(message, Proposal)),
    ),
    Behaviour("silent instead of sealing", End.SILENT, silent_from(_sealing)),
    Behaviour("silent instead of sealing a due step", End.SILENT, silent_from(_sealing_due)),
    Behaviour("silent instead of closing", End.SILENT, silent_from(_closing)),
    Behaviour("two silent seats", End.SILENT, silent_from(owing("mask")), least_seats=4, liars=2),
    Behaviour("sealing after being left out", End.SILENT, _mute, _coming_back, least_seats=3),
    Behaviour("leaving", End.HARMLESS, once(_leaving)),
    Behaviour("speaking to one only", End.HARMLESS, _one_sided, least_seats=3),
    Behaviour("handing nothing on", End.HARMLESS, _selfish),
)
"""Ways of saying nothing."""
