"""When a seat answers tells nobody what it holds: delays, windows, and who says nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
import trio

from nodealer.bots import bot_for
from nodealer.games.api import Choice, action
from nodealer.games.registry import game
from nodealer.keeping import (
    TICKS_IN_A_SECOND,
    Answering,
    let_pass_alone,
    no_delay,
    passes_alone,
)
from nodealer.keeping.answering import HeldAnswer
from nodealer.kernel import LocalError, Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import Ready
from nodealer.node.auto import is_asked, play_by
from nodealer.node.farewell import stay
from nodealer.node.keeper import drawn_delay
from nodealer.table import Table
from tests.games.barter import BARTER, HURRIED, Barter
from tests.games.installed import beside_us, install
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle
from tests.store.players import charter_for
from tests.support.circle import circle

SECOND = TICKS_IN_A_SECOND


@pytest.mark.parametrize("window", [1, 2, 3, 9, 60])
def test_a_delay_is_drawn_between_a_second_and_a_third_of_the_window(window: int) -> None:
    drawn = [drawn_delay(window) for _ in range(400)]
    most = window * SECOND // 3
    assert min(SECOND, most) <= min(drawn) <= max(drawn) <= most
    if window == 60:
        assert min(drawn) < 2 * SECOND
        assert max(drawn) > 19 * SECOND


def test_without_a_window_it_is_up_to_ten_seconds() -> None:
    drawn = [drawn_delay(0) for _ in range(400)]
    assert SECOND <= min(drawn) < 2 * SECOND
    assert 9 * SECOND < max(drawn) <= 10 * SECOND
    assert no_delay(60) == 0


def asked(window: int = 0, salt: object = "answering") -> Table:
    """Return the table of seat 1, which is asked."""
    made = circle(3, Barter(window=window), salt=salt)
    made.act(Seat(0), action("call"))
    return made.tables[Seat(1)]


def answering(table: Table, delay: int = 500, *, passes_alone: bool = False) -> Answering:
    return Answering(lambda _: delay, passes_alone=passes_alone).heeding(table, 1000)


def test_an_answer_is_held_back_until_its_time_however_early_it_was_made() -> None:
    table = asked()
    made = answering(table)
    assert not answering(table).due, "without a window the node waits for its player"
    made, *done = made.act(table, action("agree"))
    assert done == [table, Ready()]
    assert made.has_said
    assert made.due == 1500
    assert made.answer(table, 1499) is None
    assert made.answer(table, 1500) == action("agree")


def test_a_question_is_answered_once_and_by_what_can_be_said() -> None:
    table = asked()
    made = answering(table)
    with pytest.raises(LocalError):
        made.act(table, action("wait"))
    made, *_ = made.act(table, action("agree"))
    again = action("agree")
    with pytest.raises(LocalError):
        made.act(table, again)


def test_who_says_nothing_says_the_default_when_the_window_is_over() -> None:
    table = asked(window=4)
    made = answering(table)
    assert made.due == made.passes_at == 1000 + 4 * SECOND
    assert made.answer(table, 1000 + 4 * SECOND - 1) is None
    assert made.answer(table, 1000 + 4 * SECOND) == action("agree")


def test_a_window_ends_no_earlier_than_the_delay() -> None:
    choice = Choice("p", "agree", (Seat(1),), (Seat(1),), ("agree",), 1)
    assert HeldAnswer(asked().ledger.tip.id, choice, 0, 5000).due == 5000


@pytest.mark.parametrize("passes", [False, True])
def test_a_player_who_can_say_nothing_else_may_let_the_default_be_said(passes: bool) -> None:
    for seat in (Seat(1), Seat(2)):
        made = circle(3, Barter(), salt=("alone", seat))
        made.act(Seat(0), action("call"))
        table = made.tables[seat]
        is_alone = table.legal() == (action("agree"),)
        held = answering(table, passes_alone=passes)
        assert held.due == (1500 if is_alone and passes else None)


def test_a_question_that_is_over_is_forgotten_and_a_turn_is_no_question() -> None:
    made = circle(3, Barter(), salt="answering")
    turn = made.tables[Seat(0)]
    held = answering(turn)
    assert held.due is None
    held, after, _ = held.act(turn, action("call"))
    assert held.due is None
    assert after is not turn
    table = asked()
    other = answering(table)
    other, *_ = other.act(table, action("agree"))
    assert other.answer(turn, 5000) is None
    after, ready = table.act(action("agree"))
    other = other.heeding(after, 1200)
    assert other.due is None
    assert ready.send
    assert other.answer(after, 5000) is None


def test_the_delay_of_a_question_is_drawn_once() -> None:
    table = asked()
    drawn: list[int] = []

    def draw(window: int) -> int:
        drawn.append(window)
        return 7

    made = Answering(draw)
    for now in (10, 20, 30):
        made = made.heeding(table, now)
    assert drawn == [0]
    made, *_ = made.act(table, action("agree"))
    assert made.due == 17


@pytest.mark.parametrize("window", [0, 9, 60])
def test_when_an_answer_leaves_follows_from_the_window_and_from_chance_alone(
    window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the same chance all commit at the same times: who could object, who not, who decides."""

    def times(table: Table, *, passes: bool, decides: bool) -> list[int]:
        chance, found = Chance("times", window), []
        monkeypatch.setattr("secrets.choice", chance.pick)
        for began in range(0, 60_000, 1000):
            made = Answering(drawn_delay, passes_alone=passes).heeding(table, began)
            if decides:
                made, *_ = made.act(table, action("agree"))
            assert made.due is not None
            found.append(made.due - began)
        return found

    bare, able = (
        next(table for salt in range(20) if (len((table := asked(window, salt)).legal()) > 1) is so)
        for so in (False, True)
    )
    decided = times(able, passes=False, decides=True)
    assert len(set(decided)) > 40
    assert times(bare, passes=False, decides=True) == decided
    assert times(bare, passes=True, decides=True) == decided
    assert times(bare, passes=True, decides=False) == decided
    assert min(decided) >= SECOND


