"""A table as one seat sits at it: acting, leaving, playing again, and what callers do wrong."""

from __future__ import annotations

import pytest

from nodealer.games.api import action
from nodealer.kernel import LocalError, Reason, Seat
from nodealer.ledger import AskAction, Closed, write
from nodealer.table import Table, sit_down
from tests.support.circle import Circle, circle


def begun(seats: int = 2) -> tuple[Circle, Seat]:
    made = circle(seats, salt="table")
    seat = made.on_turn()
    assert seat is not None
    return made, seat


def reason_of(error: pytest.ExceptionInfo[LocalError]) -> Reason:
    return error.value.reason


def test_an_action_that_the_rules_refuse_changes_nothing() -> None:
    made, seat = begun()
    table = made.tables[seat]
    refused = [action("pass"), action("fly"), action("play", cards=(999,), macaua=False, suit=None)]
    for chosen in refused:
        with pytest.raises(LocalError) as error:
            table.act(chosen)
        assert reason_of(error) is Reason.RULES_ILLEGAL
    assert made.tables[seat] is table
    table.act(table.legal()[0])


def test_whoever_is_not_on_turn_cannot_act() -> None:
    made, seat = begun()
    (other,) = set(made.tables) - {seat}
    assert made.tables[other].legal() == ()
    with pytest.raises(LocalError):
        made.tables[other].act(made.tables[seat].legal()[0])


def test_the_seats_play_again() -> None:
    made, _ = begun()
    made.play()
    first = made.tables[Seat(0)]
    assert isinstance(first.ledger.tip.duty, Closed)
    assert made.asked[Seat(0)] == AskAction(first.ledger.tip.id, again=True)
    made.do(Seat(0), first.again())
    made.deliver()
    assert made.on_turn() is not None
    assert all(table.position.games == 2 for table in made.tables.values())
    made.play()
    positions = [table.position for table in made.tables.values()]
    assert all(position.is_closed for position in positions)


def test_nobody_else_and_nobody_earlier_begins_another_game() -> None:
    made, seat = begun()
    with pytest.raises(LocalError):
        made.tables[seat].again()
    made.play()
    with pytest.raises(LocalError):
        made.tables[Seat(1)].again()


def test_one_of_two_leaves_and_the_other_closes_alone() -> None:
    made, seat = begun()
    (other,) = set(made.tables) - {seat}
    made.do(seat, made.tables[seat].leave())
    made.deliver()
    left = made.tables[other]
    assert left.position.is_closed
    assert left.position.roster == (other,)
    standing = left.position.standing
    assert standing is not None
    assert standing.places == ((other,), (seat,))
    assert left.ledger.tip.height == made.tables[other].ledger.tip.height
    with pytest.raises(LocalError):
        made.tables[seat].leave()


def test_others_play_on_when_one_leaves() -> None:
    made, seat = begun(3)
    made.do(seat, made.tables[seat].leave())
    made.deliver()
    made.play()
    stayed = [table for other, table in made.tables.items() if other != seat]
    assert len({table.ledger.tip.id for table in stayed}) == 1
    assert all(table.position.is_closed for table in stayed)


def test_bytes_that_mean_nothing_are_dropped_and_counted() -> None:
    made, seat = begun()
    table = made.tables[seat]
    for data in (b"", b"junk", write_of(made)[:-1]):
        after, ready = table.receive(data, Seat(1))
        assert after.ledger.tip is table.ledger.tip
        assert not ready.persist
        assert [type(event).__name__ for event in ready.show] == ["Dropped"]


def test_bytes_of_a_message_are_the_message() -> None:
    made = circle(2, salt="table")
    watching, _ = sit_down(made.setting)
    for _, message in made.sent:
        watching, _ = watching.receive(write(message))
    assert watching.ledger.tip.id == made.tables[Seat(0)].ledger.tip.id


def write_of(made: Circle) -> bytes:
    return write(made.sent[0][1])


def test_a_seat_tells_where_it_stands() -> None:
    made, seat = begun()
    _, ready = made.tables[seat].tell()
    assert [type(out.message).__name__ for out in ready.send] == ["Status"]


def test_a_doubtful_seat_signs_nothing_until_it_was_told_what_it_had_signed() -> None:
    made, seat = begun()
    chosen = made.tables[seat].legal()[0]
    made.do(seat, made.tables[seat].recall())
    with pytest.raises(LocalError):
        made.tables[seat].act(chosen)
    made.deliver()
    made.tables[seat].act(chosen)


def watcher(made: Circle) -> Table:
    return sit_down(made.setting)[0]


def test_a_spectator_does_nothing() -> None:
    made, seat = begun()
    watching, chosen = watcher(made), made.tables[seat].legal()[0]
    with pytest.raises(LocalError):
        watching.act(chosen)
    for attempt in (watching.again, watching.leave, watching.recall):
        with pytest.raises(LocalError):
            attempt()


def test_a_player_shows_whose_keys_it_has_and_nothing_else() -> None:
    made, seat = begun()
    player = made.tables[seat].player
    assert player is not None
    assert player.notebook(made.tables[seat].position)
    assert repr(player) == f"<player of seat {seat}>"
