"""What a program is told at the end of a sitting: the result, and what the network did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nodealer.cli.finish import PlayedSitting, tell_finished
from nodealer.cli.table_story import TimedShuffle, shuffles_told
from nodealer.home.finished import Finished
from nodealer.home.playing import NetSeen
from nodealer.kernel import Cause, Ended, Reach, Reason, Seat, TableId, Tallied, Traffic, Way
from nodealer.verify import judge_bytes
from tests.verify.stage import find_small, stage

SHUFFLES = (TimedShuffle(Seat(0), 12.4), TimedShuffle(Seat(1), 9.6))

SEEN = NetSeen(
    {
        Seat(1): Reach(
            Way.NONE,
            since=1_000,
            cause=Cause.REFUSED,
            reason=Reason.LOBBY_STALE,
            tries=3,
            ended=Ended(Cause.SILENT, 1_000),
            traffic=Traffic(1, 20, 3, 40),
            is_absent=True,
        ),
        Seat(2): Reach(Way.RELAYED, since=2_500, round_trip_us=1_500),
        Seat(3): Reach(Way.HERE),
    },
    {Reason.LOBBY_STALE: 2, Tallied.TOO_MANY: 5},
    3_000,
)


def finished() -> Finished:
    """Return a game of two that has just begun."""
    judged = judge_bytes(stage(2).record(), find_game=find_small)
    return Finished(Path("x.ndt"), "small", TableId(bytes(32)), ("Ana", "Bea"), None, judged, 2.5)


def test_links_and_counts_are_told_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    tell_finished(finished(), PlayedSitting(SEEN, SHUFFLES), as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert (told["height"], told["verdict"], told["judged_ms"]) == (5, "unfinished", 2.5)
    assert told["shuffles"] == [{"seat": 0, "ms": 12.4}, {"seat": 1, "ms": 9.6}]
    assert told["proven"]["shuffles"] == 2
    gone, relayed = told["links"]
    assert gone == {
        "seat": 1,
        "way": None,
        "since_ms": 2_000,
        "cause": 20,
        "reason": "lobby/stale",
        "ended": 2,
        "ended_ms": 2_000,
        "tries": 3,
        "absent": True,
        "round_trip_us": None,
        "sent": 1,
        "sent_bytes": 20,
        "received": 3,
        "received_bytes": 40,
    }
    assert (relayed["way"], relayed["since_ms"]) == ("relayed", 500)
    assert (relayed["cause"], relayed["ended"], relayed["round_trip_us"]) == (None, None, 1_500)
    assert told["counts"] == {"lobby/stale": 2, "too-many": 5}


def test_people_are_told_what_the_judge_says_and_what_can_be_typed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tell_finished(finished(), PlayedSitting(SEEN, SHUFFLES), as_json=False)
    told = capsys.readouterr().out
    assert told.splitlines()[1] == "The judge has read the record and checked it anew in 2 ms:"
    said = " ".join(told.split())
    assert "Each seat shuffled the deck and proved it, in 12 and 10 ms; all others" in said
    assert "The game is not over: nobody has won yet. Nobody cheated so far:" in said
    typed = [line.split(" nodealer ")[1].split()[0] for line in told.splitlines()[-3:]]
    assert typed == ["resume", "verify", "replay"]
    assert " 000000  " in told


def test_shuffles_are_told_as_far_as_they_were_seen() -> None:
    assert shuffles_told((), 2) == ""
    one = shuffles_told(SHUFFLES[:1], 2)
    assert one.startswith("This seat shuffled the deck and proved it, in 12 ms; all others")
    many = shuffles_told(SHUFFLES * 6, 2)
    assert "12 times, in 10 to 12 ms each" in many