def test_the_wish_to_pass_alone_is_remembered_in_the_journal(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()
    with closing(circle.journal(Seat(0))) as journal:
        assert not passes_alone(journal)
        let_pass_alone(journal, passes=True)
    with closing(circle.journal(Seat(0))) as journal:
        assert passes_alone(journal)
        let_pass_alone(journal, passes=False)
        assert not passes_alone(journal)


# Whole nodes.


def barter_of(folder: Path, window: int) -> Circle:
    """Return two players who sit down at a table of barter, by rules that are installed."""
    circle = Circle(folder, 2)
    circle.charter = charter_for(2, rules=game("hurried-barter" if window else "barter"))
    circle.found()
    return circle


def in_barter(folder: Path, main: Callable[[], Awaitable[None]]) -> None:
    points = {one.id: f"tests.games.barter:{name}" for name, one in INSTALLED.items()}
    install(folder / "games", "barter", points)
    with beside_us(folder / "games"):
        in_virtual_time(main)


INSTALLED = {"BARTER": BARTER, "HURRIED": HURRIED}


def test_nodes_hold_answers_back_and_the_game_ends(tmp_path: Path) -> None:
    async def play(circle: Circle, seat: Seat) -> None:
        async with circle.at_table(seat) as keeper:
            await play_by(keeper, bot_for(game("barter")), Chance("bot", seat))
            await stay(keeper, 60)

    async def main() -> None:
        circle = barter_of(tmp_path, 0)
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(play, circle, seat)

    in_barter(tmp_path, main)


def test_a_node_says_the_default_for_a_player_who_is_away(tmp_path: Path) -> None:
    async def main() -> None:
        circle = barter_of(tmp_path, HURRIED.window)
        async with AsyncExitStack() as stack:
            ana = await stack.enter_async_context(circle.at_table(Seat(0)))
            bea = await stack.enter_async_context(circle.at_table(Seat(1)))
            while not is_asked(ana.table):
                await ana.changed()
            await ana.act(action("call"))
            while not is_asked(bea.table):
                await bea.changed()
            began = trio.current_time()
            while bea.table.view().owes_choice:
                await bea.changed()
            took = trio.current_time() - began
            assert HURRIED.window <= took < HURRIED.window + 2

    in_barter(tmp_path, main)


def test_a_player_who_answers_at_once_is_heard_after_the_delay(tmp_path: Path) -> None:
    async def main() -> None:
        circle = barter_of(tmp_path, 0)
        async with AsyncExitStack() as stack:
            ana = await stack.enter_async_context(circle.at_table(Seat(0)))
            bea = await stack.enter_async_context(circle.at_table(Seat(1)))
            while not is_asked(ana.table):
                await ana.changed()
            await ana.act(action("call"))
            while not is_asked(bea.table):
                await bea.changed()
            began = trio.current_time()
            await bea.act(action("agree"))
            assert bea.answering.has_said
            with pytest.raises(LocalError):
                await bea.act(action("agree"))
            while bea.table.view().owes_choice:
                await bea.changed()
            assert 1 <= trio.current_time() - began <= 11

    in_barter(tmp_path, main)


@pytest.mark.parametrize("passes", [False, True])
def test_a_node_says_the_default_for_a_player_who_has_asked_for_that(
    tmp_path: Path, passes: bool
) -> None:
    async def main() -> None:
        circle = barter_of(tmp_path, 0)
        with closing(circle.journal(Seat(1))) as journal:
            let_pass_alone(journal, passes=passes)
        async with AsyncExitStack() as stack:
            ana = await stack.enter_async_context(circle.at_table(Seat(0)))
            bea = await stack.enter_async_context(circle.at_table(Seat(1)))
            while not is_asked(ana.table):
                await ana.changed()
            await ana.act(action("call"))
            while not is_asked(bea.table):
                await bea.changed()
            assert bea.table.legal() == (action("agree"),)
            began = trio.current_time()
            with trio.move_on_after(15):
                while bea.table.view().owes_choice:
                    await bea.changed()
            assert bea.table.view().owes_choice is not passes
            assert not passes or 1 <= trio.current_time() - began <= 11

    in_barter(tmp_path, main)
