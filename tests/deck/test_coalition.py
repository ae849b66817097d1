"""The secrecy checker reports what it must: each planted leak, with the coalitions that profit.

A checker that never complains shows nothing. Here seats send what they must not, or the deck plans
what it must not, and `tests.support.coalition` has to name exactly the coalitions that can then
read a card without being entitled to it. Honest histories, beside them, give no finding.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from nodealer.cards import STOCK, Composition, hand
from nodealer.deck import (
    PUBLIC,
    Deck,
    LayerKind,
    OpenKey,
    OpenShare,
    ReleasePlan,
    SealShares,
    announce,
    make_releases,
    plan,
    release,
)
from nodealer.kernel import Seat, SlotId
from tests.support.coalition import Watcher
from tests.support.fleet import Fleet, mixed

DECK = Composition.of({"7": 3, "8": 3, "9": 2})
P, Q, R, S = map(Seat, range(4))


def watched(seats: int) -> tuple[Fleet, Watcher]:
    made = mixed(seats, DECK)
    watcher = Watcher(made)
    assert watcher.findings() == []
    return made, watcher


def readers(watcher: Watcher, number: SlotId) -> set[frozenset[Seat]]:
    """Return the coalitions that read a slot, or what it was before its mask, and must not."""
    found = watcher.findings(settled=False)
    assert {finding.card for finding in found} <= {
        f"slot {number}",
        f"slot {number} before its mask",
    }
    assert all(finding.why == f"reads {watcher.face(number)}" for finding in found)
    by_card = [
        {finding.coalition for finding in found if finding.card.endswith(end)}
        for end in (str(number), "mask")
    ]
    assert by_card[0] == by_card[1]
    return by_card[0]


def sets(*coalitions: Collection[Seat]) -> set[frozenset[Seat]]:
    return set(map(frozenset, coalitions))


def key_of(made: Fleet, seat: Seat, number: SlotId) -> OpenKey:
    layer = made.deck.slot(number).layer(seat)
    return OpenKey(made.rings[seat].layer_secret(layer))


def planned(deck: Deck, number: SlotId, made: ReleasePlan) -> Deck:
    """Return the deck as somebody sees it who believes in another plan."""
    return replace(deck, owed=MappingProxyType({number: made}))


def send_to(made: Fleet, number: SlotId, seat: Seat, viewers: tuple[Seat, ...]) -> SealShares:
    """Return a seat's layer, correctly sealed to viewers of its own choice."""
    wrong = ReleasePlan(frozenset((seat, *viewers)), (), seat, viewers)
    believed = planned(made.deck, number, wrong)
    item = make_releases(believed, made.rings[seat], made.moment("release")).items[0]
    assert isinstance(item, SealShares)
    return item


def test_an_opening_instead_of_a_seal_at_the_second_peek_is_reported() -> None:
    made, watcher = watched(4)
    (number,) = made.deal(P, 1)
    made.deck = announce(made.deck, [(number, (Q,))])
    assert readers(watcher, number) == set()
    watcher.hear(made.deck, P, key_of(made, P, number))
    assert readers(watcher, number) == sets((), (R,), (S,), (R, S))


def test_an_owner_who_opens_to_all_is_reported() -> None:
    made, watcher = watched(3)
    (number,) = made.deal(P, 1)
    watcher.hear(made.deck, P, key_of(made, P, number))
    assert readers(watcher, number) == sets((), (Q,), (R,), (Q, R))


def test_a_seal_to_one_viewer_too_many_is_reported() -> None:
    made, watcher = watched(4)
    (number,) = made.deal(P, 1)
    made.deck = announce(made.deck, [(number, (Q,))])
    watcher.hear(made.deck, P, send_to(made, number, P, (Q,)))
    assert readers(watcher, number) == set()
    watcher.hear(made.deck, P, send_to(made, number, P, (Q, S)))
    assert readers(watcher, number) == sets((S,), (R, S))


def test_releases_before_they_are_granted_are_reported() -> None:
    """The free peek of F1: the layers of q and s reach p, and nobody agreed to it."""
    made, watcher = watched(3)
    (number,) = made.deal(P, 1, seen=False)
    watcher.hear(made.deck, Q, key_of(made, Q, number))
    assert readers(watcher, number) == sets((P, R))
    watcher.hear(made.deck, R, key_of(made, R, number))
    assert readers(watcher, number) == sets((P,), (P, Q), (P, R))


def test_two_layers_sealed_to_one_viewer_by_two_seats_are_reported() -> None:
    """F3: neither of the two can finish, both together can, and nobody of the audience helps."""
    made, watcher = watched(3)
    (number,) = made.deal(P, 1, seen=False)
    watcher.expected[number] = frozenset((P,))
    watcher.hear(made.deck, P, key_of(made, P, number))
    watcher.hear(made.deck, Q, send_to(made, number, Q, (P,)))
    watcher.hear(made.deck, R, send_to(made, number, R, (P,)))
    assert readers(watcher, number) == sets((Q, R))


