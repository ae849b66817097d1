"""The invariants of every simulated game, watched by checkers that see into all peers at once.

    one history        what is final for one honest peer is final for all
    honest unnamed     no evidence ever names a seat that kept to the rules
    cards conserved    the hidden cards of all seats together are the deck, whenever slots are made
    nothing early      what has left honest peers lets nobody see a card it was not shown
    views true         every player sees the faces that it was shown, and no others
    progress           once things are well again, a majority that is there finishes

The checkers share no code with what they watch where that would let one mistake hide the other:
grants are read from the effects of the rules and not from audiences, faces from the keys of all
seats and not from notebooks. Each has a test in which it finds a bug that was planted for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from nodealer.crypto import Point
from nodealer.deck import PUBLIC, Deck, OpenKey, ReleasePart, SealShares, Slot, deck_messages
from nodealer.games import Give, Restack, Show
from nodealer.kernel import EntryId, PeerError, Seat, SlotId
from nodealer.ledger import ChainEntry, Contributed, Contribution, DueStep, Evidence, LedgerMessage
from nodealer.sim.expectations import can_go_on
from nodealer.sim.peer import Peer
from nodealer.sim.world import Watcher, World
from nodealer.table import Position, Table, position_of

NOBODY: Final[frozenset[Seat]] = frozenset()
MAKING_SLOTS: Final = ("mask", "restack", "give")
"""The parts by which cards get other slots."""

NOTHING: Final[Mapping[SlotId, frozenset[Seat]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Violation:
    """The breach of an invariant: which one, and what was seen."""

    invariant: str
    detail: str


@dataclass(slots=True)
class Findings:
    """The findings of the checkers."""

    violations: list[Violation] = field(default_factory=list)

    def require(self, holds: bool, invariant: str, detail: str) -> None:  # noqa: FBT001 - it reads as a sentence
        """Note a violation unless it holds."""
        if not holds:
            self.note(invariant, detail)

    def note(self, invariant: str, detail: str) -> None:
        """Note a violation."""
        self.violations.append(Violation(invariant, detail))


class _OneHistory(Watcher):
    """An entry below the tip of an honest peer is final: at its height there is no other."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._final: dict[int, EntryId] = {}
        self._seen: dict[Seat, EntryId] = {}

    def took(self, world: World, peer: Peer, table: Table) -> None:  # noqa: ARG002 - every watcher
        """Compare what has become final with what is final elsewhere."""
        tip = table.ledger.tip
        if self._seen.get(peer.seat) == tip.id or tip.below is None:
            return
        self._seen[peer.seat] = tip.id
        for link in tip.below.downwards():
            known = self._final.setdefault(link.height, link.id)
            self._findings.require(
                known == link.id, "one history", f"two final entries at height {link.height}"
            )
            if link.below is not None and self._final.get(link.below.height) == link.below.id:
                return


