"""Every legal action can be chosen step by step, and nothing else, whatever the game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from high_card.rules import Rules
from nodealer.bots import ChanceBot
from nodealer.games.api import Action, ActionKind, View, action
from nodealer.games.base import AnyGame
from nodealer.games.dealer import deal
from nodealer.games.macaua.rules import MACAUA
from nodealer.games.registry import resolve
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance
from nodealer.show.menus import (
    CARD,
    ENOUGH,
    KIND,
    ORDER,
    Menu,
    MenuChoice,
    Question,
    menu_of,
    next_step,
    of_kind,
    open_actions,
    pick,
    pickable,
    wants_cards,
    whole,
)


def reachable(choice: MenuChoice) -> set[Action]:
    """Return all actions that answers lead to."""
    step = next_step(choice)
    if isinstance(step, Action):
        return {step}
    assert len(step.options) > 1, "only what is undecided is asked"
    return {found for option in step.options for found in reachable(option.after)}


def slots(*numbers: int) -> tuple[SlotId, ...]:
    return tuple(map(SlotId, numbers))


def menus(rules: AnyGame, seed: int, turns: int) -> list[Menu]:
    """Return the menus of a game that is left to chance."""
    options = resolve(rules, 3, {"call": True} if rules is MACAUA else {})
    dealer = deal(rules, [Seat(0), Seat(1), Seat(2)], options, Chance("choosing", seed))
    found, chance = [], Chance("choosing turns", seed)
    for _ in range(turns):
        duty = dealer.view().duty
        if dealer.result() is not None or duty is None:
            break
        seat = next(one for one in (Seat(0), Seat(1), Seat(2)) if dealer.legal(one))
        found.append(menu_in(dealer.view(seat), dealer.legal(seat), rules.actions))
        dealer.act(seat, ChanceBot().choose(dealer.view(seat), dealer.legal(seat), chance))
    return found


def menu_in(view: View, legal: Sequence[Action], kinds: Sequence[ActionKind]) -> Menu:
    lying = tuple(card.slot for zone in view.zones for card in zone.cards)
    return menu_of(legal, kinds, lying)


@pytest.mark.parametrize("rules", [MACAUA, Rules()], ids=["macaua", "high-card"])
def test_answers_lead_to_all_legal_actions_and_no_others(rules: AnyGame) -> None:
    for menu in menus(rules, 1, 40):
        if len(menu.named) <= 60:
            assert reachable(MenuChoice(menu)) == {one for one, _ in menu.named}


def test_picking_the_cards_of_an_action_leaves_it_open() -> None:
    for menu in menus(MACAUA, 2, 60):
        for chosen, cards in menu.named[:80]:
            choice = MenuChoice(menu)
            for slot in cards:
                assert slot in pickable(choice)
                choice = pick(choice, slot)
            assert chosen in open_actions(whole(choice))


KINDS = (
    ActionKind("show", "show cards", ("cards",)),
    ActionKind("swap", "swap", ("mine", "other")),
    ActionKind("bid", "bid", ("amount",)),
    ActionKind("end", "end"),
)
SETS = (
    action("show", cards=slots(1, 2)),
    action("show", cards=slots(1, 3)),
    action("swap", mine=slots(1), other=slots(7)),
    action("swap", mine=slots(2), other=slots(7)),
    action("swap", mine=slots(2), other=slots(8)),
    action("bid", amount=1),
    action("bid", amount=2),
    action("end"),
)
MENU = menu_of(SETS, KINDS, slots(1, 2, 3, 7, 8))


def picked(*numbers: int) -> MenuChoice:
    choice = MenuChoice(MENU)
    for number in numbers:
        choice = pick(choice, SlotId(number))
    return choice


def test_cards_in_an_order_that_means_nothing_are_a_set() -> None:
    assert next_step(whole(picked(3, 1))) == action("show", cards=slots(1, 3))
    assert next_step(whole(picked(8, 2))) == action("swap", mine=slots(2), other=slots(8))


def test_a_number_is_no_card_even_if_a_card_has_it() -> None:
    step = next_step(of_kind(MenuChoice(MENU), "bid"))
    assert isinstance(step, Question)
    assert (step.about, [one.value for one in step.options]) == ("amount", [1, 2])


def test_only_cards_that_lead_somewhere_can_be_picked() -> None:
    assert pickable(MenuChoice(MENU)) == set(slots(1, 2, 3, 7, 8))
    assert pickable(picked(1)) == set(slots(2, 3, 7))
    assert pickable(picked(1, 3)) == set()
    assert pickable(whole(picked(1))) == set()
    assert pick(picked(1, 3), SlotId(1)).picked == slots(3)


def test_the_kind_puts_back_what_does_not_go_with_it() -> None:
    assert of_kind(picked(3), "swap").picked == ()
    assert of_kind(picked(2), "swap").picked == slots(2)
    assert of_kind(picked(2), "end").picked == ()


def test_it_is_known_whether_cards_lack() -> None:
    assert wants_cards(picked(1))
    assert not wants_cards(picked(1, 2))
    assert wants_cards(of_kind(MenuChoice(MENU), "swap"))
    assert not wants_cards(of_kind(MenuChoice(MENU), "end"))


def test_where_only_one_action_is_open_its_cards_are_meant() -> None:
    menu = menu_of(SETS[:1], KINDS, slots(1, 2, 3, 7, 8))
    chosen = of_kind(MenuChoice(menu), SETS[0].kind)
    assert not wants_cards(chosen)
    assert next_step(whole(chosen)) == SETS[0]
    assert wants_cards(pick(chosen, SlotId(1)))  # who picks cards picks all


def test_step_by_step_the_kind_comes_first_then_cards() -> None:
    step = next_step(MenuChoice(MENU))
    assert isinstance(step, Question)
    assert (step.about, [one.value for one in step.options]) == (
        KIND,
        ["show", "swap", "bid", "end"],
    )
    step = next_step(step.options[1].after)
    assert isinstance(step, Question)
    assert (step.about, [one.value for one in step.options]) == (CARD, [1, 2, 7, 8])


def test_more_cards_may_follow_or_not() -> None:
    one, two = action("show", cards=slots(1)), action("show", cards=slots(1, 2))
    choice = pick(MenuChoice(menu_of((one, two), KINDS, slots(1, 2))), SlotId(1))
    step = next_step(choice)
    assert isinstance(step, Question)
    assert [option.value for option in step.options] == [2, ENOUGH]
    assert [next_step(option.after) for option in step.options] == [two, one]


def test_where_order_means_something_it_is_asked_for() -> None:
    orders = [action("show", cards=slots(*cards)) for cards in ((1, 2, 3), (1, 3, 2))]
    choice = MenuChoice(menu_of(orders, KINDS, slots(1, 2, 3)))
    for number in (3, 2, 1):
        choice = pick(choice, SlotId(number))
    step = next_step(whole(choice))
    assert isinstance(step, Question)
    assert step.about == ORDER
    assert [next_step(option.after) for option in step.options] == orders


def test_the_same_action_twice_is_one() -> None:
    end = action("end")
    assert next_step(MenuChoice(menu_of((end, end), KINDS, ()))) == end


def test_true_is_not_one() -> None:
    mixed = [action("bid", amount=True), action("bid", amount=1)]
    step = next_step(MenuChoice(menu_of(mixed, KINDS, ())))
    assert isinstance(step, Question)
    assert [option.value for option in step.options] == [True, 1]


@given(st.data())
def test_any_order_of_picking_ends_in_a_legal_action(data: st.DataObject) -> None:
    menu = data.draw(st.sampled_from(MENUS))
    choice = MenuChoice(menu)
    while able := sorted(pickable(choice)):
        choice = pick(choice, data.draw(st.sampled_from(able)))
        if not wants_cards(choice) and data.draw(st.booleans()):
            break
    step = next_step(whole(choice))
    while isinstance(step, Question):
        step = next_step(data.draw(st.sampled_from(step.options)).after)
    assert step in {one for one, _ in menu.named}


MENUS = [MENU, *menus(MACAUA, 3, 40)]
