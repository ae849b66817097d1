"""Several seats choose a card each, and nobody knows what before all have."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import cast

import pytest

from high_card.rules import TRICK, State
from nodealer.cards import hand
from nodealer.games.api import Action, Choice, Plain, action
from nodealer.games.choosing import still_bound
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.effects import Choose
from nodealer.games.registry import resolve
from nodealer.kernel import Bug, PeerError, Reason, Seat, SlotId
from nodealer.kernel.chance import Chance
from tests.games.sealed import SEALED

Dealer = PlainDealer[State]

ALL = (Seat(0), Seat(1), Seat(2))


def begun(seats: int = 3, cards: int = 3) -> Dealer:
    """Return a game in which everybody owes the first choice."""
    options = resolve(SEALED, seats, {"cards": cards})
    return deal(SEALED, [Seat(number) for number in range(seats)], options, Chance("choosing"))


def lay(dealer: Dealer, seat: int, index: int = 0) -> Action:
    """Return the action of choosing a card by its place in the hand."""
    return action("lay", card=(dealer.board.at(hand(Seat(seat)))[index],))


def owing(dealer: Dealer) -> tuple[Seat, ...]:
    """Return who still owes a choice, as a spectator sees it."""
    duty = dealer.view().duty
    assert isinstance(duty, Choice)
    return duty.owing


def test_everybody_sees_who_has_chosen_and_nobody_what() -> None:
    dealer = begun()
    assert dealer.view().duty == Choice("card", "lay", ALL, ALL)
    views = []
    for index in range(3):
        twin = dealer.fork(Chance("twin"))
        twin.act(Seat(1), lay(twin, 1, index))
        assert owing(twin) == (0, 2)
        views.append([twin.view(), *(twin.view(Seat(seat)) for seat in range(3))])
    assert views[0] == views[1] == views[2]


def test_who_has_chosen_has_nothing_more_to_do() -> None:
    dealer = begun()
    dealer.act(Seat(1), lay(dealer, 1))
    assert [len(dealer.legal(Seat(seat))) for seat in range(3)] == [3, 0, 3]
    assert [dealer.view(Seat(seat)).owes_choice for seat in range(3)] == [True, False, True]
    assert not dealer.view().owes_choice
    assert SEALED.legal(dealer.view()) == ()


def test_the_order_of_choosing_makes_no_difference() -> None:
    ends = set()
    for order in permutations(range(3)):
        dealer = begun()
        chosen = {seat: lay(dealer, seat, seat) for seat in range(3)}
        for seat in order:
            dealer.act(Seat(seat), chosen[seat])
        ends.add((dealer.state, tuple(dealer.board.faces.items()), tuple(dealer.events)))
    assert len(ends) == 1


def test_nothing_is_opened_before_all_have_chosen() -> None:
    dealer = begun()
    for seat in range(3):
        assert not dealer.board.faces
        dealer.begin(Seat(seat), lay(dealer, seat))
    assert not dealer.board.faces
    assert owing(dealer) == ()
    dealer.advance()
    assert len(dealer.board.at(TRICK)) == 3
    assert not dealer.board.faces
    dealer.advance()
    assert len(dealer.board.faces) == 3


REFUSED = [
    # seat, what it sends, and why that is no choice
    (1, action("lay", card=(3,)), "nothing to choose"),
    (0, action("throw", card=(0,)), "is not lay"),
    (0, action("lay"), "has the fields card"),
    (0, action("lay", card=(0,), more=None), "has the fields card"),
    (0, action("lay", card=cast("Plain", 1.5)), "not plain"),
    (0, action("lay", card=None), "one card of the own zone"),
    (0, action("lay", card=()), "one card of the own zone"),
    (0, action("lay", card=(0, 1)), "one card of the own zone"),
    (0, action("lay", card=(0, "1")), "one card of the own zone"),
    (0, action("lay", card=(3,)), "one card of the own zone"),
    (0, action("lay", card=(30,)), "one card of the own zone"),
    (7, action("lay", card=(0,)), "nothing to choose"),
]


@pytest.mark.parametrize(("seat", "chosen", "why"), REFUSED)
def test_a_bad_choice_is_refused_and_changes_nothing(seat: int, chosen: Action, why: str) -> None:
    dealer = begun()
    dealer.act(Seat(1), lay(dealer, 1))
    before = dict(vars(dealer))
    with pytest.raises(PeerError, match=why) as refused:
        dealer.act(Seat(seat), chosen)
    assert refused.value.reason is Reason.RULES_ILLEGAL
    assert vars(dealer) == before


def test_nobody_chooses_where_nothing_is_asked() -> None:
    dealer: Dealer = PlainDealer(SEALED, [Seat(0), Seat(1)], {"cards": 3}, Chance(1))
    assert dealer.choice is None
    assert dealer.choosable(Seat(0)) == ()
    with pytest.raises(PeerError, match="under way"):
        dealer.act(Seat(0), action("lay", card=(0,)))


def test_a_dealer_does_not_choose_for_others() -> None:
    with pytest.raises(Bug, match="all have chosen"):
        begun().advance()


def test_who_has_chosen_stays_bound_when_another_leaves() -> None:
    dealer = begun()
    first = lay(dealer, 0, 2)
    dealer.act(Seat(0), first)
    dealer.leave([Seat(1)], "continue")
    assert owing(dealer) == (2,)
    with pytest.raises(PeerError, match="nothing to choose"):
        dealer.act(Seat(0), lay(dealer, 0, 1))
    dealer.begin(Seat(2), lay(dealer, 2))
    dealer.advance()
    assert dealer.board.at(TRICK)[0] == first.slots("card")[0]


def test_a_choice_is_complete_when_the_last_who_owed_it_leaves() -> None:
    dealer = begun()
    for seat in (0, 2):
        dealer.act(Seat(seat), lay(dealer, seat))
    dealer.leave([Seat(1)], "continue")
    assert owing(dealer) == ()
    dealer.settle()
    assert len(dealer.board.faces) == 2


def test_a_choice_that_is_done_stands_whoever_leaves() -> None:
    dealer = begun()
    slots = {seat: lay(dealer, seat, seat).slots("card")[0] for seat in range(3)}
    for seat in range(3):
        dealer.begin(Seat(seat), lay(dealer, seat, seat))
    dealer.advance()
    dealer.leave([Seat(2)], "continue")
    dealer.settle()
    assert set(dealer.board.faces) == {slots[0], slots[1]}


def test_after_a_new_deal_everybody_chooses_anew() -> None:
    dealer = begun()
    dealer.act(Seat(0), lay(dealer, 0))
    dealer.leave([Seat(1)], "void")
    assert dealer.choice is None
    dealer.settle()
    assert owing(dealer) == (0, 2)


def test_another_purpose_is_another_choice() -> None:
    dealer = begun()
    dealer.act(Seat(0), lay(dealer, 0))
    head = dealer._effects[0]
    assert isinstance(head, Choose)
    bound = still_bound(head, replace(head, purpose="another"), dealer._chosen, dealer.board)
    assert bound == {}
    assert still_bound(head, head, dealer._chosen, dealer.board) == dealer._chosen
    assert still_bound(None, head, dealer._chosen, dealer.board) == {}


def test_who_is_bound_to_a_card_that_it_can_choose_no_more_is_a_defect() -> None:
    dealer = begun()
    head = dealer._effects[0]
    with pytest.raises(Bug, match="can be chosen again"):
        still_bound(head, head, {Seat(0): SlotId(51)}, dealer.board)
