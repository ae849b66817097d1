"""Near peers: who is sent what in an authored step, and what becomes of it when somebody fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from nodealer.bots import bot_for
from nodealer.games.registry import game
from nodealer.keeping import Surroundings
from nodealer.keeping.held_seals import HOLD_US, MAY_BE_NEAR_US, NEAR_US
from nodealer.keeping.reminders import PAUSE_US
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import LedgerMessage, Ready, read
from nodealer.ledger.messages import Contributed, Entry, Proposal, Sealed, Status
from nodealer.node.auto import is_asked, play_by
from nodealer.node.keeper import Keeper, neighbour
from nodealer.node.transport.link import Link
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.timing import SECOND_US
from nodealer.table import Table
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle, name_of
from tests.node.test_tables import verdicts

HOLD_SECONDS, PAUSE_SECONDS = HOLD_US / SECOND_US, PAUSE_US / SECOND_US

NEAR_SECONDS, FAR_SECONDS = 0.001, 0.075
"""One way; a far author has all seals in three times as long as a held seal waits."""

MOMENT_SECONDS = 0.01
"""Far less than a seal is held, and enough for a near step."""

SETTLING_SECONDS = 5.0
"""All links are up by then, and their round trips were measured."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that somebody was sent."""

    at: float
    sender: Seat
    to: Seat | None
    message: LedgerMessage


class Company:
    """A table at which somebody is asked for an action, and all that is sent from then on."""

    def __init__(self, circle: Circle, keepers: Sequence[Keeper], heard: list[Heard]) -> None:
        self.circle = circle
        self.heard = heard
        (self.author,) = (one for one in keepers if is_asked(one.table))
        self.others = [one for one in keepers if one is not self.author]
        self.parent = self.author.table.ledger.tip

    async def act(self) -> None:
        """Do what a bot would do in the seat of the author."""
        table = self.author.table
        chosen = bot_for(game("macaua")).choose(table.view(), table.legal(), Chance("one"))
        await self.author.act(chosen)

    async def taken(self, *keepers: Keeper) -> float:
        """Return when all of these have taken an entry over the parent."""
        for one in keepers or (self.author, *self.others):
            while one.table.ledger.tip.height == self.parent.height:
                await one.changed()
        return trio.current_time()

    def kinds(self) -> dict[str, int]:
        """Return how many messages there were of the step, and how many said where a seat is."""
        entry = self.author.table.ledger.tip.at(self.parent.height + 1)
        found = Counter(type(one.message).__name__ for one in self.heard if _is_about(one, entry))
        return dict(found)

    def said(self, one: Keeper, to: Keeper) -> list[Heard]:
        """Return what a seat was sent by another, in this order."""
        return [each for each in self.heard if (each.sender, each.to) == (one.seat, to.seat)]

    def statuses(self, one: Keeper, to: Keeper) -> list[Heard]:
        """Return what a seat has told another about where it stands."""
        return [each for each in self.said(one, to) if isinstance(each.message, Status)]

    def measured(self, one: Keeper, other: Keeper, round_trip_us: int) -> None:
        """Let two seats have measured such a round trip between them."""
        for here, there in ((one, other), (other, one)):
            measured(link_between(here, there), round_trip_us)


def _is_about(one: Heard, entry: object) -> bool:
    named = getattr(entry, "id", None)
    match one.message:
        case Proposal(content=content) | Entry(content=content):
            return content.id == named
        case Sealed(seal=seal):
            return seal.entry == named
        case _:
            return isinstance(one.message, Status)


def measured(link: Link, *round_trips_us: int) -> None:
    """Let these be the round trips of a link that were measured last."""
    samples = link.session.pulse._samples
    samples.clear()
    samples.extend(round_trips_us)


def is_near(link: Link) -> bool:
    seat = Seat(0)
    return Surroundings(0, 0, {seat: neighbour(link)}).are_within([seat], NEAR_US)


def link_between(here: Keeper, there: Keeper) -> Link:
    assert there.seat is not None
    link = here.link_to(there.seat)
    assert link is not None
    return link


@asynccontextmanager
async def company(
    folder: Path, seats: int, latency: float, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Company]:
    circle = Circle(folder, seats)
    circle.found()
    circle.ether.latency_seconds = latency
    heard: list[Heard] = []
    receive = Keeper.receive

    async def listened(self: Keeper, data: bytes, sender: Seat) -> None:
        heard.append(Heard(trio.current_time(), sender, self.seat, read(data)))
        await receive(self, data, sender)

    monkeypatch.setattr(Keeper, "receive", listened)
    async with AsyncExitStack() as stack:
        keepers = [await stack.enter_async_context(circle.at_table(s)) for s in circle.seats]
        await trio.sleep(SETTLING_SECONDS)
        while not any(is_asked(one.table) for one in keepers):
            await keepers[0].changed()
        await trio.sleep(SETTLING_SECONDS)
        heard.clear()
        yield Company(circle, keepers, heard)


