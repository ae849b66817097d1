"""What a seat that follows the rules can store next.

A move starts from a journal, receives any of the messages that others can send, in any order, and
ends with the first thing that is stored: something signed or something taken. What was received
and not stored is forgotten, as in a crash. Nothing is lost by that: whoever has sent a message can
send it again, so a seat that never crashes is one that always receives again what it knew. Nothing
is added either, because a crash between two inputs is a run of the protocol.

Patience is any vote over the tip that the rules of `duties` allow, in the rounds that are free. The
timers of the core choose one of these votes; which one, and when, is never needed for safety.

What is left out, and why nothing is lost:

- Receptions that store nothing commute and concern nobody else, so only sets of held messages
  count, each once for a node (`Quiet`).
- What is stored next follows from messages of one *kind* alone: those of the step over the tip,
  votes over the tip, or votes and entries below it. What one kind makes complete is taken at once
  or barred by an own vote, which is stored; a vote to keep needs one complete entry, of either
  kind; an answer needs votes below the tip only. So kinds are not combined.
- Seals and contributions over what lies below the tip change nothing that is stored: an entry that
  they complete has rank 0, and the tip was taken by at least that. Patience below the tip is no
  vote that the rules allow; it is tried all the same, for the rows without the rules that bar it.
- Within a kind not all sets are tried: see `groups`.
- Messages over entries that the seat does not know are kept aside by the core until it knows them,
  and can as well be received then.
- Behind evidence against a Byzantine seat no more is received within the same move. Evidence
  excuses every end but one that names an honest seat, and such an end needs no company.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from nodealer.kernel import Seat
from nodealer.ledger import AskAction, AskContribution, Entry, Ledger, Ready, Seal, Vote
from nodealer.ledger.chain import Followed
from nodealer.ledger.draft import Draft
from nodealer.ledger.ledger import done
from nodealer.ledger.messages import Left, signed_of
from nodealer.ledger.objects import Choice, Evict, Keep
from nodealer.ledger.voting import cast
from tests.ledger.explore.forge import VARIANTS, Forger, Known, evictable
from tests.ledger.explore.groups import groups
from tests.ledger.explore.journal import Node, has_entry, held, is_told, ones
from tests.ledger.explore.nodes import Nodes, sent_to, told
from tests.ledger.explore.setting import Setting

Move: TypeAlias = tuple[str, Node]
State: TypeAlias = tuple[Node, ...]

QUIETS_MAX = 40_000
"""So much of what seats hold is remembered; what is forgotten is received again."""


@dataclass(eq=False)
class Quiet:
    """A node, and what its seat holds beside what it has stored."""

    node: Node
    ledger: Ledger
    steps: dict[int, Quiet | tuple[Move, ...]] = field(default_factory=dict)
    events: tuple[Move, ...] | None = None


class Seats(Nodes):
    """The honest seats of a table: their journals, and the moves from each."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.heights = len(setting.script)
        self.forger = Forger(
            tuple(Seat(seat) for seat in setting.byzantine),
            self.table,
            rounds=setting.free + 1,
            heights=self.heights,
            overstates=setting.overstates,
            names_only=setting.names_only and setting.is_merged,
        )
        self._moves: dict[tuple[int, int], tuple[Move, ...]] = {}
        self._after: dict[tuple[int, tuple[int, ...]], Node] = {}
        self._entries: dict[tuple[int, int], tuple[int, ...]] = {}
        self._quiet: dict[tuple[int, object, object], Quiet] = {}
        self._stored: dict[tuple[int, tuple[int, ...]], dict[int, str]] = {}

    # Moves.

    def following(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield the states that one move leads to."""
        for place, node in enumerate(state):
            if node.named is not None:
                continue
            for label, after in self.moves(node, sent_to(state, place)):
                yield label, (*state[:place], after, *state[place + 1 :])

    def moves(self, node: Node, sent: int) -> tuple[Move, ...]:
        """Return all that a seat can store next, when others have sent this."""
        relevant = self.near(node.ledger, sent)
        key = (node.number, relevant)
        if key not in self._moves:
            results = dict[int, str]()
            self._explore(node, relevant, results)
            self._moves[key] = tuple((label, self.nodes[n]) for n, label in results.items())
        return self._moves[key]

    def quiets(self) -> Iterator[tuple[Quiet, set[int]]]:
        """Yield all that seats held on the way, with the numbers of all nodes that came of it."""
        after: dict[int, set[int]] = {}
        for (number, _), moves in self._moves.items():
            after.setdefault(number, set()).update(node.number for _, node in moves)
        for quiet in self._quiet.values():
            yield quiet, after.get(quiet.node.number, set())

    def offered(self, ledger: Ledger, sent: int, own: int) -> list[int]:
        """Return what may be told to a seat when others have sent this, and the seat itself that.

        These are the messages that others have sent, and whatever Byzantine seats make up.
        """
        held_there = Known(certificates=dict(ledger.certificates))
        for link in ledger.tip.downwards():
            if link.content is not None:
                followed = Followed(link.content, link.contributions, link.state)
                held_there.followed[link.id] = followed
        others = [self.messages[number] for number in ones(sent)]
        its_own = [self.messages[number] for number in ones(own)]
        offers = self.forger.offers(ledger.tip, held_there, others, its_own)
        return list(dict.fromkeys(map(self.number, offers)))

    def entries_over_tip(self, node: Node, sent: int) -> tuple[int, ...]:
        """Return the messages with complete entries over its tip that may be told to a seat."""
        key = (node.number, self.near(node.ledger, sent))
        if key not in self._entries:
            tip, numbers = bytes(node.ledger.tip.id), self.offered(node.ledger, key[1], node.sent)
            self._entries[key] = tuple(
                n for n in numbers if self.over[n] == tip and has_entry(self.messages[n])
            )
        return self._entries[key]

    def _explore(self, node: Node, relevant: int, results: dict[int, str]) -> None:
        start = self._intern(node, node.ledger)
        numbers = self.offered(node.ledger, relevant, node.sent)
        if self.setting.is_grouped:
            messages = {number: self.messages[number] for number in numbers}
            has_proofs = not self.is_cut
            together: Iterable[Sequence[int]] = groups(messages, node.ledger, has_proofs=has_proofs)
        else:
            together = self._sorted(node, numbers)
        for some in together:
            key = (node.number, tuple(some))
            if key not in self._stored:
                self._spread(start, some, self._stored.setdefault(key, {}))
            for number, label in self._stored[key].items():
                results.setdefault(number, label)
        if self.setting.forgets:
            taken = tuple(m for m in node.records if isinstance(m, Entry) or not is_told(m))
            after = self.node(node.seat, taken, node.sent)
            if after is not node:
                results.setdefault(after.number, f"seat {node.seat} crashes and forgets")

    def _sorted(self, node: Node, numbers: Iterable[int]) -> tuple[list[int], ...]:
        """Sort messages: the step over the tip, votes over the tip, what is below."""
        kinds: tuple[list[int], ...] = ([], [], [])
        tip = bytes(node.ledger.tip.id)
        for number in numbers:
            message = self.messages[number]
            is_vote = isinstance(signed_of(message), Vote)
            is_round = is_vote or isinstance(message, Entry | Left)
            over_tip = self.over[number] in (tip, b"")
            if over_tip or is_round:
                kinds[2 if not over_tip else 1 if is_round else 0].append(number)
        return kinds

    def _spread(self, start: Quiet, numbers: Sequence[int], results: dict[int, str]) -> None:
        """Receive all sets of these messages; note what is stored."""
        seen, waiting = {id(start)}, deque([start])
        while waiting:
            quiet = waiting.popleft()
            has_proof = bool(quiet.ledger.proven) and quiet is not start
            if has_proof and self.is_cut:
                continue
            for label, node in self._events(quiet):
                results.setdefault(node.number, label)
            if has_proof:
                continue
            for number in numbers:
                after = quiet.steps.get(number)
                if after is None:
                    after = quiet.steps[number] = self._receive(quiet, number)
                if isinstance(after, Quiet):
                    if id(after) not in seen:
                        seen.add(id(after))
                        waiting.append(after)
                else:
                    for label, node in after:
                        results.setdefault(node.number, label)

    def _receive(self, quiet: Quiet, number: int) -> Quiet | tuple[Move, ...]:
        made, ready = quiet.ledger.receive(self.messages[number])
        if ready.persist:
            return self._noted(quiet.node, f"gets {self.describe(number)}", ready)
        return self._intern(quiet.node, made)

    def _intern(self, node: Node, ledger: Ledger) -> Quiet:
        key = (node.number, held(ledger), self._of_honest(ledger))
        quiet = self._quiet.get(key)
        if quiet is None:
            if len(self._quiet) >= QUIETS_MAX:
                self._quiet.clear()
            quiet = self._quiet[key] = Quiet(node, ledger)
        return quiet

    def _of_honest(self, ledger: Ledger) -> frozenset[object]:
        """Return the seals and votes of honest seats that a seat holds, alone or in certificates.

        What seats hold is remembered from state to state, and honest seats may have signed
        differently in another state: what they sign in one must not be mixed with that.
        """
        desks, found = (ledger.desk, ledger.past), set[object]()
        alone = (seal for desk in desks for by in desk.seals.values() for seal in by.values())
        results = (one for desk in desks for by in desk.results.values() for one in by.values())
        certificates = (*ledger.certificates.values(), *results)
        signed: list[Seal | Vote] = list(alone)
        for each in certificates:
            signed.extend(each.seals)
            signed.extend(each.votes)
        for one in signed:
            if one.seat in self.honest and one.seat != ledger.fixed.seat:
                found.add(one.body())
        return frozenset(found)

    def _events(self, quiet: Quiet) -> tuple[Move, ...]:
        if quiet.events is None:
            moves: list[Move] = []
            if (named := self.accused(quiet.ledger)) is not None:
                moves.append((f"seat {quiet.node.seat} finds evidence", self.dead(named)))
            for label, (_, ready) in self.deeds(quiet.ledger):
                moves.extend(self._noted(quiet.node, label, ready))
            quiet.events = tuple(moves)
        return quiet.events

    def deeds(self, ledger: Ledger) -> Iterator[tuple[str, tuple[Ledger, Ready]]]:
        """Yield what a seat may do by itself."""
        for ask in ledger.asked:
            if isinstance(ask, AskAction) and not ask.again:
                has_proposed = ledger.tip.id in ledger.own.seals  # as only without rule 1
                yield "proposes", ledger.propose(VARIANTS[has_proposed])
            elif isinstance(ask, AskContribution):
                yield "contributes", ledger.contribute([VARIANTS[0]] * len(ask.parts))
        for number, base, choice in self._choices(ledger):
            draft = Draft(ledger)
            link = ledger.tip if base == ledger.tip.id else ledger.tip.below
            if link is not None and cast(draft, link, number, choice):
                yield "loses patience", done(draft)
        if self.setting.leaves and Draft(ledger).may_sign:
            yield "leaves", ledger.leave()

    def _choices(self, ledger: Ledger) -> Iterator[tuple[int, bytes, Choice]]:
        seat, tip = ledger.fixed.seat, ledger.tip
        assert seat is not None, "readers are not explored"
        for link, desk in ((tip, ledger.desk), (tip.below, ledger.past)):
            if link is None or link.height >= self.heights or seat not in link.roster:
                continue
            for number in range(1, self.setting.free + 1):
                for out in evictable(link, seat):
                    yield number, link.id, Evict(out)
                if link is not tip:
                    continue
                for entry, ranks in desk.results.items():
                    for rank in ranks:
                        if rank < number:
                            yield number, link.id, Keep(entry, rank)

    def _noted(self, node: Node, label: str, ready: Ready) -> tuple[Move, ...]:
        if not ready.persist:
            return ()
        numbers = tuple(map(self.number, ready.persist))
        key = (node.number, numbers)
        after = self._after.get(key)
        if after is None:
            after = self.node(node.seat, node.records + ready.persist, node.sent, node)
            self._after[key] = after
        if after is node:
            return ()
        return ((f"seat {node.seat} {label}: {told(ready)}", after),)
