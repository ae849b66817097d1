"""Whoever asks is answered, and nobody is sent without end for asking."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import Height, Seat
from nodealer.kernel.rates import Rate
from nodealer.ledger import LedgerMessage, Ready, allowance, recover
from nodealer.ledger.allowance import ALLOWANCE, UNIT_BYTES, units
from nodealer.ledger.catch_up import ENTRIES_MAX, entry_message, status_of
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import Contributed, Entry, Memory, Recall, Status, Voted
from nodealer.ledger.objects import NO_PARENT, Contribution, Keep, Vote
from tests.ledger.telling import opened
from tests.ledger.test_catch_up import LONG
from tests.ledger.world import World

ONE, LIAR, OTHER = Seat(0), Seat(1), Seat(2)

STINGY = Rate(at_once=100, each=10)


def played() -> World:
    """Return a table with a history that is longer than what one answer holds."""
    world = opened(LONG)
    world.play(steps=400)
    world.settle()
    assert world.ledgers[ONE].tip.height > ENTRIES_MAX
    return world


def asking(world: World, seat: Seat, height: int = 0) -> Status:
    """Return the status of a seat that says to have nothing above a height."""
    link = world.ledgers[ONE].tip.at(height)
    assert link is not None
    status = status_of(Draft(world.ledgers[seat]))
    return replace(status, height=Height(height), tip=link.id)


def told(world: World, message: LedgerMessage, sender: Seat) -> Ready:
    return world.take(ONE, world.ledgers[ONE].receive(message, sender))


def cost(ready: Ready) -> int:
    return sum(units(out.message) for out in ready.send)


def test_who_asks_all_the_time_is_sent_no_more_than_its_allowance() -> None:
    world = played()
    question, all_sent = asking(world, LIAR), 0
    start = world.ledgers[ONE].now
    for number in range(1_000):
        all_sent += cost(told(world, question, LIAR))
        if number % 10 == 0:
            all_sent += cost(world.take(ONE, world.ledgers[ONE].tick(start + number)))
    one_answer = ENTRIES_MAX * 4
    assert all_sent <= ALLOWANCE.within(1_000) + one_answer
    # No other seat has less for it.
    ready = told(world, asking(world, OTHER), OTHER)
    assert sum(isinstance(out.message, Entry) for out in ready.send) == ENTRIES_MAX


def test_a_question_that_waits_is_answered_when_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "ALLOWANCE", STINGY)
    world = played()
    question = asking(world, LIAR)
    while told(world, question, LIAR).send:
        pass
    table = world.ledgers[ONE].fixed.charter.table
    assert not told(world, Recall(table, LIAR), LIAR).send
    # The last one stands for all before it.
    last = asking(world, LIAR, world.ledgers[ONE].tip.height - 2)
    ready = told(world, last, LIAR)
    assert not ready.send
    assert ready.wake is not None
    early = world.take(ONE, world.ledgers[ONE].tick(ready.wake - 1))
    assert not early.send
    assert early.wake == ready.wake
    kinds: list[type] = []
    wake: int | None = ready.wake
    while wake is not None and len(world.ledgers[ONE].asking) > 0:
        late = world.take(ONE, world.ledgers[ONE].tick(wake))
        kinds += [type(out.message) for out in late.send if out.to == LIAR]
        wake = late.wake
    assert kinds.count(Entry) == 2
    assert kinds.count(Memory) == 1
    assert not world.ledgers[ONE].asking


def test_a_seat_that_comes_back_gets_everything_however_little_there_is_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(allowance, "ALLOWANCE", Rate(at_once=1, each=1_000))
    world = opened(LONG)
    old = list(world.journals[OTHER])
    world.play(steps=400)
    world.take(OTHER, recover(world.fixed(OTHER), world.start, old))
    world.take(OTHER, world.ledgers[OTHER].recall())
    for _ in range(200):
        world.settle()
        if world.ledgers[OTHER].suspect is None and len(world.tips()) == 1:
            break
        for seat in world.charter.seats:
            wake = world.wakes[seat]
            if wake is not None:
                now = max(wake, world.ledgers[seat].now)
                world.take(seat, world.ledgers[seat].tick(now))
    assert world.ledgers[OTHER].suspect is None
    assert len(world.tips()) == 1


def test_nobody_asks_for_another_seat() -> None:
    world = played()
    question = asking(world, OTHER)
    ready = told(world, question, LIAR)
    assert not ready.send
    assert not world.ledgers[ONE].asking
    assert world.ledgers[ONE].counts["ledger/wrong-sender"] == 1


def test_long_messages_count_for_more() -> None:
    world = played()
    tip = world.ledgers[ONE].tip
    entry = next(entry_message(link) for link in tip.downwards() if link.contributions)
    one = entry.contributions[0]
    long = Contribution(
        one.table, one.height, one.parent, one.seat, ((b"x", bytes(3 * UNIT_BYTES)),), (), b""
    )
    assert units(Recall(one.table, ONE)) == 1
    assert units(entry) == 1
    assert units(Contributed(long)) == 4
    assert units(replace(entry, contributions=(long, long))) == 7
    vote = Vote(one.table, one.height, NO_PARENT, 0, 1, Keep(tip.id, 0), ONE, b"")
    assert units(Voted(vote, (), replace(entry, contributions=(long,)))) == 4
    assert units(Voted(vote)) == 1