def when_sealed(keeper: Keeper, do: Callable[[], None]) -> None:
    """Do something as soon as a seat has sealed a step and said so."""

    def look(table: Table, ready: Ready) -> None:
        del table
        if any(isinstance(one, Sealed) for one in ready.persist):
            do()

    keeper.observers.add(look)


def only_to(keeper: Keeper, *reached: Keeper) -> None:
    """Let a seat send to these alone from now on."""
    to, link_to = {one.seat for one in reached}, keeper.link_to
    keeper.link_to = lambda seat: link_to(seat) if seat in to else None


@pytest.mark.parametrize("seats", [3, 4])
def test_near_peers_spend_one_message_of_each_kind_on_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    async def main() -> None:
        async with company(tmp_path, seats, NEAR_SECONDS, monkeypatch) as table:
            began = trio.current_time()
            await table.act()
            assert await table.taken() - began < MOMENT_SECONDS
            await trio.sleep(2 * HOLD_SECONDS)
            once = seats - 1
            assert table.kinds() == {"Proposal": once, "Sealed": once, "Entry": once}

    in_virtual_time(main)


def test_far_peers_send_all_to_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with company(tmp_path, 3, FAR_SECONDS, monkeypatch) as table:
            began = trio.current_time()
            await table.act()
            assert await table.taken() - began < 2 * FAR_SECONDS + MOMENT_SECONDS
            await trio.sleep(1)
            assert table.kinds() == {"Proposal": 2, "Sealed": 4}

    in_virtual_time(main)


def test_of_two_seats_nothing_is_held_and_nothing_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with company(tmp_path, 2, NEAR_SECONDS, monkeypatch) as table:
            await table.act()
            await trio.sleep(1)
            assert table.kinds() == {"Proposal": 1, "Sealed": 1}

    in_virtual_time(main)


@pytest.mark.parametrize("is_author_far", [False, True])
def test_a_seat_holds_nothing_if_anybody_is_far_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_author_far: bool
) -> None:
    """The author would have its seal late, and the far one all that comes after it."""

    async def main() -> None:
        async with company(tmp_path, 3, NEAR_SECONDS, monkeypatch) as table:
            far, near = table.others
            table.measured(far, table.author if is_author_far else near, NEAR_US)
            await table.act()
            await table.taken()
            await trio.sleep(2 * HOLD_SECONDS)
            seals = 3 if is_author_far else 4
            assert table.kinds() == {"Proposal": 2, "Sealed": seals, "Entry": 2}

    in_virtual_time(main)


@pytest.mark.parametrize("count", [1, 2])
def test_an_author_that_measures_somebody_as_far_repeats_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """The others hold their seals for it all the same, and let them go."""

    async def main() -> None:
        async with company(tmp_path, 3, NEAR_SECONDS, monkeypatch) as table:
            for other in table.others[:count]:
                measured(link_between(table.author, other), MAY_BE_NEAR_US)
            began = trio.current_time()
            await table.act()
            assert HOLD_SECONDS < await table.taken() - began < HOLD_SECONDS + MOMENT_SECONDS
            assert table.kinds() == {"Proposal": 2, "Sealed": 4}

    in_virtual_time(main)


def test_nobody_is_near_who_was_not_measured_or_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with company(tmp_path, 3, NEAR_SECONDS, monkeypatch) as table:
            link = link_between(table.others[0], table.author)
            assert is_near(link)
            table.circle.ether.cut(name_of(Seat(table.author.seat or 0)))
            while link.state is LinkState.UP:
                await link.changed()
            assert link.session.pulse.least_rtt_us is not None
            assert not is_near(link)
            await trio.sleep(SETTLING_SECONDS)
            assert is_near(link)
            measured(link)
            assert not is_near(link)
            began = trio.current_time()
            await table.act()
            assert await table.taken() - began < MOMENT_SECONDS
            assert table.kinds()["Sealed"] == 3

    in_virtual_time(main)


