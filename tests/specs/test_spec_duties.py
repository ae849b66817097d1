"""The order in which the page of the deck looks at preconditions is that of the code.

Each case breaks two rules at once that the page lists one after the other, so that only the right
order gives the expected reason. Parts are empty hulls: no check may come to look into them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import pytest

from nodealer.cards import STOCK, Composition, Zone, hand
from nodealer.crypto import AnyProof, Proof
from nodealer.deck import (
    PUBLIC,
    AbsentPart,
    Deck,
    EqualPart,
    FacePart,
    HandoverPart,
    MemberPart,
    OpenKey,
    ProofMoment,
    ReleasePart,
    ViewedFace,
    announce,
    check_absent,
    check_equal,
    check_face,
    check_member,
    check_releases,
    check_return,
    check_reveal,
    check_transfer,
    gather,
    without_seats,
)
from nodealer.kernel import NodealerError, Seat, SlotId
from tests.specs.pages import SPECS
from tests.support.fleet import mixed

ZERO, ONE, TWO, STRANGER = Seat(0), Seat(1), Seat(2), Seat(7)
NOTHING = Proof(bytes(16), ())
NO_SLOT, FRESH = SlotId(99), Zone("fresh")


class Scene(NamedTuple):
    """A deck at ready, the same with releases due, and a moment."""

    ready: Deck
    owing: Deck
    at: ProofMoment


@lru_cache(maxsize=1)
def scene() -> Scene:
    """Return the scene of all cases.

    Seat 0 sees slots 0 and 1, seat 1 sees slot 2 and has slot 3 unseen, slot 4 lies open to all.
    """
    made = mixed(3, Composition(("red", "green", "blue", "joker") * 2))
    made.deal(ZERO, 2)
    made.deal(ONE, 1)
    made.deal(ONE, 1, seen=False)
    made.grant([(made.deck.layout.at(STOCK)[0], (PUBLIC,))])
    owing = announce(made.deck, [(SlotId(3), (ONE,))])
    return Scene(made.deck, owing, made.moment("case"))


CASES: list[tuple[str, Callable[[Scene], object]]] = [
    ("deck/stage", lambda s: check_releases(s.ready, s.at, STRANGER, ReleasePart(()))),
    ("deck/seat", lambda s: check_releases(s.owing, s.at, ONE, ReleasePart(()))),
    ("deck/not-owed", lambda s: check_releases(s.owing, s.at, TWO, ReleasePart(()))),
    ("deck/stage", lambda s: announce(s.owing, [(NO_SLOT, (ONE,))])),
    ("deck/slot-twice", lambda s: announce(s.ready, [(SlotId(0), (ONE,))] * 2)),
    ("deck/slot-unknown", lambda s: announce(s.ready, [(NO_SLOT, (STRANGER,))])),
    ("deck/face-known", lambda s: announce(s.ready, [(SlotId(4), (STRANGER,))])),
    ("deck/seat", lambda s: announce(s.ready, [(SlotId(0), (STRANGER,))])),
    ("deck/stage", lambda s: check_reveal(s.owing, s.at, STRANGER, NO_SLOT, OpenKey(1))),
    ("deck/seat", lambda s: check_reveal(s.ready, s.at, STRANGER, NO_SLOT, OpenKey(1))),
    ("deck/slot-unknown", lambda s: check_reveal(s.ready, s.at, ZERO, NO_SLOT, OpenKey(1))),
    ("deck/face-known", lambda s: check_reveal(s.ready, s.at, ZERO, SlotId(4), OpenKey(1))),
    ("deck/not-viewer", lambda s: check_reveal(s.ready, s.at, ZERO, SlotId(3), OpenKey(1))),
    (
        "deck/release-form",
        lambda s: check_reveal(s.ready, s.at, ZERO, SlotId(0), ViewedFace("none", NOTHING)),
    ),
    ("deck/wrong-key", lambda s: check_reveal(s.ready, s.at, ZERO, SlotId(0), OpenKey(1))),
    (
        "deck/seat",
        lambda s: check_transfer(s.owing, s.at, STRANGER, [NO_SLOT], STRANGER, HandoverPart(())),
    ),
    ("deck/seat", lambda s: check_transfer(s.owing, s.at, ZERO, [], ZERO, HandoverPart(()))),
    ("deck/stage", lambda s: check_transfer(s.owing, s.at, STRANGER, [], ZERO, HandoverPart(()))),
    (
        "deck/slot-twice",
        lambda s: check_transfer(s.ready, s.at, ZERO, [NO_SLOT] * 2, ONE, HandoverPart(())),
    ),
    ("deck/count", lambda s: check_transfer(s.ready, s.at, ZERO, [], ONE, HandoverPart(()))),
    (
        "deck/slot-unknown",
        lambda s: check_transfer(s.ready, s.at, ZERO, [SlotId(3), NO_SLOT], ONE, HandoverPart(())),
    ),
    (
        "deck/not-sole",
        lambda s: check_transfer(s.ready, s.at, ONE, [SlotId(3)], ZERO, HandoverPart(())),
    ),
    (
        "deck/count",
        lambda s: check_transfer(s.ready, s.at, ZERO, [SlotId(0)], ONE, HandoverPart(())),
    ),
    ("deck/stage", lambda s: gather(s.owing, [], STOCK)),
    (
        "deck/seat-gone",
        lambda s: gather(without_seats(s.ready, [TWO]), [NO_SLOT, NO_SLOT], STOCK),
    ),
    ("deck/slot-twice", lambda s: gather(s.ready, [NO_SLOT, NO_SLOT], STOCK)),
    ("deck/slot-unknown", lambda s: gather(s.ready, [NO_SLOT], STOCK)),
    ("deck/seat", lambda s: check_return(s.ready, s.at, ZERO, [SlotId(0)], HandoverPart(()))),
    ("deck/stage", lambda s: check_face(s.owing, s.at, STRANGER, NO_SLOT, "x", FacePart(NOTHING))),
    ("deck/seat", lambda s: check_face(s.ready, s.at, STRANGER, NO_SLOT, "x", FacePart(NOTHING))),
    (
        "deck/face-known",
        lambda s: check_face(s.ready, s.at, ONE, SlotId(4), "x", FacePart(NOTHING)),
    ),
    ("deck/not-sole", lambda s: check_face(s.ready, s.at, ONE, SlotId(3), "x", FacePart(NOTHING))),
    (
        "deck/face-unknown",
        lambda s: check_face(s.ready, s.at, ZERO, SlotId(0), "x", FacePart(NOTHING)),
    ),
    (
        "proof/length",
        lambda s: check_face(s.ready, s.at, ZERO, SlotId(0), "red", FacePart(NOTHING)),
    ),
    (
        "deck/face-unknown",
        lambda s: check_member(s.owing, s.at, ZERO, NO_SLOT, [], MemberPart(AnyProof(()))),
    ),
    (
        "proof/length",
        lambda s: check_member(s.ready, s.at, ZERO, SlotId(0), ["red"], MemberPart(AnyProof(()))),
    ),
    ("deck/stage", lambda s: check_absent(s.owing, s.at, STRANGER, FRESH, "x", absence())),
    ("deck/seat", lambda s: check_absent(s.ready, s.at, STRANGER, FRESH, "x", absence())),
    ("deck/zone", lambda s: check_absent(s.ready, s.at, ZERO, FRESH, "x", absence())),
    ("deck/not-sole", lambda s: check_absent(s.ready, s.at, ONE, hand(ONE), "x", absence())),
    ("deck/face-unknown", lambda s: check_absent(s.ready, s.at, ZERO, hand(ZERO), "x", absence())),
    ("deck/count", lambda s: check_absent(s.ready, s.at, ZERO, hand(ZERO), "red", absence())),
    ("deck/stage", lambda s: check_equal(s.owing, s.at, ZERO, [], EqualPart(NOTHING))),
    ("deck/slot-twice", lambda s: check_equal(s.ready, s.at, ZERO, [NO_SLOT] * 2, verdict())),
    ("deck/count", lambda s: check_equal(s.ready, s.at, ZERO, [NO_SLOT], verdict())),
    (
        "deck/slot-unknown",
        lambda s: check_equal(s.ready, s.at, TWO, [SlotId(0), NO_SLOT], verdict()),
    ),
    (
        "deck/not-viewer",
        lambda s: check_equal(s.ready, s.at, ZERO, [SlotId(0), SlotId(3)], verdict()),
    ),
    ("proof/length", lambda s: check_equal(s.ready, s.at, ZERO, [SlotId(0), SlotId(1)], verdict())),
    ("deck/seat", lambda s: without_seats(s.ready, [STRANGER])),
]


def absence() -> AbsentPart:
    return AbsentPart((), NOTHING)


def verdict() -> EqualPart:
    return EqualPart(NOTHING)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_the_first_rule_broken_is_the_reason(number: int) -> None:
    reason, case = CASES[number]
    with pytest.raises(NodealerError) as refused:
        case(scene())
    assert refused.value.slug == reason


def test_the_page_has_its_stages_in_the_order_of_the_code() -> None:
    page = (SPECS / "03-deck.md").read_text()
    places = [
        page.index(f"| {stage} |") for stage in ("keys", "shuffle", "mask", "release", "ready")
    ]
    assert all(one < other for one, other in pairwise(places))
