"""What holds for every order, every loss and every repetition of messages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import Seat
from nodealer.ledger import Ledger, LedgerMessage, read
from nodealer.ledger.messages import Sealed
from tests.ledger.forge import Forger
from tests.ledger.telling import finish, opened
from tests.ledger.world import World

SCRIPT = ("turn", "due", "chain", "bind", "turn", "close")


def shape(ledger: Ledger) -> tuple[object, ...]:
    """Return what a ledger has come to, without the order in which it came there."""
    desk = ledger.desk
    return (
        ledger.tip.id,
        ledger.tip.rank,
        frozenset(desk.contributions),
        frozenset((entry, seat) for entry, by in desk.seals.items() for seat in by),
        frozenset((number, seat) for number, by in desk.votes.items() for seat in by),
        frozenset(desk.followed),
        frozenset(ledger.proven),
        frozenset(ledger.own.seals),
    )


def step(kind: str) -> tuple[World, list[LedgerMessage]]:
    """Return a world, and what seat 1 is told in one step of this kind."""
    world = opened((kind, "turn", "close"), 4)
    link = world.ledgers[Seat(1)].tip
    world.gone.add(Seat(1))
    if kind == "turn":
        world.answer(Seat(0))
    else:
        for seat in (0, 2, 3):
            world.answer(Seat(seat))
    told = [read(data) for _, to, data in world.wires if to == Seat(1)]
    world.settle()
    if kind == "turn":
        entry = next(iter(world.ledgers[Seat(0)].desk.followed))
        told += [Sealed(Forger(world, seat).seal(link, entry)) for seat in (0, 2, 3)]
    return world, told


STEPS = {kind: step(kind) for kind in ("turn", "due", "bind")}


@given(st.sampled_from(sorted(STEPS)), st.data())
def test_the_order_of_messages_makes_no_difference(kind: str, data: st.DataObject) -> None:
    world, told = STEPS[kind]
    straight = shuffled = world.ledgers[Seat(1)]
    for message in told:
        straight, _ = straight.receive(message)
    for message in data.draw(st.permutations(told)):
        shuffled, _ = shuffled.receive(message)
    assert shape(shuffled) == shape(straight)


@given(st.sampled_from(sorted(STEPS)), st.data())
def test_what_is_received_twice_is_passed_over(kind: str, data: st.DataObject) -> None:
    world, told = STEPS[kind]
    ledger = world.ledgers[Seat(1)]
    for message in told:
        ledger, _ = ledger.receive(message)
    again = ledger
    for message in data.draw(st.lists(st.sampled_from(told), max_size=6)):
        again, ready = again.receive(message)
        assert not ready.persist
    assert shape(again) == shape(ledger)
    assert again.counts == ledger.counts


@given(st.integers(0, 2**32), st.integers(0, 60))
def test_however_messages_are_lost_nobody_is_named_and_nobody_differs(seed: int, lost: int) -> None:
    """A lottery decides what is lost and in which order the rest arrives; then the links heal."""
    world = opened(SCRIPT, 4)
    state = seed
    for turn in range(120):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        if world.wires:
            if (state >> 33) % 100 < lost:
                world.wires.pop((state >> 40) % len(world.wires))
            else:
                world.deliver((state >> 40) % len(world.wires))
        else:
            world.act()
        if turn % 20 == 19:
            world.pass_time(11)
    finish(world, 40, 20)
    live = {seat for seat, ledger in world.ledgers.items() if not ledger.own.is_out}
    assert not world.accused()
    assert len({world.ledgers[seat].tip.id for seat in live}) == 1
    assert any(world.log(seat)[-1] == "close" for seat in live)


def test_a_ledger_is_a_value() -> None:
    world = opened(SCRIPT)
    before = world.ledgers[Seat(1)]
    shape_before = shape(before)
    author = Forger(world, 0)
    message = author.proposal(before.tip, b"x")
    one, ready = before.receive(message)
    other, again = before.receive(message)
    assert ready == again
    assert shape(one) == shape(other)
    assert shape(before) == shape_before
