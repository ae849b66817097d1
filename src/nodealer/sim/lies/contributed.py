"""Lies in what a seat owes to due steps: parts that are not what they claim to be, or two of them.

A part is bent where it hurts: the last byte of a proof, the secret of an opened key. Everything
else about it is right, the signature first of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from nodealer.deck import Keyring, OpenKey, OpenPart, ReleasePart, deck_messages
from nodealer.games.effects import Coin
from nodealer.ledger import Contribution, EvictStep, Message, Part, write
from nodealer.ledger.messages import Contributed
from nodealer.ledger.ready import Outgoing
from nodealer.sim.lies.silent import owing, silent_from
from nodealer.sim.lying import Behaviour, End, Liar, Lie, as_it_is, to_all
from nodealer.table import state_of
from nodealer.table.carrying import make


def bending(kind: str) -> Callable[[Liar, Outgoing], Iterable[Lie]]:
    """Return the behaviour that bends the first part of a kind that the liar owes."""

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        one = own_part(liar, out, kind)
        if one is None:
            return [as_it_is(out)]
        return liar.contributes(changed(liar, one, kind, lambda data: _bent(liar, data)))

    return leaving


def own_part(liar: Liar, out: Outgoing, kind: str) -> Contribution | None:
    """Return the liar's own contribution with a part of this kind, if this is the first one."""
    message = out.message
    if liar.strikes or not isinstance(message, Contributed):
        return None
    one = message.contribution
    is_own = one.seat == liar.seat and any(part.kind == kind for part in _parts(liar, one))
    return one if is_own else None


def _parts(liar: Liar, one: Contribution) -> tuple[Part, ...]:
    over = liar.tip.find(one.parent)
    return () if over is None else over.owed_by(one.seat)


def changed(
    liar: Liar, one: Contribution, kind: str, change: Callable[[bytes], bytes]
) -> Contribution:
    """Return a contribution of the liar with another payload for the part of a kind."""
    payloads = tuple(
        (label, change(data) if part.kind == kind else data)
        for part, (label, data) in zip(_parts(liar, one), one.payloads, strict=True)
    )
    return liar.signed(replace(one, payloads=payloads))


def _bent(liar: Liar, data: bytes) -> bytes:
    messages = deck_messages(liar.peer.player.keyring.group)
    part = messages.read_any(data)
    match part:
        case ReleasePart((OpenKey(secret), *rest)):
            return messages.write(ReleasePart((OpenKey(secret ^ 1), *rest)))
        case OpenPart(value, salt):
            return messages.write(OpenPart(bytes(byte ^ 1 for byte in value), salt))
        case _:
            return data[:-1] + bytes([data[-1] ^ 1])


def _no_part(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Bytes in place of a part."""
    one = own_part(liar, out, "keys")
    if one is None:
        return [as_it_is(out)]
    return liar.contributes(changed(liar, one, "keys", lambda _: b"\x83\x01\x00\x00"))


def _two_keys(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """One deck key for some and another for the others, both properly proven."""
    one = own_part(liar, out, "keys")
    if one is None:
        return [as_it_is(out)]
    liar.strikes += 1
    second = Contributed(changed(liar, one, "keys", lambda _: _made_otherwise(liar, one, "keys")))
    half = len(liar.others) // 2
    if not half:
        return [as_it_is(out), *to_all(second)]
    first_half = [(to, write(out.message)) for to in liar.others[:half]]
    return [*first_half, *((to, write(second)) for to in liar.others[half:])]


def _made_otherwise(liar: Liar, one: Contribution, kind: str) -> bytes:
    """Return the part of a kind as the seat would make it from another seed."""
    over = liar.tip.find(one.parent)
    assert over is not None, "it contributes over what it has taken"
    ring = liar.peer.player.keyring
    label = next(part.label for part in over.owed_by(one.seat) if part.kind == kind)
    place = state_of(over).place_of(over.moment(), label, ())
    return make(place, kind, Keyring(ring.group, ring.seat, bytes(range(32))))


def _other_commitment(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Commit anew where the first liar has killed the step in which it had committed.

    Labels do not speak of evictions, so this one binds still.
    """
    if liar.role == 0:
        return _killing(liar, out)
    one = own_part(liar, out, "commit")
    if one is None or not is_over_eviction(liar, one):
        return [as_it_is(out)]
    other = _made_otherwise(liar, one, "commit")
    return liar.contributes(changed(liar, one, "commit", lambda _: other))


def is_over_eviction(liar: Liar, one: Contribution) -> bool:
    """Say whether a contribution comes right after seats were left out."""
    over = liar.tip.find(one.parent)
    content = None if over is None else over.content
    return content is not None and isinstance(content.step, EvictStep)


_killing = silent_from(owing("commit"))


def _copied_leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Keep the own key back until there is another to copy."""
    one = own_part(liar, out, "keys")
    if one is None or liar.kept:
        return [as_it_is(out)]
    liar.kept.append(write(out.message))
    return []


def _copied_seen(liar: Liar, message: Message) -> Iterable[Lie]:
    """Send the key of another seat, with its proof, as one's own."""
    if liar.strikes or not liar.kept or not isinstance(message, Contributed):
        return []
    one = message.contribution
    if one.parent != liar.tip.id or one.seat == liar.seat:
        return []
    own = liar.ledger.own.contributions[liar.tip.id]
    key = one.payloads[0][1]
    return liar.contributes(changed(liar, own, "keys", lambda _: key))


CONTRIBUTED: Final = (
    Behaviour("bad key proof", End.PROVEN, bending("keys"), codes=("E5",)),
    Behaviour("bad shuffle", End.PROVEN, bending("shuffle"), codes=("E5",)),
    Behaviour("bad mask", End.PROVEN, bending("mask"), codes=("E5",)),
    Behaviour("wrong share", End.PROVEN, bending("release"), codes=("E5",)),
    Behaviour("wrong coin", End.PROVEN, bending("open"), codes=("E5",), needs=Coin),
    Behaviour("no part", End.PROVEN, _no_part, codes=("E5",)),
    Behaviour("two keys", End.PROVEN, _two_keys, codes=("E1",)),
    Behaviour("copied key", End.PROVEN, _copied_leaving, _copied_seen, codes=("E5",)),
    Behaviour(
        "other commitment",
        End.PROVEN,
        _other_commitment,
        codes=("E1",),
        least_seats=3,
        liars=2,
        needs=Coin,
    ),
)
"""What a seat can do wrong with contributions."""
