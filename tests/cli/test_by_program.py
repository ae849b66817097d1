"""A program plays in the player's place, over its input and output, and is never waited for."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from nodealer.cli.by_program import carried_out_by, play_by_program
from nodealer.games.registry import game
from nodealer.kernel import LocalError
from nodealer.steward.served_dialogue import WAITING_MAX, DialogueVisit, ServedDialogue
from tests.dialogue.schema import require_said
from tests.show.tabling import YOU, Tabling, tabling
from tests.tidy.project import ROOT

CLIENT = ROOT / "tests" / "dialogue" / "client.py"

SECONDS_MAX = 120
"""For a game of a few seconds, on a machine with much else to do."""


def play(command: str, *, seed: int = 0) -> Tabling:
    """Let a program play a game against one bot, as long as it will."""

    async def main() -> Tabling:
        made = tabling(game("macaua"), 2, seed=seed)
        with trio.fail_after(SECONDS_MAX):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(made.run)
                await play_by_program(made, command=command)
                nursery.cancel_scope.cancel()
        return made

    return trio.run(main)


def served_table() -> ServedDialogue:
    """Serve a table that nobody plays at."""
    return ServedDialogue(carried_out_by(tabling(game("macaua"), 2)))


def script(folder: Path, *lines: str) -> str:
    """Return the command of a program that writes what it hears to a file."""
    path = folder / "program.py"
    path.write_text("\n".join(["import sys, json", *lines]), encoding="utf-8")
    return f"{sys.executable} {path} {folder / 'heard'}"


def test_a_program_plays_to_the_end_and_is_told_all() -> None:
    made = play(f"{sys.executable} {CLIENT} 1")
    assert made.tables[YOU].position.is_closed


def test_a_program_that_has_enough_ends_the_sitting_and_not_the_table(tmp_path: Path) -> None:
    made = play(script(tmp_path, "sys.stdin.readline()"))
    assert not made.tables[YOU].position.is_closed


def test_lines_that_are_no_wishes_are_answered(tmp_path: Path) -> None:
    program = script(
        tmp_path,
        "print('x' * 70_000, flush=True)",
        "print('{\"n\": 7,', flush=True)",
        'print(\'{"n": 8, "do": "practise", "game": "macaua", "seats": 2}\', flush=True)',
        "with open(sys.argv[1], 'w') as heard:",
        "    for _ in range(4):",
        "        heard.write(sys.stdin.readline())",
    )
    play(program)
    said = [require_said(line) for line in (tmp_path / "heard").read_text().splitlines()]
    assert [one.get("refused") for one in said] == [None, "too-long", "malformed", "not-granted"]


@pytest.mark.parametrize("command", ["/nowhere/at-all", "'", ""])
def test_what_cannot_be_started_is_refused(command: str) -> None:
    with pytest.raises(LocalError, match="cannot be started"):
        trio.run(partial(play_by_program, tabling(game("macaua"), 2), command=command))


def test_who_does_not_read_is_not_heard_any_more() -> None:
    async def main() -> int:
        shown, heard = served_table(), 0
        async with shown.open_visit() as visit:
            with trio.move_on_after(0.2):
                for _ in range(10 * WAITING_MAX):
                    await visit.receive("junk")
                    heard += 1
        return heard

    assert trio.run(main) == WAITING_MAX


def test_a_visit_ends_when_all_is_said() -> None:
    async def main() -> list[str]:
        shown, said = served_table(), []
        async with shown.open_visit() as visit:
            await visit.receive("junk")
            shown.end()
            while (text := await visit.next_text()) is not None:
                said.append(json.loads(text)["is"])
        return said

    assert trio.run(main) == ["hello", "answer"]


def test_who_waits_for_a_page_that_goes_is_told_nothing_more() -> None:
    async def main() -> list[str | None]:
        shown, said = served_table(), list[str | None]()

        async def read(visit: DialogueVisit) -> None:
            while not said or said[-1] is not None:
                said.append(await visit.next_text())

        async with trio.open_nursery() as nursery, shown.open_visit() as visit:
            nursery.start_soon(read, visit)
            await trio.testing.wait_all_tasks_blocked()
        return said

    hello, nothing = trio.run(main)
    assert hello is not None
    assert nothing is None


def test_a_real_node_is_played_by_a_program(tmp_path: Path) -> None:
    words = ["play", "macaua", "--bots", "1", "--exec", f"{sys.executable} {CLIENT} 1", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "nodealer", *words],
        env={"NODEALER_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=4 * SECONDS_MAX,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["verdict"] == "complete"