def test_a_deck_that_opens_again_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The flaw is in the planner of all seats, and the deck itself believes the card is public."""

    def opening_again(
        closed: Mapping[Seat, frozenset[Seat]],
        audience: frozenset[Seat],
        added: Collection[Seat],
        roster: Collection[Seat],
        *,
        stays_closed: bool = False,
    ) -> ReleasePlan:
        right = plan(closed, audience, added, roster, stays_closed=stays_closed)
        return ReleasePlan(right.audience, opens=tuple(sorted(set(closed) - set(added))))

    made, watcher = watched(3)
    (number,) = made.deal(P, 1)
    monkeypatch.setattr(release, "plan", opening_again)
    made.grant([(number, (Q,))])
    watcher.expected[number] = frozenset((P, Q))
    assert readers(watcher, number) == sets((), (R,))


def test_the_share_of_a_long_lived_key_counts_for_its_slot_alone() -> None:
    made, watcher = watched(3)
    numbers = made.deal(P, 2)
    made.transfer(P, numbers, Q)
    one, other = made.deck.layout.at(hand(Q))
    assert made.deck.slot(one).layer(Q).kind is LayerKind.SEAT
    assert watcher.findings() == []
    believed = planned(made.deck, one, ReleasePlan(frozenset((PUBLIC,)), (Q,)))
    item = make_releases(believed, made.rings[Q], made.moment("release")).items[0]
    assert isinstance(item, OpenShare)
    watcher.hear(made.deck, Q, item)
    found = watcher.findings()
    assert {finding.card for finding in found} == {f"slot {one}"}
    assert {finding.coalition for finding in found} == sets((), (R,))
    assert watcher.face(other) != ""


def test_the_scalar_of_a_long_lived_key_opens_everything_under_it() -> None:
    """F2: the same opening as a slot key's, and every card that Q was ever given is public."""
    made, watcher = watched(3)
    made.transfer(P, made.deal(P, 2), Q)
    one, other = made.deck.layout.at(hand(Q))
    watcher.hear(made.deck, Q, key_of(made, Q, one))
    found = watcher.findings()
    assert {finding.card for finding in found} == {f"slot {one}", f"slot {other}"}
    assert {finding.coalition for finding in found} == sets((), (R,))


def test_the_giver_of_a_card_can_compute_it() -> None:
    """Not only by memory: it drew the exponent of the new ciphertext."""
    made, watcher = watched(3)
    made.transfer(P, made.deal(P, 1), Q)
    (number,) = made.deck.layout.at(hand(Q))
    assert watcher.findings() == []
    card = watcher.cards[f"slot {number}"]
    assert watcher.finished(card, frozenset((P,))) == watcher.face(number)
    assert watcher.finished(card, frozenset((R,))) is None
    watcher.expected[number] = frozenset((Q,))
    found = watcher.findings()
    assert {finding.card for finding in found} == {f"slot {number}"}
    assert {finding.coalition for finding in found} == sets((P,), (P, R))


def test_an_audience_that_cannot_finish_is_reported() -> None:
    made, watcher = watched(3)
    (number,) = made.deal(P, 1, seen=False)
    watcher.expected[number] = frozenset((Q,))
    found = watcher.findings()
    assert {finding.why for finding in found} == {"cannot finish"}
    assert {finding.coalition for finding in found} == sets((Q,), (P, Q), (Q, R))


def test_the_old_ciphertexts_of_a_card_are_watched_as_well() -> None:
    """A slot key opened after its slot was retired shows the card that the slot was."""
    made, watcher = watched(3)
    (number,) = made.deal(P, 1)
    late = key_of(made, P, number)
    made.restack(P)
    assert watcher.findings() == []
    watcher.hear(made.deck, P, late)
    named = {finding.card for finding in watcher.findings()}
    assert named == {f"slot {number}", f"slot {number} before its mask", f"slot {number} restacked"}


def test_returned_cards_are_watched_until_they_are_shuffled() -> None:
    made, watcher = watched(3)
    made.transfer(P, made.deal(P, 1), Q)
    (number,) = made.deck.layout.at(hand(Q))
    made.gather([number, *made.deck.layout.at(STOCK)])
    made.mix()
    assert watcher.findings() == []
    assert f"slot {number} returned" in watcher.cards
    for seat in (P, Q, R):
        x = made.rings[seat].deck_secret(made.deck.table, made.deck.epoch)
        watcher.hear(made.deck, seat, OpenKey(x))
    # With the deck keys everybody reads all that was ever under them, and through the mask's deltas
    # what came of it.
    named = {finding.card for finding in watcher.findings()}
    assert f"slot {number} returned" in named
    assert {f"slot {now}" for now in made.deck.layout.at(STOCK)} <= named
