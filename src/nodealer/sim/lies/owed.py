"""Lies in what a seat owes to due steps, made of what the operations say can be lied about.

An operation names the part and the trick (`nodealer.table.Falsehood`); how a liar carries each
trick out, and what is to come of it, stands here. Everything else about such a contribution is
right, the signature first of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from nodealer.games import Effect
from nodealer.ledger import (
    Contributed,
    Contribution,
    EvictStep,
    LedgerMessage,
    Outgoing,
    Part,
    write,
)
from nodealer.sim.lies.silent import owing, silent_from
from nodealer.sim.lying import Behaviour, End, Liar, Lie, as_it_is, told_apart
from nodealer.sim.repertoire import Deed
from nodealer.table import OPERATIONS, RETURN, Falsehood, Trick, state_of


def _instead(lie: Falsehood) -> Behaviour:
    """Give something else to everybody."""

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        other = _other(liar, out, lie)
        return [as_it_is(out)] if other is None else liar.contributes(other)

    return Behaviour(lie.name, End.PROVEN, leaving, codes=("E5",), sits=lie.sits)


def _twice(lie: Falsehood) -> Behaviour:
    """Give one part to some and another to the others, both as good as can be."""

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        other = _other(liar, out, lie)
        if other is None:
            return [as_it_is(out)]
        liar.strikes += 1
        return told_apart(liar, out.message, Contributed(other))

    return Behaviour(lie.name, End.PROVEN, leaving, codes=("E1",), sits=lie.sits)


def _anew(lie: Falsehood) -> Behaviour:
    """Give another part where the first liar has killed the step in which one was given.

    Labels do not speak of evictions, so the first part binds still.
    """
    killing = silent_from(owing(lie.part.kind))

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        if liar.role == 0:
            return killing(liar, out)
        other = _other(liar, out, lie)
        if other is None or not _is_over_eviction(liar, other):
            return [as_it_is(out)]
        return liar.contributes(other)

    return Behaviour(lie.name, End.PROVEN, leaving, codes=("E1",), least_seats=3, liars=2)


def _copied(lie: Falsehood) -> Behaviour:
    """Keep the own part back until there is another to copy, and give that as the own."""
    kind = lie.part.kind

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        if own_part(liar, out, kind) is None or liar.kept:
            return [as_it_is(out)]
        liar.kept.append(write(out.message))
        return []

    def seen(liar: Liar, message: LedgerMessage) -> Iterable[Lie]:
        if liar.strikes or not liar.kept or not isinstance(message, Contributed):
            return []
        one = message.contribution
        if one.parent != liar.tip.id or one.seat == liar.seat:
            return []
        own = liar.ledger.own.contributions[liar.tip.id]
        data = next(data for part, (_, data) in _given(liar, one) if part.kind == kind)
        return liar.contributes(_changed(liar, own, kind, data))

    return Behaviour(lie.name, End.PROVEN, leaving, seen, codes=("E5",))


def _silent(lie: Falsehood) -> Behaviour:
    """Say nothing any more from where the part is owed, or sealed if nobody owes it."""
    return Behaviour(lie.name, End.SILENT, silent_from(owing(lie.part.kind)), sits=lie.sits)


_TRICKS: Final[Mapping[Trick, Callable[[Falsehood], Behaviour]]] = MappingProxyType(
    {
        Trick.INSTEAD: _instead,
        Trick.TWICE: _twice,
        Trick.ANEW: _anew,
        Trick.COPIED: _copied,
        Trick.SILENT: _silent,
    }
)

_NEEDS: Final[Mapping[str, Deed]] = MappingProxyType({RETURN.kind: Deed.RETURN})
"""What a game must do so that a part is ever owed, where its effect alone does not say so."""


def _behaviour(lie: Falsehood) -> Behaviour:
    return replace(_TRICKS[lie.trick](lie), needs=_NEEDS.get(lie.part.kind))


OWED: Final[Mapping[type[Effect], tuple[Behaviour, ...]]] = MappingProxyType(
    {
        effect: tuple(_behaviour(lie) for lie in operation.lies)
        for effect, operation in OPERATIONS.items()
    }
)
"""What a seat can do wrong in games that ask for these effects."""


def own_part(liar: Liar, out: Outgoing, kind: str) -> Contribution | None:
    """Return the liar's own contribution with a part of this kind, if this is the first one."""
    message = out.message
    if liar.strikes or not isinstance(message, Contributed):
        return None
    one = message.contribution
    is_own = one.seat == liar.seat and any(part.kind == kind for part, _ in _given(liar, one))
    return one if is_own else None


def _given(liar: Liar, one: Contribution) -> Iterable[tuple[Part, tuple[bytes, bytes]]]:
    """Return what a contribution has for each part: its label, and the bytes."""
    over = liar.tip.find(one.parent)
    return () if over is None else tuple(zip(over.owed_by(one.seat), one.payloads, strict=True))


def _other(liar: Liar, out: Outgoing, lie: Falsehood) -> Contribution | None:
    """Return the contribution that the liar could send in place of an own one with the part."""
    assert lie.other is not None, "this trick makes another part"
    one = own_part(liar, out, lie.part.kind)
    over = None if one is None else liar.tip.find(one.parent)
    if one is None or over is None:
        return None
    label, data = next(given for part, given in _given(liar, one) if part.kind == lie.part.kind)
    where = state_of(over).place_of(over.moment(), label, ())
    other = lie.other(where, liar.peer.player.keyring, data)
    return None if other is None else _changed(liar, one, lie.part.kind, other)


def _changed(liar: Liar, one: Contribution, kind: str, other: bytes) -> Contribution:
    """Return a contribution of the liar with another payload for the part of a kind."""
    payloads = tuple(
        (label, other if part.kind == kind else data) for part, (label, data) in _given(liar, one)
    )
    return liar.signed(replace(one, payloads=payloads))


def _is_over_eviction(liar: Liar, one: Contribution) -> bool:
    """Say whether a contribution comes right after seats were left out."""
    over = liar.tip.find(one.parent)
    content = None if over is None else over.content
    return content is not None and isinstance(content.step, EvictStep)
