"""Every event of the ledger has its words, and the log tells all of them once and in order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import Cause, Ended, EntryId, Height, Reach, Reason, Seat, Way
from nodealer.ledger import Evict, Evidence, Keep, Leave, Ready, Refusal, Vote
from nodealer.ledger.ready import (
    Dropped,
    LedgerEvent,
    LeftOut,
    Stalled,
    Suspect,
    Suspended,
    Took,
)
from nodealer.show.book import (
    CHAT_CHARACTERS_MAX,
    CHAT_LINES_MAX,
    LOG_LINES_MAX,
    Book,
    LinePlace,
    chat_after,
    chatted,
    muted,
    noted,
    opened,
    reached,
    told,
    unmuted,
)
from nodealer.show.snapshot import snapshot_of
from nodealer.show.telling import Tone
from nodealer.show.times import duration, in_words
from nodealer.terminal.control import Size, control_for
from nodealer.terminal.panes import seats_pane
from nodealer.terminal.spans import text_of
from tests.show.watching import ME, Watched, dealt, seated
from tests.terminal.scenes import finished
from tests.verify.stage import be_false, fall_silent, leave

MADE = dealt(3)
TABLE = MADE.table.ledger.tip.table
NOWHERE = EntryId(bytes(32))
ANA, BEA = Seat(0), Seat(1)


def vote(choice: Evict | Keep) -> Vote:
    return Vote(TABLE, Height(5), NOWHERE, 0, 2, choice, ME, b"")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            Suspended((BEA,), 48_000),
            "in time. In 48 s the others vote on going on without them.",
        ),
        (Suspended((BEA, Seat(2)), 48_000), "Bea and Čeněk could not be heard in time."),
        (Suspended((), 1_000), "somebody could not be heard"),
        (Stalled((BEA,)), "Without Bea there is no majority: the table waits for Bea."),
        (vote(Evict((BEA,))), "Ana votes in round 2 to go on without Bea."),
        (vote(Keep(NOWHERE, 0)), "Ana votes in round 2 to keep what is there."),
        (
            Evidence("E2", BEA, ()),
            "Bea cast two different votes in one round (E2).",
        ),
        (
            Refusal(TABLE, Height(5), NOWHERE, b"", "rules/illegal", (), BEA, b""),
            f"Bea refuses what was signed: {Reason('rules/illegal').meaning} (rules/illegal).",
        ),
        (
            Refusal(TABLE, Height(5), NOWHERE, b"", "from/later", (), BEA, b""),
            "Bea refuses what was signed: from/later.",
        ),
        (Leave(TABLE, Height(5), NOWHERE, 0, BEA, b""), "Bea has left the table."),
        (LeftOut(Height(5)), "The others go on without you, from height 5 on."),
        (Suspect(), "you sign nothing until all others have said what you have signed."),
        (Dropped("encoding/truncated", BEA), "A message of Bea was dropped: the bytes end"),
        (Dropped("encoding/truncated", None), "A message was dropped: "),
        (Took(Height(9), NOWHERE, 1, replaced=True), "height 9 is replaced by a later round."),
    ],
)
def test_an_event_has_its_words(event: LedgerEvent, words: str) -> None:
    book = noted(Book("x"), MADE.table, Ready(show=(event,)), 0)
    (told,) = book.log
    assert words in told.text
    assert (told.tone is Tone.TABLE) == isinstance(event, Dropped)


def test_an_entry_that_was_replaced_at_once_is_not_told() -> None:
    assert noted(Book("x"), MADE.table, Ready(show=(Took(Height(9), NOWHERE, 0),)), 0).log == ()


def test_what_is_dropped_is_told_once_for_each_sender_and_reason() -> None:
    shown = (Dropped("encoding/text", BEA), Dropped("encoding/text", BEA), Dropped("a/b", BEA))
    book = noted(Book("x"), MADE.table, Ready(show=shown * 5), 0)
    assert len(book.log) == 2


def test_the_log_of_a_restart_tells_the_same_game() -> None:
    made = finished()
    again = opened(Book("x"), made.table, 5)
    assert [one.text for one in again.log] == [one.text for one in made.book.log]
    assert [one.at for one in again.log] == [one.at for one in made.book.log]
    assert sorted({one.at for one in again.log}) == [one.at for one in again.log]


def test_a_restart_knows_since_when_the_player_is_asked() -> None:
    made = dealt(3)
    while not made.table.ledger.asked:
        made.bots_play(1)
    assert opened(Book("x"), made.table, 7).asked == 7


def texts(made: Watched) -> str:
    return "\n".join(one.text for one in made.book.log)


def test_who_comes_back_in_time_is_told() -> None:
    made = dealt(3)
    made.gone.add(Seat(2))
    if made.on_turn() != Seat(2):
        made.bots_play(1)
    made.pass_time()
    made.gone.clear()
    for seat in made.tables:
        made.do(seat, made.tables[seat].tell())
    made.deliver()
    assert "Čeněk could not be heard in time." in texts(made)
    if not made.table.ledger.awaited:
        assert "Čeněk has come back; the table goes on." in texts(made)


def test_who_is_left_out_does_not_come_back() -> None:
    made = dealt(3)
    fall_silent(made, Seat(2))
    assert "Čeněk (silent, as the others say)" in texts(made)
    assert "come back" not in texts(made)
    leaving = dealt(3)
    leave(leaving, Seat(2))
    assert "Čeněk has left the table." in texts(leaving)
    assert "Čeněk (left)" in texts(leaving)


@pytest.mark.parametrize(
    ("ticks", "text"),
    [
        (0, "no time"),
        (1, "1 millisecond"),
        (1_500, "1 second 500 milliseconds"),
        (90_000, "1 minute 30 seconds"),
        (7_260_000, "2 hours 1 minute"),
        (172_800_000, "2 days"),
    ],
)
def test_spans_of_time_in_words_are_exact(ticks: int, text: str) -> None:
    assert in_words(ticks) == text


def test_a_proven_cheat_is_told_with_its_reason() -> None:
    made = dealt(3)
    be_false(made, Seat(2))
    assert "Proven: Čeněk signed two different things where there may be one (E1)." in texts(made)


def test_links_that_are_lost_and_found_are_told() -> None:
    made = dealt(3)
    book, table = made.book, made.table
    before = len(book.log)
    lost = Reach(ended=Ended(Cause.PEER_LEFT, 2))
    again = Reach(Way.RELAYED, ended=lost.ended)
    for how in (Reach(Way.DIRECT), Reach(Way.RELAYED), lost, lost, again, Reach()):
        book = reached(book, table, BEA, how)
        assert book.reach[BEA] == how
    told = [one.text for one in book.log[before:]]
    assert told == [
        "The link to Bea is lost: it said goodbye.",
        "Bea can be reached again.",
        "The link to Bea is lost.",
    ]
    assert reached(Book("x"), table, BEA, Reach(Way.DIRECT)).log == ()


def test_a_link_that_comes_up_first_is_not_there_again() -> None:
    book, table = Book("x"), dealt(3).table
    for how in (Reach(), Reach(Way.DIRECT)):
        book = reached(book, table, BEA, how)
    assert [one.text for one in book.log] == ["Bea can be reached."]


def test_a_program_that_has_the_table_closed_is_told_once() -> None:
    made = dealt(3)
    book, table = made.book, made.table
    before = len(book.log)
    closed, open_ = Reach(Way.DIRECT, is_absent=True), Reach(Way.DIRECT)
    for how in (open_, closed, closed, open_, closed):
        book = reached(book, table, BEA, how)
    told = [one.text for one in book.log[before:]]
    assert told == ["Bea's program does not have this table open."] * 2
    snapshot = snapshot_of(table, book, 0)
    shown = seats_pane(snapshot, control_for(snapshot, Size(110, 40)), 110)
    assert "table not open" in "".join(map(text_of, shown))


def test_chat_is_cleaned_bounded_and_can_be_muted() -> None:
    book = Book("x")
    for number in range(CHAT_LINES_MAX + 3):
        book = chatted(book, BEA, number + 1, f"{number}\x1b[2J" + "x" * 9_000)
    assert len(book.chat) == CHAT_LINES_MAX
    assert book.chat[-1].number == CHAT_LINES_MAX + 3
    assert all(len(one.text) <= CHAT_CHARACTERS_MAX and "\x1b" not in one.text for one in book.chat)
    assert unmuted(muted(book, BEA), BEA) == book


def test_lines_of_chat_follow_the_one_that_is_known() -> None:
    book = Book("x")
    for number in (1, 2):
        book = chatted(chatted(book, BEA, number, f"b{number}"), ANA, number, f"a{number}")
    assert chat_after(book.chat, None) == book.chat
    assert [one.text for one in chat_after(book.chat, (BEA, 2))] == ["a2"]
    assert chat_after(book.chat, (BEA, 9)) == book.chat


def test_steps_of_the_protocol_are_told_apart_from_the_game() -> None:
    told = {one.tone: one.text for one in finished().book.log}
    assert set(told) == {Tone.TABLE, Tone.PROTOCOL, Tone.GAME}
    lines = finished().book.log
    assert all("lock" not in one.text for one in lines if one.tone is Tone.GAME)
    assert any("lock" in one.text for one in lines if one.tone is Tone.PROTOCOL)


def test_whoever_runs_the_table_may_add_a_sentence() -> None:
    book = told(told(Book("x"), "one\x1b"), "two")
    assert [(line.text, line.height, line.tone) for line in book.log] == [
        ("one?", None, Tone.GAME),
        ("two", None, Tone.GAME),
    ]


def test_the_log_is_bounded_and_numbers_go_on() -> None:
    book = Book("x")
    line = noted(book, MADE.table, Ready(show=(LeftOut(Height(5)),)), 0).log[0]
    book = replace(book, log=tuple(replace(line, at=LinePlace(7, n)) for n in range(LOG_LINES_MAX)))
    book = noted(book, MADE.table, Ready(show=(Dropped("x", None),)), 3)
    assert len(book.log) == LOG_LINES_MAX
    assert book.log[-1].at == LinePlace(7, LOG_LINES_MAX)
    assert book.log[-1].text == "A message was dropped: x."


@pytest.mark.parametrize(
    ("ticks", "text"),
    [(-5, "0 s"), (999, "0 s"), (12_000, "12 s"), (61_000, "1 min 1 s"), (7_260_000, "2 h 1 min")],
)
def test_spans_of_time(ticks: int, text: str) -> None:
    assert duration(ticks) == text


def test_a_proven_cheat_is_told_with_what_replay_refuses() -> None:
    made = seated(3)
    while len(made.table.ledger.desk.contributions) < 2:
        made.deliver_one()
    ledger = made.table.ledger
    good, one, *_ = ledger.desk.contributions.values()
    desk = replace(ledger.desk, refused={one.id: "deck/shuffle"})
    table = replace(made.table, ledger=replace(ledger, desk=desk))
    proven = Evidence("E5", one.seat, (good, one))
    (told,) = noted(Book("x"), table, Ready(show=(proven,)), 0).log
    assert told.text.endswith("refuse (E5): deck/shuffle.")
