"""Certificates: other signatures, ranks and grounds in them and beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nodealer.kernel import Seat
from nodealer.ledger import Certificate, Content, Seal, Vote
from tests.verify.forger.accusing import some_grounds
from tests.verify.forger.forgery import Hand, Nothing, changed


def a_certificate(hand: Hand, content: Content) -> Certificate:
    """Return a certificate of a content, of whatever lies about; its signatures may be made up."""
    seals: tuple[Seal, ...] = ()
    votes: tuple[Vote, ...] = ()
    rank = hand.between(0, 2)
    match hand.below(4):
        case 0:
            old = hand.one(hand.pieces.certificates)
            return replace(old, entry=content.id)
        case 1:
            one = hand.one(hand.pieces.seals)
            made_up = changed(
                one,
                table=content.table,
                height=content.height,
                parent=content.parent,
                entry=content.id,
                rank=0,
            )
            seals = tuple(changed(made_up, seat=seat) for seat in hand.history.charter.seats)
            return Certificate(content.id, 0, seals=seals)
        case 2:
            seals = hand.some(hand.pieces.seals, 4)
            rank = 0
        case _:
            votes = hand.some(hand.pieces.votes, 4)
    if not seals and not votes:
        seals = (hand.one(hand.pieces.seals),)
    return Certificate(content.id, rank, seals=seals, votes=votes, grounds=some_grounds(hand))


def other_certificate(hand: Hand) -> None:
    """Put other signatures, ranks and grounds into a certificate."""
    at = hand.at()
    entry = hand.file.entries[at]
    certificate = entry.certificate
    match hand.below(8):
        case 0:
            certificate = replace(certificate, rank=hand.between(0, 3))
        case 1:
            certificate = replace(certificate, grounds=some_grounds(hand))
        case 2:
            certificate = replace(hand.one(hand.pieces.certificates), entry=entry.content.id)
        case 3:
            certificate = hand.one(hand.pieces.certificates)
        case 4:
            certificate = replace(
                certificate, seals=_other(hand, certificate.seals, hand.pieces.seals)
            )
        case 5 | 6:
            certificate = replace(
                certificate, votes=_other(hand, certificate.votes, hand.pieces.votes)
            )
        case _:
            certificate = a_certificate(hand, entry.content)
    hand.put(at, replace(entry, certificate=certificate))
    hand.tell("another certificate for entry", at + 1)


def _other(hand: Hand, here: tuple[Any, ...], pool: tuple[Any, ...]) -> tuple[Any, ...]:
    made = list(here)
    at = hand.between(0, len(made))
    match hand.below(4):
        case 0 if made:
            made.pop(at - 1)
        case 1 if made:
            made[at - 1] = hand.one([one for one in pool if one.seat == made[at - 1].seat])
        case 2:
            hand.chance.shuffle(made)
        case _:
            made.insert(at, hand.one(pool))
    return tuple(made[:10])


def other_beside(hand: Hand) -> None:
    """Put other certificates beside an entry."""
    at = hand.at()
    entry = hand.file.entries[at]
    beside = list(entry.beside)
    match hand.below(4):
        case 0 if beside:
            beside.pop()
        case 1:
            beside.append(hand.one(hand.pieces.certificates))
        case 2:
            hand.chance.shuffle(beside)
            beside = beside * 2
        case _:
            beside.append(a_certificate(hand, hand.one([one.content for one in hand.file.entries])))
    hand.put(at, replace(entry, beside=tuple(beside[:20])))
    hand.tell("other certificates beside entry", at + 1)


def moved_votes(hand: Hand) -> None:
    """Put the votes of a round into the certificate of another entry, or a seal of another."""
    at = hand.at()
    entry = hand.file.entries[at]
    kinds = ("votes", "seals") if hand.pieces.votes else ("seals",)
    kind = hand.one(kinds)
    more = hand.some(getattr(hand.pieces, kind), 3)
    if not more:
        raise Nothing
    certificate = entry.certificate
    here = () if hand.happens(50) else getattr(certificate, kind)
    certificate = changed(certificate, **{kind: (*here, *more)[:10]})
    hand.put(at, replace(entry, certificate=certificate))
    hand.tell("moved", kind, "into the certificate of entry", at + 1)


def damage(hand: Hand) -> None:
    """Change something signed, or its signature, and sign nothing anew."""
    at = hand.at()
    entry = hand.file.entries[at]
    certificate = entry.certificate
    kind = hand.one(
        [
            kind
            for kind in ("contributions", "seals", "votes")
            if getattr(entry, kind, None) or getattr(certificate, kind, None)
        ]
    )
    holder: Any = entry if kind == "contributions" else certificate
    signed = list(getattr(holder, kind))
    place = hand.below(len(signed))
    one = signed[place]
    change: dict[str, object] = hand.one(
        [
            {"signature": hand.one(hand.pieces.signed).signature},
            {"signature": bytes(64)},
            {"seat": Seat(hand.below(10))},
            {"height": one.height + 1},
        ]
    )
    signed[place] = changed(one, **change)
    holder = changed(holder, **{kind: tuple(signed)})
    hand.put(at, holder if kind == "contributions" else replace(entry, certificate=holder))
    hand.tell("damaged", *change, "of", kind, "in entry", at + 1)
