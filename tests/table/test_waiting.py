"""Whom a table waits for at every point, for what, and until when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from nodealer.bots import bot_for
from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import Awaited, LedgerMessage
from nodealer.ledger.messages import Contributed, Sealed, Voted
from nodealer.table import Setting, come_back, sit_down
from tests.support.circle import CLOCK, Circle, agreed_by, circle, player_of

ANSWER, ACT = CLOCK.answer, CLOCK.act


class Muted(Circle):
    """A circle in which what one seat sends is lost, but for some of it."""

    muted: Seat = Seat(2)
    until: int = 0
    kinds: tuple[type, ...] = ()

    def loses(self, sender: Seat, message: LedgerMessage) -> bool:
        """Say whether a message is lost."""
        if sender != self.muted or not isinstance(message, self.kinds):
            return False
        height = self.tables[Seat(0)].ledger.tip.height
        return height >= self.until

    def deliver(self) -> None:
        """Deliver what is not lost."""
        while self.queue:
            sender, to, message = self.queue.pop(0)
            if not self.loses(sender, message) and to in self.tables:
                self.do(to, self.tables[to].receive(message, sender))


def muted(kinds: tuple[type, ...], height: int) -> Muted:
    """Return a table of three at which seat 2 was last heard at a height."""
    players = [player_of(Seat(seat), "waiting") for seat in range(3)]
    rules = game("macaua")
    made = Muted(Setting(agreed_by(players, rules, salt="waiting"), rules))
    made.kinds, made.until = kinds, height
    for player in players:
        made.do(player.seat, sit_down(made.setting, player))
    made.deliver()
    return made


def found(made: Circle, seat: Seat) -> dict[Seat, tuple[str, ...]]:
    awaited = made.tables[seat].ledger.reading().waits
    return {one.seat: one.parts or (one.what,) for one in awaited}


@pytest.mark.parametrize(
    ("kinds", "height", "what"),
    [
        ((Sealed,), 0, ("charter",)),
        ((Contributed,), 0, ("keys", "commit")),
        ((Sealed,), 1, ("seal",)),
        ((Contributed,), 1, ("shuffle",)),
        ((Contributed,), 2, ("mask", "open")),
        ((Contributed,), 3, ("release",)),
        ((Sealed,), 3, ("seal",)),
    ],
)
def test_the_first_deal_waits_for_one_seat(
    kinds: tuple[type, ...], height: int, what: tuple[str, ...]
) -> None:
    made = muted(kinds, height)
    for seat in (Seat(0), Seat(1)):
        assert found(made, seat) == {Seat(2): what}


def test_who_waits_for_another_is_not_waited_for() -> None:
    made = muted((Contributed,), 1)
    # The muted seat has the others' shuffles and sees nobody who owes anything.
    assert found(made, Seat(2)) == {Seat(0): ("seal",), Seat(1): ("seal",)}


def test_a_turn_is_waited_for_by_the_others() -> None:
    made = circle(3, salt="waiting")
    on_turn = made.on_turn()
    assert on_turn is not None
    for seat, table in made.tables.items():
        wanted = () if seat == on_turn else (Awaited(on_turn, "action", (), 0, ACT, ACT + ACT),)
        assert table.ledger.reading().waits == wanted
    for tick in (5, 7):
        made.tables = {seat: table.tick(tick)[0] for seat, table in made.tables.items()}
    table = made.tables[on_turn]
    chosen = bot_for(made.setting.game).choose(table.view(), table.legal(), Chance("waiting"))
    made.do(on_turn, table.act(chosen))
    proposal = made.queue.pop(0)
    made.queue.clear()
    made.do(proposal[1], made.tables[proposal[1]].receive(proposal[2], on_turn))
    (other,) = {Seat(0), Seat(1), Seat(2)} - {on_turn, proposal[1]}
    (awaited,) = made.tables[proposal[1]].ledger.reading().waits
    assert (awaited.seat, awaited.what) == (other, "seal")
    assert (awaited.since, awaited.suspended) == (7, 7 + ANSWER)
    assert awaited.until == 7 + ANSWER + CLOCK.rejoin


def test_nobody_is_waited_for_after_the_close() -> None:
    made = circle(2, salt="waiting")
    made.play()
    assert all(table.ledger.reading().waits == () for table in made.tables.values())


def test_a_vote_is_waited_for_by_whoever_was_kept() -> None:
    """A seat that has voted to keep the tip needs the others' votes before it goes on."""
    made = circle(3, salt="waiting")
    on_turn = made.on_turn()
    assert on_turn is not None
    impatient, third = (seat for seat in made.tables if seat != on_turn)
    table = made.tables[on_turn]
    chosen = bot_for(made.setting.game).choose(table.view(), table.legal(), Chance("waiting"))
    made.do(on_turn, table.act(chosen))
    # The impatient one hears of the action only after it has voted against its author.
    late = deliver(made, lambda _, to: to != impatient)
    for tick in (ACT, 10 * CLOCK.longest):
        made.do(impatient, made.tables[impatient].tick(tick))
    assert any(isinstance(message, Voted) for _, _, message in made.queue)
    for sender, _, message in late:
        made.do(impatient, made.tables[impatient].receive(message, sender))
    # It has sealed the action all the same: the others take it, and answer its vote with theirs.
    held = deliver(made, lambda sender, _: sender == impatient)
    assert found(made, impatient) == {}
    assert found(made, on_turn) == {third: ("action",)}
    assert found(made, third) == {on_turn: ("vote",)}
    made.queue.extend(held)
    made.deliver()
    assert [found(made, seat) for seat in (impatient, on_turn)] == [{third: ("action",)}] * 2
    assert found(made, third) == {}


def deliver(
    made: Circle, passes: Callable[[Seat, Seat], bool]
) -> list[tuple[Seat, Seat, LedgerMessage]]:
    """Deliver what passes, with what comes of it; return what is held up."""
    held = []
    while made.queue:
        sender, to, message = made.queue.pop(0)
        if passes(sender, to):
            made.do(to, made.tables[to].receive(message, sender))
        else:
            held.append((sender, to, message))
    return held


def test_a_seat_that_came_back_waits_anew() -> None:
    made = circle(3, salt="waiting")
    on_turn = made.on_turn()
    other = next(seat for seat in made.tables if seat != on_turn)
    player = player_of(other, "waiting")
    back, _ = come_back(made.setting, player, made.stored[other], now=50)
    (awaited,) = back.ledger.reading().waits
    before = made.tables[other].ledger.reading().waits[0]
    assert awaited == replace(
        before, since=50, suspended=50 + before.suspended, until=50 + before.until
    )
