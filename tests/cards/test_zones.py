"""A layout says where every slot lies. Whatever moves, no slot is lost or in two places."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.cards import DISCARD, STOCK, Layout, Zone, hand
from nodealer.kernel import LocalError, Reason, Seat, SlotId

ZONES = (STOCK, DISCARD, hand(Seat(0)), hand(Seat(1)), Zone("row", Seat(1)))


def slots(*numbers: int) -> tuple[SlotId, ...]:
    return tuple(SlotId(number) for number in numbers)


def all_slots(layout: Layout) -> list[SlotId]:
    return [slot for row in layout.zones.values() for slot in row]


def start() -> Layout:
    return Layout().placed(slots(*range(12)), STOCK)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Layouts that moves lead to."""
    layout = start()
    for _ in range(draw(st.integers(0, 5))):
        source, target = draw(st.sampled_from(ZONES)), draw(st.sampled_from(ZONES))
        moving = draw(st.permutations(layout.at(source)))
        layout = layout.moved(moving[: draw(st.integers(0, len(moving)))], source, target)
    return layout


def assert_refused(reason: Reason, layout: Layout, *call: object) -> None:
    """Expect that a change is refused and has changed nothing."""
    name, *arguments = call
    before = dict(layout.zones)
    with pytest.raises(LocalError) as caught:
        getattr(layout, str(name))(*arguments)
    assert caught.value.reason is reason
    assert dict(layout.zones) == before


@given(layouts())
def test_every_slot_lies_in_exactly_one_place(layout: Layout) -> None:
    assert Counter(all_slots(layout)) == Counter(slots(*range(12)))
    for slot in slots(*range(12)):
        zone = layout.where(slot)
        assert slot in layout.at(zone)
        assert [z for z in ZONES if slot in layout.at(z)] == [zone]


@given(layouts(), st.sampled_from(ZONES), st.sampled_from(ZONES), st.data())
def test_what_moves_keeps_its_order_and_goes_behind(
    layout: Layout, source: Zone, target: Zone, data: st.DataObject
) -> None:
    moving = data.draw(st.permutations(layout.at(source)))[:3]
    after = layout.moved(moving, source, target)
    stayed = tuple(slot for slot in layout.at(source) if slot not in moving)
    if source == target:
        assert after.at(target) == (*stayed, *moving)
    else:
        assert after.at(source) == stayed
        assert after.at(target) == (*layout.at(target), *moving)
    for zone in ZONES:
        if zone not in {source, target}:
            assert after.at(zone) == layout.at(zone)


@given(layouts(), st.sampled_from(ZONES), st.data())
def test_what_is_removed_is_gone_and_nothing_else(
    layout: Layout, zone: Zone, data: st.DataObject
) -> None:
    going = data.draw(st.permutations(layout.at(zone)))[:2]
    after = layout.removed(going, zone)
    assert Counter(all_slots(after)) + Counter(going) == Counter(all_slots(layout))
    for slot in going:
        assert_refused(Reason.DECK_ZONE, after, "where", slot)
    assert after.placed(going, zone).at(zone)[len(after.at(zone)) :] == tuple(going)


@given(layouts(), st.integers(0, 11), st.integers(0, 11))
def test_two_slots_change_places(layout: Layout, one: int, other: int) -> None:
    first, second = slots(one, other)
    after = layout.exchanged(first, second)
    assert after.where(first) == layout.where(second)
    assert after.where(second) == layout.where(first)
    swap = {first: second, second: first}
    for zone in ZONES:
        assert after.at(zone) == tuple(swap.get(slot, slot) for slot in layout.at(zone))
    assert after.exchanged(first, second) == layout


@given(layouts(), st.sets(st.integers(0, 11), max_size=6))
def test_a_successor_takes_the_very_position(layout: Layout, changing: set[int]) -> None:
    successors = {SlotId(number): SlotId(100 + number) for number in changing}
    after = layout.replaced(successors)
    for slot in slots(*range(12)):
        zone = layout.where(slot)
        new = successors.get(slot, slot)
        assert after.at(zone).index(new) == layout.at(zone).index(slot)
    assert len(all_slots(after)) == 12


def test_a_layout_is_a_value() -> None:
    layout = start()
    layout.moved(slots(3, 4), STOCK, DISCARD)
    layout.removed(slots(1), STOCK)
    layout.exchanged(*slots(0, 11))
    layout.replaced({SlotId(0): SlotId(99)})
    layout.placed(slots(50), DISCARD)
    assert layout.zones == {STOCK: slots(*range(12))}
    with pytest.raises(TypeError):
        layout.zones[DISCARD] = ()  # type: ignore[index]  # what the test is about
    with pytest.raises(TypeError):
        Layout().zones[DISCARD] = ()  # type: ignore[index]  # what the test is about


def test_zones_of_different_seats_and_names_are_different_places() -> None:
    layout = Layout().placed(slots(1), hand(Seat(0))).placed(slots(2), hand(Seat(1)))
    layout = layout.placed(slots(3), Zone("hand"))
    assert layout.at(hand(Seat(0))) == slots(1)
    assert layout.at(hand(Seat(1))) == slots(2)
    assert layout.at(Zone("hand")) == slots(3)
    assert layout.at(Zone("row", Seat(0))) == ()
    assert Layout().at(STOCK) == ()


def test_errors_name_what_is_wrong_and_change_nothing() -> None:
    layout = start().moved(slots(5, 6), STOCK, DISCARD)
    assert_refused(Reason.DECK_ZONE, layout, "where", SlotId(99))
    assert_refused(Reason.DECK_ZONE, layout, "removed", slots(5), STOCK)
    assert_refused(Reason.DECK_ZONE, layout, "removed", slots(1, 5), STOCK)
    assert_refused(Reason.DECK_ZONE, layout, "removed", slots(1), hand(Seat(0)))
    assert_refused(Reason.DECK_SLOT_TWICE, layout, "removed", slots(1, 2, 1), STOCK)
    assert_refused(Reason.DECK_ZONE, layout, "moved", slots(5), STOCK, DISCARD)
    assert_refused(Reason.DECK_SLOT_TWICE, layout, "moved", slots(1, 1), STOCK, DISCARD)
    assert_refused(Reason.DECK_ZONE, layout, "exchanged", SlotId(1), SlotId(99))
    assert_refused(Reason.DECK_ZONE, layout, "exchanged", SlotId(99), SlotId(1))


def test_a_slot_is_not_placed_where_one_like_it_lies_already() -> None:
    layout = start().moved(slots(5, 6), STOCK, DISCARD)
    assert_refused(Reason.DECK_SLOT_TWICE, layout, "placed", slots(20, 20), DISCARD)
    assert_refused(Reason.DECK_SLOT_TWICE, layout, "placed", slots(5), DISCARD)
    assert_refused(Reason.DECK_SLOT_TWICE, layout, "placed", slots(5), hand(Seat(0)))


def test_a_successor_is_a_slot_that_lies_nowhere() -> None:
    layout = start()
    assert_refused(Reason.DECK_SLOT_TWICE, layout, "replaced", {SlotId(1): SlotId(2)})
    twice = {SlotId(1): SlotId(99), SlotId(2): SlotId(99)}
    assert_refused(Reason.DECK_SLOT_TWICE, layout, "replaced", twice)