class _HonestUnnamed(Watcher):
    """No honest peer holds evidence against an honest seat."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._read: dict[Seat, int] = {}

    def took(self, world: World, peer: Peer, table: Table) -> None:  # noqa: ARG002 - every watcher
        """Look at what a peer has found out."""
        for event in peer.shown[self._read.get(peer.seat, 0) :]:
            if isinstance(event, Evidence):
                named = event.seat
                self._findings.require(
                    not world.peers[named].is_honest,
                    "honest unnamed",
                    f"seat {peer.seat} holds {event.code} against honest seat {named}",
                )
        self._read[peer.seat] = len(peer.shown)


class _Grants:
    """The seats that were shown each slot, read from the effects of the rules along a history.

    What is granted counts at once; what was shown counts when the step is done that shows it. A
    seat may be left out between the two. What the last of all seats is shown is open to everybody,
    unless it stays closed. A restack shows new slots to its seat, a gift to its receiver.
    """

    def __init__(self) -> None:
        self._at: dict[EntryId, Mapping[SlotId, frozenset[Seat]]] = {}
        self._shown: dict[EntryId, Mapping[SlotId, frozenset[Seat]]] = {}
        self.decks: dict[EntryId, Deck] = {}
        """The deck at every entry that somebody has taken."""

    def at(self, tip: ChainEntry) -> Mapping[SlotId, frozenset[Seat]]:
        """Return to whom what was granted up to an entry."""
        unread = []
        for link in tip.downwards():
            if link.id in self._at:
                break
            unread.append(link)
        for link in reversed(unread):
            below, position = link.below, position_of(link)
            granted, shown = NOTHING, NOTHING
            if below is not None:
                granted, shown = self._at[below.id], self._shown[below.id]
            made = _made(link)
            staying = _staying_closed(position) | _staying_closed(_done_at(link))
            now = _merged(_granted(position), made)
            self._at[link.id] = _with(granted, now, position.roster, staying)
            new = _merged(_newly_shown(link), made)
            self._shown[link.id] = _with(shown, new, position.roster, staying)
            if position.deck is not None:
                self.decks[link.id] = position.deck
        return self._at[tip.id]

    def shown(self, tip: ChainEntry) -> Mapping[SlotId, frozenset[Seat]]:
        """Return who was shown what up to an entry."""
        self.at(tip)
        return self._shown[tip.id]

    def up_to(self, entry: EntryId) -> Mapping[SlotId, frozenset[Seat]] | None:
        """Return to whom what was granted up to an entry, if anybody has taken it."""
        return self._at.get(entry)


def _granted(position: Position) -> dict[SlotId, frozenset[Seat]]:
    shown: dict[SlotId, frozenset[Seat]] = {}
    for show in position.program.neighbours(Show):
        seats = frozenset(show.seats or (PUBLIC,))
        shown = _merged(shown, dict.fromkeys(show.slots, seats))
    return _merged(shown, _open(position))


def _newly_shown(link: ChainEntry) -> dict[SlotId, frozenset[Seat]]:
    """Return what an entry shows: what is open, and what the step was for that it carries out."""
    before = _done_at(link)
    done = {} if before is None else _granted(before)
    return _merged(done, _open(position_of(link)))


def _done_at(link: ChainEntry) -> Position | None:
    """Return the position below an entry, if it carries out a due step."""
    is_due = link.content is not None and isinstance(link.content.step, DueStep)
    return position_of(link.below) if is_due and link.below is not None else None


def _made(link: ChainEntry) -> dict[SlotId, frozenset[Seat]]:
    """Return the new slots of an entry that restacks or gives cards, each with who sees it."""
    before = _done_at(link)
    if before is None or before.deck is None:
        return {}
    lists: list[tuple[Seat, int, Seat]] = []
    if isinstance(before.program.head, Restack):
        zones = before.program.head.zones
        own = [(zone.seat, len(before.board.at(zone))) for zone in zones if zone.seat is not None]
        lists = [(seat, count, seat) for seat, count in own]
    for give in before.program.neighbours(Give):
        giver, receiver = before.board.layout.where(give.slots[0]).seat, give.to.seat
        assert giver is not None, "a seat gives"
        assert receiver is not None, "to a seat"
        lists.append((giver, len(give.slots), receiver))
    made, number = dict[SlotId, frozenset[Seat]](), before.deck.next_slot
    for _, count, viewer in sorted(lists, key=lambda one: one[0]):
        for slot in range(number, number + count):
            made[SlotId(slot)] = frozenset({viewer})
        number = SlotId(number + count)
    return made


def _staying_closed(position: Position | None) -> frozenset[SlotId]:
    """Return the slots that are shown and stay closed, though all seats should see them."""
    shows = () if position is None else position.program.neighbours(Show)
    closed = {slot for show in shows if show.closed for slot in show.slots}
    return frozenset(closed - {slot for show in shows if not show.closed for slot in show.slots})


def _open(position: Position) -> dict[SlotId, frozenset[Seat]]:
    return dict.fromkeys(position.board.faces, frozenset({PUBLIC}))


def _with(
    before: Mapping[SlotId, frozenset[Seat]],
    new: Mapping[SlotId, frozenset[Seat]],
    roster: Collection[Seat],
    staying: Collection[SlotId],
) -> Mapping[SlotId, frozenset[Seat]]:
    more = {
        slot: before.get(slot, NOBODY) | seats
        for slot, seats in new.items()
        if not seats <= before.get(slot, NOBODY)
    }
    seen = {slot: seats for slot, seats in more.items() if slot not in staying}
    everybodys = [slot for slot, seats in seen.items() if seats.issuperset(roster)]
    opened = dict.fromkeys(everybodys, frozenset({PUBLIC}))
    return _merged(_merged(before, more), opened) if more else before


def _merged(
    one: Mapping[SlotId, frozenset[Seat]], other: Mapping[SlotId, frozenset[Seat]]
) -> dict[SlotId, frozenset[Seat]]:
    return {slot: one.get(slot, NOBODY) | other.get(slot, NOBODY) for slot in {*one, *other}}


class _TrueFaces:
    """The faces of slots, by the keys of all seats; of one that has not changed it is known."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, SlotId], tuple[object, str]] = {}

    def of(self, world: World, deck: Deck, slot: Slot) -> str:
        """Return the face of a slot."""
        if slot.face is not None:
            return slot.face
        name, card = (deck.epoch, slot.id), (slot.E, slot.N, slot.layers)
        before, face = self._known.get(name, (None, ""))
        if before != card:
            point = slot.N
            for seat, layer in slot.layers.items():
                point -= world.peers[seat].player.keyring.layer_secret(layer) * slot.E
            face = deck.faces.name(point)
            self._known[name] = card, face
        return face


