"""Lines of chat: who may say what, what is not taken and why, and how far they travel."""

from __future__ import annotations

from collections import Counter
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from pycddl import Schema  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import LocalError, PeerError, Reason, Seat, TableId
from nodealer.node.chat import (
    BURST,
    CHAT,
    EVERY_TICKS,
    LINE,
    LINES_KEPT,
    TEXT_CHARACTERS_MAX,
    Chat,
    SpokenLine,
    chat_of,
    heard,
    looked_at,
    read_lines,
    say,
    write_lines,
)
from nodealer.node.envelopes import ForChat, write_envelope
from nodealer.node.keeper import Keeper
from nodealer.node.table_talk import TableTalk
from nodealer.store.trouble import Trouble
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle, unreadable
from tests.specs.pages import SPECS
from tests.store.players import charter_for, identity_of
from tests.store.troubles import trouble, without_room

CHARTER = charter_for(3)
ANA, BEA, CARL = Seat(0), Seat(1), Seat(2)


def chat() -> Chat:
    return chat_of(CHARTER)


def line_of(seat: Seat, number: int, text: str, table: TableId = CHARTER.table) -> SpokenLine:
    """Return a line with the signature that this seat would give it."""
    signature = identity_of(seat).signer.sign(CHAT, (table, seat, number, text))
    return SpokenLine(seat, number, text, signature)


def taken(at: Chat, *lines: SpokenLine, now: int = 0) -> Chat:
    for line in lines:
        at = heard(at, line, now)
    return at


# One line.


def test_a_line_that_was_said_is_heard_once() -> None:
    own, line = say(chat(), ANA, identity_of(ANA).signer, "  good   evening ")
    assert line.text == "good evening"
    there = heard(chat(), line, 0)
    assert there.lines == own.lines == (line,)
    with pytest.raises(PeerError, match="chat/stale"):
        heard(there, line, 0)


def test_numbers_go_up_also_after_a_restart() -> None:
    signer = identity_of(ANA).signer
    at, first = say(chat(), ANA, signer, "one")
    again = chat_of(CHARTER, tuple(read_lines(write_lines(at.lines))))
    _, second = say(again, ANA, signer, "two")
    assert (first.number, second.number) == (1, 2)


def test_a_seat_from_an_old_copy_learns_its_number_from_the_others() -> None:
    at = heard(chat(), line_of(ANA, 7, "said before"), 0)
    _, line = say(at, ANA, identity_of(ANA).signer, "and now")
    assert line.number == 8


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        (replace(line_of(ANA, 1, "hi"), seat=BEA), "signature/bad"),
        (replace(line_of(ANA, 1, "hi"), text="ho"), "signature/bad"),
        (replace(line_of(ANA, 1, "hi"), number=2), "signature/bad"),
        (line_of(ANA, 1, "hi", TableId(bytes(32))), "signature/bad"),
        (line_of(ANA, 0, "hi"), "chat/stale"),
        (replace(line_of(ANA, 1, "hi"), seat=Seat(3)), "chat/seat"),
    ],
    ids=["for another seat", "other words", "other number", "other table", "zero", "no seat"],
)
def test_a_line_that_its_seat_has_not_said_here_is_not_taken(line: SpokenLine, slug: str) -> None:
    with pytest.raises(PeerError, match=slug):
        heard(chat(), line, 0)


def test_numbers_do_not_go_back() -> None:
    at = taken(chat(), line_of(ANA, 5, "five"))
    with pytest.raises(PeerError, match="chat/stale"):
        heard(at, line_of(ANA, 4, "four"), 0)
    assert len(taken(at, line_of(BEA, 4, "four"), line_of(ANA, 6, "six")).lines) == 3


BAD_TEXTS = (
    "",
    " hi",
    "hi ",
    "a  b",
    "a\nb",
    "a\x1b[2Jb",
    "\u202eturned",
    "un\u200bseen",
    "\ud7ff\ue000",
    "x" * (TEXT_CHARACTERS_MAX + 1),
)


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_what_cannot_be_shown_is_not_taken(text: str) -> None:
    with pytest.raises(PeerError, match="chat/text"):
        heard(chat(), line_of(ANA, 1, text), 0)


@pytest.mark.parametrize("text", ["", "   ", "\u202eturned", "x" * (TEXT_CHARACTERS_MAX + 1)])
def test_nor_is_it_said(text: str) -> None:
    with pytest.raises(LocalError, match="characters"):
        say(chat(), ANA, identity_of(ANA).signer, text)


@given(st.text(max_size=TEXT_CHARACTERS_MAX))
def test_whatever_can_be_said_is_taken(text: str) -> None:
    try:
        _, line = say(chat(), ANA, identity_of(ANA).signer, text)
    except LocalError:
        return
    assert heard(chat(), LINE.read(LINE.write(line)), 0).lines == (line,)


def test_lines_are_what_the_page_says() -> None:
    schema = Schema(f"letter = node-line\n{(SPECS / 'node.cddl').read_text(encoding='utf-8')}")
    schema.validate_cbor(LINE.write(line_of(BEA, 2**64 - 1, "王" * TEXT_CHARACTERS_MAX)))


# Many lines.


