"""One table on which a part of every kind is made, with what is needed to check each again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import combinations

from nodealer.cards import Composition, hand
from nodealer.crypto import SECP256K1
from nodealer.deck import (
    PUBLIC,
    CommitPart,
    Deck,
    OpenPart,
    ProofMoment,
    announce,
    check_absent,
    check_deck_key,
    check_equal,
    check_face,
    check_mask,
    check_member,
    check_not_equal,
    check_open,
    check_releases,
    check_restack,
    check_return,
    check_reveal,
    check_shuffle,
    check_transfer,
    make_absent,
    make_commit,
    make_deck_key,
    make_equal,
    make_face,
    make_mask,
    make_member,
    make_not_equal,
    make_open,
    make_releases,
    make_restack,
    make_return,
    make_reveal,
    make_shuffle,
    make_transfer,
)
from nodealer.deck.part_bytes import deck_messages
from nodealer.kernel import Seat, SlotId
from tests.support.fleet import Fleet, fleet

MESSAGES = deck_messages(SECP256K1)
FACES = ("red", "green", "blue", "joker")
LABEL = b"label"
ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)


@dataclass(frozen=True)
class Sent:
    """A part, where it was made, and how the code checks it; `about` says what it is about."""

    name: str
    deck: Deck
    moment: ProofMoment
    seat: Seat
    part: object
    check: Callable[[object], object]
    slots: tuple[SlotId, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def message(self) -> bytes:
        """The bytes of the part."""
        return MESSAGES.write(self.part)

    def check_bytes(self, data: bytes) -> None:
        """Read and check other bytes in the place of the message."""
        self.check(MESSAGES.read(data, type(self.part)))


@dataclass
class _Table:
    """A fleet, and the parts that were kept; keeping one does not take it in."""

    made: Fleet
    kept: list[Sent] = field(default_factory=list)

    def keep(
        self,
        name: str,
        seat: Seat,
        make: Callable[..., object],
        check: Callable[..., object],
        *inputs: object,
        deck: Deck | None = None,
        slots: Sequence[SlotId] = (),
        about: Sequence[str] = (),
    ) -> None:
        """Keep the part that a seat makes now from these inputs."""
        over = deck or self.made.deck
        moment = self.made.moment(name)
        part = make(over, self.made.rings[seat], moment, *inputs)
        checked = partial(check, over, moment, seat, *inputs)
        self.kept.append(Sent(name, over, moment, seat, part, checked, tuple(slots), tuple(about)))

    def keep_release(
        self, name: str, seat: Seat, wishes: Iterable[tuple[SlotId, tuple[Seat, ...]]]
    ) -> None:
        """Keep what a seat owes once these wishes are granted."""
        self.keep(name, seat, make_releases, check_releases, deck=announce(self.made.deck, wishes))


@lru_cache(maxsize=1)
def every_part() -> tuple[Sent, ...]:
    """Return at least one part of every kind."""
    table = _Table(fleet(3, Composition.of(dict.fromkeys(FACES, 3))))
    _joint_steps(table)
    _shown_cards(table)
    _claims(table)
    _moves(table)
    _choices(table)
    return tuple(table.kept)


def _joint_steps(table: _Table) -> None:
    table.keep("key", ONE, make_deck_key, check_deck_key)
    table.made.keys()
    table.keep("shuffle", ZERO, make_shuffle, check_shuffle)
    table.made.shuffle()
    table.keep("mask", TWO, make_mask, check_mask)
    table.made.mask()


def _shown_cards(table: _Table) -> None:
    made = table.made
    unseen = made.deal(ZERO, 5, seen=False)
    table.keep_release("release of keys", TWO, [(slot, (ZERO,)) for slot in unseen])
    made.grant([(slot, (ZERO,)) for slot in unseen])
    table.keep_release("release of seals", ZERO, [(slot, (TWO,)) for slot in unseen])
    made.grant([(slot, (TWO,)) for slot in unseen])
    table.keep("reveal by the holder", ZERO, make_reveal, check_reveal, unseen[0], slots=unseen[:1])
    table.keep("reveal by a viewer", TWO, make_reveal, check_reveal, unseen[1], slots=unseen[1:2])
    seen = dict(zip(unseen, made.faces(ZERO, unseen), strict=True))
    alike = next(pair for pair in combinations(unseen, 2) if seen[pair[0]] == seen[pair[1]])
    unlike = (*alike, next(slot for slot in unseen if seen[slot] != seen[alike[0]]))
    for seat, who in ((TWO, "a viewer"), (ZERO, "the holder")):
        table.keep(f"equal, by {who}", seat, make_equal, check_equal, alike, slots=alike)
        table.keep(
            f"not equal, by {who}", seat, make_not_equal, check_not_equal, unlike, slots=unlike
        )
    made.reveal(ZERO, unseen[0])
    mixed = unseen[:3]
    if len({seen[slot] for slot in mixed}) > 1:
        table.keep(
            "not equal, one public", ZERO, make_not_equal, check_not_equal, mixed, slots=mixed
        )


def _claims(table: _Table) -> None:
    made = table.made
    own = made.deal(ONE, 3)
    seen = made.faces(ONE, own)
    face, absent = seen[0], next(name for name in FACES if name not in seen)
    several = (absent, face)
    table.keep("face", ONE, make_face, check_face, own[0], face, slots=own[:1], about=(face,))
    table.keep(
        "member", ONE, make_member, check_member, own[0], several, slots=own[:1], about=several
    )
    table.keep(
        "absent",
        ONE,
        make_absent,
        check_absent,
        hand(ONE),
        absent,
        slots=own,
        about=(absent,),
    )


def _moves(table: _Table) -> None:
    made = table.made
    own = made.deck.layout.at(hand(ONE))
    table.keep(
        "transfer", ONE, make_transfer, check_transfer, own[:2], TWO, slots=own[:2], about=("2",)
    )
    made.transfer(ONE, own[:2], TWO)
    handed = made.deck.layout.at(hand(TWO))
    table.keep("reveal of a handed card", TWO, make_reveal, check_reveal, handed[0], slots=handed)
    table.keep_release("release of shares", TWO, [(slot, (PUBLIC,)) for slot in handed])
    table.keep_release("release of a seal on a handed card", TWO, [(handed[0], (ONE,))])
    table.keep("restack", TWO, make_restack, check_restack, hand(TWO), slots=handed)
    made.restack(TWO)
    stacked = made.deck.layout.at(hand(TWO))
    table.keep("return", TWO, make_return, check_return, stacked, slots=stacked, about=("X",))


def _choices(table: _Table) -> None:
    ring, at, deck = table.made.rings[ONE], table.made.moment("choose"), table.made.deck
    value = b"a hidden choice"
    committed = make_commit(ring, deck.table, LABEL, value)
    opened = make_open(ring, deck.table, LABEL, value)

    def check_commitment(part: object) -> None:
        assert isinstance(part, CommitPart)
        check_open(deck.table, LABEL, ONE, part, opened)

    def check_opening(part: object) -> None:
        assert isinstance(part, OpenPart)
        check_open(deck.table, LABEL, ONE, committed, part)

    table.kept.append(Sent("commit", deck, at, ONE, committed, check_commitment))
    table.kept.append(Sent("open", deck, at, ONE, opened, check_opening))