class _CardsConserved(Watcher):
    """All cards of a deck are there, each once, whoever could see them."""

    def __init__(self, findings: Findings, faces: _TrueFaces) -> None:
        self._findings = findings
        self._faces = faces
        self._checked: set[EntryId] = set()

    def took(self, world: World, peer: Peer, table: Table) -> None:  # noqa: ARG002 - every watcher
        """Open every card of a deck with the keys of all seats."""
        tip, position = table.ledger.tip, table.position
        if tip.id in self._checked or position.deck is None or not _has_new_slots(tip):
            return
        self._checked.add(tip.id)
        deck = position.deck
        lying = sorted(slot for slots in deck.layout.zones.values() for slot in slots)
        found = Counter(self._faces.of(world, deck, deck.slots[slot]) for slot in lying)
        whole = Counter(deck.composition.faces)
        self._findings.require(
            lying == sorted(deck.slots) and found == whole,
            "cards conserved",
            f"height {tip.height}: {len(lying)} cards lie there, {whole - found} are missing",
        )


class _NothingEarly(Watcher):
    """Of a card, nobody who was not shown it can ever lack less than one layer."""

    def __init__(self, findings: Findings, grants: _Grants) -> None:
        self._findings = findings
        self._grants = grants
        self._opened: dict[tuple[bytes, SlotId], set[Seat]] = {}
        self._granted: dict[tuple[bytes, SlotId], set[Seat]] = {}

    def sent(self, world: World, peer: Peer, message: LedgerMessage) -> None:
        """Look at every key that leaves, in the light of what its sender has taken."""
        if peer.table is None or not isinstance(message, Contributed):
            return
        one = message.contribution
        if one.seat != peer.seat:
            return
        self._grants.at(peer.table.ledger.tip)
        grants, deck = self._grants.up_to(one.parent), self._grants.decks.get(one.parent)
        if grants is None:
            self._findings.note("nothing early", "a part over what nobody has taken")
        elif deck is not None:
            for slot, viewers in _released(one, deck):
                granted = grants.get(slot.id, NOBODY)
                self._note(world, deck, slot, granted, viewers, peer.seat)

    def _note(
        self,
        world: World,
        deck: Deck,
        slot: Slot,
        granted: frozenset[Seat],
        viewers: set[Seat],
        seat: Seat,
    ) -> None:
        opened = self._opened.setdefault((deck.epoch, slot.id), set())
        # Who comes back may send what was due long ago, while others have opened the card since.
        allowed = self._granted.setdefault((deck.epoch, slot.id), set())
        allowed |= granted
        if not viewers:
            opened.add(seat)
        outside = {one for one in world.peers if one not in allowed}
        # A card that was restacked or received is closed by the seat alone that holds it.
        closing = slot.layers if slot.base is None else deck.deck_keys
        closed = {one for one in closing if one not in opened} - outside
        is_kept = PUBLIC in allowed or (bool(closed) and viewers <= allowed)
        self._findings.require(
            is_kept, "nothing early", f"slot {slot.id} can be seen by {sorted(outside)}"
        )


