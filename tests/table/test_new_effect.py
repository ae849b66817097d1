"""A new effect is one file in the operations, and one class with its place in the union of effects.

`new_effect/cut.patch` brings one: all seats cut a zone together. It is laid over a copy of the
tree, and there the sample game, which asks for it, is played with liars and verified.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from high_card.rules import GAME
from nodealer.sim.lies import behaviours_at
from nodealer.sim.repertoire import features_of
from nodealer.table.operation import JointStep, Operation, PartKind
from tests.games.installed import install

ROOT = Path(__file__).resolve().parents[2]
PATCH = Path(__file__).parent / "new_effect" / "cut.patch"

FILE = "src/nodealer/table/operations/cut.py"
UNION = "src/nodealer/games/effects.py"
SAMPLE = "tests/sample_game/src"

SEATS = 3
LIES = ["wrong lift", "two grips", "other grip", "silent instead of cutting"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree with the patch."""
    git = shutil.which("git")
    assert git is not None, "git lays the patch over the tree"
    place = tmp_path_factory.mktemp("tree")
    for folder in ("src", SAMPLE):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, place / folder, ignore=ignored)
    install(place / SAMPLE, "high_card", {"high-card": "high_card.rules:GAME"})
    apart = {**os.environ, "GIT_CEILING_DIRECTORIES": str(place.parent)}
    subprocess.run([git, "apply", str(PATCH)], cwd=place, check=True, env=apart)
    return place


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a tree, with nothing of the tree that this test lies in."""
    path = os.pathsep.join(str(tree / folder) for folder in ("src", SAMPLE))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)


def test_the_patch_has_one_file_and_one_class_with_its_place() -> None:
    text = PATCH.read_text(encoding="utf-8")
    touched = re.findall(r"^\+\+\+ b/(.*)$", text, re.MULTILINE)
    assert touched == [UNION, FILE, f"{SAMPLE}/high_card/rules.py"]
    (_, effects, operation, _) = text.split("diff --git ")
    assert re.findall(r"^\+class (\w+)", effects, re.MULTILINE) == ["Cut"]
    assert not re.findall(r"^-(?!--)", effects, re.MULTILINE), "the union has one member more"
    assert "--- /dev/null" in operation


def test_a_game_that_asks_for_it_is_played_with_liars_and_verified(tree: Path) -> None:
    known = len(behaviours_at(SEATS, features_of(GAME, SEATS, {})))
    played = run(
        tree,
        *("-m", "nodealer", "simulate", "high-card", "--players", str(SEATS), "--json"),
        *("--faults", "byzantine", "--seed", str(known), "--games", str(len(LIES))),
        *("--transcripts", "games"),
    )
    assert played.returncode == 0, played.stdout + played.stderr
    *games, summary = map(json.loads, played.stdout.splitlines())
    assert [one["behaviour"] for one in games] == LIES
    assert not any(one["violations"] for one in games)
    assert summary["counts"]["table"]["cut"] >= len(LIES)
    assert summary["counts"]["behaviours"] == dict.fromkeys(sorted(LIES), 1)
    files = sorted(map(str, (tree / "games").glob("*.ndt")))
    judged = run(tree, "-m", "nodealer", "verify", *files)
    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert judged.stdout.count(": complete: ") == len(LIES)
    told = run(tree, "-m", "nodealer", "replay", files[0])
    assert "put a hand to the cards" in told.stdout
    assert "cut the cards" in told.stdout


@pytest.mark.parametrize(
    ("file", "forgotten", "error"),
    [
        (FILE, r"    counted=.*\n", "missing 1 required keyword-only argument: 'counted'"),
        (FILE, r"    doing=.*\n", "missing 1 required keyword-only argument: 'doing'"),
        (FILE, r"(?s).*", "has no attribute 'OPERATION'"),
        (UNION, r"(?<=    zone: Zone\n)\n    def carry_out(?s:.)*?number\)\n", "on open cards"),
    ],
    ids=["counted", "words", "operation", "plain meaning"],
)
def test_what_is_forgotten_is_missed_at_once(
    tree: Path, file: str, forgotten: str, error: str
) -> None:
    whole = (tree / file).read_text(encoding="utf-8")
    found = re.search(forgotten, whole)
    assert found is not None
    try:
        (tree / file).write_text(whole[: found.start()] + whole[found.end() :], encoding="utf-8")
        imported = run(tree, "-c", "import nodealer.table")
    finally:
        (tree / file).write_text(whole, encoding="utf-8")
    assert imported.returncode == 1
    assert error in imported.stderr


@pytest.mark.parametrize("kind", [Operation, JointStep, PartKind])
def test_no_member_has_a_default(kind: type[Operation | JointStep | PartKind]) -> None:
    for member in fields(kind):
        assert member.default is MISSING
        assert member.default_factory is MISSING
