"""The history as one seat holds it: entries linked by hashes, each with the state after it.

A `ChainEntry` is a taken entry. It never changes; a chain grows by a link that points at the one
below, so two ledgers share everything up to where they differ, and copying a ledger copies nothing.
Of what lies far below its tip a ledger forgets all that can be had again (`entry_memory`): what was
signed stays, packed, and a state is made again from the entries if anybody asks for it.

`follow` replays one content over a link: it says which state the content leads to, or refuses with
a reason. That is the only place where the application is asked for a judgement of an entry, and
the same code serves whoever is about to seal, whoever reads a certificate and whoever judges.

Names: the *roster* of a link is who must countersign what comes over it. Rounds over a link count
majorities of the roster *below* it (`quorum_roster`), which is settled because the link is
complete. The *anchor* is the last entry that evicts nobody; labels are made of it, so that what
was bound under a label stays bound when a step is undone by an eviction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodealer.kernel import Bug, EntryId, Height, PeerError, Reason, Seat, TableId
from nodealer.ledger.application import (
    Application,
    Authored,
    Closed,
    Due,
    Given,
    LedgerDuty,
    Moment,
)
from nodealer.ledger.entry_memory import ChainMemory, EntryMemory, Root
from nodealer.ledger.messages import Entry
from nodealer.ledger.objects import (
    AuthoredStep,
    Certificate,
    Charter,
    Content,
    Contribution,
    DueStep,
    EntryStep,
    EvictStep,
    Part,
    Signed,
    label_of,
)

NEAR_MAX: Final = 10
"""So many entries are near the tip: as far down as certificates are kept and links looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class ChainEntry:
    """A taken entry: what it says, what state it leads to, and why it is complete."""

    table: TableId
    id: EntryId
    height: Height
    rank: int
    """The rank by which this seat holds the entry."""
    is_complete: bool
    """Whether it is signed by all who have to; a charter is not from the beginning."""
    memory: EntryMemory
    duty: LedgerDuty
    parts: tuple[Part, ...]
    roster: tuple[Seat, ...]
    quorum_roster: tuple[Seat, ...]
    anchor: EntryId
    quorum_of: Callable[[int], int]
    chain: ChainMemory
    below: ChainEntry | None

    @property
    def content(self) -> Content | None:
        """The content; the charter has none."""
        return self.memory.entry.content

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """The contributions that the content names, in its order."""
        return self.memory.entry.contributions

    @property
    def certificate(self) -> Certificate:
        """The certificate that makes the entry complete."""
        return self.memory.entry.certificate

    @property
    def beside(self) -> tuple[Certificate, ...]:
        """The certificates that this one rests on."""
        return self.memory.entry.beside

    @property
    def state(self) -> Application:
        """The state after the entry; where it was forgotten it is made again."""
        state = self.memory.state
        return _made_again(self) if state is None else state

    def moment(self) -> Moment:
        """Return the moment of whatever comes over this link."""
        return Moment(self.table, Height(self.height + 1), self.id)

    def is_majority(self, seats: int) -> bool:
        """Say whether so many seats are a strict majority in rounds over this link."""
        return seats >= self.quorum_of(len(self.quorum_roster))

    def owed_by(self, seat: Seat) -> tuple[Part, ...]:
        """Return the parts that a seat owes over this link."""
        return tuple(part for part in self.parts if seat in part.seats)

    def owing(self) -> tuple[Seat, ...]:
        """Return the seats that owe a contribution over this link, in ascending order."""
        return tuple(sorted({seat for part in self.parts for seat in part.seats}))

    def predecessors(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats on whose contributions the one of `seat` builds directly."""
        found: dict[Seat, None] = {}
        for part in self.parts:
            if part.chained and seat in part.seats:
                earlier = [other for other in part.seats if other < seat]
                found.update(dict.fromkeys(earlier[-1:]))
        return tuple(sorted(found))

    def downwards(self) -> Iterator[ChainEntry]:
        """Yield this link and those below it."""
        link: ChainEntry | None = self
        while link is not None:
            yield link
            link = link.below

    def at(self, height: int) -> ChainEntry | None:
        """Return the link at a height of this chain."""
        if height > self.height:
            return None
        return next((link for link in self.downwards() if link.height == height), None)

    def signed(self) -> tuple[Signed, ...]:
        """Return everything signed that the entry holds."""
        entry = self.memory.entry
        certificates = (*entry.beside, entry.certificate)
        return (*entry.contributions, *(one for each in certificates for one in each.messages))

    def find(self, entry: bytes) -> ChainEntry | None:
        """Return the link of an entry of this chain."""
        return next((link for link in self.downwards() if link.id == entry), None)


@dataclass(frozen=True, slots=True)
class Followed:
    """The result of a content over a link."""

    content: Content
    contributions: tuple[Contribution, ...]
    state: Application


class _Asking:
    """A question to the application: `PeerError` passes, any other error is our own bug."""

    __slots__ = ()

    def __enter__(self) -> None:
        """Ask."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Let pass what may pass; whatever else it is, it is ours and no peer is to blame."""
        if isinstance(error, Exception) and not isinstance(error, PeerError | Bug):
            raise Bug(Reason.LOCAL_APPLICATION, repr(error)) from error


ASKING: Final = _Asking()
"""Around every question to the application: `with ASKING`."""


def strict_majority(seats: int) -> int:
    """Return how many of so many seats are more than half."""
    return seats // 2 + 1


def first_link(
    charter: Charter,
    state: Application,
    certificate: Certificate,
    quorum_of: Callable[[int], int] = strict_majority,
    memory: ChainMemory | None = None,
) -> ChainEntry:
    """Return the link of the charter."""
    seats = charter.seats
    entry = EntryId(charter.table)
    with ASKING:
        duty = state.due()
    return ChainEntry(
        table=charter.table,
        id=entry,
        height=Height(0),
        rank=certificate.rank,
        is_complete=bool(certificate.messages),
        memory=EntryMemory(Root(certificate), state),
        duty=duty,
        parts=_parts(duty, entry),
        roster=seats,
        quorum_roster=seats,
        anchor=entry,
        quorum_of=quorum_of,
        chain=ChainMemory() if memory is None else memory,
        below=None,
    )


def sealed(root: ChainEntry, certificate: Certificate) -> ChainEntry:
    """Return the link of the charter, with these seals."""
    memory = EntryMemory(Root(certificate), root.state)
    return replace(root, is_complete=bool(certificate.messages), memory=memory)


def extended(
    link: ChainEntry,
    followed: Followed,
    certificate: Certificate,
    beside: tuple[Certificate, ...] = (),
) -> ChainEntry:
    """Return the link of a complete content over `link`."""
    content = followed.content
    roster, anchor = link.roster, content.id
    if isinstance(content.step, EvictStep):
        out = content.step.seats
        roster = tuple(seat for seat in roster if seat not in out)
        anchor = link.anchor
    with ASKING:
        duty = followed.state.due()
    return ChainEntry(
        table=link.table,
        id=content.id,
        height=content.height,
        rank=certificate.rank,
        is_complete=bool(certificate.messages),
        memory=EntryMemory(
            Entry(content, followed.contributions, certificate, beside), followed.state
        ),
        duty=duty,
        parts=_parts(duty, anchor),
        roster=roster,
        quorum_roster=link.roster,
        anchor=anchor,
        quorum_of=link.quorum_of,
        chain=link.chain,
        below=link,
    )


def forget_far(tip: ChainEntry) -> None:
    """Forget what can be had again of the entries far below a tip."""
    if not tip.chain.is_forgetting:
        return
    for depth, link in enumerate(tip.downwards()):
        if depth < NEAR_MAX:
            continue
        if link.memory.is_far or link.below is None:
            return
        link.memory.forget(is_packed=tip.chain.is_packing)


def _made_again(link: ChainEntry) -> Application:
    """Return the state after a far entry, from the nearest one below it that is at hand."""
    lacking = []
    for one in link.downwards():
        if one.memory.state is not None:
            break
        lacking.append(one)
    state = one.memory.state
    assert state is not None, "that of the charter is never forgotten"
    for one in reversed(lacking):
        below, entry = one.below, one.memory.entry
        assert below is not None, "the charter is not among them"
        assert entry.content is not None, "and only it has no content"
        try:
            state = follow(below, entry.content, entry.contributions).state
        except PeerError as refused:
            raise Bug(Reason.LOCAL_APPLICATION, f"another answer now: {refused}") from refused
        link.chain.recall(one.memory, state)
    return state


def with_certificate(
    link: ChainEntry, certificate: Certificate, beside: tuple[Certificate, ...]
) -> ChainEntry:
    """Return the same entry, held by another certificate."""
    assert link.below is not None, "the charter is never voted on"
    assert link.content is not None, "only the charter has no content"
    followed = Followed(link.content, link.contributions, link.state)
    return extended(link.below, followed, certificate, beside)


def may_author(link: ChainEntry, seat: Seat) -> bool:
    """Say whether the seat may author what comes over this link."""
    match link.duty:
        case Authored(on_turn):
            return seat == on_turn
        case Closed():
            return seat == link.roster[0]
        case _:
            return False


def authored(link: ChainEntry, seat: Seat, action: bytes) -> Followed:
    """Return the content of an authored step over a link; a refused action raises `PeerError`."""
    if not may_author(link, seat):
        raise PeerError(Reason.LEDGER_NOT_ON_TURN, f"seat {seat}")
    with ASKING:
        state = link.state.act(link.moment(), seat, action)
    return _followed(link, AuthoredStep(seat, action), (), state)


def settled(link: ChainEntry, contributions: Sequence[Contribution]) -> Followed:
    """Return the content of a due step whose contributions were all judged and are complete."""
    given = [Given(one.seat, one.payloads) for one in contributions]
    with ASKING:
        state = link.state.settle(link.moment(), given)
    return _followed(link, DueStep(link.parts), tuple(contributions), state)


def eviction(link: ChainEntry, number: int, seats: tuple[Seat, ...]) -> Followed:
    """Return the content that leaves seats out by round `number` over a link."""
    with ASKING:
        state = link.state.evicted(link.moment(), seats)
    return _followed(link, EvictStep(number, seats), (), state)


def judge_contribution(link: ChainEntry, one: Contribution, chain: Sequence[Contribution]) -> None:
    """Raise `PeerError` unless the contribution fits its parent and those that it builds on."""
    owed = link.owed_by(one.seat)
    if (one.height, one.parent) != (link.height + 1, link.id):
        raise PeerError(Reason.LEDGER_WRONG_PLACE, "not over its parent")
    if not owed:
        raise PeerError(Reason.LEDGER_NOT_OWED, f"seat {one.seat} owes nothing")
    if tuple(label for label, _ in one.payloads) != tuple(part.label for part in owed):
        raise PeerError(Reason.LEDGER_NOT_OWED, "other parts are owed")
    if len(one.on) != len(link.predecessors(one.seat)):
        raise PeerError(Reason.LEDGER_BUILDS_ON_OTHER, "as many are to be named as come before")
    earlier = [Given(before.seat, before.payloads) for before in chain]
    with ASKING:
        link.state.check(link.moment(), one.seat, one.payloads, earlier)


def chain_of(
    link: ChainEntry, one: Contribution, known: Callable[[bytes], Contribution | None]
) -> tuple[Contribution, ...] | None:
    """Return what `one` builds on, directly or not, in seat order; None if some of it is unknown.

    Raises `PeerError` where the named contributions are not those of the seats before it.
    """
    found: dict[Seat, Contribution] = {}
    wanted = [one]
    while wanted:
        current = wanted.pop()
        for before, name in zip(link.predecessors(current.seat), current.on, strict=False):
            earlier = known(name)
            if earlier is None:
                return None
            if earlier.seat != before or earlier.parent != link.id:
                raise PeerError(Reason.LEDGER_BUILDS_ON_OTHER, "on that of another seat or parent")
            if found.setdefault(before, earlier).id != earlier.id:
                raise PeerError(Reason.LEDGER_BUILDS_ON_OTHER, "on two of one seat")
            wanted.append(earlier)
    return tuple(found[seat] for seat in sorted(found))


def follow(link: ChainEntry, content: Content, contributions: Sequence[Contribution]) -> Followed:
    """Return what a content over a link comes to, or raise `PeerError` with the reason."""
    step = content.step
    match step:
        case AuthoredStep(seat, action):
            if not may_author(link, seat):
                raise PeerError(Reason.LEDGER_NOT_ON_TURN, f"seat {seat}")
            contributions = ()
            with ASKING:
                state = link.state.act(link.moment(), seat, action)
        case DueStep(parts):
            _all_judged(link, parts, contributions)
            given = [Given(one.seat, one.payloads) for one in contributions]
            with ASKING:
                state = link.state.settle(link.moment(), given)
        case _:
            seats = step.seats
            is_ordered = bool(seats) and seats == tuple(sorted(set(seats)))
            if not is_ordered or not set(seats) < set(link.roster):
                raise PeerError(
                    Reason.LEDGER_NOT_IN_ROSTER, "an eviction of nobody, of everybody, or of others"
                )
            contributions = ()
            with ASKING:
                state = link.state.evicted(link.moment(), seats)
    place = (content.table, content.height, content.parent)
    if place != (link.table, link.height + 1, link.id):
        raise PeerError(Reason.LEDGER_WRONG_PLACE, "not over its parent")
    if content.contributions != tuple((one.seat, one.id) for one in contributions):
        raise PeerError(
            Reason.LEDGER_CONTRIBUTIONS_MISSING, "other contributions than those of the step"
        )
    with ASKING:
        is_same = content.state == state.digest()
    if not is_same:
        raise PeerError(Reason.LEDGER_STATE_DIFFERS)
    return Followed(content, tuple(contributions), state)


def _all_judged(
    link: ChainEntry, parts: tuple[Part, ...], contributions: Sequence[Contribution]
) -> None:
    if not isinstance(link.duty, Due) or parts != link.parts:
        raise PeerError(Reason.LEDGER_NOT_OWED, "other parts are due, or none")
    if tuple(one.seat for one in contributions) != link.owing():
        raise PeerError(Reason.LEDGER_CONTRIBUTIONS_MISSING, "not one of each seat that owes one")
    by_id = {one.id: one for one in contributions}
    for one in contributions:
        chain = chain_of(link, one, by_id.get)
        if chain is None:
            raise PeerError(Reason.LEDGER_BUILDS_ON_OTHER, "on one that is not part of the step")
        judge_contribution(link, one, chain)


def _followed(
    link: ChainEntry, step: EntryStep, contributions: tuple[Contribution, ...], state: Application
) -> Followed:
    with ASKING:
        digest = state.digest()
    content = Content(
        table=link.table,
        height=Height(link.height + 1),
        parent=link.id,
        step=step,
        contributions=tuple((one.seat, one.id) for one in contributions),
        state=digest,
    )
    return Followed(content, contributions, state)


def _parts(duty: LedgerDuty, anchor: EntryId) -> tuple[Part, ...]:
    if not isinstance(duty, Due):
        return ()
    return tuple(
        Part(label_of(p.kind, p.purpose, anchor), p.kind, p.seats, p.binding, p.chained)
        for p in duty.parts
    )
