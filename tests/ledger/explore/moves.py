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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from nodealer.kernel import Seat
from nodealer.ledger import (
    DUTIES,
    AskAction,
    AskContribution,
    Duties,
    Entry,
    Ledger,
    Message,
    Ready,
    Vote,
    found,
    recover,
)
from nodealer.ledger.chain import Followed
from nodealer.ledger.compare import prove_all
from nodealer.ledger.draft import Draft
from nodealer.ledger.ledger import done
from nodealer.ledger.messages import Left, Proposal, signed_of
from nodealer.ledger.objects import Choice, Content, Evict, Keep
from nodealer.ledger.voting import cast
from tests.ledger.explore.forge import VARIANTS, Forger, Known, evictable
from tests.ledger.explore.groups import groups
from tests.ledger.explore.journal import (
    Node,
    all_signed,
    author_of,
    bits,
    contents_of,
    describe,
    has_entry,
    held,
    identity,
    is_told,
    key_of,
    named_by,
    ones,
    plain,
)
from tests.ledger.explore.stage import SCRIPT, Stage
from tests.ledger.explore.table import SignatureTable, TableSigner
from tests.ledger.world import charter_of, seats

Move: TypeAlias = tuple[str, Node]
State: TypeAlias = tuple[Node, ...]

CODES = ("E1", "E2", "E3", "E4", "E5", "E6", "E7")

TWINS_MAX = 2


@dataclass(frozen=True)
class Setting:
    """A table to be explored, and the rules that its honest seats follow."""

    byzantine: tuple[int, ...] = ()
    count: int = 3
    free: int = 1
    duties: Callable[[Seat], Duties] = lambda _: DUTIES
    codes: frozenset[str] = frozenset(CODES)
    overstates: bool = False
    forgets: bool = False
    leaves: bool = False
    names_only: bool = False
    """Whether nothing is looked for but the naming of an honest seat."""
    script: tuple[str, ...] = SCRIPT
    is_grouped: bool = True
    """Whether seats are told messages group by group; the other way is there to compare."""


@dataclass(eq=False)
class Quiet:
    """A node, and what its seat holds beside what it has stored."""

    node: Node
    ledger: Ledger
    steps: dict[int, Quiet | tuple[Move, ...]] = field(default_factory=dict)
    events: tuple[Move, ...] | None = None


