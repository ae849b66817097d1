"""The journals of the honest seats of a table, each once, and the messages that they hold.

A journal grows by what a move stores. What the core makes of it is what `recover` makes of it; so
that this need not begin at the charter for every journal, the ledger of the journal before is kept
as it was when the last record had been read, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from nodealer.kernel import Seat
from nodealer.ledger import Entry, Ledger, LedgerMessage, Ready, Vote, found
from nodealer.ledger.draft import Draft, Fixed, everything_of
from nodealer.ledger.ledger import done, unsealed
from nodealer.ledger.messages import Proposal, signed_of
from nodealer.ledger.objects import Content
from nodealer.ledger.recall import step_back
from nodealer.ledger.recovery import reread
from tests.ledger.explore.against import Against
from tests.ledger.explore.journal import (
    Node,
    author_of,
    bits,
    describe,
    identity,
    is_told,
    key_of,
    named_by,
    ones,
    past_of,
    plain,
)
from tests.ledger.explore.setting import Setting
from tests.ledger.explore.stage import Stage
from tests.ledger.explore.table import SignatureTable, TableSigner
from tests.ledger.world import charter_of, seats

TWINS_MAX = 2


class Nodes:
    """The nodes and messages of a visit, by their numbers."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.charter = charter_of(setting.count)
        self.table = SignatureTable()
        self.honest = tuple(s for s in seats(setting.count) if s not in setting.byzantine)
        self.duties = {seat: setting.duties(seat) for seat in self.honest}
        self.start = Stage(seats(setting.count), setting.script)
        self.against = Against(setting)
        self.is_cut = setting.is_merged and not setting.names_only
        """Whether nothing is of interest behind a proof against a Byzantine seat."""
        self.is_exact = False
        """Whether journals are told apart by every statement of others that they hold."""
        self.nodes: list[Node] = []
        self.messages: list[LedgerMessage] = []
        self.over: list[bytes] = []
        self._by_key: dict[object, Node] = {}
        self._numbers: dict[object, int] = {}

    def number_like(self, other: Nodes) -> None:
        """Give the same numbers to nodes and messages as another visit of the same table."""
        self.table.signed, self.against = other.table.signed, other.against
        self.nodes, self._by_key = other.nodes, other._by_key
        self.messages, self._numbers, self.over = other.messages, other._numbers, other.over

    def first_state(self) -> tuple[Node, ...]:
        """Return the state in which all have sealed the charter."""
        sent: list[LedgerMessage] = []
        for seat in seats(self.setting.count):
            signer = TableSigner(seat, self.table)
            sent.extend(found(Fixed(self.charter, seat, signer, self.table), self.start)[1].persist)
        return tuple(self.node(seat, tuple(sent), 0) for seat in self.honest)

    def read(self, seat: Seat, records: Sequence[LedgerMessage], before: Ledger | None) -> Ledger:
        """Return the ledger that has read these records, on top of those that it has read."""
        if before is None:
            signer = TableSigner(seat, self.table)
            duties = self.duties[seat]
            before = unsealed(Fixed(self.charter, seat, signer, self.table, duties), self.start)
        draft = Draft(before)
        reread(draft, records)
        return draft.changed(Ledger)

    def node(
        self, seat: Seat, records: tuple[LedgerMessage, ...], sent: int, before: Node | None = None
    ) -> Node:
        """Return the node of a journal; `sent` is what its seat has sent before.

        A journal that goes on from that of the node `before` is read from there only.
        """
        old = () if before is None else before.records
        heard = self.against.stored(seat, records[len(old) :])
        heard |= 0 if before is None else before.heard
        against = heard & self.against.byzantine
        if self.is_cut and self.against.is_proof(against):
            return self._guilty(seat)
        earlier = None if before is None else before.read
        read = self.read(seat, records[len(old) :], earlier)
        ledger, ready = restarted(read)
        if ready.persist:  # a restart may itself take or sign something
            read = self.read(seat, ready.persist, read)
            records += ready.persist
            heard |= self.against.stored(seat, ready.persist)
            against = heard & self.against.byzantine
        if self.setting.names_only:
            heard = against = self._at_hand(ledger)
        told = [message for message in records if is_told(message)]
        sent |= self.sent_of(seat, told)
        shown = heard if self.setting.is_merged or self.is_exact else self._shown(against)
        key = (seat, sent, shown, past_of(ledger) if self.setting.is_merged else key_of(ledger))
        node = self._by_key.get(key)
        if node is None:
            signed = [m for n in ones(sent) if author_of(m := self.messages[n]) == seat]
            named = named_by(signed, records, self.setting.codes) or self.accused(ledger)
            known = bits(map(self.number, told))
            node = Node(
                len(self.nodes), seat, records, read, ledger, sent, known, heard, against, named
            )
            self._by_key[key] = node
            self.nodes.append(node)
        elif node.records != records and len(node.twins) < TWINS_MAX:
            node.twins.append(records)
        return node

    def _at_hand(self, ledger: Ledger) -> int:
        """Return what a seat remembers of Byzantine seats; all that matters if no guilt does."""
        desks = (ledger.desk, ledger.past)
        byzantine = (Seat(seat) for seat in self.setting.byzantine)
        seats_and_desks = product(byzantine, desks)
        return self.against.signed(
            one for seat, desk in seats_and_desks for one in everything_of(desk, seat)
        )

    def _shown(self, against: int) -> object:
        """Return what a journal holds of Byzantine seats; only "enough" once it proves them."""
        if not self.setting.byzantine or self.setting.names_only:
            return None
        return "enough" if self.against.is_proof(against) else against

    def _guilty(self, seat: Seat) -> Node:
        """Return a node that stands for all journals of a seat that prove somebody guilty."""
        node = self._by_key.get(seat)
        if node is None:
            first = self.nodes[0]
            node = Node(
                len(self.nodes), seat, (), first.read, first.ledger, 0, 0, 0, 0, is_guilty=True
            )
            self._by_key[seat] = node
            self.nodes.append(node)
        return node

    def dead(self, named: str) -> Node:
        """Return a node that stands for the naming of an honest seat."""
        node = self._by_key.get(named)
        if node is None:
            first = self.nodes[0]
            node = Node(
                len(self.nodes), first.seat, (), first.read, first.ledger, 0, 0, 0, 0, named=named
            )
            self._by_key[named] = node
            self.nodes.append(node)
        return node

    def sent_of(self, seat: Seat, records: Sequence[LedgerMessage]) -> int:
        """Return what a seat can send: all that it has signed, and entries that rest on grounds."""
        is_heard = not self.setting.names_only  # or nobody is there to be sent anything
        own = (m for m in records if author_of(m) == seat or (is_heard and _has_grounds(m)))
        return bits(self.number(plain(message)) for message in own if is_told(message))

    def number(self, message: LedgerMessage) -> int:
        """Return the number of a message; the same message has the same number."""
        key = identity(message)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.messages)
            self.messages.append(message)
            self.over.append(_base_of(message))
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

    def near(self, ledger: Ledger, sent: int) -> int:
        """Return those messages that are over entries of a ledger's chain."""
        near = {b"", *(bytes(link.id) for link in ledger.tip.downwards())}
        return bits(number for number in ones(sent) if self.over[number] in near)


def restarted(read: Ledger) -> tuple[Ledger, Ready]:
    """Return what `recover` returns once all records were read."""
    draft = Draft(read)
    step_back(draft)
    return done(draft)


def sent_to(state: Sequence[Node], place: int) -> int:
    """Return what all but one have sent."""
    sent = 0
    for other, node in enumerate(state):
        if other != place:
            sent |= node.sent
    return sent


def told(ready: Ready) -> str:
    """Return what was stored in a few words."""
    return ", ".join(map(describe, ready.persist))


def _has_grounds(message: LedgerMessage) -> bool:
    return isinstance(message, Entry) and bool(message.certificate.grounds)


def _base_of(message: LedgerMessage) -> bytes:
    content: Content | None = message.content if isinstance(message, Entry | Proposal) else None
    if content is not None:
        return bytes(content.parent)
    signed = signed_of(message)
    if signed is None:
        return b""
    return bytes(signed.base if isinstance(signed, Vote) else signed.parent)  # type: ignore[union-attr]
