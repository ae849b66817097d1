"""Whole tables, step by step: the positive vectors of the deck.

    two-seats     four cards: deal, open, reveal, restack, coin, return of hidden and public cards
    three-seats   six cards with duplicates: every operation that concerns a second viewer, claims,
                  verdicts, transfers, a hidden joint choice; then a seat leaves and the others go
                  on with a new epoch
    hands         hands are shown and stay closed, restacked at once, given to several, claimed and
                  brought back
    four-seats    a seat leaves while releases are due, and these are asked for once more

Which slot holds which card follows from the shuffles, so the tables are asked for it where a claim
has to be true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from nodealer import deck as ops
from nodealer.cards import DISCARD, STOCK, Zone, hand
from nodealer.deck import PUBLIC
from nodealer.kernel import Seat, SlotId
from scripts.vectors.files import Json, Vector
from scripts.vectors.table import Table


def vectors() -> Iterator[Vector]:
    """Return the vectors of whole tables."""
    yield _conversation(two_seats(), "two seats play with four cards")
    yield _conversation(three_seats(), "three seats play with six cards, some of them equal")
    yield _conversation(
        hands(), "hands of three seats: shown closed, restacked, given, brought back"
    )
    yield _conversation(four_seats(), "one of four seats leaves while releases are due")


@cache
def two_seats() -> Table:
    """Return a table of two seats and four cards."""
    t = Table("two-seats", 2)
    t.sealing_keys()
    t.begin("first", ["A", "K", "Q", "10♠"], [0, 1], "begin")
    t.deck_keys()
    t.shuffle("shuffle")
    t.mask()
    a, b, c, d = t.state.layout.at(STOCK)
    t.move([a, d], STOCK, hand(Seat(0)))
    t.move([b], STOCK, hand(Seat(1)))
    t.grant("deal", {a: [0], d: [0], b: [1]})
    t.show("open", c)
    restack(t, "restack", 0)
    a, d = t.state.layout.at(hand(Seat(0)))
    reveal(t, "reveal by key", 0, a)
    restack(t, "restack one", 1)
    t.decide("coin", "who begins")
    (e,) = t.state.layout.at(hand(Seat(1)))
    t.take_back("return", [a, c, d, e])
    t.shuffle("reshuffle")
    t.mask("mask again")
    return t


@cache
def three_seats() -> Table:
    """Return a table of three seats and six cards."""
    t = Table("three-seats", 3)
    t.sealing_keys()
    t.begin("first", ["cat", "cat", "dog", "dog", "owl", "potato"], [0, 1, 2], "begin")
    t.deck_keys()
    t.shuffle("shuffle")
    t.mask()
    by_face: dict[str, list[SlotId]] = {}
    for slot in t.state.layout.at(STOCK):
        by_face.setdefault(t.true_face(slot), []).append(slot)
    (cat, cat2), (dog, dog2) = by_face["cat"], by_face["dog"]
    (owl,), (potato,) = by_face["owl"], by_face["potato"]
    t.move([cat, owl], STOCK, hand(Seat(0)))
    t.move([cat2, dog], STOCK, hand(Seat(1)))
    t.move([dog2, potato], STOCK, hand(Seat(2)))
    t.grant("deal", {cat: [0], owl: [0], cat2: [1], dog: [1], dog2: [2]})
    t.grant("peek of a second viewer", {cat: [2]})
    t.grant("peek another's", {potato: [1]})
    t.grant("show to all but the owner", {potato: [0], cat2: [0]})
    _claims(t, cat, cat2, owl, dog, potato)
    t.decide("choice", "which card", {0: b"owl", 1: b"", 2: b"the left one"})
    t.decide("coin", "who begins")
    transfer(t, "transfer", 0, [owl], 2)
    owl_handed = t.state.layout.at(hand(Seat(2)))[-1]
    reveal(t, "reveal by share", 2, owl_handed)
    t.exchange("exchange", [(0, cat, 1), (1, cat2, 0)])
    cat_handed = t.state.layout.at(hand(Seat(1)))[-1]
    (cat2_handed,) = t.state.layout.at(hand(Seat(0)))
    t.grant("seal of a handed card", {cat2_handed: [1]})
    t.show("release by share", cat_handed)
    reveal(t, "reveal by a viewer", 0, potato)
    t.move([cat_handed], hand(Seat(1)), DISCARD)
    restack(t, "restack of a shown card", 1)
    t.leave("leave", 2)
    reveal(t, "reveal after leaving", 0, cat2_handed)
    t.begin("second", ["cat", "dog", "owl"], [0, 1], "begin again")
    t.deck_keys("deck-keys again")
    t.shuffle("reshuffle")
    t.mask("mask again")
    return t


@cache
def four_seats() -> Table:
    """Return a table of four seats and five cards."""
    t = Table("four-seats", 4)
    t.sealing_keys()
    t.begin("first", ["A", "K", "Q", "J", "J"], [0, 1, 2, 3], "begin")
    t.deck_keys()
    t.shuffle("shuffle")
    t.mask()
    a, b, *_ = t.state.layout.at(STOCK)
    t.move([a, b], STOCK, hand(Seat(0)))
    t.grant("deal", {a: [0], b: [0]})
    t.announce("show and open", {a: [1, 2], b: [int(PUBLIC)]})
    t.leave("leave", 3)
    t.grant("show and open again", {a: [1], b: [int(PUBLIC)]})
    return t


@cache
def hands() -> Table:
    """Return a table of three seats and eight cards, of which hands are made."""
    t = Table("hands", 3)
    t.sealing_keys()
    t.begin("first", ["cat", "cat", "dog", "dog", "owl", "owl", "owl", "fox"], [0, 1, 2], "begin")
    t.deck_keys()
    t.shuffle("shuffle")
    t.mask()
    zones = [hand(Seat(seat)) for seat in range(3)]
    stock = t.state.layout.at(STOCK)
    dealt = [stock[:3], stock[3:5], stock[5:7]]
    for slots, where in zip(dealt, zones, strict=True):
        t.move(slots, STOCK, where)
    owners = enumerate(dealt)
    t.grant("deal", {slot: [seat] for seat, slots in owners for slot in slots})
    t.grant("show closed", {slot: [1, 2] for slot in dealt[0]}, dealt[0])
    t.restack_all("restacks", 0, 1, 2)
    mine, _, last = (t.state.layout.at(where) for where in zones)
    gifts = [ops.Gift((mine[1],), zones[1]), ops.Gift((mine[2], mine[0]), Zone("aside", Seat(2)))]
    t.give("give", {0: gifts, 2: [ops.Gift((last[0],), zones[0])]})
    held = t.state.layout.at(zones[1])
    face = t.true_face(held[2])
    t.authored(
        "face of a gift",
        "face",
        1,
        {"slot": held[2], "face": face},
        lambda deck, ring, at: ops.make_face(deck, ring, at, held[2], face),
        lambda deck, at, actor, part: ops.take_face(
            deck, ops.check_face(deck, at, actor, held[2], face, part)
        ),
    )
    t.give("give a proven card", {1: [ops.Gift((held[2],), zones[0])]})
    t.restack_all("restack a proven card", 0)
    back = [*t.state.layout.at(zones[0]), *t.state.layout.at(zones[1]), stock[7]]
    t.take_back("return", back)
    t.shuffle("reshuffle")
    t.mask("mask again")
    return t


def reveal(t: Table, mark: str, seat: int, slot: SlotId) -> None:
    """Let a seat turn over a card that it sees."""
    t.authored(
        mark,
        "reveal",
        seat,
        {"slot": slot},
        lambda deck, ring, at: ops.make_reveal(deck, ring, at, slot),
        lambda deck, at, actor, part: ops.take_reveal(
            deck, ops.check_reveal(deck, at, actor, slot, part)
        ),
    )


def restack(t: Table, mark: str, seat: int) -> None:
    """Let a seat restack its hand."""
    where = hand(Seat(seat))
    t.authored(
        mark,
        "restack",
        seat,
        {"zone": f"hand/{seat}"},
        lambda deck, ring, at: ops.make_restack(deck, ring, at, where),
        lambda deck, at, actor, part: ops.take_restacks(
            deck, [ops.check_restack(deck, at, actor, where, part)]
        ),
    )


def transfer(t: Table, mark: str, giver: int, slots: Sequence[SlotId], receiver: int) -> None:
    """Let a seat hand one card to another."""
    t.exchange(mark, [(giver, slot, receiver) for slot in slots])


def _claims(t: Table, cat: SlotId, cat2: SlotId, owl: SlotId, dog: SlotId, potato: SlotId) -> None:
    """Let seats prove what is true of these slots."""
    _verdict(t, "equal", 0, [cat, cat2])
    _verdict(t, "not-equal", 0, [cat, owl, potato, cat2])
    t.authored(
        "face",
        "face",
        1,
        {"slot": dog, "face": "dog"},
        lambda deck, ring, at: ops.make_face(deck, ring, at, dog, "dog"),
        lambda deck, at, actor, part: ops.take_face(
            deck, ops.check_face(deck, at, actor, dog, "dog", part)
        ),
    )
    faces = ["owl", "potato", "dog"]
    t.authored(
        "member",
        "member",
        0,
        {"slot": owl, "faces": faces},
        lambda deck, ring, at: ops.make_member(deck, ring, at, owl, faces),
        lambda deck, at, actor, part: ops.check_member(deck, at, actor, owl, faces, part),
    )
    where: Zone = hand(Seat(1))
    t.authored(
        "absent",
        "absent",
        1,
        {"zone": "hand/1", "face": "potato"},
        lambda deck, ring, at: ops.make_absent(deck, ring, at, where, "potato"),
        lambda deck, at, actor, part: ops.check_absent(deck, at, actor, where, "potato", part),
    )
    _verdict(t, "not-equal", 0, [dog, potato], "not-equal of a public card")


def _verdict(
    t: Table, do: str, seat: int, slots: Sequence[SlotId], mark: str | None = None
) -> None:
    equal = do == "equal"
    t.authored(
        mark or do,
        do,
        seat,
        {"slots": list(slots)},
        lambda deck, ring, at: (ops.make_equal if equal else ops.make_not_equal)(
            deck, ring, at, slots
        ),
        lambda deck, at, actor, part: (
            ops.check_equal(deck, at, actor, slots, part)
            if equal
            else ops.check_not_equal(deck, at, actor, slots, part)
        ),
    )


def _conversation(t: Table, about: str) -> Vector:
    given: Json = {
        "group": "secp256k1",
        "table": t.table.hex(),
        "terms": t.terms.hex(),
        "seeds": {str(seat): t.seed(seat).hex() for seat in t.rings},
        "steps": t.steps,
    }
    return Vector(f"deck/conversations/{t.name}", about, "deck/conversation", given)
