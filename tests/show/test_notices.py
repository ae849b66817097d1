"""What is out of order at a table is said for as long as it is so, and no longer."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from types import MappingProxyType

from nodealer.games.registry import game
from nodealer.kernel import Cause, Ended, Height, Reach, Seat, Way
from nodealer.show.book import Book, chatted
from nodealer.show.notices import KEPT, notices_of
from nodealer.show.snapshot import again_wished, snapshot_of
from nodealer.show.wording import Speaker
from tests.show.making import NAMES
from tests.show.watching import ME, Watched, dealt, seated
from tests.terminal.scenes import finished, left_out_table
from tests.verify.stage import be_false, fall_silent, leave


def noticed(made: Watched) -> dict[str, tuple[str, ...]]:
    return {one.kind: one.says for one in made.snapshot().notices}


def without_links(made: Watched, *seats: Seat) -> Watched:
    """Return the table as it looks to a seat that reaches none of these."""
    lost = {seat: Reach(cause=Cause.UNREACHABLE) for seat in seats}
    seen = copy(made)  # others look at the same table
    seen.book = replace(made.book, reach=MappingProxyType({**made.book.reach, **lost}))
    return seen


def standing_still() -> Watched:
    made = dealt(3)
    made.gone.add(Seat(2))
    made.bots_play(1)
    made.pass_time()
    return made


def voided() -> Watched:
    made = dealt(3, game("66"))
    made.bots_play(1)
    fall_silent(made, Seat(2))
    return made


def proven() -> Watched:
    made = dealt(3)
    be_false(made, Seat(2))
    return made


def test_where_all_is_well_there_is_nothing_to_notice() -> None:
    assert dealt(3).snapshot().notices == ()
    assert finished().snapshot().notices == ()
    assert seated(2, game("66")).snapshot().notices == ()


def test_whoever_is_proven_false_is_named_with_place_and_grounds() -> None:
    made = proven()
    (what, kept) = noticed(made)["proven"]
    height = made.table.ledger.proven[Seat(2)].height
    told = f"{NAMES[2]} signed two different things where there may be one (E1)"
    assert what == f"{told}, at height {height}."
    assert kept == KEPT


def test_who_is_left_out_is_told_from_where_on() -> None:
    made = left_out_table()
    height = made.table.ledger.tip.height
    found = noticed(made)
    assert list(found) == ["left out"]
    assert f"from height {height} on" in found["left out"][0]
    early = replace(dealt(3).table, ledger=replace(dealt(3).table.ledger, left_out=Height(4)))
    assert "from height 4 on" in notices_of(early, made.book)[0].says[0]
    gone = dealt(3)
    gone.do(ME, gone.table.leave())
    gone.deliver()
    assert noticed(gone) == {}


def test_an_old_record_names_those_who_have_not_been_heard() -> None:
    made = dealt(3)
    table, _ = made.table.recall()
    (notice,) = notices_of(table, made.book)
    assert notice.kind == "suspect"
    assert notice.says[-1] == f"Not heard yet: {NAMES[1]} and {NAMES[2]}."
    suspect = {Seat(1): 0, Seat(2): 0}
    heard = replace(table, ledger=replace(table.ledger, suspect=suspect))
    assert len(notices_of(heard, made.book)[0].says) == 1


def test_a_table_that_stands_still_names_for_whom() -> None:
    made = standing_still()
    assert noticed(made)["suspended"][0] == f"The table stands still without {NAMES[2]}."
    assert "cut off" not in noticed(made)
    made.gone.clear()
    for seat in made.tables:
        made.do(seat, made.tables[seat].tell())
    made.deliver()
    assert noticed(made) == {}


def test_whoever_reaches_nobody_is_cut_off_and_nothing_else() -> None:
    made = standing_still()
    assert noticed(without_links(made, Seat(1))).keys() == {"suspended"}
    assert noticed(without_links(made, Seat(1), Seat(2))).keys() == {"cut off"}


def test_who_has_tried_nobody_yet_is_not_cut_off() -> None:
    made = dealt(3)
    for last, kinds in (
        (Reach(), set()),
        (Reach(cause=Cause.NO_ADDRESS), {"cut off"}),
        (Reach(ended=Ended(Cause.PEER_LEFT, 0)), {"cut off"}),
        (Reach(Way.RELAYED), set()),
    ):
        seen = without_links(made, Seat(1))
        seen.book = replace(seen.book, reach=MappingProxyType({**seen.book.reach, Seat(2): last}))
        assert noticed(seen).keys() == kinds


def test_a_spectator_and_a_game_that_is_over_are_not_cut_off() -> None:
    made = without_links(finished(), Seat(1))
    assert noticed(made) == {}
    spectator = replace(dealt(2).table, player=None)
    assert notices_of(spectator, without_links(dealt(2), Seat(1)).book) == ()


def test_a_round_that_does_not_count_is_told_until_it_is_played_anew() -> None:
    made = voided()
    told = noticed(made)
    assert told["void"] == (f"Without {NAMES[2]} this round does not count; it is dealt again.",)
    made.bots_play(1)
    assert "void" not in noticed(made)


def test_before_the_first_round_there_is_none_that_does_not_count() -> None:
    made = dealt(3, game("66"))
    fall_silent(made, Seat(2))
    assert Seat(2) not in made.table.position.roster
    assert noticed(made) == {}


def test_where_the_policy_is_another_the_round_counts() -> None:
    made = dealt(3)
    fall_silent(made, Seat(2))
    assert "void" not in noticed(made)


def test_who_has_left_is_no_notice_to_the_others() -> None:
    made = dealt(3)
    leave(made, Seat(2))
    assert noticed(made) == {}


def test_who_would_like_to_play_again_says_so_after_this_very_game() -> None:
    made = finished()
    games = made.table.position.games
    book = chatted(made.book, Seat(1), 1, again_wished(games))
    book = chatted(book, ME, 1, again_wished(games + 1))
    host = snapshot_of(made.table, book, made.now)
    assert (host.may_ask_again, host.may_wish_again) == (True, False)
    assert Speaker(host).wishes_again() == f"Would like to play again: {NAMES[1]}."
    guest = made.tables[Seat(1)]
    shown = snapshot_of(guest, Book("x"), made.now)
    assert (shown.may_ask_again, shown.may_wish_again) == (False, True)
    assert Speaker(shown).wishes_again() == ""
    assert not snapshot_of(guest, book, made.now).may_wish_again
    assert not dealt(2).snapshot().may_wish_again
