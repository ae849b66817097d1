"""Every state of a small table, over the real core.

What is explored. Three seats and two heights: an authored step, then one to which all contribute.
Seats that follow the rules are real ledgers; a Byzantine seat signs anything for anybody. Messages
are lost, delayed, repeated and reordered without limit, seats crash at any moment, and patience
may end falsely in the rounds that are free. After every state the network heals and timers act.

How. A *node* is what one seat has stored, as `recover` rebuilds it. A state is a node for each
seat; what was sent follows from it. In one move a seat starts from its journal, receives any of
the sent messages in any order, and does the first thing that it stores: it signs or takes
something. What it held beside that is forgotten. Nothing is lost by forgetting: whatever a seat
knew without storing it can be received again, so every run of seats that never crash is among
these runs. Nothing is added either, because a crash between two inputs is a run of the protocol.

Reduction. Quiet receptions of one seat commute and concern nobody else, so they are explored
inside a move, each set of held messages once, and remembered. Messages over entries that the seat
does not know, and seals over what lies below its tip, change nothing before the next thing it
stores; they are left out. What is stored next follows from one of three kinds of message alone:
those of the step over the tip, votes over the tip, votes below it. Only patience looks at more
than one kind: in the first round at the step, and at votes to keep the tip. So only these are
combined. Behind evidence against a Byzantine seat, which excuses every end, no more is combined
either.

Signatures are a table. Nothing else of the core is replaced.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from nodealer.kernel import EntryId, Height, PeerError, Reason, Seat, Value
from nodealer.ledger import (
    DUTIES,
    AskAction,
    AskContribution,
    AuthoredStep,
    Certificate,
    Contribution,
    Duties,
    Entry,
    Evidence,
    Ledger,
    Link,
    Message,
    Ready,
    Seal,
    Vote,
    found,
    recover,
)
from nodealer.ledger.chain import Followed, authored, settled
from nodealer.ledger.duties import Own
from nodealer.ledger.evidence import between, two_bindings
from nodealer.ledger.messages import Contributed, Left, Proposal, Sealed, Voted, signed_of
from nodealer.ledger.objects import (
    CONTRIBUTION,
    SEAL,
    VOTE,
    Choice,
    Content,
    Evict,
    Keep,
    Signed,
)
from tests.ledger.toy import Toy
from tests.ledger.world import charter_of, seats

SCRIPT = ("turn", "due")
LATE = 1 << 20
"""More ticks than any patience."""

SIGNATURE = bytes(64)


class SignatureTable:
    """What was signed by whom, in place of signatures."""

    def __init__(self) -> None:
        self.signed: set[tuple[Seat, str, Value]] = set()

    def sign_as(self, seat: Seat, domain: str, value: Value) -> bytes:
        """Note a signature."""
        self.signed.add((seat, domain, value))
        return SIGNATURE

    def check(self, seat: Seat, domain: str, value: Value, signature: bytes) -> None:
        """Raise unless it was signed."""
        if (seat, domain, value) not in self.signed or signature != SIGNATURE:
            raise PeerError(Reason.SIGNATURE_BAD, "not in the table")


@dataclass(frozen=True)
class TableSigner:
    """Signs for one seat into the table."""

    seat: Seat
    table: SignatureTable

    def sign(self, domain: str, value: Value) -> bytes:
        """Note a signature of this seat."""
        return self.table.sign_as(self.seat, domain, value)


@dataclass(eq=False)
class Node:
    """What one seat has stored, and what that comes to."""

    number: int
    seat: Seat
    records: tuple[Message, ...]
    ledger: Ledger
    own: frozenset[int] = frozenset()
    known: frozenset[int] = frozenset()
    named: str | None = None


@dataclass(eq=False)
class Quiet:
    """A node, and what its seat holds beside what it has stored."""

    node: Node
    ledger: Ledger
    steps: dict[int, Quiet | tuple[int, str]] = field(default_factory=dict)
    events: tuple[tuple[int, str], ...] | None = None


@dataclass(frozen=True)
class Bad:
    """A bad end, and the moves that lead to it."""

    what: str
    path: tuple[str, ...]


@dataclass
class Outcome:
    """What an exploration came to."""

    states: int = 0
    bad: list[Bad] = field(default_factory=list)
    is_whole: bool = True


def fingerprint(ledger: Ledger) -> tuple[object, ...]:
    """Return everything of a recovered ledger that a journal determines."""
    links = tuple((link.id, _shape(link.certificate)) for link in ledger.tip.downwards())
    basis = tuple(
        (frozenset(desk.contents), frozenset(desk.contributions))
        for desk in (ledger.desk, ledger.past)
    )
    own: Own = ledger.own
    signed = (
        frozenset(seal.body() for seal in own.seals.values()),
        frozenset(one.id for one in own.contributions.values()),
        frozenset(vote.body() for votes in own.votes.values() for vote in votes),
    )
    return (links, basis, signed, own.is_out, own.leave is not None, ledger.suspect is None)


def held(ledger: Ledger) -> tuple[object, ...]:
    """Return everything that a quiet reception can change."""
    return (
        *tuple(
            (
                frozenset(desk.contents),
                tuple(sorted(desk.first.items())),
                frozenset(desk.contributions),
                frozenset((e, s) for e, by_seat in desk.seals.items() for s in by_seat),
                frozenset(v.body() for by_seat in desk.votes.values() for v in by_seat.values()),
                frozenset((e, r) for e, ranks in desk.results.items() for r in ranks),
            )
            for desk in (ledger.desk, ledger.past)
        ),
        frozenset(ledger.proven),
        frozenset(ledger.certificates),
    )


def _shape(certificate: Certificate) -> tuple[object, ...]:
    messages: tuple[Seal | Vote, ...] = (*certificate.seals, *certificate.votes)
    return (certificate.rank, tuple(message.body() for message in messages))


class Explorer:
    """The states of a table with some Byzantine seats, under some rules."""

    def __init__(
        self,
        byzantine: Sequence[int] = (),
        duties: Duties = DUTIES,
        free: int = 1,
        count: int = 3,
        codes: Iterable[str] = ("E1", "E2", "E3", "E4"),
        *,
        overstates: bool = False,
        script: Sequence[str] = SCRIPT,
    ) -> None:
        self.charter = charter_of(count)
        self.byzantine = tuple(Seat(seat) for seat in byzantine)
        self.honest = tuple(seat for seat in seats(count) if seat not in byzantine)
        self.duties = duties
        self.free = free
        self.codes = frozenset(codes)
        self.overstates = overstates
        self.table = SignatureTable()
        self.start = Toy(seats(count), tuple(script))
        self.final = len(script)
        self.nodes: dict[tuple[object, ...], Node] = {}
        self.all_nodes: list[Node] = []
        self.messages: list[Message] = []
        self.numbers: dict[object, int] = {}
        self._moves: dict[tuple[int, frozenset[int]], tuple[tuple[str, Node], ...]] = {}
        self.quiet: dict[tuple[int, object], Quiet] = {}

    # Nodes and messages.

    def first_state(self) -> tuple[Node, ...]:
        """Return the state in which all have sealed the charter."""
        ledgers: dict[Seat, Ledger] = {}
        sent: list[Message] = []
        for seat in seats(len(self.charter.keys)):
            signer = TableSigner(seat, self.table)
            made = found(self.charter, self.start, seat, signer, self.table, self.duties)
            ledgers[seat] = made[0]
            sent.extend(made[1].persist)
        state = []
        for seat in self.honest:
            records: list[Message] = []
            for message in sent:
                ledgers[seat], ready = ledgers[seat].receive(message)
                records.extend(ready.persist)
            state.append(self.node(seat, tuple(records)))
        return tuple(state)

    def node(self, seat: Seat, records: tuple[Message, ...]) -> Node:
        """Return the node of a journal."""
        signer = TableSigner(seat, self.table)
        ledger, ready = recover(
            self.charter, self.start, seat, signer, self.table, records, self.duties
        )
        records += ready.persist  # a restart may itself take or sign something
        key = (seat, fingerprint(ledger))
        node = self.nodes.get(key)
        if node is None:
            node = Node(len(self.all_nodes), seat, records, ledger)
            own = [m for m in records if (s := signed_of(m)) is not None and s.seat == seat]
            node.own = frozenset(self.number(m) for m in own if _is_told(m))
            node.known = frozenset(self.number(m) for m in records if _is_told(m))
            node.named = self._named(own)
            self.nodes[key] = node
            self.all_nodes.append(node)
        return node

    def number(self, message: Message) -> int:
        """Return the number of a message; the same message has the same number."""
        key = _identity(message)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.messages)
            self.messages.append(message)
        return number

    def _named(self, own: Sequence[Message]) -> str | None:
        signed = [one for message in own if (one := signed_of(message)) is not None]
        contents = self.contents(own)
        for one, other in combinations(signed, 2):
            if (evidence := self._between(one, other, contents)) is not None:
                return evidence.code
        return None

    def _between(self, one: Signed, other: Signed, contents: Sequence[Content]) -> Evidence | None:
        evidence = between(one, other, contents)
        if evidence is None and isinstance(one, Contribution) and isinstance(other, Contribution):
            evidence = two_bindings(one, other, ())
        return evidence if evidence is not None and evidence.code in self.codes else None

    def contents(self, messages: Iterable[Message]) -> list[Content]:
        """Return all contents of the first height that can be spoken of."""
        del messages
        found: dict[EntryId, Content] = {}
        for node in self.all_nodes:
            for link in node.ledger.tip.downwards():
                if link.content is not None:
                    found[link.id] = link.content
        return list(found.values())

    # Moves.

    def pool(self, state: Sequence[Node], seat: Seat) -> frozenset[int]:
        """Return what others have sent."""
        return frozenset().union(*(node.own for node in state if node.seat != seat))

    def moves(self, node: Node, pool: frozenset[int]) -> tuple[tuple[str, Node], ...]:
        """Return all that a seat can store next, having received any of these messages."""
        relevant = self._relevant(node, pool)
        key = (node.number, relevant)
        if key not in self._moves:
            offered = self._offered(node, pool)
            self._moves[key] = tuple(self._explore(node, relevant | offered))
        return self._moves[key]

    def _relevant(self, node: Node, pool: frozenset[int]) -> frozenset[int]:
        tip = node.ledger.tip
        return frozenset(n for n in pool if _matters(tip, self.messages[n]))

    def _explore(self, node: Node, relevant: frozenset[int]) -> Iterator[tuple[str, Node]]:
        results: dict[int, str] = {}
        start = self._intern(node, node.ledger)
        step, rounds, below = self._sorted(node, relevant)
        self._spread(start, rounds, results)
        for held_below in self._spread(start, below, results):
            if held_below is start or _has_keep(held_below.ledger):
                self._spread(held_below, step, results)
        for number, label in results.items():
            yield label, self.all_nodes[number]

    def _sorted(self, node: Node, relevant: frozenset[int]) -> tuple[list[int], ...]:
        """Sort messages: the step over the tip, votes over the tip, votes further below."""
        kinds: tuple[list[int], ...] = ([], [], [])
        for number in sorted(relevant):
            signed = signed_of(self.messages[number])
            is_vote = isinstance(signed, Vote)
            over_tip = is_vote and signed.base == node.ledger.tip.id  # type: ignore[union-attr]
            kinds[(1 if over_tip else 2) if is_vote else 0].append(number)
        return kinds

    def _spread(self, start: Quiet, numbers: Sequence[int], results: dict[int, str]) -> list[Quiet]:
        """Receive all subsets of messages; note what is stored, return the quiet states."""
        seen, waiting = {id(start): start}, deque([start])
        while waiting:
            quiet = waiting.popleft()
            for number, label in self._events(quiet):
                results.setdefault(number, label)
            if quiet.ledger.proven and quiet is not start:
                continue
            for number in numbers:
                after = quiet.steps.get(number)
                if after is None:
                    after = quiet.steps[number] = self._receive(quiet, number)
                if isinstance(after, Quiet):
                    if id(after) not in seen:
                        seen[id(after)] = after
                        waiting.append(after)
                else:
                    results.setdefault(*after)
        return list(seen.values())

    def _receive(self, quiet: Quiet, number: int) -> Quiet | tuple[int, str]:
        made, ready = quiet.ledger.receive(self.messages[number])
        if ready.persist:
            noted = self._note(quiet.node, f"gets {self.describe(number)}", ready)
            return quiet if noted is None else noted
        return self._intern(quiet.node, made)

    def _intern(self, node: Node, ledger: Ledger) -> Quiet:
        key = (node.number, held(ledger))
        quiet = self.quiet.get(key)
        if quiet is None:
            quiet = self.quiet[key] = Quiet(node, ledger)
        return quiet

    def _events(self, quiet: Quiet) -> tuple[tuple[int, str], ...]:
        if quiet.events is None:
            found = (
                self._note(quiet.node, label, ready)
                for label, ready in self._own_events(quiet.ledger)
            )
            quiet.events = tuple(each for each in found if each is not None)
        return quiet.events

    def _own_events(self, ledger: Ledger) -> Iterator[tuple[str, Ready]]:
        for ask in ledger.asked:
            if isinstance(ask, AskAction) and not ask.again:
                yield "proposes", ledger.propose(b"x")[1]
            elif isinstance(ask, AskContribution):
                yield "contributes", ledger.contribute([b"x"] * len(ask.parts))[1]
        if ledger.awaited and _next_round(ledger) <= self.free and ledger.tip.height < self.final:
            yield "loses patience", ledger.tick(LATE)[1]

    def _note(self, node: Node, label: str, ready: Ready) -> tuple[int, str] | None:
        if not ready.persist:
            return None
        after = self.node(node.seat, node.records + ready.persist)
        if after is node:
            return None
        told = ", ".join(self.describe(self.number(m)) for m in ready.persist)
        return after.number, f"seat {node.seat} {label}: {told}"

    # What a Byzantine seat may sign, as far as it concerns one seat.

    def _offered(self, node: Node, pool: frozenset[int]) -> frozenset[int]:
        offered: set[int] = set()
        tip = node.ledger.tip
        for seat in self.byzantine:
            for base in (tip, tip.below):
                if base is not None and seat in base.roster and base.height < self.final:
                    for message in self._forged(seat, base, node, pool):
                        offered.add(self.number(message))
        return (offered and frozenset(offered)) or frozenset()

    def _forged(
        self, seat: Seat, base: Link, node: Node, pool: frozenset[int]
    ) -> Iterator[Message]:
        sent = [self.messages[n] for n in (pool | node.own)]
        ranked = list(self._ranks(seat, base, node))
        entries = list(self._entries(seat, base, sent))
        for rank, beside in ranked:
            if base is node.ledger.tip:
                yield from self._forged_over_tip(seat, base, rank, beside, entries)
            yield from self._forged_votes(seat, base, rank, beside, entries, sent)

    def _forged_over_tip(
        self,
        seat: Seat,
        base: Link,
        rank: int,
        beside: tuple[Certificate, ...],
        entries: Sequence[Followed],
    ) -> Iterator[Message]:
        for followed in entries:
            seal = self._seal(seat, base, followed.content.id, rank)
            step = followed.content.step
            if isinstance(step, AuthoredStep) and step.seat == seat:
                yield Proposal(followed.content, seal, beside)
            else:
                yield Sealed(seal, beside)
        if rank == 0 and base.owed_by(seat):
            yield from map(Contributed, self._contributions(seat, base))

    def _forged_votes(
        self,
        seat: Seat,
        base: Link,
        rank: int,
        beside: tuple[Certificate, ...],
        entries: Sequence[Followed],
        sent: Sequence[Message],
    ) -> Iterator[Message]:
        for number in range(1, self.free + 1):
            for other in base.roster:
                if other != seat:
                    vote = self._vote(seat, base, rank, number, Evict((other,)))
                    yield Voted(vote, (), None, beside)
            for followed in entries:
                kept = self._complete(seat, base, followed, sent)
                if kept is not None:
                    choice = Keep(followed.content.id, 0)
                    vote = self._vote(seat, base, rank, number, choice)
                    yield Voted(vote, (), kept, beside)

    def _ranks(
        self, seat: Seat, base: Link, node: Node
    ) -> Iterator[tuple[int, tuple[Certificate, ...]]]:
        del seat
        if base.content is None or not base.certificate.votes:
            yield 0, ()
        for (entry, rank), certificate in node.ledger.certificates.items():
            if entry == base.id and rank > 0:
                yield rank, (*base.beside, certificate)
        if base.rank > 0 and (base.id, base.rank) not in node.ledger.certificates:
            yield base.rank, (*base.beside, base.certificate)
        if self.overstates and base.height > 0:
            yield self.free + 1, ()

    def _entries(  # noqa: C901 - one kind of entry after the other
        self, seat: Seat, base: Link, sent: Sequence[Message]
    ) -> Iterator[Followed]:
        for message in sent:
            if isinstance(message, Proposal) and message.content.parent == base.id:
                step = message.content.step
                assert isinstance(step, AuthoredStep)
                yield authored(base, step.seat, step.action)
        try:
            for action in (b"x", b"y"):
                yield authored(base, seat, action)
        except PeerError:
            pass
        if not base.parts:
            return
        given: dict[Seat, list[Contribution]] = {}
        for message in sent:
            if isinstance(message, Contributed) and message.contribution.parent == base.id:
                one = message.contribution
                given.setdefault(one.seat, []).append(one)
        for one in self._contributions(seat, base):
            given.setdefault(seat, []).append(one)
        if all(other in given for other in base.owing()):
            for variant in given.get(seat, given[base.owing()[0]]):
                whole = [variant if s == seat else given[s][0] for s in base.owing()]
                yield settled(base, whole)

    def _complete(
        self, seat: Seat, base: Link, followed: Followed, sent: Sequence[Message]
    ) -> Entry | None:
        seals = {seat: self._seal(seat, base, followed.content.id, 0)}
        for message in sent:
            signed = signed_of(message)
            if isinstance(signed, Seal) and signed.entry == followed.content.id:
                seals[signed.seat] = signed
        if any(other not in seals for other in base.roster):
            return None
        inside = tuple(seals[other] for other in base.roster)
        certificate = Certificate(followed.content.id, 0, seals=inside)
        return Entry(followed.content, followed.contributions, certificate)

    def _contributions(self, seat: Seat, base: Link) -> Iterator[Contribution]:
        for data in (b"x", b"y"):
            payloads = tuple((part.label, data) for part in base.owed_by(seat))
            height = Height(base.height + 1)
            one = Contribution(base.table, height, base.id, seat, payloads, (), SIGNATURE)
            self.table.sign_as(seat, CONTRIBUTION, one.body())
            yield one

    def _seal(self, seat: Seat, base: Link, entry: EntryId, rank: int) -> Seal:
        height = Height(base.height + 1)
        seal = Seal(base.table, height, base.id, entry, rank, seat, SIGNATURE)
        self.table.sign_as(seat, SEAL, seal.body())
        return seal

    def _vote(self, seat: Seat, base: Link, rank: int, number: int, choice: Choice) -> Vote:
        height = Height(base.height + 1)
        vote = Vote(base.table, height, base.id, rank, number, choice, seat, SIGNATURE)
        self.table.sign_as(seat, VOTE, vote.body())
        return vote

    def describe(self, number: int) -> str:
        """Return a message in a few words."""
        return describe(self.messages[number])


def describe(message: Message) -> str:  # noqa: PLR0911 - one line for each kind
    """Return a message in a few words."""
    match message:
        case Proposal(content=content, seal=seal):
            return f"proposal {content.id.hex()[:4]} of {seal.seat}"
        case Sealed(seal=seal):
            return f"seal {seal.entry.hex()[:4]} of {seal.seat} rank {seal.rank}"
        case Contributed(contribution=one):
            return f"contribution {one.id.hex()[:4]} of {one.seat}"
        case Voted(vote=vote):
            choice = vote.choice
            if isinstance(choice, Evict):
                words = f"evict {list(choice.seats)}"
            else:
                words = f"keep {choice.entry.hex()[:4]} rank {choice.rank}"
            return f"vote of {vote.seat} at {vote.height} round {vote.round}: {words}"
        case Entry(content=content, certificate=certificate):
            return f"entry {content.id.hex()[:4]} rank {certificate.rank}"
        case Left(leave=leave):
            return f"leave of {leave.seat}"
        case _:
            return type(message).__name__


def _is_told(message: Message) -> bool:
    signed = signed_of(message)
    return isinstance(message, Entry) or (signed is not None and signed.height > 0)


def _identity(message: Message) -> object:
    match message:
        case Entry(content=content, certificate=certificate, beside=beside):
            return (content.id, _shape(certificate), tuple(map(_shape, beside)))
        case Voted(vote=vote, kept=kept, beside=beside):
            inner = None if kept is None else _identity(kept)
            return (vote, inner, tuple(map(_shape, beside)))
        case Proposal(seal=seal, beside=beside):
            return ("proposal", seal, tuple(map(_shape, beside)))
        case Sealed(seal=seal, beside=beside):
            return ("sealed", seal, tuple(map(_shape, beside)))
        case Contributed(contribution=one):
            return one.id
        case _:
            return message


def _matters(tip: Link, message: Message) -> bool:
    signed = signed_of(message)
    match signed:
        case Vote():
            return any(link.id == signed.base for link in tip.downwards())
        case Seal() | Contribution():
            return signed.parent == tip.id
        case _:
            return True


def _has_keep(ledger: Ledger) -> bool:
    """Say whether a vote to keep the tip is held, which changes who is missed over it."""
    votes = (vote for by_seat in ledger.past.votes.values() for vote in by_seat.values())
    return any(vote.choice == Keep(ledger.tip.id, 0) for vote in votes)


def _next_round(ledger: Ledger) -> int:
    last = ledger.own.last_round(ledger.tip.height + 1)
    seen = ledger.desk.last_round()
    return seen if seen > last else last + 1
