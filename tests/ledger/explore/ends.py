"""What is a bad end, sentence by sentence as the page of the protocol has it.

    named       an honest seat that evidence names: out of all that it has ever signed, or in the
                hands of another honest seat
    forked      two honest seats whose histories differ where both are final, or where both are tips
                of one rank, and nobody is guilty: a judge who has both cannot say which one holds
    after healing, nobody guilty:
    differ      honest seats that have finished, differently
    stuck       honest seats that have not finished, or not as the others, although the live ones
                are a majority

Healing: whatever any honest seat holds reaches all, until that changes nothing; then all lose
patience; and so on, with Byzantine seats silent. `guilty` is what a stranger proves with everything
that honest seats have stored, nothing else.

A seat that the history which holds leaves out need not have finished: it may have taken its
eviction, or be barred from that and stand where the others stood before, or on an entry that they
have replaced. It must not have a second entry of its own above that: that would be a fork.
With no Byzantine seat no majority and no guilt excuses anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nodealer.kernel import Seat
from nodealer.ledger import AskAction, AskContribution, Ledger, LedgerMessage
from nodealer.ledger.forks import compare_copies
from nodealer.ledger.objects import Evidence
from tests.ledger.explore.alike import Alike
from tests.ledger.explore.forge import VARIANTS
from tests.ledger.explore.journal import Node, all_signed, chain_of, contents_of, ones
from tests.ledger.explore.moves import Seats, State
from tests.ledger.explore.nodes import sent_to
from tests.ledger.proving import prove_all

LATE = 1 << 20
"""More ticks than any patience."""

TELLINGS_MAX = 24
"""How often all are told everything, or lose patience, before they count as stuck."""


_NAMED = "an honest seat is named"

SAMPLED = 64
"""One of so many states in which somebody is guilty already is healed all the same."""


class Ends:
    """The judge of states."""

    def __init__(self, table: Seats, alike: Alike | None = None) -> None:
        self.table = table
        self.alike = alike
        """Where states that are alike end alike, each is healed once."""
        self._healed: dict[tuple[int, ...], str | None] = {}
        self._told: dict[tuple[int, int, bool], Node] = {}
        self._pairs: dict[tuple[object, object], int | None] = {}

    def bad(self, state: State) -> str | None:
        """Return what is bad about a state, or about what becomes of it when the network heals."""
        if (what := self.bad_now(state)) is not None:
            return what
        if self.table.setting.names_only:
            return None
        if self.is_guilty(state) and sum(node.number for node in state) % SAMPLED:
            return None
        if (what := self.heal(state)) is not None:
            return what
        for number in self._barred(state):
            if (what := self.heal(state, 1 << number)) is not None:
                return f"{what}, after hearing {self.table.describe(number)}"
        return None

    def _barred(self, state: State) -> Iterator[int]:
        """Yield the complete entries that a seat may know, but neither take nor store.

        Byzantine seats are silent while the network heals, so what they have told a seat is told
        by nobody else then; and this alone changes what that seat, and all others, do next.
        """
        for place, node in enumerate(state):
            tip = node.ledger.tip
            if node.ledger.own.last_round_over(tip.height + 1, tip.id) > 0:
                sent = sent_to(state, place)
                yield from self.table.entries_over_tip(node, sent)

    def bad_now(self, state: State) -> str | None:
        """Return what is bad about a state as it is."""
        for node in state:
            if node.named is not None:
                return f"{_NAMED}: {node.named} ({node.seat})"
        for place, one in enumerate(state):
            for other in state[place + 1 :]:
                if (forked := self._forked(one, other)) is not None:
                    return forked
        return None

    # Before healing.

    def _forked(self, one: Node, other: Node) -> str | None:
        key = (chain_of(one.ledger), chain_of(other.ledger))
        if key not in self._pairs:
            fork = compare_copies(one.ledger.tip, other.ledger.tip)
            is_open = fork is not None and fork.holds is None
            self._pairs[key] = fork.height if fork is not None and is_open else None
        height = self._pairs[key]
        if height is None or self.is_guilty((one, other)):
            return None
        return f"two histories of seats {one.seat} and {other.seat} from {height}, no culprit"

    def is_guilty(self, nodes: Iterable[Node]) -> bool:
        """Say whether what these seats have stored proves somebody guilty."""
        against = 0
        for node in nodes:
            if node.is_guilty:
                return True
            against |= node.against
        return self.table.against.is_proof(against)

    def _proofs(self, numbers: Iterable[int]) -> Iterable[Evidence]:
        stored = [m for n in numbers for m in self.table.nodes[n].records]
        signed = list(dict.fromkeys(all_signed(stored)))
        return prove_all(signed, list(dict.fromkeys(contents_of(stored))))

    # Healing.

    def heal(self, state: State, heard: int = 0) -> str | None:
        """Let all be told everything and act; return what is bad about the end.

        What was `heard` lies in the memory of a seat only, and is told to all as well.
        """
        passed: list[tuple[int, ...]] = []
        for _ in range(TELLINGS_MAX):
            key = (*self._name(state), heard)
            if key in self._healed:
                break
            passed.append(key)
            after = self.told(state, heard, is_late=False)
            if after == state:
                after = self.told(state, heard, is_late=True)
            if (named := next((n for n in after if n.named is not None), None)) is not None:
                self._healed[key] = f"{_NAMED}: {named.named} ({named.seat}), while healing"
                break
            if after == state or any(node.is_guilty for node in after):
                self._healed[key] = None if after != state else self.end(state)
                break
            state = after
        else:
            self._healed[passed[-1]] = self.end(state)
            key = passed[-1]
        verdict = self._healed[key]
        self._healed.update(dict.fromkeys(passed, verdict))
        return verdict

    def _name(self, state: State) -> tuple[int, ...]:
        if self.alike is not None:
            return self.alike.name(state)
        return tuple(node.number for node in state)

    def told(self, state: State, heard: int = 0, *, is_late: bool) -> State:
        """Let every seat receive all that honest seats hold; late, lose patience as well."""
        held = heard
        for node in state:
            held |= node.known
        return tuple(
            self._tell(node, self.table.near(node.ledger, held & ~node.known), is_late=is_late)
            for node in state
        )

    def _tell(self, node: Node, new: int, *, is_late: bool) -> Node:
        key = (node.number, new, is_late)
        if key not in self._told:
            ledger, records = node.ledger, list(node.records)
            numbers, before = ones(new), -1
            while before != len(records):
                before = len(records)
                for number in numbers:
                    ledger, ready = ledger.receive(self.table.messages[number])
                    records.extend(ready.persist)
            ledger = _acted(records, ledger)
            if (named := self.table.accused(ledger)) is not None:
                return self.table.dead(named)
            if is_late and ledger.awaited:
                ledger, ready = ledger.tick(ledger.now + LATE)
                records.extend(ready.persist)
            after = node
            if len(records) > len(node.records):
                after = self.table.node(node.seat, tuple(records), node.sent, node)
            self._told[key] = after
        return self._told[key]

    # The end.

    def end(self, state: State) -> str | None:
        """Return what is bad about a state in which nothing happens any more."""
        holds = max(state, key=_standing)
        tip = holds.ledger.tip
        if all(self._is_well(node, holds) for node in state) and self._is_done(holds):
            return None
        has_byzantine = bool(self.table.setting.byzantine)
        if has_byzantine and self.is_guilty(state):
            return None
        live = [n for n in state if n.seat in tip.roster and not n.ledger.own.is_out]
        staying = [node for node in state if not node.ledger.own.is_out]
        ends = {node.ledger.tip.id for node in staying if self._is_done(node)}
        tips = {int(n.seat): (int(n.ledger.tip.height), n.ledger.tip.rank) for n in state}
        if len(ends) > 1:
            return f"differ: after healing the seats stand at {tips}"
        if has_byzantine and not tip.is_majority(len(live)):
            return None
        return f"stuck: after healing the seats stand at {tips}"

    def _is_done(self, node: Node) -> bool:
        return node.ledger.tip.height >= self.table.heights

    def _is_well(self, node: Node, holds: Node) -> bool:
        """Say whether a seat ended as it should, beside the one whose copy holds."""
        tip, best = node.ledger.tip, holds.ledger.tip
        if node.seat in best.roster:
            return tip.id == best.id
        out = next(
            link for link in reversed(list(best.downwards())) if node.seat not in link.roster
        )
        assert out.below is not None, "the charter leaves out nobody"
        if tip.find(out.id) is not None:
            return True
        is_barred = node.ledger.own.last_round_over(out.height, out.below.id) > out.rank
        return is_barred and out.below.id in (tip.id, tip.below.id if tip.below else None)

    def evidence(self, state: State) -> tuple[Evidence, ...]:
        """Return what is proven by all that the seats of a state have stored."""
        return tuple(self._proofs(node.number for node in state))


def _standing(node: Node) -> tuple[int, int, Seat]:
    tip = node.ledger.tip
    return (int(tip.height), tip.rank, Seat(-node.seat))


def _acted(records: list[LedgerMessage], ledger: Ledger) -> Ledger:
    for ask in ledger.asked:
        if isinstance(ask, AskAction) and not ask.again:
            ledger, ready = ledger.propose(VARIANTS[0])
            records.extend(ready.persist)
        elif isinstance(ask, AskContribution):
            ledger, ready = ledger.contribute([VARIANTS[0]] * len(ask.parts))
            records.extend(ready.persist)
    return ledger