class _ViewsTrue(Watcher):
    """A player on turn sees what it was shown, as it is."""

    def __init__(self, findings: Findings, grants: _Grants, faces: _TrueFaces) -> None:
        self._findings = findings
        self._grants = grants
        self._faces = faces

    def took(self, world: World, peer: Peer, table: Table) -> None:
        """Compare a view with the grants and with the true faces."""
        tip, deck = table.ledger.tip, table.position.deck
        if deck is None or peer.asked is None or peer.asked.parent != tip.id:
            return
        shown = self._grants.shown(tip)
        for zone in table.view().zones:
            for card in zone.cards:
                was_shown = shown.get(card.slot, NOBODY) & {peer.seat, PUBLIC}
                slot = deck.slots[card.slot]
                true = self._faces.of(world, deck, slot) if was_shown else None
                self._findings.require(
                    card.face == true,
                    "views true",
                    f"seat {peer.seat} sees {card.face} on slot {card.slot}, and should see {true}",
                )


def require_progress(world: World, findings: Findings) -> None:
    """Note every honest peer that is there and has not ended although a majority could go on."""
    for peer in world.honest:
        table = peer.table
        assert table is not None, "whoever will be there again has come back by now"
        if table.position.is_closed or peer.is_left_out:
            continue
        findings.require(
            not can_go_on(world, peer),
            "progress",
            f"seat {peer.seat} stands at height {table.ledger.tip.height}, and could go on",
        )


def watchers_for(findings: Findings) -> tuple[Watcher, ...]:
    """Return all checkers."""
    grants, faces = _Grants(), _TrueFaces()
    return (
        _OneHistory(findings),
        _HonestUnnamed(findings),
        _CardsConserved(findings, faces),
        _NothingEarly(findings, grants),
        _ViewsTrue(findings, grants, faces),
    )


def _has_new_slots(tip: ChainEntry) -> bool:
    content = tip.content
    return (
        content is not None
        and isinstance(content.step, DueStep)
        and any(part.kind in MAKING_SLOTS for part in content.step.parts)
    )


def _released(one: Contribution, deck: Deck) -> Iterable[tuple[Slot, set[Seat]]]:
    """Yield the slots whose layer a seat releases for others, each with its viewers, if any.

    An action opens cards that its author may show to anybody; only contributions are looked at.
    """
    seat = one.seat
    owed = [slot for slot, plan in deck.owed.items() if seat in plan.releasing]
    for _, data in one.payloads:
        for index, item in enumerate(_releases_in(deck, data)):
            if isinstance(item, OpenKey):
                # Whatever it was sent for, it opens the slot whose layer has this key.
                key = deck.group.times_generator(item.secret)
                yield from (
                    (slot, set()) for slot in deck.slots.values() if _key(slot, seat) == key
                )
            else:  # a share: sealed it is for its viewers, open it is for everybody
                viewers = deck.owed[owed[index]].viewers if isinstance(item, SealShares) else ()
                yield deck.slots[owed[index]], set(viewers)


def _releases_in(deck: Deck, data: bytes) -> tuple[object, ...]:
    """Return the releases in a part of whatever kind."""
    try:
        part = deck_messages(deck.group).read_any(data)
    except PeerError:  # what is no message of the deck at all: a choice
        return ()
    return part.items if isinstance(part, ReleasePart) else ()


def _key(slot: Slot, seat: Seat) -> Point | None:
    layer = slot.layers.get(seat)
    return None if layer is None else layer.key
