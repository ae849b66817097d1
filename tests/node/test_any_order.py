"""Whatever connections do, payloads arrive once and in order; and after healing, all of them.

Hypothesis chooses what happens: connections open, one end hears of them before the other, bytes
arrive in pieces and late, on old connections after newer ones, connections break on one side first,
programs restart, time passes.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nodealer.node.transport.states import LinkState
from tests.node.pair import SECONDS, Pair

OPEN, LEARN, SEND, DELIVER, TAKE, LOSE, WAIT, RESTART, SETTLE = range(9)

USUAL = [OPEN, LEARN, SEND, SEND, SEND, *[DELIVER] * 4, TAKE, TAKE, LOSE, WAIT, SETTLE, SETTLE]
ENDS, WIRES = st.integers(0, 1), st.integers(0, 2)
AMOUNTS = st.sampled_from([1, 5, 30, 60, 200, 10_000])

ACTS = st.lists(st.tuples(st.sampled_from(USUAL), ENDS, WIRES, AMOUNTS), min_size=20, max_size=150)
WITH_RESTARTS = st.lists(
    st.tuples(st.sampled_from([*USUAL, RESTART]), ENDS, WIRES, AMOUNTS), min_size=20, max_size=150
)


def act(pair: Pair, what: int, end: int, which: int, amount: int) -> None:
    """Let one thing happen."""
    # One of the latest: old ones are mostly dead.
    wire = pair.wires[-1 - which % len(pair.wires)] if pair.wires else None
    match what:
        case 0:
            pair.open(*([end] if amount > 100 else []))
        case 2:
            payload = b"%d:%d:%d" % (end, pair.runs, len(pair.offered[end]))
            pair.send(end, payload + b"." * min(amount, 200))
        case 4:
            pair.take(end)
        case 6:
            pair.pass_time(min(amount, 200) * SECONDS // 200)
        case 7:
            pair.restart(end)
        case 1 if wire is not None and not wire.is_broken:
            pair.learn(wire, end)
        case 3 if wire is not None:
            pair.deliver(wire, end, amount)
        case 5 if wire is not None:
            pair.lose(wire, end)
        case 8:
            pair.settle()
        case _:
            pass
    check(pair)


def check(pair: Pair) -> None:
    """Require that what was taken since the last marker is a piece of what was sent, in order."""
    for end in (0, 1):
        assert pair.sessions[end].refusal is None, pair.sessions[end].refusal
        taken, sent = pair.payloads(end), pair.offered[1 - end]
        if taken and taken[0] in sent:  # else they are from a run that is over
            first = sent.index(taken[0])
            assert taken == sent[first : first + len(taken)]


def heal(pair: Pair) -> None:
    """End all connections, open a good one and let everything come to rest."""
    for wire in pair.wires:
        for end in (0, 1):
            pair.lose(wire, end)
            wire.is_known[end] = True
    pair.wires.clear()
    pair.connect()
    pair.pass_time(SECONDS)
    pair.settle()


@given(ACTS)
def test_everything_arrives_once_and_in_order(acts: list[tuple[int, int, int, int]]) -> None:
    pair = Pair()
    for one in acts:
        act(pair, *one)
    heal(pair)
    for end in (0, 1):
        assert pair.payloads(end) == pair.offered[1 - end]
        assert len(pair.sessions[1 - end].outbox) == 0


@given(WITH_RESTARTS)
def test_restarts_begin_anew_and_lose_nothing_after(acts: list[tuple[int, int, int, int]]) -> None:
    pair = Pair()
    for one in acts:
        act(pair, *one)
    heal(pair)
    for end in (0, 1):
        assert pair.sessions[end].state is LinkState.UP
        assert len(pair.sessions[end].outbox) == 0
    for end in (0, 1):
        assert pair.send(end, b"last")
    pair.settle()
    assert [pair.payloads(end)[-1:] for end in (0, 1)] == [[b"last"], [b"last"]]
    check(pair)
