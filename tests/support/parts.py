"""One example of every kind of part, with the check that judges it and the reason of its proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from nodealer.cards import STOCK, hand
from nodealer.deck import (
    PUBLIC,
    Deck,
    ProofMoment,
    announce,
    check_absent,
    check_deck_key,
    check_equal,
    check_face,
    check_mask,
    check_member,
    check_not_equal,
    check_releases,
    check_restack,
    check_return,
    check_reveal,
    check_shuffle,
    check_transfer,
    make_absent,
    make_deck_key,
    make_equal,
    make_face,
    make_mask,
    make_member,
    make_not_equal,
    make_releases,
    make_restack,
    make_return,
    make_reveal,
    make_shuffle,
    make_transfer,
    see,
)
from nodealer.kernel import Reason, Seat, SlotId
from tests.support.fleet import Fleet, fleet
from tests.support.tables import TEN, P, Q, R, table

Check = Callable[[Deck, ProofMoment, Seat, Any], object]


@dataclass(frozen=True)
class Example:
    """A part that is accepted by `check(deck, at, seat, part)`.

    `reason` is that of its proof. `values` has other reasons for changed values, by the start of
    the path; `lengths` for changed lengths, by the path. `bound` says whether the part is bound to
    its moment: a bare key is not, it fits its layer only.
    """

    name: str
    deck: Deck
    at: ProofMoment
    seat: Seat
    part: object
    check: Check
    reason: Reason
    values: dict[str, Reason] = field(default_factory=dict)
    lengths: dict[str, Reason] = field(default_factory=dict)
    bound: bool = True


def _joint() -> list[Example]:
    made = fleet(3, TEN, salt="parts")
    found = []
    at = made.moment("keys")
    part: object = make_deck_key(made.deck, made.rings[Q], at)
    found.append(Example("key", made.deck, at, Q, part, check_deck_key, Reason.PROOF_KEY))
    made.keys()
    at = made.moment("shuffle")
    part = make_shuffle(made.deck, made.rings[P], at)
    found.append(Example("shuffle", made.deck, at, P, part, check_shuffle, Reason.PROOF_SHUFFLE))
    made.shuffle()
    at = made.moment("mask")
    part = make_mask(made.deck, made.rings[R], at)
    found.append(Example("mask", made.deck, at, R, part, check_mask, Reason.PROOF_MASK))
    return found


def _released(name: str, made: Fleet, seat: Seat, reason: Reason, *, bound: bool = True) -> Example:
    at = made.moment("release")
    part = make_releases(made.deck, made.rings[seat], at)
    lengths = {".items": Reason.DECK_NOT_OWED}
    return Example(
        name, made.deck, at, seat, part, check_releases, reason, lengths=lengths, bound=bound
    )


def _releases() -> list[Example]:
    opening = table(3)
    numbers = opening.deal(P, 2, seen=False)
    opening.deck = announce(opening.deck, [(number, (P,)) for number in numbers])

    sharing = table(3)
    sharing.transfer(P, sharing.deal(P, 1), Q)
    (number,) = sharing.deck.layout.at(hand(Q))
    sharing.deck = announce(sharing.deck, [(number, (PUBLIC,))])

    sealing = table(5)
    (number,) = sealing.deal(P, 1)
    sealing.deck = announce(sealing.deck, [(number, (Q, R))])
    return [
        _released("open key", opening, Q, Reason.DECK_WRONG_KEY, bound=False),
        _released("open share", sharing, Q, Reason.PROOF_SHARE),
        _released("seal", sealing, P, Reason.PROOF_SEAL),
    ]


def _revealed(name: str, made: Fleet, seat: Seat, number: SlotId, reason: Reason) -> Example:
    at = made.moment("play")
    part = make_reveal(made.deck, made.rings[seat], at, number)

    def check(deck: Deck, moment: ProofMoment, who: Seat, shown: Any) -> object:  # noqa: ANN401
        return check_reveal(deck, moment, who, number, shown)

    values = {".face": Reason.DECK_FACE_UNKNOWN}
    bound = reason is not Reason.DECK_WRONG_KEY
    return Example(name, made.deck, at, seat, part, check, reason, values, bound=bound)


def _reveals() -> list[Example]:
    dealt = table(3)
    (own,) = dealt.deal(P, 1)
    handed = table(3)
    handed.transfer(P, handed.deal(P, 1), Q)
    (received,) = handed.deck.layout.at(hand(Q))
    peeked = table(4)
    (seen,) = peeked.deal(P, 1)
    peeked.grant([(seen, (Q,))])
    return [
        _revealed("reveal by key", dealt, P, own, Reason.DECK_WRONG_KEY),
        _revealed("reveal by share", handed, Q, received, Reason.PROOF_SHARE),
        _revealed("reveal by view", peeked, Q, seen, Reason.PROOF_VIEW_FACE),
        _revealed("reveal by own view", _twice_seen(), P, SlotId(0), Reason.DECK_WRONG_KEY),
    ]


def _twice_seen() -> Fleet:
    made = table(3)
    (number,) = made.deal(P, 1)
    made.grant([(number, (Q,))])
    return made


def _moves() -> list[Example]:
    made = table(3)
    made.deal(P, 4)
    at, ring, deck = made.moment("move"), made.rings[P], made.deck
    numbers = deck.layout.at(hand(P))[:2]
    convert = dict.fromkeys((".H", ".inward", ".keys", ".outward"), Reason.PROOF_CONVERT)
    back = table(3)
    back.deal(P, 3)
    back.restack(P)
    returned = [*back.deck.layout.at(hand(P)), *back.deck.layout.at(STOCK)]
    then = back.moment("return")
    return [
        Example(
            "restack",
            deck,
            at,
            P,
            make_restack(deck, ring, at, hand(P)),
            lambda d, m, s, part: check_restack(d, m, s, hand(P), part),
            Reason.PROOF_SHUFFLE,
            convert,
        ),
        Example(
            "transfer",
            deck,
            at,
            P,
            make_transfer(deck, ring, at, numbers, Q),
            lambda d, m, s, part: check_transfer(d, m, s, numbers, Q, part),
            Reason.PROOF_TRANSFER,
        ),
        Example(
            "return",
            back.deck,
            then,
            P,
            make_return(back.deck, back.rings[P], then, returned),
            lambda d, m, s, part: check_return(d, m, s, returned, part),
            Reason.PROOF_RETURN,
        ),
    ]


def _claims() -> list[Example]:
    made = table(3)
    first, *_ = made.deal(P, 3)
    at, ring, deck = made.moment("claim"), made.rings[P], made.deck
    held = made.faces(P, deck.layout.at(hand(P)))
    face, faces = held[0], list(TEN.distinct)
    absent = next(name for name in faces if name not in held)
    return [
        Example(
            "face",
            deck,
            at,
            P,
            make_face(deck, ring, at, first, face),
            lambda d, m, s, part: check_face(d, m, s, first, face, part),
            Reason.PROOF_FACE,
        ),
        Example(
            "member",
            deck,
            at,
            P,
            make_member(deck, ring, at, first, faces),
            lambda d, m, s, part: check_member(d, m, s, first, faces, part),
            Reason.PROOF_MEMBER,
        ),
        Example(
            "absent",
            deck,
            at,
            P,
            make_absent(deck, ring, at, hand(P), absent),
            lambda d, m, s, part: check_absent(d, m, s, hand(P), absent, part),
            Reason.PROOF_ABSENT,
        ),
    ]


def _verdicts() -> list[Example]:
    made = table(4, 16)
    everything = made.deal(P, 16, seen=False)
    made.grant([(number, (Q, R) if number % 2 else (R,)) for number in everything])
    at, ring, deck = made.moment("verdict"), made.rings[R], made.deck
    faces = {number: see(deck, ring, number) for number in everything}
    same = [number for number in everything if faces[number] == faces[everything[0]]][:3]
    mixed: Sequence[SlotId] = [*same, next(n for n in everything if faces[n] != faces[same[0]])]
    return [
        Example(
            "equal",
            deck,
            at,
            R,
            make_equal(deck, ring, at, same),
            lambda d, m, s, part: check_equal(d, m, s, same, part),
            Reason.PROOF_EQUAL,
        ),
        Example(
            "not equal",
            deck,
            at,
            R,
            make_not_equal(deck, ring, at, mixed),
            lambda d, m, s, part: check_not_equal(d, m, s, mixed, part),
            Reason.PROOF_NOT_EQUAL,
        ),
    ]


@lru_cache(maxsize=1)
def examples() -> tuple[Example, ...]:
    """Return one example of every kind."""
    return (*_joint(), *_releases(), *_reveals(), *_moves(), *_claims(), *_verdicts())
