"""Real tables at which players choose: who is asked, who is bound, what a restart remembers."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest

from nodealer.bots import bot_for
from nodealer.games.api import Action, Choice, action
from nodealer.kernel import LocalError, Reason, Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import DUTIES, AskContribution, AskSeal, Awaited, Closed, EvictStep, write
from nodealer.ledger.messages import Contributed, Sealed
from nodealer.table import HEEDING, Setting, Table, come_back, sit_down
from tests.games.pairs import SMALL_PAIRS
from tests.support.circle import CLOCK, Circle, agreed_by, circle, player_of
from tests.table.test_restart import is_own

EVERYBODY = (Seat(0), Seat(1), Seat(2))


@lru_cache
def _asking(seats: int, salt: object) -> Circle:
    return circle(seats, SMALL_PAIRS, salt=salt)


def asking(seats: int = 3, salt: object = "choosing") -> Circle:
    """Return a circle in which everybody owes the first choice."""
    made = _asking(seats, salt)
    stored = {seat: list(messages) for seat, messages in made.stored.items()}
    return replace(
        made,
        tables=dict(made.tables),
        queue=[],
        stored=stored,
        sent=list(made.sent),
        asked=dict(made.asked),
        heeding=set(),
        shown=list(made.shown),
    )


def choices(made: Circle) -> list[tuple[int, Seat, bytes]]:
    """Return all choices that were sent, with their heights."""
    given = [one.contribution for _, one in made.sent if isinstance(one, Contributed)]
    found = {one.id: (one.height, one.seat, one.payloads[0][1]) for one in given}
    return [one for one in found.values() if b"table/choice" in one[2]]


def owing(table: Table) -> tuple[Seat, ...]:
    duty = table.view().duty
    assert isinstance(duty, Choice)
    return duty.owing


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_game_ends_alike_for_all(seats: int) -> None:
    made = asking(seats)
    made.play()
    assert len({table.ledger.tip.id for table in made.tables.values()}) == 1
    assert all(isinstance(table.ledger.tip.duty, Closed) for table in made.tables.values())
    assert made.tables[Seat(0)].position.standing is not None


def test_everybody_is_asked_and_nobody_answers_by_itself() -> None:
    made = asking()
    for seat, table in made.tables.items():
        ask = made.asked[seat]
        assert isinstance(ask, AskContribution)
        assert ask.parent == table.ledger.tip.id
        assert table.view().owes_choice
        assert table.legal() == tuple(
            action("lay", card=(card.slot,)) for card in table.view().zone("hand", seat)
        )
    assert choices(made) == []
    assert {table.ledger.tip.height for table in made.tables.values()} == {4}


def test_who_has_chosen_is_seen_by_all_and_what_by_nobody() -> None:
    made, other = asking(), asking()
    for one, index in ((made, 0), (other, 1)):
        one.act(Seat(1), one.tables[Seat(1)].legal()[index])
    for seat, table in made.tables.items():
        assert owing(table) == (0, 2)
        assert table.view() == other.tables[seat].view()
    assert made.tables[Seat(1)].legal() == ()
    assert not made.tables[Seat(1)].view().owes_choice


def test_a_spectator_sees_who_has_chosen() -> None:
    made = asking()
    made.act(Seat(2), made.tables[Seat(2)].legal()[0])
    watching, _ = sit_down(made.setting)
    for _, message in made.sent:
        watching, _ = watching.receive(message)
    assert owing(watching) == (0, 1)
    assert watching.legal() == ()


BAD = [
    action("guess", alike=True),
    action("lay", card=()),
    action("lay", card=(0, 1)),
    action("lay", card=(999,)),
    action("lay", card=None),
    action("lay"),
    action("fly"),
]


@pytest.mark.parametrize("chosen", BAD, ids=str)
def test_a_bad_choice_is_refused_and_changes_nothing(chosen: Action) -> None:
    table = asking().tables[Seat(0)]
    with pytest.raises(LocalError) as refused:
        table.act(chosen)
    assert refused.value.reason is Reason.RULES_ILLEGAL


def test_a_card_of_another_hand_is_not_chosen() -> None:
    made = asking()
    foreign = made.tables[Seat(1)].legal()[0]
    with pytest.raises(LocalError):
        made.tables[Seat(0)].act(foreign)


def test_nobody_chooses_twice() -> None:
    made = asking()
    first, second = made.tables[Seat(0)].legal()
    made.act(Seat(0), first)
    for again in (first, second):
        with pytest.raises(LocalError):
            made.tables[Seat(0)].act(again)


def test_those_are_waited_for_who_have_not_chosen_and_they_have_the_time_to_act() -> None:
    made = asking()
    made.act(Seat(1), made.tables[Seat(1)].legal()[0])
    act = CLOCK.act
    wanted = tuple(
        Awaited(seat, "contribution", ("choose",), 0, act, act + CLOCK.rejoin)
        for seat in (Seat(0), Seat(2))
    )
    assert made.tables[Seat(1)].ledger.reading().waits == wanted
    assert [one.seat for one in made.tables[Seat(0)].ledger.reading().waits] == [2]


# Left out in the middle.


def leaving(made: Circle, seat: Seat) -> None:
    made.do(seat, made.tables[seat].leave())
    made.asked.pop(seat, None)
    made.deliver()


def test_who_has_chosen_chooses_the_same_again_and_is_not_asked() -> None:
    made = asking()
    made.act(Seat(0), made.tables[Seat(0)].legal()[1])
    leaving(made, Seat(1))
    assert isinstance(made.tables[Seat(0)].ledger.tip.content.step, EvictStep)  # type: ignore[union-attr]
    first, again = (one for one in choices(made) if one[1] == 0)
    assert again == (first[0] + 1, Seat(0), first[2])
    assert owing(made.tables[Seat(0)]) == (2,)
    assert made.on_turn() == 2
    made.play()
    for seat in (Seat(0), Seat(2)):
        assert made.tables[seat].position.is_closed
        assert not made.tables[seat].ledger.proven


def test_a_restart_in_the_middle_of_an_eviction_remembers_the_choice() -> None:
    """It comes back without the eviction, hears of it, and chooses the same again unasked."""
    made = asking()
    made.act(Seat(0), made.tables[Seat(0)].legal()[1])
    stored = made.stored[Seat(0)][:]
    leaving(made, Seat(1))
    again = [one for one in choices(made) if one[1] == 0][-1]
    back, ready = come_back(made.setting, player_of(Seat(0), "choosing"), stored)
    assert not ready.ask
    made.do(Seat(0), (back, ready))
    for sender, message in tuple(made.sent):
        if sender != 0:
            made.do(Seat(0), made.tables[Seat(0)].receive(message, sender))
    assert [one for one in choices(made) if one[1] == 0][-1] == again
    assert not made.tables[Seat(0)].ledger.proven


def test_after_a_restart_before_the_choice_it_is_asked_for_again() -> None:
    made = asking()
    back, ready = come_back(made.setting, player_of(Seat(0), "choosing"), made.stored[Seat(0)])
    (ask,) = ready.ask
    assert isinstance(ask, AskContribution)
    assert back.view() == made.tables[Seat(0)].view()
    assert back.legal() == made.tables[Seat(0)].legal()


def test_after_a_restart_behind_the_choice_nothing_is_asked() -> None:
    made = asking()
    made.act(Seat(0), made.tables[Seat(0)].legal()[1])
    back, ready = come_back(made.setting, player_of(Seat(0), "choosing"), made.stored[Seat(0)])
    assert not ready.ask
    assert owing(back) == (1, 2)
    with pytest.raises(LocalError):
        back.act(made.tables[Seat(1)].legal()[0])
    (sent,) = {write(out.message) for out in ready.send if isinstance(out.message, Contributed)}
    assert sent in {write(message) for sender, message in made.sent if sender == 0}


@pytest.mark.parametrize("gone", range(3))
@pytest.mark.parametrize("height", [4, 6, 9, 11])
def test_a_seat_leaves_at_any_height_and_the_others_finish(height: int, gone: int) -> None:
    made = asking()
    made.play(until=lambda made: made.tables[Seat(0)].ledger.tip.height >= height)
    leaving(made, Seat(gone))
    made.play()
    stayed = [table for seat, table in made.tables.items() if seat != gone]
    assert len({table.ledger.tip.id for table in stayed}) == 1
    for table in stayed:
        assert table.position.is_closed
        assert not table.ledger.proven
        standing = table.position.standing
        assert standing is not None
        assert standing.places[-1] == (gone,)


# Restarts.


def stored_states(seats: int) -> tuple[Circle, list[tuple[Seat, int, bytes, bytes]]]:
    """Play a game; note after every store of a seat how much it has stored, and what it holds."""
    made = asking(seats, "restart")
    noted: list[tuple[Seat, int, bytes, bytes]] = []
    do = made.do

    def noting(seat: Seat, done: object) -> None:
        do(seat, done)  # type: ignore[arg-type]
        tip = made.tables[seat].ledger.tip
        noted.append((seat, len(made.stored[seat]), bytes(tip.id), tip.state.digest()))

    made.do = noting  # type: ignore[method-assign]
    made.play()
    return made, noted


@pytest.mark.parametrize("seats", [2, 3])
def test_a_seat_comes_back_at_any_point(seats: int, is_full: bool) -> None:
    made, noted = stored_states(seats)
    points = sorted({(seat, count): (tip, state) for seat, count, tip, state in noted}.items())
    for (seat, count), (tip, state) in points[:: 1 if is_full else 7]:
        player = player_of(seat, "restart")
        back, ready = come_back(made.setting, player, made.stored[seat][:count])
        assert bytes(back.ledger.tip.id) == tip
        assert back.ledger.tip.state.digest() == state
        known = {write(message) for sender, message in made.sent if sender == seat}
        assert {write(out.message) for out in ready.send if is_own(out.message)} <= known


@pytest.mark.parametrize("height", range(4, 14, 3))
def test_all_seats_come_back_and_play_to_the_same_end(height: int) -> None:
    """What each chooses depends on its seat and the height alone."""
    ends = []
    for is_stopped in (False, True):
        made = asking(3, "restart")
        finish(made, height)
        if is_stopped:
            made.asked.clear()
            for seat in tuple(made.tables):
                stored = made.stored[seat][:]
                made.do(seat, come_back(made.setting, player_of(seat, "restart"), stored))
            made.deliver()
        finish(made)
        ends.append({table.ledger.tip.id for table in made.tables.values()})
    assert ends[0] == ends[1]
    assert len(ends[0]) == 1


def finish(made: Circle, height: int = 1000) -> None:
    while (seat := made.on_turn()) is not None:
        table = made.tables[seat]
        if table.ledger.tip.height >= height:
            return
        chance = Chance("finish", seat, table.ledger.tip.height)
        made.act(seat, bot_for(SMALL_PAIRS).choose(table.view(), table.legal(), chance))


# Notices.


def heeding() -> Circle:
    """Return a table of three at which seat 2 seals acks only when its player has taken notice."""
    players = [player_of(seat, "heeding") for seat in EVERYBODY]
    made = Circle(Setting(agreed_by(players, SMALL_PAIRS, salt="heeding"), SMALL_PAIRS))
    for player in players:
        duties = HEEDING if player.seat == 2 else DUTIES
        made.do(player.seat, sit_down(made.setting, player, duties=duties))
    made.deliver()
    made.play(until=lambda made: bool(made.heeding))
    return made


def test_a_seat_holds_its_seal_back_until_its_player_has_taken_notice() -> None:
    made = heeding()
    made.play()
    assert made.heeding == {2}
    tips = {table.ledger.tip.id for table in made.tables.values()}
    assert len(tips) == 1
    assert made.tables[Seat(2)].ledger.asked == (AskSeal(*tips),)
    awaited = made.tables[Seat(0)].ledger.reading().waits
    assert [(one.seat, one.what) for one in awaited] == [(2, "seal")]
    made.do(Seat(2), made.tables[Seat(2)].notice())
    made.deliver()
    assert tips != {table.ledger.tip.id for table in made.tables.values()}
    with pytest.raises(LocalError):
        made.tables[Seat(2)].notice()


def test_a_seat_that_comes_back_waits_for_notice_again() -> None:
    made = heeding()
    made.play()
    player = player_of(Seat(2), "heeding")
    back, ready = come_back(made.setting, player, made.stored[Seat(2)], duties=HEEDING)
    assert ready.ask == (AskSeal(back.ledger.tip.id),)
    hasty, ready = come_back(made.setting, player, made.stored[Seat(2)])
    assert any(isinstance(out.message, Sealed) for out in ready.send)
    assert hasty.ledger.tip.id == back.ledger.tip.id


def test_a_spectator_takes_no_notice() -> None:
    watching, _ = sit_down(heeding().setting)
    with pytest.raises(LocalError):
        watching.notice()
