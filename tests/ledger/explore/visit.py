"""The visit of all states, breadth first, and the way to the first bad end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.ledger.explore.alike import Alike
from tests.ledger.explore.ends import Ends
from tests.ledger.explore.journal import path_words
from tests.ledger.explore.moves import Seats, State
from tests.ledger.explore.setting import Setting

WIDTH = 22
"""Bits for the number of a node in the name of a state."""


@dataclass(frozen=True)
class Bad:
    """A bad end, and the moves that lead to it."""

    what: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"{path_words(self.path)}\n  => {self.what}"


@dataclass
class Outcome:
    """What a visit came to."""

    states: int = 0
    nodes: int = 0
    bad: list[Bad] = field(default_factory=list)
    bad_states: int = 0
    guilty: int = 0
    covered: int = 0
    is_whole: bool = True


class Visit:
    """A breadth-first visit of the states of a table.

    If it `is_cut`, a state in which what honest seats have stored proves somebody guilty has no
    successors. Proof is never lost, and it excuses every end but the naming of an honest seat. That
    one is looked for with all others Byzantine: a seat may be named by what itself has signed only,
    and whatever two seats can do to the third, two Byzantine ones can do.
    """

    def __init__(self, setting: Setting, *, is_cut: bool = False) -> None:
        self.table = Seats(setting)
        self.is_cut = is_cut
        self.alike = Alike(self.table)
        self.ends = Ends(self.table, self.alike if setting.is_merged else None)
        self.before: dict[int, int] = {}

    def run(
        self, states_max: int | None = None, *, stop: bool = True, along: Sequence[str] = ()
    ) -> Outcome:
        """Visit all states, or so many; `stop` at the first bad end.

        `along` leads to where the visit begins: of each word, the first move that has it.
        """
        outcome = Outcome()
        waiting = deque([self._led(along)])
        self._is_left_out(outcome, waiting[0])
        while waiting:
            if outcome.states == states_max:
                outcome.is_whole = False
                break
            state = waiting.popleft()
            if self.table.setting.is_merged and self.alike.is_replaced(state):
                outcome.covered += 1
                continue
            outcome.states += 1
            self._note(outcome, state, self.ends.bad(state))
            if stop and outcome.bad:
                break
            if self.is_cut and self.ends.is_guilty(state):
                outcome.guilty += 1
                continue
            name = _name(state)
            for _, after in self.table.following(state):
                key = _name(after)
                if key not in self.before:
                    self.before[key] = name
                    if self._is_left_out(outcome, after):
                        continue
                    waiting.append(after)
                    if stop and (what := self.ends.bad_now(after)) is not None:
                        self._note(outcome, after, what)
                        waiting.clear()
                        break
        outcome.nodes = len(self.table.nodes)
        return outcome

    def _is_left_out(self, outcome: Outcome, state: State) -> bool:
        """Say whether a state is not visited, because it is guilty or because another covers it."""
        if not self.table.setting.is_merged:
            return False
        if self.table.is_cut and self.ends.is_guilty(state):
            outcome.guilty += 1
        elif self.alike.is_covered(state):
            outcome.covered += 1
        else:
            return False
        return True

    def _led(self, along: Sequence[str]) -> State:
        state = self.table.first_state()
        self.before[_name(state)] = -1
        for words in along:
            after = next(s for label, s in self.table.following(state) if words in label)
            self.before.setdefault(_name(after), _name(state))
            state = after
        return state

    def _note(self, outcome: Outcome, state: State, what: str | None) -> None:
        if what is not None:
            outcome.bad_states += 1
            if not any(bad.what[:5] == what[:5] for bad in outcome.bad):
                outcome.bad.append(Bad(what, self.path(state)))

    def path(self, state: State) -> tuple[str, ...]:
        """Return the moves that lead to a state."""
        labels: list[str] = []
        after, name = state, self.before[_name(state)]
        while name >= 0:
            state = self.state(name, len(after))
            wanted = _name(after)
            labels.append(next(w for w, s in self.table.following(state) if _name(s) == wanted))
            after, name = state, self.before[name]
        return tuple(reversed(labels))

    def states(self) -> Iterator[State]:
        """Yield all states that were found."""
        count = len(self.table.honest)
        return (self.state(name, count) for name in self.before)

    def state(self, name: int, count: int) -> State:
        """Return the state of a name."""
        mask = (1 << WIDTH) - 1
        return tuple(self.table.nodes[name >> (WIDTH * n) & mask] for n in range(count))


def _name(state: State) -> int:
    name = 0
    for place, node in enumerate(state):
        name |= node.number << (WIDTH * place)
    return name
