"""Noise: bytes that are no messages, messages of other tables, floods, and claims without backing.

None of it is kept, none of it is evidence against a seat, and none of it stops the others. It comes
beside everything that the seat owes, so the seat itself is not missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, TypeAlias

from nodealer.kernel import MESSAGE_BYTES_MAX, EntryId, Height, Seat, TableId
from nodealer.ledger import (
    Certificate,
    Evict,
    LedgerMessage,
    Outgoing,
    Seal,
    Sealed,
    Status,
    Vote,
    Voted,
    entry_message,
    write,
)
from nodealer.sim.lying import Behaviour, End, Liar, Lie, as_it_is, to_all

STRIKES_MAX: Final = 12
FLOOD: Final = 60

Noise: TypeAlias = Callable[[Liar, Outgoing], Iterable[Lie]]


def beside(noise: Noise) -> Callable[[Liar, Outgoing], Iterable[Lie]]:
    """Return the behaviour that makes noise beside everything it says, for some time."""

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        if liar.strikes >= STRIKES_MAX:
            return [as_it_is(out)]
        lies = list(noise(liar, out))
        liar.strikes += bool(lies)
        return [*lies, as_it_is(out)]

    return leaving


def _random(liar: Liar, length: int) -> bytes:
    return bytes(liar.chance.below(256) for _ in range(length))


def _garbage(liar: Liar, out: Outgoing) -> Iterable[Lie]:  # noqa: ARG001 - every noise
    return [(None, _random(liar, 1 + liar.chance.below(80)))]


def _cut_off(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    data = write(out.message)
    return [(None, data[: liar.chance.below(len(data))])]


def _bent(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    data = bytearray(write(out.message))
    data[liar.chance.below(len(data))] ^= 1 << liar.chance.below(8)
    return [(None, bytes(data))]


def _oversized(liar: Liar, out: Outgoing) -> Iterable[Lie]:  # noqa: ARG001 - every noise
    return [(None, bytes(MESSAGE_BYTES_MAX + 1))] if not liar.strikes else []


def _forged(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Seals in the names of others."""
    if not isinstance(out.message, Sealed):
        return []
    seal = out.message.seal
    return to_all(*(Sealed(_named(liar, seal, other)) for other in liar.others))


def _named(liar: Liar, seal: Seal, other: Seat) -> Seal:
    return liar.signed(replace(seal, seat=other))


def _other_table(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """What was said at another table."""
    if not isinstance(out.message, Sealed):
        return []
    seal = replace(out.message.seal, table=TableId(bytes(range(32))))
    return to_all(Sealed(liar.signed(seal)))


def _stale(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """What it has said long ago, once more."""
    liar.kept.append(write(out.message))
    return [(None, liar.chance.pick(liar.kept))]


def _flood(liar: Liar, out: Outgoing) -> Iterable[Lie]:  # noqa: ARG001 - every noise
    """Many seals, far ahead and over entries that nobody has."""
    table, height = liar.tip.table, liar.tip.height
    seals = [
        Seal(
            table,
            Height(height + 2 + number),
            EntryId(_random(liar, 32)),
            EntryId(_random(liar, 32)),
            0,
            liar.seat,
            b"",
        )
        for number in range(FLOOD)
    ]
    return to_all(*(Sealed(liar.signed(seal)) for seal in seals))


def _far_rounds(liar: Liar, out: Outgoing) -> Iterable[Lie]:  # noqa: ARG001 - every noise
    """A vote in a round that nobody will ever come to."""
    moment = liar.tip.moment()
    place = (moment.table, moment.height, liar.tip.id, liar.tip.rank)
    choice = Evict(liar.others[:1])
    vote = liar.signed(Vote(*place, 100_000 + liar.strikes, choice, liar.seat, b""))
    return to_all(Voted(vote))


def _overstated(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """A seal that claims a rank, without the certificate of it."""
    message = out.message
    if not isinstance(message, Sealed) or message.seal.height == 0:
        return []
    return to_all(Sealed(liar.signed(replace(message.seal, rank=7))))


def _false_standing(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Where it stands, and where others stand, all of it made up."""
    if not isinstance(out.message, Status) and liar.strikes:
        return []
    tip, bits = liar.tip, (1 << 10) - 1
    places = [(liar.seat, tip.height + 3), (liar.seat, 0), (liar.others[0], tip.height)]
    return to_all(
        *(
            Status(tip.table, seat, Height(height), EntryId(bytes(32)), 9, 9, bits, 0, bits, 9, 0)
            for seat, height in places
        )
    )


def _half_certificate(liar: Liar, out: Outgoing) -> Iterable[Lie]:  # noqa: ARG001 - every noise
    """An entry with a seal missing."""
    if liar.tip.content is None or liar.tip.rank:
        return []
    entry = entry_message(liar.tip)
    certificate = entry.certificate
    short = Certificate(certificate.entry, 0, certificate.seals[1:])
    state = bytes(byte ^ 1 for byte in entry.content.state)
    other = replace(entry.content, state=state)
    messages: list[LedgerMessage] = [
        replace(entry, certificate=short),
        replace(entry, content=other),
    ]
    return to_all(*messages)


NOISE: Final = tuple(
    Behaviour(name, End.HARMLESS if noise is _stale else End.DROPPED, beside(noise))
    for name, noise in (
        ("garbage", _garbage),
        ("messages cut off", _cut_off),
        ("messages with a bit turned", _bent),
        ("oversized", _oversized),
        ("forged signature", _forged),
        ("replay from another table", _other_table),
        ("stale messages", _stale),
        ("flooding", _flood),
        ("far rounds", _far_rounds),
        ("overstated rank", _overstated),
        ("false standing", _false_standing),
        ("half a certificate", _half_certificate),
    )
)
"""What is dropped."""
