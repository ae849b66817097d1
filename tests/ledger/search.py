"""The visit of all states, and what a bad end is.

named       an honest seat that the evidence names, from its own signatures alone
forked      two honest seats whose histories differ, nobody guilty, and neither copy holds
stuck       after the network has healed and timers have acted: honest seats that do not finish
differ      after healing: honest seats that finish differently, nobody guilty
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from nodealer.kernel import Seat
from nodealer.ledger import AskAction, AskContribution, Ledger, Message
from nodealer.ledger.compare import compare_copies, prove_all, signed_in
from nodealer.ledger.messages import signed_of
from nodealer.ledger.objects import Content, Signed
from tests.ledger.explorer import LATE, Bad, Explorer, Node, Outcome
from tests.ledger.toy import Toy

State = tuple[Node, ...]

ROUNDS_MAX = 16
"""How often all receive everything and lose patience before they count as stuck."""


class Search:
    """A breadth-first visit of the states of an explorer."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.parents: dict[tuple[int, ...], tuple[tuple[int, ...], str] | None] = {}
        self.healed: dict[tuple[int, ...], str | None] = {}
        self.told: dict[tuple[int, frozenset[int], bool], Node] = {}
        self.pairs: dict[tuple[int, int], str | None] = {}

    def run(self, states_max: int | None = None, *, stop: bool = True) -> Outcome:
        """Visit all states, or so many; `stop` at the first bad end."""
        outcome, first = Outcome(), self.explorer.first_state()
        waiting = deque([first])
        self.parents[_key(first)] = None
        while waiting:
            if states_max is not None and outcome.states >= states_max:
                outcome.is_whole = False
                break
            state = waiting.popleft()
            outcome.states += 1
            bad = self.bad_end(state)
            if bad is not None:
                outcome.bad.append(Bad(bad, self.path(state)))
                if stop:
                    break
            for label, following in self.following(state):
                key = _key(following)
                if key not in self.parents:
                    self.parents[key] = (_key(state), label)
                    waiting.append(following)
        return outcome

    def following(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield the states that one move leads to."""
        for place, node in enumerate(state):
            pool = self.explorer.pool(state, node.seat)
            for label, after in self.explorer.moves(node, pool):
                yield label, (*state[:place], after, *state[place + 1 :])

    def path(self, state: State) -> tuple[str, ...]:
        """Return the moves that lead to a state."""
        labels: list[str] = []
        before = self.parents[_key(state)]
        while before is not None:
            labels.append(before[1])
            before = self.parents[before[0]]
        return tuple(reversed(labels))

    # Bad ends.

    def bad_end(self, state: State) -> str | None:
        """Return what is bad about a state, or about what becomes of it when the network heals."""
        for node in state:
            if node.named is not None:
                return f"seat {node.seat} is named by {node.named}"
        for place, one in enumerate(state):
            for other in state[place + 1 :]:
                if (forked := self.forked(one, other)) is not None:
                    return forked
        return self.heal(state)

    def forked(self, one: Node, other: Node) -> str | None:
        """Return how two histories differ without anybody guilty."""
        key = (one.number, other.number)
        if key not in self.pairs:
            self.pairs[key] = self._forked(one, other)
        return self.pairs[key]

    def _forked(self, one: Node, other: Node) -> str | None:
        fork = compare_copies(one.ledger.tip, other.ledger.tip)
        if fork is None or fork.holds is not None:
            return None
        if self.guilty((one, other)):
            return None
        return f"seats {one.seat} and {other.seat} differ at {fork.height}, nobody guilty"

    def guilty(self, state: Iterable[Node]) -> bool:
        """Say whether what these seats have stored proves somebody guilty."""
        signed: list[Signed] = []
        contents: dict[bytes, Content] = {}
        for node in state:
            for link in node.ledger.tip.downwards():
                signed.extend(signed_in(link))
                if link.content is not None:
                    contents[link.id] = link.content
            signed.extend(one for each in node.records if (one := signed_of(each)) is not None)
        codes = self.explorer.codes
        return any(e.code in codes for e in prove_all(signed, contents.values()))

    # Healing.

    def heal(self, state: State) -> str | None:
        """Let all receive everything and act; return what is bad about the end."""
        passed: list[tuple[int, ...]] = []
        verdict: str | None = None
        for _ in range(ROUNDS_MAX):
            key = _key(state)
            if key in self.healed:
                verdict = self.healed[key]
                break
            passed.append(key)
            after = self.tell(state, is_late=False)
            if after == state:
                after = self.tell(state, is_late=True)
            if after == state:
                verdict = self.end(state)
                break
            state = after
        else:
            verdict = self.end(state)
        for key in passed:
            self.healed[key] = verdict
        return verdict

    def tell(self, state: State, *, is_late: bool) -> State:
        """Let every seat receive all that honest seats hold; late, lose patience as well."""
        pools = [
            frozenset[int]().union(*(other.known for other in state if other is not node))
            for node in state
        ]
        return tuple(
            self._told(node, pool, is_late=is_late) for node, pool in zip(state, pools, strict=True)
        )

    def _told(self, node: Node, pool: frozenset[int], *, is_late: bool) -> Node:
        key = (node.number, pool, is_late)
        if key not in self.told:
            explorer, ledger, records = self.explorer, node.ledger, list(node.records)
            for number in (*sorted(pool), *sorted(pool)):
                ledger = _step(records, ledger, explorer.messages[number])
            ledger = _acted(records, ledger)
            if is_late and ledger.awaited:
                ledger, ready = ledger.tick(ledger.now + LATE)
                records.extend(ready.persist)
            self.told[key] = explorer.node(node.seat, tuple(records))
        return self.told[key]

    def end(self, state: State) -> str | None:
        """Return what is bad about a state in which nothing happens any more."""
        left = [node for node in state if not self._is_out(node, state)]
        whole = [node for node in left if self._done(node)]
        if len(whole) == len(left) and len({_history(node) for node in left}) == 1:
            return None
        if not any(node.ledger.tip.is_majority(len(left)) for node in left):
            return None
        if self.guilty(state) or any(node.ledger.proven for node in state):
            return None
        tips = {node.seat: (node.ledger.tip.height, node.ledger.tip.rank) for node in left}
        return f"after healing the seats stand at {tips}"

    def _done(self, node: Node) -> bool:
        state = node.ledger.tip.state
        assert isinstance(state, Toy)
        return state.at >= self.explorer.final

    def _is_out(self, node: Node, state: State) -> bool:
        rosters = [other.ledger.tip.roster for other in state if other is not node]
        return node.ledger.own.is_out or any(node.seat not in roster for roster in rosters)


def _history(node: Node) -> bytes:
    return bytes(node.ledger.tip.id)


def _key(state: Sequence[Node]) -> tuple[int, ...]:
    return tuple(node.number for node in state)


def _step(records: list[Message], ledger: Ledger, message: Message) -> Ledger:
    ledger, ready = ledger.receive(message)
    records.extend(ready.persist)
    return ledger


def _acted(records: list[Message], ledger: Ledger) -> Ledger:
    for ask in ledger.asked:
        if isinstance(ask, AskAction) and not ask.again:
            ledger, ready = ledger.propose(b"x")
            records.extend(ready.persist)
        elif isinstance(ask, AskContribution):
            ledger, ready = ledger.contribute([b"x"] * len(ask.parts))
            records.extend(ready.persist)
    return ledger


SEATS = (Seat(0), Seat(1), Seat(2))
