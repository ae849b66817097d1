"""The next epoch of a deck: open cards stay, nothing hidden passes on."""

from __future__ import annotations

from collections import Counter

import pytest

from nodealer.cards import DISCARD, STOCK, Composition, hand
from nodealer.deck import PUBLIC, Stage, announce, cleared, renewed, see
from nodealer.kernel import EpochId, LocalError, Reason
from tests.support.fleet import Fleet, hashed, mixed
from tests.support.tables import TEN, P, Q, R

NEXT = EpochId(hashed("the next epoch"))


def played(made: Fleet) -> tuple[str, ...]:
    """Deal to all, play two cards face up and claim one; return the faces that are open."""
    for seat in (P, Q, R):
        made.deal(seat, 2)
    for seat in (P, Q):
        slot = made.deck.layout.at(hand(seat))[0]
        made.reveal(seat, slot)
        made.deck = made.deck.with_layout(made.deck.layout.moved([slot], hand(seat), DISCARD))
    faces = [made.deck.slot(slot).face for slot in made.deck.layout.at(DISCARD)]
    return tuple(face for face in faces if face is not None)


def test_open_cards_stay_and_the_rest_is_shuffled_anew() -> None:
    made = mixed(3, TEN, salt="renewed")
    opened = played(made)
    old, discards = made.deck, made.deck.layout.at(DISCARD)
    made.deck = renewed(old, NEXT, TEN.without(opened), roster=[P, Q])
    assert made.deck.stage is Stage.KEYS
    assert made.deck.layout.zones == {DISCARD: discards}
    for slot in discards:
        assert made.deck.slot(slot).layers == {}
        assert made.deck.slot(slot).face == old.slot(slot).face
    made.keys()
    made.mix()
    stock = made.deck.layout.at(STOCK)
    assert min(stock) == old.next_slot
    assert len(stock) == len(TEN.faces) - len(opened)
    made.grant([(slot, (PUBLIC,)) for slot in stock])
    faces = Counter(slot.face for slot in made.deck.slots.values())
    assert faces == Counter(TEN.faces)


def test_hidden_slots_are_retired_whatever_is_known_of_them() -> None:
    made = mixed(3, TEN, salt="retired")
    played(made)
    old = made.deck
    made.deck = renewed(old, NEXT, TEN)
    for number, slot in old.slots.items():
        if slot.face is None:
            with pytest.raises(LocalError) as refused:
                made.deck.slot(number)
            assert refused.value.reason is Reason.DECK_SLOT_RETIRED


def test_open_cards_can_be_shuffled_in_the_next_epoch() -> None:
    made = mixed(3, TEN, salt="mixed in")
    opened = played(made)
    made.deck = renewed(made.deck, NEXT, TEN.without(opened))
    made.keys()
    made.mix()
    everything = made.deck.layout.at(DISCARD) + made.deck.layout.at(STOCK)
    made.gather(everything)
    made.mix()
    made.grant([(slot, (PUBLIC,)) for slot in made.deck.layout.at(STOCK)])
    assert Counter(slot.face for slot in made.deck.slots.values()) == Counter(TEN.faces)


def test_cards_that_are_not_of_the_deck_do_not_enter() -> None:
    made = mixed(2, TEN, salt="foreign")
    with pytest.raises(LocalError) as refused:
        renewed(made.deck, NEXT, Composition(("7", "ace")))
    assert refused.value.reason is Reason.DECK_FACE_UNKNOWN


def test_of_the_open_cards_those_that_are_named_stay() -> None:
    made = mixed(3, TEN, salt="some stay")
    opened = played(made)
    first, second = made.deck.layout.at(DISCARD)
    old = made.deck
    made.deck = renewed(old, NEXT, TEN.without(opened[1:]), keep=[second])
    assert made.deck.layout.zones == {DISCARD: (second,)}
    with pytest.raises(LocalError) as refused:
        made.deck.slot(first)
    assert refused.value.reason is Reason.DECK_SLOT_RETIRED
    made.keys()
    made.mix()
    made.grant([(slot, (PUBLIC,)) for slot in made.deck.layout.at(STOCK)])
    assert Counter(slot.face for slot in made.deck.slots.values()) == Counter(TEN.faces)


def test_nothing_lies_on_a_cleared_deck_and_its_numbers_go_on() -> None:
    made = mixed(3, TEN, salt="cleared")
    played(made)
    made.deck = announce(made.deck, [(made.deck.layout.at(STOCK)[0], (PUBLIC,))])
    bare = cleared(made.deck)
    assert (dict(bare.slots), bare.layout.zones, dict(bare.owed)) == ({}, {}, {})
    assert (bare.next_slot, bare.epoch) == (made.deck.next_slot, made.deck.epoch)


def test_who_sees_a_card_sees_it_while_it_is_shown_to_another() -> None:
    made = mixed(3, TEN, salt="seen on")
    (number,) = made.deal(P, 1)
    face = see(made.deck, made.rings[P], number)
    made.deck = announce(made.deck, [(number, (Q,))])
    assert see(made.deck, made.rings[P], number) == face
    with pytest.raises(LocalError) as refused:
        see(made.deck, made.rings[Q], number)
    assert refused.value.reason is Reason.DECK_OWED
    made.release()
    assert see(made.deck, made.rings[Q], number) == face
