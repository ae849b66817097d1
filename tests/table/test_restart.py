"""A seat that comes back from what it stored is the seat that it was, at every point of a game."""

from __future__ import annotations

import pytest

from nodealer.kernel import Seat
from nodealer.ledger import Contributed, LedgerMessage, write
from nodealer.table import Table, come_back, sit_down
from tests.games.barter import BARTER
from tests.support.circle import Circle, circle, player_of


def stored_states(seats: int) -> tuple[Circle, list[tuple[Seat, int, bytes, bytes]]]:
    """Play a game; note after every store of a seat how much it has stored, and what it holds."""
    made = circle(seats, salt="restart")
    noted: list[tuple[Seat, int, bytes, bytes]] = []
    do = made.do

    def noting(seat: Seat, done: object) -> None:
        do(seat, done)  # type: ignore[arg-type]
        table = made.tables[seat]
        tip = table.ledger.tip
        noted.append((seat, len(made.stored[seat]), bytes(tip.id), tip.state.digest()))

    made.do = noting  # type: ignore[method-assign]
    made.play()
    return made, noted


@pytest.mark.parametrize("seats", [2, 3])
def test_a_seat_comes_back_at_any_point(seats: int, is_full: bool) -> None:
    made, noted = stored_states(seats)
    points = sorted({(seat, count): (tip, state) for seat, count, tip, state in noted}.items())
    every = 1 if is_full else 41
    for (seat, count), (tip, state) in points[::every]:
        back, ready = come_back(made.setting, player_of(seat, "restart"), made.stored[seat][:count])
        assert bytes(back.ledger.tip.id) == tip
        assert back.ledger.tip.state.digest() == state
        # What it signs after the restart is, byte for byte, what it had signed or will sign.
        known = {write(message) for sender, message in made.sent if sender == seat}
        assert {write(out.message) for out in ready.send if is_own(out.message)} <= known


def is_own(message: LedgerMessage) -> bool:
    """Say whether a message is a signature, and no talk about who holds what."""
    return type(message).__name__ in {"Sealed", "Contributed", "Proposal"}


@pytest.mark.parametrize("seats", [3, 4])
def test_what_it_had_signed_and_not_stored_it_signs_the_same_again(
    seats: int, is_full: bool
) -> None:
    """In games with questions, claims, gifts and restacks: of chance it has its seed alone."""
    made, again = circle(seats, BARTER, salt="restart"), 0
    made.play()
    for seat in made.tables:
        stored = made.stored[seat]
        known = {write(message) for sender, message in made.sent if sender == seat}
        cuts = [number for number, message in enumerate(stored) if is_part(message, seat)]
        for cut in cuts if is_full else cuts[-5:]:
            _, ready = come_back(made.setting, player_of(seat, "restart"), stored[:cut])
            signed = {write(out.message) for out in ready.send if is_own(out.message)}
            assert signed <= known
            again += write(stored[cut]) in signed
    assert again > seats


def is_part(message: LedgerMessage, seat: Seat) -> bool:
    """Say whether a message is what a seat has given to a step."""
    return isinstance(message, Contributed) and message.contribution.seat == seat


def test_its_views_are_the_same() -> None:
    made = circle(3, salt="restart")
    made.play(lambda made: made.tables[Seat(0)].ledger.tip.height >= 14)
    for seat, table in made.tables.items():
        back, _ = come_back(made.setting, player_of(seat, "restart"), made.stored[seat])
        assert back.view() == table.view()
        assert back.legal() == table.legal()


def test_all_seats_come_back_and_play_to_the_same_end() -> None:
    whole = circle(3, salt="restart")
    whole.play()
    made = circle(3, salt="restart")
    made.play(lambda made: made.tables[Seat(0)].ledger.tip.height >= 20)
    made.asked.clear()
    for seat in tuple(made.tables):
        stored = made.stored[seat][:]
        made.do(seat, come_back(made.setting, player_of(seat, "restart"), stored))
    made.deliver()
    made.play()
    ends = {table.ledger.tip.id for table in made.tables.values()}
    assert ends == {whole.tables[Seat(0)].ledger.tip.id}


def test_a_spectator_follows_and_signs_nothing() -> None:
    made = circle(2, salt="restart")
    watching, ready = sit_down(made.setting)
    assert not ready.send
    made.play()
    for _, message in made.sent:
        watching, ready = watching.receive(message)
        assert not [out for out in ready.send if is_own(out.message)]
    assert watching.position.is_closed
    assert watching.ledger.tip.id == made.tables[Seat(0)].ledger.tip.id
    require_blind(watching)


def require_blind(watching: Table) -> None:
    assert watching.seat is None
    assert watching.legal() == ()
    for zone in watching.view().zones:
        seen = {card.face is not None for card in zone.cards}
        assert seen <= {zone.name == "discard"}


def test_a_seat_comes_back_from_a_history_with_seats_left_out() -> None:
    made = circle(4, salt="restart")
    for _ in range(2):
        leaving = made.on_turn()
        assert leaving is not None
        made.do(leaving, made.tables[leaving].leave())
        made.deliver()
        made.play(lambda made: len(made.sent) % 7 == 0)
    stayed = made.tables[made.setting.agreed.charter.seats[0]].position.roster
    for seat, table in made.tables.items():
        back, _ = come_back(made.setting, player_of(seat, "restart"), made.stored[seat])
        assert back.ledger.tip.id == table.ledger.tip.id
        assert back.position.digest() == table.position.digest()
        assert back.view() == table.view()
        if seat not in stayed:
            assert back.legal() == ()