def test_a_flood_of_a_seat_is_stopped_and_others_are_not() -> None:
    at = taken(chat(), *(line_of(ANA, n, "x") for n in range(1, BURST + 1)))
    with pytest.raises(PeerError, match="chat/flood"):
        heard(at, line_of(ANA, 99, "x"), EVERY_TICKS - 1)
    assert heard(at, line_of(ANA, 99, "x"), EVERY_TICKS).last(ANA) == 99
    assert heard(at, line_of(BEA, 1, "x"), 0).last(BEA) == 1


def test_who_hands_on_too_much_is_not_looked_at() -> None:
    at = chat()
    for _ in range(BURST * 3):
        at = looked_at(at, CARL, 0)
    with pytest.raises(PeerError, match="chat/flood"):
        looked_at(at, CARL, 0)
    looked_at(at, CARL, EVERY_TICKS // 3)
    looked_at(at, BEA, 0)


def test_of_each_seat_the_last_lines_are_kept() -> None:
    part = LINES_KEPT // 3
    at = taken(chat(), line_of(BEA, 1, "first of all"))
    for number in range(1, 100):
        at = heard(at, line_of(ANA, number, "x"), number * EVERY_TICKS)
    assert [one.number for one in at.lines] == [1, *range(100 - part, 100)]
    assert at.lines[0].seat == BEA


# At a table, over links.


def said_at(keeper: Keeper) -> list[tuple[int, str]]:
    return [(line.seat, line.text) for line in keeper.talk.chat.lines]


async def heard_by(keeper: Keeper, count: int) -> None:
    """Wait until so many lines were heard."""
    with trio.fail_after(60):
        while len(keeper.talk.chat.lines) < count:
            await keeper.changed()


def test_lines_reach_all_seats_and_who_watches_and_outlive_the_programs(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 3)
    circle.found()
    told: list[list[tuple[int, str]]] = []

    async def main() -> None:
        async with AsyncExitStack() as stack:
            first, second = [
                await stack.enter_async_context(circle.at_table(seat)) for seat in circle.seats[:2]
            ]
            watch = await stack.enter_async_context(circle.watching(tmp_path / "spectator"))
            first.talk.say("is Carl here?")
            await heard_by(second, 1)
            second.talk.say("not yet")
            await heard_by(watch, 2)
            with pytest.raises(LocalError, match="silent"):
                watch.talk.say("hello")
            # Who comes later is told what was said, and says something to both.
            third = await stack.enter_async_context(circle.at_table(CARL))
            await heard_by(third, 2)
            third.talk.say("here I am")
            for keeper in (first, second, watch):
                await heard_by(keeper, 3)
            told.extend(map(said_at, (first, second, third, watch)))
            of_chat = {Reason.CHAT_FLOOD, Reason.CHAT_SEAT, Reason.CHAT_TEXT}
            assert first.counts.keys().isdisjoint(of_chat)

    in_virtual_time(main)
    assert told == [[(0, "is Carl here?"), (1, "not yet"), (2, "here I am")]] * 4
    with closing(circle.journal(BEA)) as journal:
        kept = [line.text for line in read_lines(journal.noted("chat/lines") or b"")]
    assert kept == ["is Carl here?", "not yet", "here I am"]


def test_a_line_goes_round_by_way_of_a_third(tmp_path: Path) -> None:
    """Ana and Carl cannot reach each other, and Bea reaches both."""
    circle = Circle(tmp_path, 3)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            circle.ether.part("seat-0", "seat-2")
            ana, _, carl = [
                await stack.enter_async_context(circle.at_table(seat)) for seat in circle.seats
            ]
            ana.talk.say("can you hear me?")
            await heard_by(carl, 1)

    in_virtual_time(main)


def test_what_is_no_line_changes_nothing_and_is_counted(tmp_path: Path) -> None:
    """Carl sends rubbish, a line in Ana's name, one of another table, and a flood of his own."""
    circle = Circle(tmp_path, 3)
    circle.found()
    forged = replace(line_of(CARL, 1, "I resign"), seat=ANA)
    elsewhere = line_of(CARL, 1, "said elsewhere", TableId(bytes(32)))
    flood = [line_of(CARL, number, "buy") for number in range(1, 60)]

    async def main() -> None:
        async with AsyncExitStack() as stack:
            bea = await stack.enter_async_context(circle.at_table(BEA))
            node = await stack.enter_async_context(circle.node(CARL))
            carl = node.open_table(stack.enter_context(closing(circle.journal(CARL))))
            link = carl.link_to(BEA)
            assert link is not None
            for letter in (b"\xff", *map(LINE.write, (forged, elsewhere, *flood))):
                await link.send(write_envelope(ForChat(carl.id), letter))
            await trio.sleep(1)
            assert {seat for seat, _ in said_at(bea)} == {CARL}
            assert bea.counts[Reason.SIGNATURE_BAD] == 2
            assert unreadable(bea.counts) == 1
            assert bea.counts[Reason.CHAT_FLOOD] >= 59 - BURST - 2

    in_virtual_time(main)


def test_a_line_that_could_not_be_kept_is_not_said(tmp_path: Path) -> None:
    """Its number would be given once more after a restart."""
    circle = Circle(tmp_path, 2)
    circle.found()
    with closing(circle.journal(ANA)) as journal:
        talk = TableTalk(journal, lambda _: None, lambda: None, Counter())
        kept = talk.chat.lines
        with trouble(Trouble.FULL), without_room(journal):
            for number in range(LINES_KEPT * 2):
                kept = talk.chat.lines
                talk.say(f"{number} {'x' * 200}")
        assert talk.chat.lines == kept
