"""The time at which a seat answers a question that several are asked in secret (`Ask`).

When somebody answers must tell nobody what it holds. So a node never commits to an answer before a
delay that it draws in the same way for every question, whatever its player holds and however early
it has decided: uniform, from one second to a third of the window, or to ten seconds where a
question has no window. Who has said nothing when the window is over says the default, by this
node's own clock; nobody else measures. Without a window the node waits for its player.

A player who can say nothing else may let the default be said for it, at that very delay; the
journal of the table remembers that wish.

Of questions nothing is stored. What was committed to is in the journal of the table; a program that
was stopped before that asks its player again, after another delay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from nodealer.games import Action, Choice, action
from nodealer.keeping.surroundings import TICKS_IN_A_SECOND
from nodealer.keeping.table_journal import TableJournal
from nodealer.kernel import EntryId, LocalError, Reason
from nodealer.ledger import Ready
from nodealer.table import Table

LEAST_SECONDS: Final = 1
"""Nobody answers earlier than that after it was asked."""

MOST_SECONDS: Final = 10
"""The longest delay where a question has no window."""

PASSES_ALONE: Final = "answer/alone"
"""The note that the default is said for a player who can say nothing else."""

SHARE: Final = 3
"""A delay is no more than so much of the window."""

DrawDelay: TypeAlias = Callable[[int], int]
"""Draws the ticks for which an answer is held back, from the seconds of the window."""


@dataclass(frozen=True, slots=True)
class HeldAnswer:
    """The answer of a player to one question, and when it leaves; times are ticks of the table."""

    entry: EntryId
    choice: Choice
    asked_at: int
    delay: int
    said: Action | None = None
    is_alone: bool = False
    """Whether the default is all that the player can say, and may be said for it."""

    @property
    def due(self) -> int | None:
        """When something is committed to; never while a node waits for its player."""
        if self.said is not None or self.is_alone:
            return self.asked_at + self.delay
        window = self.choice.window * TICKS_IN_A_SECOND
        return self.asked_at + max(window, self.delay) if window else None

    def answer(self, now: int) -> Action | None:
        """Return what is committed to now, if it is time."""
        if self.due is None or now < self.due:
            return None
        return action(self.choice.kind) if self.said is None else self.said


@dataclass(frozen=True, slots=True)
class Answering:
    """The questions of one table, one after the other."""

    draw: DrawDelay
    passes_alone: bool = False
    """Whether the default is said for a player who can say nothing else."""
    held: HeldAnswer | None = None

    @property
    def due(self) -> int | None:
        """When something is to be committed to, as far as that is known."""
        return None if self.held is None else self.held.due

    @property
    def passes_at(self) -> int | None:
        """When the default is said for a player who still says nothing; never without a window."""
        return None if self.has_said else self.due

    @property
    def has_said(self) -> bool:
        """Whether the player has answered the present question, and the answer is held back."""
        return self.held is not None and self.held.said is not None

    def heeding(self, table: Table, now: int) -> Answering:
        """Take notice of whether this seat is asked, and draw a delay for every new question."""
        choice, entry = _question(table), table.ledger.tip.id
        if choice is None:
            return self if self.held is None else replace(self, held=None)
        if self.held is not None and self.held.entry == entry:
            return self
        is_alone = self.passes_alone and table.legal() == (action(choice.kind),)
        delay = self.draw(choice.window)
        return replace(self, held=HeldAnswer(entry, choice, now, delay, is_alone=is_alone))

    def act(self, table: Table, chosen: Action) -> tuple[Answering, Table, Ready]:
        """Do what the player has chosen, or hold it back if it is an answer, or raise."""
        acted = table.act(chosen)
        held = self.held
        if held is None or held.entry != table.ledger.tip.id:
            return self, *acted
        if held.said is not None:
            raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "this question has been answered")
        return replace(self, held=replace(held, said=chosen)), table, Ready()

    def answer(self, table: Table, now: int) -> Action | None:
        """Return what this seat commits to now, if it is time."""
        held = self.held
        if held is None or held.entry != table.ledger.tip.id or _question(table) is None:
            return None
        return held.answer(now)


def let_pass_alone(journal: TableJournal, *, passes: bool) -> None:
    """Remember whether the default is to be said for a player who can say nothing else."""
    journal.note(PASSES_ALONE, bytes([passes]))


def passes_alone(journal: TableJournal) -> bool:
    """Return what was remembered; nothing is said for a player who has not asked for it."""
    return journal.noted(PASSES_ALONE) == bytes([True])


def delays(window: int) -> range:
    """Return the delays, in ticks, of which a node draws one; they follow from the window alone."""
    most = window * TICKS_IN_A_SECOND // SHARE if window else MOST_SECONDS * TICKS_IN_A_SECOND
    return range(min(LEAST_SECONDS * TICKS_IN_A_SECOND, most), most + 1)


def no_delay(window: int) -> int:  # noqa: ARG001 - every draw
    """Hold nothing back: among bots on this machine nobody learns anything by that."""
    return 0


def _question(table: Table) -> Choice | None:
    """Return the question that this seat owes an answer to."""
    view = table.view()
    is_asked = isinstance(view.duty, Choice) and bool(view.duty.kinds) and view.owes_choice
    return view.duty if is_asked and isinstance(view.duty, Choice) and table.ledger.asked else None