class Seats:
    """The honest seats of a table: their journals, and the moves from each."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.charter = charter_of(setting.count)
        self.table = SignatureTable()
        self.heights = len(setting.script)
        self.honest = tuple(s for s in seats(setting.count) if s not in setting.byzantine)
        self.duties = {seat: setting.duties(seat) for seat in self.honest}
        self.forger = Forger(
            tuple(Seat(seat) for seat in setting.byzantine),
            self.table,
            rounds=setting.free + 1,
            heights=self.heights,
            overstates=setting.overstates,
        )
        self.start = Stage(seats(setting.count), setting.script)
        self.nodes: list[Node] = []
        self.messages: list[Message] = []
        self._by_key: dict[object, Node] = {}
        self._numbers: dict[object, int] = {}
        self._over: list[bytes] = []
        self._moves: dict[tuple[int, int], tuple[Move, ...]] = {}
        self._after: dict[tuple[int, tuple[int, ...]], Node] = {}
        self._entries: dict[tuple[int, int], tuple[int, ...]] = {}
        self._quiet: dict[tuple[int, object], Quiet] = {}

    # Nodes and messages.

    def number_like(self, other: Seats) -> None:
        """Give the same numbers to nodes and messages as another visit of the same table."""
        self.table.signed = other.table.signed
        self.nodes, self._by_key = other.nodes, other._by_key
        self.messages, self._numbers, self._over = other.messages, other._numbers, other._over

    def first_state(self) -> State:
        """Return the state in which all have sealed the charter."""
        sent: list[Message] = []
        for seat in seats(self.setting.count):
            signer = TableSigner(seat, self.table)
            sent.extend(found(self.charter, self.start, seat, signer, self.table)[1].persist)
        return tuple(self.node(seat, tuple(sent), 0) for seat in self.honest)

    def recovered(self, seat: Seat, records: Sequence[Message]) -> tuple[Ledger, Ready]:
        """Return the ledger that has stored these records."""
        signer = TableSigner(seat, self.table)
        return recover(
            self.charter, self.start, seat, signer, self.table, records, self.duties[seat]
        )

    def node(self, seat: Seat, records: tuple[Message, ...], sent: int) -> Node:
        """Return the node of a journal; `sent` is what its seat has sent before."""
        ledger, ready = self.recovered(seat, records)
        records += ready.persist  # a restart may itself take or sign something
        told = [message for message in records if is_told(message)]
        sent |= self.sent_of(seat, told)
        known = bits(map(self.number, told))
        key = (seat, sent, self._against(told), key_of(ledger))
        node = self._by_key.get(key)
        if node is None:
            signed = [m for n in ones(sent) if author_of(m := self.messages[n]) == seat]
            named = named_by(signed, records, self.setting.codes) or self.accused(ledger)
            node = Node(len(self.nodes), seat, records, ledger, sent, known, named)
            self._by_key[key] = node
            self.nodes.append(node)
        elif node.records != records and len(node.twins) < TWINS_MAX:
            node.twins.append(records)
        return node

    def _against(self, stored: Sequence[Message]) -> object:
        """Return what a journal holds of Byzantine seats; only "enough" once it proves them."""
        if not self.setting.byzantine or self.setting.names_only:
            return None
        signed = [one for one in all_signed(stored) if one.seat in self.setting.byzantine]
        signed = list(dict.fromkeys(signed))
        proofs = prove_all(signed, dict.fromkeys(contents_of(stored)))
        if any(evidence.code in self.setting.codes for evidence in proofs):
            return "enough"
        return frozenset(one.body() for one in signed)

    def sent_of(self, seat: Seat, records: Sequence[Message]) -> int:
        """Return what a seat can send: all that it has signed, and entries that rest on grounds."""
        own = (m for m in records if author_of(m) == seat or _has_grounds(m))
        return bits(self.number(plain(message)) for message in own if is_told(message))

    def number(self, message: Message) -> int:
        """Return the number of a message; the same message has the same number."""
        key = identity(message)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.messages)
            self.messages.append(message)
            self._over.append(_base_of(message))
        return number

    def describe(self, number: int) -> str:
        """Return a message in a few words."""
        return describe(self.messages[number])

    def accused(self, ledger: Ledger) -> str | None:
        """Return what evidence a ledger holds against an honest seat."""
        for seat in self.honest:
            evidence = ledger.proven.get(seat)
            if evidence is not None and evidence.code in self.setting.codes:
                return f"{evidence.code}, in the hands of seat {ledger.fixed.seat} against {seat}"
        return None

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

    def near(self, ledger: Ledger, sent: int) -> int:
        """Return those messages that are over entries of a ledger's chain."""
        near = {b"", *(bytes(link.id) for link in ledger.tip.downwards())}
        return bits(number for number in ones(sent) if self._over[number] in near)

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
                n for n in numbers if self._over[n] == tip and has_entry(self.messages[n])
            )
        return self._entries[key]

    def _explore(self, node: Node, relevant: int, results: dict[int, str]) -> None:
        start = self._intern(node, node.ledger)
        numbers = self.offered(node.ledger, relevant, node.sent)
        if self.setting.is_grouped:
            messages = {number: self.messages[number] for number in numbers}
            together: Iterable[Sequence[int]] = groups(messages, node.ledger)
        else:
            together = self._sorted(node, numbers)
        for some in together:
            self._spread(start, some, results)
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
            over_tip = self._over[number] in (tip, b"")
            if over_tip or is_round:
                kinds[2 if not over_tip else 1 if is_round else 0].append(number)
        return kinds

    def _spread(self, start: Quiet, numbers: Sequence[int], results: dict[int, str]) -> None:
        """Receive all sets of these messages; note what is stored."""
        seen, waiting = {id(start)}, deque([start])
        while waiting:
            quiet = waiting.popleft()
            for label, node in self._events(quiet):
                results.setdefault(node.number, label)
            if quiet.ledger.proven and quiet is not start:
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
        key = (node.number, held(ledger))
        quiet = self._quiet.get(key)
        if quiet is None:
            quiet = self._quiet[key] = Quiet(node, ledger)
        return quiet

    def _events(self, quiet: Quiet) -> tuple[Move, ...]:
        if quiet.events is None:
            moves: list[Move] = []
            if (named := self.accused(quiet.ledger)) is not None:
                moves.append((f"seat {quiet.node.seat} finds evidence", self.dead(named)))
            for label, (_, ready) in self.deeds(quiet.ledger):
                moves.extend(self._noted(quiet.node, label, ready))
            quiet.events = tuple(moves)
        return quiet.events

    def dead(self, named: str) -> Node:
        """Return a node that stands for the naming of an honest seat."""
        first = self.nodes[0]
        node = self._by_key.get(named)
        if node is None:
            node = Node(len(self.nodes), first.seat, (), first.ledger, 0, 0, named)
            self._by_key[named] = node
            self.nodes.append(node)
        return node

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
            after = self.node(node.seat, node.records + ready.persist, node.sent)
            self._after[key] = after
        if after is node:
            return ()
        return ((f"seat {node.seat} {label}: {self.told(ready)}", after),)

    def told(self, ready: Ready) -> str:
        """Return what was stored in a few words."""
        return ", ".join(map(describe, ready.persist))


def sent_to(state: State, place: int) -> int:
    """Return what all but one have sent."""
    sent = 0
    for other, node in enumerate(state):
        if other != place:
            sent |= node.sent
    return sent


def _has_grounds(message: Message) -> bool:
    return isinstance(message, Entry) and bool(message.certificate.grounds)


def _base_of(message: Message) -> bytes:
    content: Content | None = message.content if isinstance(message, Entry | Proposal) else None
    if content is not None:
        return bytes(content.parent)
    signed = signed_of(message)
    if signed is None:
        return b""
    return bytes(signed.base if isinstance(signed, Vote) else signed.parent)  # type: ignore[union-attr]
