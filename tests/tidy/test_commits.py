"""Commits: a subject that fits on a line, and the reason below it.

They are looked at from the commit on that has brought this file; what came before is as it is. A
merge says what was merged, and a tree without a history has no commits to look at.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests.tidy.project import ROOT

SUBJECT_LETTERS_MAX = 72

HERE = "tests/tidy/test_commits.py"


def git(*words: str) -> str:
    """Return what git says, or nothing where there is no history."""
    done = subprocess.run(
        ["git", *words],  # noqa: S607 - whichever git the project was fetched with
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout if done.returncode == 0 else ""


def commits() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each commit that is to be looked at."""
    brought = git("log", "--diff-filter=A", "--format=%H", "--", HERE).split()
    if not brought:
        return
    later = git(
        "log", "-z", "--no-merges", "--ancestry-path", "--format=%h%n%B", f"{brought[-1]}.."
    )
    for one in filter(None, later.split("\0")):
        name, _, text = one.partition("\n")
        yield name, text


def faults(text: str) -> list[str]:
    """Return what is wrong with the text of a commit."""
    subject, _, below = text.strip().partition("\n")
    found = []
    if len(subject) > SUBJECT_LETTERS_MAX:
        found.append(f"its subject has {len(subject)} letters: {subject}")
    if subject.endswith("."):
        found.append(f"its subject ends with a full stop: {subject}")
    if not below.strip():
        found.append(f"no reason stands below its subject: {subject}")
    elif not below.startswith("\n"):
        found.append(f"no empty line parts its subject from the reason: {subject}")
    return found


def test_each_commit_has_a_short_subject_and_a_reason() -> None:
    assert not [f"{name}: {fault}" for name, text in commits() for fault in faults(text)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A door has a lock\n\nStrangers came in.\n", 0),
        ("A door has a lock\n", 1),
        ("A door has a lock\nStrangers came in.\n", 1),
        ("A door has a lock.\n\nStrangers came in.\n", 1),
        (f"A door {'and a door ' * 6}\n\nStrangers came in.\n", 1),
    ],
)
def test_a_commit_that_says_too_much_or_too_little_is_noticed(text: str, count: int) -> None:
    assert len(faults(text)) == count
