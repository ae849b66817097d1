"""The second reading of the rules page follows simulated games by what is exported of them alone.

A game is simulated with keys, proofs and a countersigned history; its transcript is judged and
exported as JSON. Actions, answers and events stand in that, and how the game came out: the oracle
agrees on legality, on the sizes of all hands, on golden potatoes and on the places.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import pytest

from nodealer.games.papas import PAPAS
from nodealer.sim.faults import ALL
from nodealer.sim.game import Order, play
from nodealer.verify import exported, judge_bytes
from tests.games.papas.oracle import Deed, ObjectionError, Oracle, Word

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

GAMES = [
    *((2 + seed % 5, seed, "none", {"interrupt_chain": seed % 3 == 0}) for seed in range(25)),
    *((2 + seed % 5, seed, ALL, {"one_card": "turn-start"}) for seed in range(25)),
]
SAMPLE = [(2, 1, "none", {"max_turns": 12}), (3, 5, ALL, {"max_turns": 8})]

Exported = Mapping[str, Any]


Options = Mapping[str, int | str | bool]


def export_of(seats: int, seed: int, faults: str, options: Options) -> Exported:
    """Return what is exported of a simulated game, after its way through JSON."""
    made = play(Order(PAPAS, seats, seed, options, faults=faults))
    assert not made.violations
    found: Exported = json.loads(json.dumps(exported(judge_bytes(made.transcript))))
    return found


def said(fields: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return fields as they were before they were written as JSON."""
    return {name: _tupled(value) for name, value in fields}


def _tupled(value: object) -> object:
    return tuple(_tupled(one) for one in value) if isinstance(value, list) else value


def games_in(data: Exported) -> Iterator[tuple[list[int], list[Deed | Word]]]:
    """Yield the games of a table: who plays, and all that was done and told."""
    playing, record = [seat["number"] for seat in data["seats"]], list[Deed | Word]()
    staying = list(playing)
    for entry in data["entries"]:
        if entry.get("action") == {}:
            yield playing, record
            playing, record = list(staying), []
            continue
        step = entry["content"]["step"]
        staying = [seat for seat in staying if seat not in step.get("seats", ())]
        if action := entry.get("action"):
            seat = step["seat"]
            record.append(Deed(seat, action["kind"], said(action["fields"])))
        for answer in entry.get("answers", []):
            record.append(Deed(answer["seat"], answer["kind"], said(answer["fields"])))
        record += [Word(told["kind"], said(told["fields"])) for told in entry["events"]]
    yield playing, record


@pytest.mark.parametrize(("seats", "seed", "faults", "options"), GAMES if IS_FULL else SAMPLE)
def test_the_oracle_follows_what_is_exported(
    seats: int, seed: int, faults: str, options: Options
) -> None:
    data = export_of(seats, seed, faults, options)
    results = {one["height"]: one["ranking"] for one in data["results"]}
    played = list(games_in(data))
    assert len(results) in (len(played), len(played) - 1)
    for (playing, record), ranking in zip(played, results.values(), strict=False):
        oracle = Oracle(playing, data["options"], record)
        oracle.follow()
        ranked = [list(group) for _, group in groupby(ranking, lambda one: one["place"])]
        assert [[one["seat"] for one in group] for group in ranked] == oracle.places()
        points = {one["seat"]: one["points"] for one in ranking if one["points"] is not None}
        assert points == oracle.golden
    if len(results) < len(played):
        unfinished = Oracle(played[-1][0], data["options"], played[-1][1])
        with pytest.raises(ObjectionError, match="the game goes on"):
            unfinished.follow()
        assert unfinished.at == len(unfinished.record)
