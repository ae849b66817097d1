"""The memory of a replay: it saves work, is bounded, and never changes an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import cast

import pytest

from nodealer.cards import Board, Zone
from nodealer.cards.zones import Layout
from nodealer.kernel import EntryId, PeerError, Seat, SlotId
from nodealer.kernel.chance import Chance
from nodealer.ledger import Authored, Closed, Given, Moment
from nodealer.table import Replay
from nodealer.table.position import _cards_encoded
from nodealer.table.replay import MEMORY_MAX, Payloads
from tests.support.circle import hashed
from tests.support.rehearsal import Rehearsal, rehearsal
from tests.table.points import at


class Forgetful(Replay):
    """A replay that forgets, at random, what it has computed before a question came."""

    __slots__ = ("chance",)

    def __init__(self, inner: Replay, chance: Chance) -> None:
        super().__init__(inner.position)
        self.chance = chance

    def act(self, moment: Moment, seat: Seat, action: bytes) -> Replay:
        self.forget()
        return super().act(moment, seat, action)

    def check(
        self, moment: Moment, seat: Seat, payloads: Payloads, earlier: Sequence[Given]
    ) -> None:
        self.forget()
        super().check(moment, seat, payloads, earlier)

    def settle(self, moment: Moment, contributions: Sequence[Given]) -> Replay:
        self.forget()
        return super().settle(moment, contributions)

    def evicted(self, moment: Moment, seats: Sequence[Seat]) -> Replay:
        self.forget()
        return super().evicted(moment, seats)

    def forget(self) -> None:
        for question in tuple(self._memory):
            if self.chance.happens(30):
                del self._memory[question]
        if self.chance.happens(20):
            self._ground = None


def digests(made: Rehearsal, wrap: Callable[[Replay], Replay]) -> Iterable[bytes]:
    """Yield the digest after every entry of a whole game, with a seat that is left out."""
    evictions = {3: Seat(2), 20: Seat(0)}
    while not isinstance(made.duty, Closed):
        made.state = wrap(made.state)
        gone = evictions.get(made.moment.height)
        if gone is not None:
            made.evict(gone)
        else:
            made.step()
        yield made.state.digest()


def test_a_forgetful_replay_gives_the_same_answers() -> None:
    chance = Chance("forgetful")
    usual = list(digests(rehearsal(4, salt="memory"), lambda state: state))
    anew = list(digests(rehearsal(4, salt="memory"), lambda state: Replay(state.position)))
    forgetful = list(digests(rehearsal(4, salt="memory"), lambda state: Forgetful(state, chance)))
    assert usual == anew == forgetful
    assert len(usual) > 20


def answers(table: Rehearsal, contributions: Iterable[Given]) -> list[object]:
    """Return what is said of each contribution: nothing, or the reason and detail of a refusal."""
    found: list[object] = []
    for one in contributions:
        try:
            table.state.check(table.moment, one.seat, one.payloads, ())
        except PeerError as refused:
            found.append((refused.reason, refused.detail, refused.seats))
        else:
            found.append(None)
    return found


def flood(table: Rehearsal, count: int) -> list[Given]:
    """Return as many contributions that are refused, and honest ones among them."""
    honest = table.given(Seat(0))
    label, data = honest.payloads[0]
    made = []
    for number in range(count):
        bad = data[:-1] + bytes([number % 256, number // 256])
        made.append(Given(Seat(0), ((label, bad), *honest.payloads[1:])))
        if number % 9 == 0:
            made.append(honest)
    return made


@pytest.mark.parametrize("point", ["keys", "shuffle", "mask", "deal"])
def test_a_flood_of_refused_parts_is_forgotten(point: str) -> None:
    table = at(point)
    sent = flood(table, 3 * MEMORY_MAX)
    first = answers(table, sent)
    assert len(table.state._memory) <= MEMORY_MAX
    assert answers(table, sent) == first
    assert answers(table.fork(), reversed(sent)) == first[::-1]
    assert first.count(None) == len(sent) - 3 * MEMORY_MAX
    table.settle()
    assert table.state.digest() == settled(point)


def settled(point: str) -> bytes:
    table = at(point)
    table.settle()
    return table.state.digest()


def test_a_remembered_refusal_is_raised_anew_each_time() -> None:
    """An error holds on to every place where it was raised; a remembered one would grow."""
    table, raised = at("turn"), []
    for _ in range(3):
        with pytest.raises(PeerError) as refused:
            table.state.act(table.moment, Seat(0), b"")
        raised.append(refused.value)
    assert len({id(error) for error in raised}) == 3
    assert len({str(error) for error in raised}) == 1
    assert len({len(depths(error)) for error in raised[1:]}) == 1


def depths(error: PeerError) -> list[object]:
    """Return the frames that an error holds on to."""
    found: list[object] = []
    link = error.__traceback__
    while link is not None:
        found.append(link.tb_frame.f_code)
        link = link.tb_next
    return found


@pytest.mark.parametrize("point", ["keys", "turn"])
def test_one_state_at_two_entries_answers_for_each(point: str) -> None:
    """Evictions in different rounds lead to one state and to two entries over it."""
    shared = at(point)
    elsewhere = shared.fork()
    elsewhere.state = shared.state
    elsewhere.moment = replace(shared.moment, parent=EntryId(hashed("another entry")))
    apart = elsewhere.fork()
    for table in (shared, elsewhere, shared, elsewhere):
        if isinstance(table.duty, Authored):
            seat, chosen = table.choose()
            data = table.players[seat].write(table.position, table.moment, chosen)
            table.state.act(table.moment, seat, data)
        else:
            table.contributions()
    elsewhere.step()
    apart.step()
    assert elsewhere.state.digest() == apart.state.digest()


def test_the_digest_names_everything_that_the_next_step_depends_on() -> None:
    made = rehearsal(3, salt="digests")
    seen: dict[bytes, int] = {}
    while not isinstance(made.duty, Closed):
        # The shuffles change nothing that is hashed but the step; everything else does.
        assert seen.setdefault(made.state.digest(), made.moment.height) == made.moment.height
        made.step()
    assert made.state.digest() not in seen
    position = made.position
    changes = [
        replace(position, roster=position.roster[:-1]),
        replace(position, is_closed=False),
        replace(position, games=2),
        replace(position, deck=None),
        replace(position, rules=None),
    ]
    found = {one.digest() for one in changes}
    assert len(found) == len(changes)
    assert position.digest() not in found
    assert replace(position, events=()).digest() == position.digest()


def test_the_result_stands_from_the_end_of_the_game_on() -> None:
    over = {name: at(name).state.is_over() for name in ("keys", "turn", "draw", "close", "closed")}
    assert over == {"keys": False, "turn": False, "draw": False, "close": True, "closed": True}


def test_what_is_equal_to_python_and_not_to_the_encoder_is_not_hashed_alike() -> None:
    """Whatever a process has hashed before: true is 1 to Python."""
    one, true = SlotId(1), cast("SlotId", True)
    zones: list[tuple[Zone, tuple[SlotId, ...]]] = [
        (Zone("row", Seat(1)), (one,)),
        (Zone("row", cast("Seat", True)), (one,)),
        (Zone("row", Seat(1)), (true,)),
        (Zone("row", Seat(1)), (one, true)),
        (Zone("row", Seat(1)), (true, one)),
    ]
    boards = [Board(Layout({zone: slots})) for zone, slots in zones]
    boards += [Board(Layout(), {one: "AS"}), Board(Layout(), {true: "AS"})]
    for _ in range(2):
        assert len({_cards_encoded(board) for board in boards}) == len(boards)
        boards.reverse()
