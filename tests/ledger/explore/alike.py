"""Which states need not be visited, because one that was visited can do all that they can.

Two states are *alike* if they differ only in what can never matter again; `Alike.name` is what is
left of a state without that. This holds for the rules as they are, and for everything but the
naming of an honest seat by what it has signed, which is looked for apart (see `visit`).

- What is signed over an entry B is *spent* once every honest seat has an entry over B, and each one
  that stands right there holds it by at least that round (a seal or a contribution counts as round
  0). It could only help to make an entry over B complete by a rank that nobody takes any more (rule
  7) or answers with. Nothing below a tip is ever replaced; who has an entry over B votes over B
  only to keep it, in rounds above its rank; and a round that is complete holds nobody back.
- The rank that a seat states of the parent of what it signs, and the rank by which it holds an
  entry below its tip, matter only to those who hold that entry by a lesser rank: they are shown the
  certificate and may raise theirs.
- Of what others have signed, a seat holds what lies in its certificates. Those of one entry and
  rank do the same, whoever's votes they consist of: what else is in them, Byzantine seats may show
  again, to anybody and at any time, and honest seats may send again.

What states of one name differ in, then, is what is stored *against* Byzantine seats. More of it
allows less: sooner somebody is proven guilty, and that ends the visit. So a state is *covered* by
another one of its name if all that this one holds against Byzantine seats is held there too,
wherever it lies. States of one name also end alike when the network heals, with Byzantine seats
silent; each name is healed once.

Where an honest seat is alone among Byzantine ones, and nothing is looked for but its naming,
nothing of what it has signed or taken is left out of its name. What it remembers of Byzantine seats
can only hinder it: it receives the same again, and nobody's guilt is of interest. So the less of
it, the more a state covers.

Tests compare the names that are found so, and what covers what, with visits of all states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from nodealer.ledger import LedgerMessage, Seal, Vote
from nodealer.ledger.messages import signed_of
from tests.ledger.explore.journal import Node, ones
from tests.ledger.explore.nodes import Nodes

ALWAYS = 1 << 20
"""More than any round or rank."""

Limits = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a seat as it matters to others: over what, in which round, stating what rank."""

    over: bytes
    round: int
    rank: int
    rest: object


@dataclass(slots=True)
class Standing:
    """Where the seat of a node stands, and what it has said over which entries."""

    tip: bytes
    chain: tuple[tuple[bytes, int], ...]
    below: dict[bytes, int]
    """For each entry below the tip, the rounds over it that matter no more to this seat."""
    held: dict[bytes, int]
    """For each entry of the chain, the ranks of it that matter no more to this seat."""
    said: tuple[Said, ...]
    bases: tuple[bytes, ...]
    rest: object
    names: dict[tuple[Limits, Limits], int] = field(default_factory=dict)


class Alike:
    """The names of states, and which states cover others."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.covering: dict[tuple[int, ...], list[int]] = {}
        self._numbers: dict[object, int] = {}
        self._standing: dict[int, Standing] = {}
        self._said: dict[int, Said] = {}

    def is_covered(self, state: Sequence[Node]) -> bool:
        """Say whether an earlier state covers this one; if not, it covers others from now on."""
        against, before = _against(state), self.covering.setdefault(self.name(state), [])
        if any(not one & ~against for one in before):
            return True
        before[:] = [one for one in before if against & ~one]
        before.append(against)
        return False

    def is_replaced(self, state: Sequence[Node]) -> bool:
        """Say whether a state that was not covered is by now."""
        return _against(state) not in self.covering[self.name(state)]

    def name(self, state: Sequence[Node]) -> tuple[int, ...]:
        """Return a name that states share if they differ in what they hold against others only."""
        all_standing = [self._stands(node) for node in state]
        if self.nodes.setting.names_only:
            return tuple(map(self._whole, state, all_standing))
        found = []
        for place, node in enumerate(state):
            mine = all_standing[place]
            others = [one for other, one in enumerate(all_standing) if other != place]
            spent = tuple(
                min(one.below.get(base, -1) for one in all_standing) for base in mine.bases
            )
            shown = tuple(
                min((one.held.get(entry, 0) for one in others), default=ALWAYS)
                for entry, _ in mine.chain
            )
            if (spent, shown) not in mine.names:
                mine.names[spent, shown] = self._number(node, mine, spent, shown)
            found.append(mine.names[spent, shown])
        return tuple(found)

    def _whole(self, node: Node, mine: Standing) -> int:
        """Return the name of a node of which nothing is left out."""
        nothing = ((-1,) * len(mine.bases), (0,) * len(mine.chain))
        if nothing not in mine.names:
            mine.names[nothing] = self._number(node, mine, *nothing)
        return mine.names[nothing]

    def _number(self, node: Node, mine: Standing, spent: Limits, shown: Limits) -> int:
        until = dict(zip(mine.bases, spent, strict=True))
        known = {entry: limit for (entry, _), limit in zip(mine.chain, shown, strict=True)}
        chain = tuple(
            (entry, 0 if rank <= known[entry] and entry != mine.tip else rank)
            for entry, rank in mine.chain
        )
        said = frozenset(
            (one.over, one.rest, 0 if one.rank <= known.get(one.over, 0) else one.rank)
            for one in mine.said
            if one.round > until[one.over]
        )
        key = (node.seat, node.named, chain, said, mine.rest)
        return self._numbers.setdefault(key, len(self._numbers))

    def _stands(self, node: Node) -> Standing:
        standing = self._standing.get(node.number)
        if standing is None:
            standing = self._standing[node.number] = self._standing_of(node)
        return standing

    def _standing_of(self, node: Node) -> Standing:
        ledger = node.ledger
        tip, own, links = ledger.tip, ledger.own, list(ledger.tip.downwards())
        said = tuple(self._said_in(number) for number in ones(node.sent))
        seen = frozenset(seat for seat, at in ledger.placed.items() if at >= tip.height)
        below = {bytes(link.id): ALWAYS for link in links[1:]}
        if tip.below is not None:
            below[bytes(tip.below.id)] = tip.rank
        return Standing(
            tip=bytes(tip.id),
            chain=tuple((bytes(link.id), link.rank) for link in links),
            below=below,
            held={**dict.fromkeys(below, ALWAYS), bytes(tip.id): tip.rank},
            said=said,
            bases=tuple(dict.fromkeys(one.over for one in said)),
            rest=(own.is_out, own.leave, seen, frozenset(ledger.proven)),
        )

    def _said_in(self, number: int) -> Said:
        if number not in self._said:
            self._said[number] = self._say(number, self.nodes.messages[number])
        return self._said[number]

    def _say(self, number: int, message: LedgerMessage) -> Said:
        signed, over = signed_of(message), self.nodes.over[number]
        match signed:
            case Seal(rank=rank):
                return Said(over, 0, rank, replace(signed, rank=0))
            case Vote(rank=rank, round=number_of_round):
                return Said(over, number_of_round, rank, replace(signed, rank=0))
            case None:
                return Said(over, ALWAYS + 1, 0, number)  # an entry or a leave always counts
            case _:
                return Said(over, 0, 0, number)


def _against(state: Sequence[Node]) -> int:
    found = 0
    for node in state:
        found |= node.against
    return found
