"""What a snapshot says of the table: how this seat stands, who is there, what is being done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.games.api import SeenCard, SeenZone, Standing, Turn, View, action
from nodealer.games.registry import game
from nodealer.kernel import Seat, SlotId, Way
from nodealer.show.book import Book, chatted, held, muted
from nodealer.show.progress import doing_of
from nodealer.show.snapshot import Asked, SeatStanding, Sitting, Snapshot, in_order, snapshot_of
from nodealer.show.wording import HELD, Speaker, awaited
from nodealer.table import Table, come_back, sit_down
from tests.games.barter import Barter
from tests.show.watching import ME, Watched, dealt, seated
from tests.terminal.scenes import finished, reaching
from tests.verify.stage import be_false, fall_silent, leave


def sittings(snapshot: Snapshot) -> list[Sitting]:
    return [one.sitting for one in snapshot.seats]


def headline(snapshot: Snapshot) -> str:
    return Speaker(snapshot).headline()


def test_a_player_plays() -> None:
    made = dealt(3)
    snapshot = made.snapshot()
    assert snapshot.state is SeatStanding.PLAYING
    assert snapshot.you is not None
    assert snapshot.you.name == "Ana"
    assert [one.cards for one in snapshot.seats] == [5, 5, 5]
    assert [one.reach.way for one in snapshot.seats] == [Way.HERE, Way.DIRECT, Way.DIRECT]


def test_a_spectator_watches_and_has_no_seat() -> None:
    made = dealt(3)
    table = replace(made.table, player=None)
    watched = snapshot_of(table, Book("x"), 0)
    assert (watched.you, watched.legal, watched.asked) == (None, (), None)
    spectator, _ = sit_down(made.setting)
    snapshot = snapshot_of(spectator, Book("x"), 0)
    assert (snapshot.state, snapshot.legal) == (SeatStanding.WATCHING, ())
    assert snapshot.seats[0].reach.way is Way.NONE


def faces(view: View, seat: Seat | None) -> list[str]:
    return [str(card.face) for zone in view.zones if zone.seat == seat for card in zone.cards]


def test_own_cards_ascend_where_they_are_numbers() -> None:
    made = dealt(2, game("take5"))
    given, shown = made.table.view(), made.snapshot().view
    assert faces(shown, ME) == sorted(faces(given, ME), key=int) != faces(given, ME)
    assert faces(shown, None) == faces(given, None)
    assert faces(shown, Seat(1)) == ["None"] * 10
    assert dealt(3).snapshot().view == dealt(3).table.view()


def test_cards_that_nobody_has_seen_stay_where_they_lie() -> None:
    cards = tuple(SeenCard(SlotId(slot), face) for slot, face in ((4, "9"), (3, None), (2, "1")))
    view = replace(dealt(2).table.view(), zones=(SeenZone("hand", ME, cards),))
    assert in_order(view, game("take5")) == view


def test_where_the_place_of_a_card_matters_it_keeps_it_though_all_are_known() -> None:
    cards = tuple(SeenCard(SlotId(slot), face) for slot, face in ((4, "9"), (3, "5"), (2, "1")))
    view = replace(dealt(2).table.view(), zones=(SeenZone("hand", ME, cards),))
    assert in_order(view, game("66")) == view
    assert faces(in_order(view, game("take5")), ME) == ["1", "5", "9"]


def test_actions_are_there_only_while_the_player_is_asked() -> None:
    made = reaching(3, lambda one: bool(one.legal))
    asked = made.snapshot()
    assert asked.asked is not None
    table, _ = made.table.act(asked.legal[0])
    after = snapshot_of(table, made.book, 0)
    assert after.view.has_turn
    assert (after.legal, after.asked) == ((), None)


def test_times_of_the_turn_are_those_of_the_charter() -> None:
    snapshot = reaching(3, lambda one: bool(one.legal)).snapshot()
    assert snapshot.asked == Asked(60_000, 110_000)
    said = [headline(replace(snapshot, now=now)) for now in (1_000, 61_000, 111_000)]
    assert "you have 59 s" in said[0]
    assert "in 49 s they may go on without you" in said[1]
    assert "at any moment" in said[2]


def test_a_table_without_a_note_of_the_asking_counts_from_now() -> None:
    made = reaching(3, lambda one: bool(one.legal))
    assert snapshot_of(made.table, Book("x"), 0).asked == Asked(60_000, 110_000)


def test_who_has_left_is_out_or_is_proven_is_shown_so() -> None:
    left, silent, false = dealt(3), dealt(3), dealt(3)
    leave(left, Seat(2))
    fall_silent(silent, Seat(2))
    be_false(false, Seat(2))
    found = [sittings(one.snapshot())[2] for one in (left, silent, false)]
    assert found == [Sitting.LEFT, Sitting.LEFT_OUT, Sitting.PROVEN]


def test_who_leaves_is_told_so_itself() -> None:
    made = dealt(3)
    made.do(ME, made.table.leave())
    snapshot = made.snapshot()
    assert (snapshot.state, sittings(snapshot)[0]) == (SeatStanding.LEFT, Sitting.LEFT)
    assert "You have left" in headline(snapshot)


def test_a_seat_with_an_old_record_signs_nothing() -> None:
    made = dealt(3)
    table, _ = made.table.recall()
    snapshot = snapshot_of(table, made.book, 0)
    assert snapshot.state is SeatStanding.SUSPECT
    assert "You sign nothing" in headline(snapshot)


def test_a_table_that_stands_still_says_so() -> None:
    made = dealt(3)
    made.gone.add(Seat(2))
    made.bots_play(1)
    made.pass_time()
    assert made.snapshot().state is SeatStanding.SUSPENDED


def silent_table(seats: int) -> Watched:
    made = dealt(seats)
    made.gone.add(Seat(seats - 1))
    made.bots_play(1)
    return made


def waits(made: Watched, later: int) -> str:
    return " ".join(Speaker(made.snapshot(later)).waits())


def test_who_is_waited_for_is_told_with_what_comes_next() -> None:
    made = silent_table(3)
    assert "Waiting for Čeněk to " in waits(made, 12_000)
    assert "There is time for 8 s more." in waits(made, 2_000)
    assert "Čeněk is away and may come back for 48 s; then" in waits(made, 12_000)
    assert "The others vote on" in waits(made, 900_000)
    assert "Nobody can go on without Bea." in waits(silent_table(2), 12_000)


def test_the_line_of_a_seat_says_how_long_it_may_stay_away() -> None:
    made = silent_table(3)

    def said(at: Watched, later: int) -> str:
        snapshot = at.snapshot(later)
        return awaited(snapshot.waiting[0], snapshot)

    assert said(made, 2_000) == "has 8 s left"
    assert said(made, 12_000) == "away, 48 s to return"
    assert said(made, 900_000) == "away, may be left out"
    assert said(silent_table(2), 12_000) == "away"


def test_at_the_end_there_is_a_standing_and_another_game_can_be_asked_for() -> None:
    snapshot = finished().snapshot()
    assert (snapshot.state, snapshot.may_ask_again) == (SeatStanding.OVER, True)
    assert list(Speaker(snapshot).standing()) == ["1. Ana", "2. Čeněk", "3. Bea"]
    shared = Standing(((Seat(1), Seat(2)), (ME,)), {Seat(0): 3})
    told = Speaker(replace(snapshot, standing=shared)).standing()
    assert list(told) == ["1. Bea", "1. Čeněk", "3. Ana, 3 points"]


def test_the_second_game_is_counted() -> None:
    made = dealt(2)
    made.bots_play(400)
    made.again()
    assert made.snapshot().games == 2


def test_muted_players_are_not_shown() -> None:
    made = dealt(3)
    book = muted(chatted(chatted(made.book, Seat(1), 1, "a"), Seat(2), 1, "b"), Seat(1))
    assert [one.text for one in snapshot_of(made.table, book, 0).heard] == ["b"]
    assert [one.text for one in snapshot_of(made.table, book, 0).chat] == ["a", "b"]


def test_who_has_answered_is_asked_no_more() -> None:
    made = reaching(3, lambda one: bool(one.legal))
    snapshot = snapshot_of(made.table, held(made.book, is_held=True), made.now)
    assert (snapshot.legal, snapshot.asked, snapshot.is_held) == ((), None, True)
    assert Speaker(snapshot).headline() == HELD


def test_who_is_asked_within_a_window_is_told_what_is_said_when_it_is_over() -> None:
    made = dealt(3, Barter(window=9), watcher=Seat(1))
    made.act(Seat(0), action("call"))
    made.deliver()
    shown = snapshot_of(made.table, held(made.book, is_held=False, passes_at=9_000), 2_000)
    assert shown.asked is not None
    then = "then your node answers for you: say nothing."
    assert headline(shown) == f"Your turn: you have 7 s; {then}"
    assert headline(replace(shown, now=10_000)).startswith("Your turn: you have 0 s; ")


def shares(table: Table) -> dict[str, list[str]]:
    progress = snapshot_of(table, Book("x"), 0).progress
    if progress is None:
        return {}
    return {progress.doing: [share.value for _, share in progress.shares]}


def test_every_joint_step_of_a_deal_shows_how_far_each_seat_is() -> None:
    made = seated(3)
    seen: dict[str, list[str]] = {}
    while made.queue:
        seen.update(shares(made.table))
        made.deliver_one()
    assert seen.keys() >= {
        "sign the charter",
        "make keys for a new deck and commit to a coin",
        "shuffle the deck",
        "lock the cards and open the coin",
        "unlock the cards",
        "countersign",
    }


def test_shuffles_are_one_after_the_other() -> None:
    made = seated(3)
    while made.table.ledger.tip.height < 1:
        made.deliver_one()
    assert shares(made.table) == {"shuffle the deck": ["done", "busy", "later"]}


def test_a_vote_shows_who_has_voted() -> None:
    made = dealt(3)
    made.gone.add(Seat(2))
    made.bots_play(1)
    made.pass_time()
    until = made.wakes[ME]
    assert until is not None
    made.do(ME, made.table.tick(until))
    assert shares(made.table) == {"vote": ["done", "busy", "busy"]}


def test_a_step_that_nobody_has_heard_of_is_named() -> None:
    assert doing_of(["shuffle", "dance"]) == "shuffle the deck and give what is due (dance)"


@pytest.mark.parametrize(
    ("duty", "words"), [(None, "Cards are on their way."), (Turn(Seat(1), ("draw",)), "Bea has")]
)
def test_what_is_due_is_said(duty: Turn | None, words: str) -> None:
    snapshot = dealt(3).snapshot()
    view = replace(snapshot.view, duty=duty)
    assert words in headline(replace(snapshot, view=view, asked=None, progress=None))


def test_a_card_that_lies_nowhere_has_its_number() -> None:
    snapshot = dealt(3).snapshot()
    speaker = Speaker(snapshot)
    assert speaker.card(type(snapshot.view.zones[0].cards[0].slot)(999)) == "card 999"
    hidden = next(zone for zone in snapshot.view.zones if zone.seat == 1).cards[1]
    assert speaker.card(hidden.slot) == "card 2 (Bea: hand)"
    stock = next(zone for zone in snapshot.view.zones if zone.name == "stock").cards[0]
    assert speaker.card(stock.slot) == "card 1 (stock)"


def test_actions_are_told_with_their_fields() -> None:
    speaker = Speaker(dealt(3).snapshot())
    ace = action("play", cards=(), macaua=True, suit="H")
    assert speaker.action(ace) == "play cards: cards , macaua, suit hearts"


def test_a_restart_shows_the_same() -> None:
    made = dealt(3)
    table, _ = come_back(made.setting, made.table.player, made.stored[ME])
    assert snapshot_of(table, made.book, 0).view == made.snapshot().view
