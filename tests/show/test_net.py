"""What is said of links: a few words beside a seat, and all of it on the page."""

from __future__ import annotations

import pytest

from nodealer.kernel import Cause, Ended, Reach, Reason, Seat, Tallied, Traffic, Way
from nodealer.show.book import counted, reached
from nodealer.show.net import net_lines, reach_words
from nodealer.terminal.pages import Page, page_lines
from nodealer.terminal.spans import text_of
from tests.show.watching import dealt

SECOND = 1_000

BROKE = Reach(cause=Cause.REFUSED, reason=Reason.LINK_FLOOD, since=0)


@pytest.mark.parametrize(
    ("reach", "words", "brief"),
    [
        (Reach(Way.HERE), "", ""),
        (Reach(Way.NEARBY, 0, round_trip_us=1_499), "nearby 1 ms, up 9 s", "nearby 1 ms"),
        (Reach(Way.DIRECT), "direct", "direct"),
        (
            Reach(Way.DIRECT, 0, is_absent=True),
            "direct, up 9 s, table not open",
            "direct, table not open",
        ),
        (Reach(), "no link: not tried yet", "no link"),
        (BROKE, "no link for 9 s: it broke the rules (link/flood)", "no link"),
        (
            Reach(cause=Cause.UNREACHABLE, ended=Ended(Cause.PEER_LEFT, 0), since=0),
            "no link for 9 s: it said goodbye",
            "no link",
        ),
        (
            Reach(cause=Cause.IMPOSTOR, ended=Ended(Cause.PEER_LEFT, 0)),
            "no link: somebody else answers there",
            "no link",
        ),
    ],
)
def test_how_a_seat_is_reached_in_a_few_words(reach: Reach, words: str, brief: str) -> None:
    assert ", ".join(reach_words(reach, 9 * SECOND)) == words
    assert ", ".join(reach_words(reach, 9 * SECOND, is_brief=True)) == brief


@pytest.mark.parametrize(
    ("reach", "details"),
    [
        (Reach(Way.DIRECT), ["address: not known"]),
        (Reach(), ["attempts: 0"]),
        (
            Reach(Way.RELAYED, kind="ip4", relay="12D3KooWabcdef"),
            ["address: ip4, through the relay ...abcdef"],
        ),
        (BROKE, ["now: it broke the rules (link/flood)", "attempts: 0"]),
        (
            Reach(cause=Cause.MUTE, tries=2, next_try=SECOND, ended=Ended(Cause.SILENT, 0)),
            [
                "now: it did not say hello",
                "attempts: 2, the next one in 1 s",
                "last ended 0 s ago: it fell silent",
            ],
        ),
    ],
)
def test_the_page_says_all_of_a_link(reach: Reach, details: list[str]) -> None:
    made = dealt(2)
    made.book = reached(made.book, made.table, Seat(1), reach)
    found = list(net_lines(made.snapshot()))
    passed = "sent: 0 messages, 0 bytes; received: 0 messages, 0 bytes"
    assert found[0].startswith("Bea: ")
    assert found[1:] == [f"- {one}" for one in (*details, passed)]


def test_the_page_has_every_counter_once_and_in_order() -> None:
    made = dealt(2)
    made.book = counted(made.book, dict.fromkeys((*Reason, *Tallied), 7))
    rows = [text_of(row) for row in page_lines(Page.NET, made.snapshot(), 120)]
    start = rows.index("This node has counted:") + 1
    assert rows[start] == "- connections that others opened: 7"
    assert len(rows) - start == len(Reason) + len(Tallied)
    assert sum(row.endswith("(chat/flood): 7") for row in rows) == 1


def test_times_come_in_the_units_of_who_asks() -> None:
    reach = Reach(since=1, next_try=2, ended=Ended(Cause.SILENT, 3), traffic=Traffic(4, 5, 6, 7))
    there = reach.at_times(lambda one: 10 * one)
    assert (there.since, there.next_try, there.ended) == (10, 20, Ended(Cause.SILENT, 30))
    assert there.traffic == reach.traffic
    assert Reach().at_times(lambda one: 10 * one) == Reach()
