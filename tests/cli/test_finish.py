"""What a program is told at the end of a sitting: the result, and what the network did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nodealer.cli.finish import tell_finished
from nodealer.home.finished import Finished
from nodealer.home.playing import NetSeen
from nodealer.kernel import Cause, Ended, Reach, Reason, Seat, TableId, Tallied, Traffic, Way

FINISHED = Finished(Path("x.ndt"), "macaua", TableId(bytes(32)), ("Ana", "Bea"), None, 7, None)

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


def test_links_and_counts_are_told_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    tell_finished(FINISHED, SEEN, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["height"] == 7
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


def test_people_are_told_neither(capsys: pytest.CaptureFixture[str]) -> None:
    tell_finished(FINISHED, SEEN, as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "The game is not over; go on with `nodealer resume 000000`.",
        "transcript: x.ndt",
    ]
