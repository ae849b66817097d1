"""A card that a claim has proven is open and closed at once, and everything else goes by that.

What a seat says of its hand is proven over the very zone and face that it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from nodealer.cards import DISCARD, STOCK, Zone, hand
from nodealer.deck import deck_messages, make_absent, make_face, see
from nodealer.games.api import Step, action
from nodealer.games.effects import (
    Choose,
    Claim,
    Compare,
    Effect,
    Give,
    Move,
    NewDeck,
    Reshuffle,
    Restack,
    Show,
)
from nodealer.kernel import Bug, PeerError, Reason, Seat, SlotId
from nodealer.table import OPERATIONS, Replay
from nodealer.table.actions import HELD, HeldCard
from nodealer.table.carrying import entered
from tests.games.barter import DECK
from tests.support.rehearsal import Rehearsal
from tests.table.points import bartered_at
from tests.table.test_barter import at_the_dealer, at_the_table, dealt, held, seen
from tests.table.test_carrying import carry_out
from tests.table.twin import Twin

ASIDE = Zone("aside", Seat(1))


def proven(seats: int = 3) -> tuple[Twin, SlotId, str]:
    """Return tables at which seat 1 has proven a card of its hand, with the card and its face."""
    twin = dealt(seats)
    face = seen(twin, 1, held(twin, 1)[:1])[0]
    assert face is not None
    position = carry_out(twin, Claim(hand(Seat(1)), face))
    (slot,) = (slot for slot in held(twin, 1) if slot in position.board.faces)
    return twin, slot, face


def layers(twin: Twin, slot: SlotId) -> set[Seat]:
    return set(twin.table.position.cards.slot(slot).layers)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_claimed_card_is_open_and_under_the_layer_of_its_holder(seats: int) -> None:
    twin, slot, face = proven(seats)
    assert twin.table.position.board.faces[slot] == face
    assert layers(twin, slot) == {1}


def test_a_face_that_is_not_there_is_denied_and_nothing_else_is_told() -> None:
    twin = dealt()
    faces = set(seen(twin, 1, held(twin, 1)))
    absent = next(face for face in DECK.distinct if face not in faces)
    position = carry_out(twin, Claim(hand(Seat(1)), absent))
    assert not position.board.faces
    assert seen(twin, 0, held(twin, 1)) == [None] * 3


def test_a_card_that_is_proven_already_is_found_at_once() -> None:
    twin, slot, face = proven()
    height = twin.table.moment.height
    position = carry_out(twin, Claim(hand(Seat(1)), face))
    assert twin.table.moment.height == height
    assert set(position.board.faces) == {slot}


def test_a_hand_with_a_proven_card_denies_another_face() -> None:
    twin, slot, _ = proven()
    faces = set(seen(twin, 1, held(twin, 1)))
    absent = next(face for face in DECK.distinct if face not in faces)
    position = carry_out(twin, Claim(hand(Seat(1)), absent))
    assert set(position.board.faces) == {slot}


def test_a_proven_card_is_shown_to_nobody_any_more_and_stays_closed() -> None:
    twin, slot, _ = proven()
    height = twin.table.moment.height
    carry_out(
        twin, Show((slot,)), Show((slot,), (Seat(0),)), Show((slot,), (Seat(0),), closed=True)
    )
    assert twin.table.moment.height == height
    assert layers(twin, slot) == {1}


def test_a_proven_card_is_given_open_and_closed_to_its_receiver() -> None:
    twin, slot, face = proven()
    position = carry_out(twin, Give((slot,), hand(Seat(0))))
    given = held(twin, 0)[-1]
    assert position.board.faces == {given: face}
    assert layers(twin, given) == {0}
    position = carry_out(twin, Give((given,), hand(Seat(2))))
    assert position.board.faces == {held(twin, 2)[-1]: face}


def test_a_restack_takes_a_proven_card_out_of_sight() -> None:
    twin, slot, _ = proven()
    position = carry_out(twin, Restack((hand(Seat(1)),)))
    assert slot not in held(twin, 1)
    assert not position.board.faces


def test_a_proven_card_goes_back_into_the_stock_without_a_part_of_its_holder() -> None:
    twin, slot, _ = proven()
    table, stock = twin.table, twin.table.position.board.at(STOCK)
    step: Step[object] = Step(table.position.rules, (Reshuffle((slot, *stock), STOCK),))
    assert entered(table.position, step).program.step == "shuffle"
    carry_out(twin, Reshuffle((slot, *stock), STOCK))


def test_a_proven_card_that_is_kept_has_no_layer_any_more() -> None:
    twin, slot, face = proven()
    rest = DECK.without([face])
    position = carry_out(twin, NewDeck(rest, STOCK, keep=(slot,)))
    assert position.board.faces == {slot: face}
    assert not layers(twin, slot)
    step: Step[object] = Step(position.rules, (Restack((hand(Seat(1)),)),))
    with pytest.raises(Bug):
        at_the_table(twin, step)
    with pytest.raises(Bug):
        at_the_dealer(twin, step)


def test_a_proven_card_is_played_without_opening_anything() -> None:
    twin, slot, face = proven()
    table = twin.table
    rules = replace(table.position.rules, turn=Seat(1))  # type: ignore[type-var]
    table.state = Replay(replace(table.position, rules=rules))
    twin.dealer.state = rules
    chosen = action("play", card=(slot,))
    assert table.players[Seat(1)].write(table.position, table.moment, chosen).endswith(b"\x80")
    twin.act(Seat(1), chosen)
    assert table.position.board.at(DISCARD) == (slot,)
    assert table.position.board.faces[slot] == face
    assert layers(twin, slot) == {1}


def test_a_zone_with_a_proven_card_is_not_chosen_from() -> None:
    twin, _, _ = proven()
    step: Step[object] = Step(
        twin.table.position.rules, (Choose("card", "take", (hand(Seat(1)),)),)
    )
    with pytest.raises(Bug):
        at_the_table(twin, step)
    with pytest.raises(Bug):
        at_the_dealer(twin, step)


def test_a_proven_card_is_compared_with_a_hidden_one() -> None:
    twin, slot, _ = proven()
    other = next(one for one in held(twin, 1) if one != slot)
    position = carry_out(twin, Compare((slot, other)))
    assert set(position.board.faces) == {slot}


def test_which_of_equal_cards_is_proven_tells_nothing_of_the_others() -> None:
    """The first of them always would say what the cards in front of it are not."""
    places = set()
    for number in range(16):
        twin = dealt(2, ("equal", number))
        faces = seen(twin, 1, held(twin, 1))
        if len(set(faces)) == 1 or faces[0] not in faces[1:]:
            continue
        mine = held(twin, 1)
        position = carry_out(twin, Claim(hand(Seat(1)), str(faces[0])))
        places.add(next(n for n, slot in enumerate(mine) if slot in position.board.faces) > 0)
    assert places == {False, True}


IMPOSSIBLE: dict[str, Callable[[Twin], tuple[Effect, ...]]] = {
    "an empty zone": lambda _: (Claim(ASIDE, "a"),),
    "a zone of nobody": lambda _: (Claim(STOCK, "a"),),
    "a stranger": lambda _: (Claim(hand(Seat(7)), "a"),),
    "no such face": lambda _: (Claim(hand(Seat(1)), "x"),),
    "an open card": lambda twin: (Show(held(twin, 1)[:1]), Claim(hand(Seat(1)), "a")),
    "a card of another": lambda twin: (Move(held(twin, 0)[:1], ASIDE), Claim(ASIDE, "a")),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_claimed_is_a_bug_of_the_rules_to_both(name: str) -> None:
    twin = dealt()
    step: Step[object] = Step(twin.table.position.rules, IMPOSSIBLE[name](twin))
    with pytest.raises(Bug):
        at_the_table(twin, step)
    with pytest.raises(Bug):
        at_the_dealer(twin, step)


# What is refused.


def asked(*, is_held: bool) -> tuple[Rehearsal, bytes]:
    """Return a table at which seat 1 is asked for a face that it holds, or not; and its part."""
    for number in range(20):
        table = bartered_at("claim", 3, ("claims", number))
        (given,) = table.contributions()
        ((_, data),) = given.payloads
        if (b"table/held" in data) == is_held:
            return table, data
    raise AssertionError("both happen")


def found(table: Rehearsal, data: bytes) -> Reason | None:
    """Return why a part of seat 1 is refused."""
    (part,) = table.owed
    try:
        table.state.check(table.moment, Seat(1), ((table.label(part), data),), ())
    except PeerError as refused:
        return refused.reason
    return None


def test_a_card_of_another_zone_is_no_answer() -> None:
    table, data = asked(is_held=True)
    held_card = HELD.read(data)
    for zone in (hand(Seat(0)), STOCK):
        other = replace(held_card, slot=table.position.board.at(zone)[0])
        assert found(table, HELD.write(other)) is Reason.DECK_ZONE
    assert found(table, HELD.write(replace(held_card, slot=SlotId(999)))) is Reason.DECK_ZONE


def test_another_card_of_the_hand_is_no_answer() -> None:
    table, data = asked(is_held=True)
    held_card = HELD.read(data)
    for slot in table.position.board.at(hand(Seat(1))):
        reason = found(table, HELD.write(replace(held_card, slot=slot)))
        assert reason is (None if slot == held_card.slot else Reason.PROOF_FACE)


def test_a_denial_with_the_card_in_hand_is_refused() -> None:
    table, _ = asked(is_held=True)
    deck, ring = table.position.cards, table.players[Seat(1)].keyring
    place = table.state.place_of(table.moment, table.label(table.owed[0]), ())
    faces = {see(deck, ring, slot) for slot in table.position.board.at(hand(Seat(1)))}
    absent = next(face for face in DECK.distinct if face not in faces)
    part = make_absent(deck, ring, place.at, hand(Seat(1)), absent)
    assert found(table, deck_messages(ring.group).write(part)) is Reason.PROOF_ABSENT


def test_a_card_that_is_not_held_is_not_claimed_with_the_proof_of_another_face() -> None:
    table, _ = asked(is_held=False)
    deck, ring = table.position.cards, table.players[Seat(1)].keyring
    place = table.state.place_of(table.moment, table.label(table.owed[0]), ())
    slot = table.position.board.at(hand(Seat(1)))[0]
    part = make_face(deck, ring, place.at, slot, see(deck, ring, slot))
    proof = deck_messages(ring.group).write(part)
    assert found(table, HELD.write(HeldCard(slot, proof))) is Reason.PROOF_FACE


@pytest.mark.parametrize("is_held", [False, True])
def test_parts_of_other_kinds_are_refused_by_name(is_held: bool) -> None:
    table, data = asked(is_held=is_held)
    assert found(table, data) is None
    assert found(table, b"\x83\x01\x00\x00") is Reason.ENCODING_SHAPE
    assert found(table, b"") is Reason.ENCODING_TRUNCATED
    choice = b"\x83\x01\x6ctable/choice\x00"
    assert found(table, choice) is Reason.ENCODING_KIND
    slot = table.position.board.at(hand(Seat(1)))[0]
    assert found(table, HELD.write(HeldCard(slot, choice))) is Reason.ENCODING_KIND
    assert found(table, HELD.write(HeldCard(slot, data))) in (
        Reason.ENCODING_KIND,
        Reason.ENCODING_SHAPE,
    )


def test_a_claim_is_counted_as_what_it_was() -> None:
    counted = {}
    for is_held in (False, True):
        table, data = asked(is_held=is_held)
        head = table.position.program.head
        assert isinstance(head, Claim)
        told = OPERATIONS[type(head)].counted
        counted[is_held] = {word: is_so(table.position, [data]) for word, is_so in told.items()}
    assert counted == {
        False: {"claim": False, "denial": True},
        True: {"claim": True, "denial": False},
    }


@pytest.mark.parametrize("is_held", [False, True])
def test_the_contrary_of_a_claim_is_refused(is_held: bool) -> None:
    table, data = asked(is_held=is_held)
    (lie,) = (one for one in OPERATIONS[Claim].lies if one.name == "wrong claim")
    place = table.state.place_of(table.moment, table.label(table.owed[0]), ())
    assert lie.other is not None
    other = lie.other(place, table.players[Seat(1)].keyring, data)
    assert other is not None
    assert (b"table/held" in other) != is_held
    assert found(table, other) is Reason.PROOF_LENGTH


def lied(twin: Twin, seat: int, effect: type[Effect], name: str) -> bytes | None:
    """Return what a seat could give in place of the part that it owes."""
    table = twin.table
    (lie,) = (one for one in OPERATIONS[effect].lies if one.name == name)
    given = table.given(Seat(seat))
    ((label, data),) = given.payloads
    assert lie.other is not None
    place = table.state.place_of(table.moment, label, ())
    return lie.other(place, table.players[Seat(seat)].keyring, data)


def asking_for(twin: Twin, effect: Effect) -> None:
    rules = twin.table.position.rules
    twin.table.state = Replay(entered(twin.table.position, Step(rules, (effect,))))


def test_who_gives_all_its_cards_has_no_other_to_give() -> None:
    twin = dealt()
    asking_for(twin, Give(held(twin, 1), hand(Seat(0))))
    assert lied(twin, 1, Give, "another card given") is None


def test_cards_that_are_brought_back_in_another_order_are_refused() -> None:
    twin = dealt()
    carry_out(twin, Restack((hand(Seat(1)),)))
    asking_for(twin, Reshuffle(held(twin, 1), STOCK))
    other = lied(twin, 1, Reshuffle, "exchanged return")
    assert other is not None
    assert found(twin.table, other) is Reason.PROOF_RETURN
