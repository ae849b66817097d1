"""What all tests of tampering share: which class refuses a change, and what a reader says of it.

Nobody is named for a change, because nobody has signed what was changed. Which class of checks
refuses it follows from where it was made: what is signed by itself no longer fits its signature,
what a content says no longer fits the hash by which it is named, and what is put together otherwise
no longer makes the entry complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from nodealer.games.base import AnyGame
from nodealer.games.registry import game
from nodealer.kernel import LocalError
from nodealer.verify import Report, Transcript, Verdict, judge_bytes, write_transcript
from tests.verify.changes import Change, changes

ORDERINGS = ("dropped", "doubled", "swapped")


@dataclass(frozen=True)
class Told:
    """A sound transcript, and where its readers find the game."""

    transcript: Transcript
    find_game: Callable[[str, int], AnyGame] = game

    def report(self, transcript: Transcript) -> Report:
        """Return the report on a transcript of the same game."""
        return judge_bytes(write_transcript(transcript), find_game=self.find_game).report

    def report_if_written(self, transcript: Transcript) -> Report | None:
        """Return the report, or nothing if no writer can write it, so that no reader can get it."""
        try:
            data = write_transcript(transcript)
        except (LocalError, ValueError):
            return None
        return judge_bytes(data, find_game=self.find_game).report

    def tampered(self, change: Change, height: int) -> Transcript:
        """Return the beginning of the transcript, up to the entry above the changed one."""
        whole = self.transcript.entries
        entries = (*whole[: height - 1], change.value, *whole[height : height + 1])
        return replace(self.transcript, entries=entries, open=(), evidence=())

    def is_the_same(self, shape: str, value: Transcript) -> bool:
        """Say whether a change makes another file of the same meaning.

        Two messages that contradict each other do so in any order. A certificate that an earlier
        entry has brought along need not be there a second time.
        """
        if shape.endswith("messages.swapped"):
            return True
        return shape == "beside.dropped" and self.report(value).failure is None

    def refused(self, height: int, every: int = 0) -> int:
        """Make changes to an entry, each of which must be refused; return how many these were.

        `every` is 0 for all changes; otherwise of all places every so many has one, at other
        heights other ones.
        """
        count = 0
        for change in chosen(changes(self.transcript.entries[height - 1]), every, height):
            transcript = self.tampered(change, height)
            report = self.report_if_written(transcript)
            if report is None or self.is_the_same(change.shape, transcript):
                continue
            failure = report.failure
            assert failure is not None, change.path
            assert report.verdict is Verdict.INVALID
            assert failure.check.value in expected_class(change.shape), change.path
            found = (failure.height, report.culprit, report.exit_code)
            assert found == (height, None, 12), change.path
            count += 1
        return count


def expected_class(shape: str) -> set[str]:
    """Return the classes that may refuse a change at a place, the rule before the exceptions."""
    last = shape.rpartition(".")[2]
    if last == "seat" and not shape.startswith("content"):
        # One seat more than the last is nobody.
        return {"signatures", "identity"} | _of_grounds(shape)
    top = shape.partition(".")[0]
    if shape in ("contributions.dropped", "contributions.doubled", "contributions.swapped"):
        return {"chain"}
    if top == "content" or shape == "certificate.entry":
        return {"chain"}
    if top == "contributions":
        return {"signatures"}
    return _of_certificate(shape, last)


def _of_grounds(shape: str) -> set[str]:
    return {"completeness"} if shape.endswith("grounds.seat") else set()


def _of_certificate(shape: str, last: str) -> set[str]:
    inner = shape.split(".")[1:]
    if "grounds" in inner:
        is_message = "messages" in inner and last not in ORDERINGS
        return {"signatures"} if is_message else {"completeness", "liveness"}
    if inner[:1] and inner[0] in ("seals", "votes"):
        is_list = last in ORDERINGS and len(inner) == 2
        return {"completeness"} if is_list else {"signatures"}
    return {"completeness"}


def chosen(all_of_them: Iterable[Change], every: int, first: int = 0) -> Iterator[Change]:
    """Yield all changes, or one at every so manieth place."""
    seen: set[str] = set()
    for change in all_of_them:
        if not every:
            yield change
        elif change.shape not in seen:
            if (len(seen) + first) % every == 0:
                yield change
            seen.add(change.shape)