def test_what_is_over_an_entry_comes_behind_it_and_nobody_has_to_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who hears of an entry that it lacks says where it stands; in a whole game nobody does.

    The last author seals the close in the batch in which it takes its entry.
    """

    async def main() -> None:
        async with company(tmp_path, 3, NEAR_SECONDS, monkeypatch) as table:
            async with trio.open_nursery() as nursery:
                for one in (table.author, *table.others):
                    chance = Chance("bot", one.seat or 0)
                    nursery.start_soon(play_by, one, bot_for(game("macaua")), chance)
            kinds = {type(one.message) for one in table.heard}
            assert {Entry, Contributed} <= kinds
            assert Status not in kinds

    in_virtual_time(main)


@pytest.mark.parametrize("is_broken", [False, True])
def test_an_author_that_falls_silent_costs_the_others_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_broken: bool
) -> None:
    """It stands still with all its connections, or is cut off."""

    async def main() -> None:
        async with company(tmp_path, 3, NEAR_SECONDS, monkeypatch) as table:
            ether, author = table.circle.ether, table.author.seat
            assert author is not None

            def fall_silent() -> None:
                for other in table.others if is_broken else ():
                    ether.part(name_of(author), name_of(Seat(other.seat or 0)))
                if not is_broken:
                    ether.hold(name_of(author))

            when_sealed(table.others[1], fall_silent)
            began = trio.current_time()
            await table.act()
            took = await table.taken(*table.others) - began
            # Who is cut off may notice it sooner, and what it says then takes along what it holds.
            assert is_broken or took >= HOLD_SECONDS
            assert took < HOLD_SECONDS + MOMENT_SECONDS
            ether.heal()
            ether.release(name_of(author))
            await table.taken(table.author)
            tips = {one.table.ledger.tip.id for one in (table.author, *table.others)}
            assert len(tips) == 1

    in_virtual_time(main)


def test_an_author_that_sends_its_entry_to_one_seat_alone_costs_the_other_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies, or has crashed between two sends; who has the entry has not told its own seal."""

    async def main() -> None:
        async with company(tmp_path, 3, NEAR_SECONDS, monkeypatch) as table:
            chosen, other = table.others
            began = trio.current_time()
            await table.act()
            only_to(table.author, chosen)
            await table.taken(chosen)
            took = await table.taken(other) - began
            assert PAUSE_SECONDS <= took < 2 * PAUSE_SECONDS + HOLD_SECONDS
            (asked,) = table.statuses(other, chosen)
            assert PAUSE_SECONDS <= asked.at - began <= took

    in_virtual_time(main)


def test_who_waits_for_an_entry_asks_again_less_and_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has it while a seat keeps its seal back; where nothing is sealed nobody asks."""

    async def main() -> None:
        async with company(tmp_path, 3, NEAR_SECONDS, monkeypatch) as table:
            awake, silent = table.others
            await trio.sleep(2 * PAUSE_SECONDS)
            assert table.heard == []
            only_to(silent)
            await table.act()
            await trio.sleep(0.5 * PAUSE_SECONDS)
            begun = trio.current_time()
            await trio.sleep(8 * PAUSE_SECONDS)
            asked = [one.at - begun for one in table.statuses(awake, table.author)]
            # Once the ledger asks as well, when the time to answer is over.
            assert sorted({round(at - asked[0]) for at in asked}) == [0, 1, 3, 7]

    in_virtual_time(main)


def test_what_is_held_leaves_before_the_next_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the order of a seat's own words stays; what the others hold is held on."""

    async def main() -> None:
        async with company(tmp_path, 4, NEAR_SECONDS, monkeypatch) as table:
            speaking, quiet, hearing = table.others
            await table.act()
            only_to(table.author)
            while table.parent.id not in speaking.table.ledger.own.seals:
                await speaking.changed()
            await speaking.tell()
            await trio.sleep(MOMENT_SECONDS)
            said = [type(one.message) for one in table.said(speaking, hearing)]
            assert said[:2] == [Sealed, Status]
            assert table.said(quiet, hearing) == []

    in_virtual_time(main)


def test_what_is_held_leaves_when_the_program_ends(tmp_path: Path) -> None:
    """Else the others would wait for it until it comes back, or is left out."""
    circle = Circle(tmp_path, 3)
    circle.found()
    circle.ether.latency_seconds = NEAR_SECONDS

    async def main() -> None:
        keepers: dict[Seat, Keeper] = {}
        ends = {seat: trio.Event() for seat in circle.seats}

        async def sit(seat: Seat) -> None:
            async with circle.at_table(seat) as keeper:
                keepers[seat] = keeper
                await ends[seat].wait()

        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(sit, seat)
            await trio.sleep(2 * SETTLING_SECONDS)
            table = Company(circle, list(keepers.values()), [])
            ending, staying = table.others
            assert ending.seat is not None
            when_sealed(ending, ends[ending.seat].set)
            began = trio.current_time()
            await table.act()
            only_to(table.author)
            assert await table.taken(staying) - began < HOLD_SECONDS + MOMENT_SECONDS
            for end in ends.values():
                end.set()

    in_virtual_time(main)


def test_near_nodes_and_a_spectator_play_a_whole_game(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 3)
    circle.found()
    circle.ether.latency_seconds = NEAR_SECONDS
    seen = circle.played_and_watched(tmp_path / "spectator")
    assert len({tuple(circle.entries(seat)) for seat in circle.seats}) == 1
    assert seen == circle.entries(Seat(0))
    assert len(verdicts(circle)) == len(circle.seats)
