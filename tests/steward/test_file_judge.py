"""Files that pages bring are judged by a process of their own, one at a time, and no longer."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import trio

from nodealer.dialogue import VerdictShown, read_verdict, verdict_on
from nodealer.kernel import Bug, LocalError, Seat
from nodealer.steward import ServedDialogue, file_judge
from nodealer.steward.file_judge import NOT_JUDGED, FileJudge
from nodealer.verify import TRANSCRIPT_BYTES_MAX, judge_bytes
from tests.show.making import NAMES
from tests.show.watching import dealt
from tests.tidy.project import ROOT
from tests.verify.stage import be_false

GOLDEN = ROOT / "tests" / "verify" / "golden"
PIECE = 45_000


@dataclass
class Bench:
    """A judge, and what it has told the pages."""

    judge: FileJudge
    told: list[tuple[int, VerdictShown]] = field(default_factory=list)

    async def bring(self, page: int, name: str, data: bytes) -> None:
        """Bring a whole file in pieces."""
        self.judge.begin(page, name, len(data))
        for start in range(0, len(data), PIECE):
            await self.judge.piece(page, data[start : start + PIECE])

    async def verdicts(self, count: int) -> list[tuple[int, VerdictShown]]:
        """Wait until so many were told."""
        await until(lambda: len(self.told) >= count)
        return self.told


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - what is waited for is another process's affair
        await trio.sleep(0.005)


def at_bench(does: Callable[[Bench], Awaitable[None]]) -> None:
    """Run a judge for as long as something is done with it."""

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            told: list[tuple[int, VerdictShown]] = []
            judge = FileJudge(nursery, lambda page, verdict: told.append((page, verdict)))
            await does(Bench(judge, told))

    trio.run(main)


def workers() -> list[int]:
    """Return the judging processes of this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words, stat = path.read_bytes(), path.with_name("stat").read_text()
        except OSError:
            continue
        is_ours = stat.rsplit(")", 1)[1].split()[1] == str(os.getpid())
        if is_ours and b"judging_worker" in words:
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("name", ["two-players", "four-players-eviction"])
def test_what_the_process_finds_is_what_the_judge_finds(name: str) -> None:
    data = (GOLDEN / f"{name}.ndt").read_bytes()

    async def does(bench: Bench) -> None:
        await bench.bring(3, "mine.ndt", data)
        ((page, verdict),) = await bench.verdicts(1)
        found = verdict_on("This record", judge_bytes(data))
        assert page == 3
        assert (verdict.name, verdict.verdict) == ("mine.ndt", "complete")
        assert (verdict.checks, verdict.says) == (found.checks, found.says)
        assert sum(passed for _, passed, _, _ in verdict.checks) > 100

    at_bench(does)


def test_whoever_has_signed_what_is_wrong_is_named() -> None:
    made = dealt(3)
    be_false(made, Seat(2))

    async def does(bench: Bench) -> None:
        await bench.bring(1, "x", made.record())
        ((_, verdict),) = await bench.verdicts(1)
        assert verdict.culprit == NAMES[2]

    at_bench(does)


def test_one_changed_byte_and_garbage_are_not_taken_for_sound() -> None:
    data = bytearray((GOLDEN / "two-players.ndt").read_bytes())
    data[len(data) // 2] ^= 1

    async def does(bench: Bench) -> None:
        await bench.bring(1, "changed", bytes(data))
        await bench.verdicts(1)
        await bench.bring(1, "\ud800\0", b"no record")
        (_, changed), (_, garbage) = await bench.verdicts(2)
        assert changed.verdict == "invalid"
        assert sum(failed for _, _, failed, _ in changed.checks) > 0
        assert (garbage.name, garbage.verdict) == ("\ud800\0", "unreadable")

    at_bench(does)


def test_only_one_file_is_brought_at_a_time_and_no_more_than_was_said() -> None:
    async def does(bench: Bench) -> None:
        judge = bench.judge
        for size in (0, TRANSCRIPT_BYTES_MAX + 1):
            with pytest.raises(LocalError, match="bytes"):
                judge.begin(1, "x", size)
        with pytest.raises(LocalError, match="no file"):
            await judge.piece(1, b"x")
        judge.begin(1, "x", 10)
        with pytest.raises(LocalError, match="another page"):
            judge.begin(2, "y", 10)
        with pytest.raises(LocalError, match="no file"):
            await judge.piece(2, b"y")
        judge.gone(2)
        await judge.piece(1, b"01234")
        with pytest.raises(LocalError, match="longer"):
            await judge.piece(1, b"567890")
        judge.begin(2, "y", 10)
        judge.begin(2, "z", 3)
        await judge.piece(2, b"abc")
        with pytest.raises(LocalError, match="no file"):
            await judge.piece(2, b"d")
        ((page, verdict),) = await bench.verdicts(1)
        assert (page, verdict.name) == (2, "z")
        judge.begin(1, "x", 1)
        judge.gone(1)

    at_bench(does)


def test_the_process_ends_when_the_page_is_gone_and_another_file_can_come() -> None:
    data = (GOLDEN / "two-players.ndt").read_bytes()

    async def does(bench: Bench) -> None:
        await bench.bring(1, "x", data)
        await until(lambda: bool(workers()))
        bench.judge.gone(1)
        await until(lambda: not workers())
        assert bench.told == []
        await bench.bring(2, "y", data)
        ((page, verdict),) = await bench.verdicts(1)
        assert (page, verdict.name, verdict.verdict) == (2, "y", "complete")

    at_bench(does)


def test_what_has_no_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115 - the judge closes it
    monkeypatch.setattr(file_judge, "_unnamed", lambda: full)

    async def does(bench: Bench) -> None:
        bench.judge.begin(1, "x", 10)
        with pytest.raises(LocalError, match="No space left"):
            await bench.judge.piece(1, b"0")
        with pytest.raises(LocalError, match="no file"):
            await bench.judge.piece(1, b"0")

    at_bench(does)
    assert full.closed


@pytest.mark.parametrize("is_there", [True, False])
def test_a_judge_that_breaks_down_or_cannot_begin_has_found_nothing(
    monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    monkeypatch.setattr(file_judge, "WORKER", ("-c", "raise SystemExit(3)"))
    if not is_there:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def does(bench: Bench) -> None:
        await bench.bring(1, "x", b"x")
        ((_, verdict),) = await bench.verdicts(1)
        assert verdict == replace(NOT_JUDGED, name="x")

    at_bench(does)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"name": "x"}',
        '{"name": "x", "verdict": "y", "says": [], "checks": [1], "culprit": null}',
    ],
)
def test_what_is_no_verdict_is_a_bug(text: str) -> None:
    with pytest.raises(Bug):
        read_verdict(text)


def test_who_judges_hears_that_a_page_is_gone() -> None:
    left: list[int] = []

    async def nothing(wish: object, page: int) -> str:
        raise AssertionError(f"page {page} wishes {wish}")

    async def main() -> None:
        served = ServedDialogue(nothing, left.append)
        async with served.open_visit(), served.open_visit():
            assert left == []

    trio.run(main)
    assert left == [2, 1]
