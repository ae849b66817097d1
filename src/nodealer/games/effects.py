"""The effects that rules ask of the cards: the words between games and whoever holds the deck.

A game never touches a card. Its transitions return a list of effects; the table carries them out
in order, by joint steps of all seats where keys are needed, and then asks the game to go on
(`Game.resume`) with their results. What an effect comes to where all cards are open it says itself
(`carry_out`); a plain dealer (`games.dealer`) does that, and both must come to the same.

    effect      result, as `resume` gets it
    NewDeck     the slots of the shuffled deck, in the order in which they lie
    Reshuffle   the new slots of the cards that were shuffled, in the order in which they lie
    Coin        a number from 0 to sides - 1 that nobody could influence
    Move        nothing; the board has changed
    Show        nothing; the faces that everybody may see are on the board
    Choose      the slots that were chosen, in the order of the zones
    Compare     whether all the slots have one face
    Acks        nothing
    Restack     the new slots of all zones, zone by zone, in the order in which they lie
    Give        the new slots, in the order in which they were given
    Claim       the slot of a card that has the face, or nothing if there is none
    Ask         what all have answered, as actions, in the order of the seats

Some operations of games are combinations. To show cards to all but their owner and tell the owner
whether they are alike is `Show` and `Compare`. To exchange cards between hands that keep their
order is a `Move` of each hand in its new order; who has seen a card knows it where it lies then.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias, get_args

from nodealer.cards import Composition, Zone
from nodealer.games.named import Action
from nodealer.games.pack import Pack, require
from nodealer.kernel import Chance, Seat, SlotId

Result: TypeAlias = tuple[SlotId, ...] | tuple[Action, ...] | int | bool | None
"""What an effect comes to; a deck with a coin gives its slots, and the coin is in `Outcome`."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Cards that all lie open, what falls by chance there, and what was chosen so far."""

    pack: Pack
    chance: Chance
    chosen: Mapping[Seat, SlotId | Action] = field(default_factory=lambda: MappingProxyType({}))
    proven: tuple[SlotId, ...] = ()
    """The cards that what was chosen proves."""
    following: tuple[Effect, ...] = ()
    """The effects that stand behind this one."""


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """The result of an effect on open cards: the cards, its result, and coins by their purpose.

    `others` are the results of those behind it that were carried out with it.
    """

    pack: Pack
    result: Result = None
    coins: tuple[tuple[str, int], ...] = ()
    others: tuple[Result, ...] = ()


class CardEffect(ABC):
    """The effect on cards; a seat can be left out while one that takes steps is awaited.

    What stands before such an effect is done then; it and all that follows is never carried out.
    """

    __slots__ = ()

    takes_steps: ClassVar[bool] = True

    @abstractmethod
    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Return what this comes to on open cards; a game that asks for what cannot be is wrong."""


@dataclass(frozen=True, slots=True)
class Coin(CardEffect):
    """A joint coin with so many sides; the purpose names it among others of the same step."""

    purpose: str
    sides: int

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Let the coin fall."""
        fell = on.chance.below(self.sides)
        return CarriedOut(on.pack, fell, ((self.purpose, fell),))


@dataclass(frozen=True, slots=True)
class NewDeck(CardEffect):
    """Shuffle these cards into a zone, in a new epoch.

    Every slot is retired, wherever it lies and whatever is known of it, but for those to keep.
    What is kept must be open, stays where it is, and must not be in the composition: kept cards
    and new deck together are the cards that were there before. A coin may ride along: it costs no
    time of its own.
    """

    composition: Composition
    into: Zone
    keep: tuple[SlotId, ...] = ()
    coin: Coin | None = None

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Shuffle the cards, and let the coin fall."""
        kept = set(on.pack.named(self.keep))
        require(kept <= on.pack.board.faces.keys(), "only open cards outlive a new deck")
        if kept:
            before = Counter(on.pack.faces.values())
            after = Counter(on.pack.faces[slot] for slot in kept) + Counter(self.composition.faces)
            require(before == after, "kept cards and new deck are the cards that were there")
        faces = list(self.composition.faces)
        on.chance.shuffle(faces)
        staying = on.pack.retired(set(on.pack.faces) - kept).opened(kept)
        made, slots = staying.placed(faces, self.into)
        coins = () if self.coin is None else self.coin.carry_out(on).coins
        return CarriedOut(made, slots, coins)


@dataclass(frozen=True, slots=True)
class Reshuffle(CardEffect):
    """Take these cards back, open or hidden, and shuffle them in behind those of a zone.

    The old slots are retired. The cards that lie in the zone already are not mixed with these.
    """

    slots: tuple[SlotId, ...]
    into: Zone

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Shuffle the cards in."""
        require(self.slots, "a reshuffle has cards")
        faces = [on.pack.faces[slot] for slot in on.pack.named(self.slots)]
        on.chance.shuffle(faces)
        return CarriedOut(*on.pack.retired(self.slots).placed(faces, self.into))


@dataclass(frozen=True, slots=True)
class Move(CardEffect):
    """Let slots lie behind those of another zone, in this order."""

    slots: tuple[SlotId, ...]
    to: Zone

    takes_steps: ClassVar[bool] = False

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Move the slots."""
        board = on.pack.board.moved(on.pack.named(self.slots), self.to)
        return CarriedOut(replace(on.pack, board=board))


@dataclass(frozen=True, slots=True)
class Show(CardEffect):
    """Let these seats see these slots; without seats, let everybody.

    What all seats of the game may see is open to everybody, unless it is to stay closed: then those
    who watch do not see it, and the cards can still be restacked, given and claimed.
    """

    slots: tuple[SlotId, ...]
    seats: tuple[Seat, ...] = ()
    closed: bool = field(default=False, kw_only=True)

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Note what is seen, and who has seen it first of those that are shown it at once."""
        require(self.seats or not self.closed, "what stays closed is for seats")
        hidden = [slot for slot in on.pack.named(self.slots) if slot not in on.pack.board.faces]
        if not self.seats:
            return CarriedOut(on.pack.opened(hidden))
        later = [one for one in takewhile(_is_show, on.following) if isinstance(one, Show)]
        firsts: dict[Seat, list[SlotId]] = defaultdict(list)
        for slot in hidden:
            others = (seat for one in later if slot in one.slots for seat in one.seats)
            firsts[min((*self.seats, *others))].append(slot)
        pack = on.pack
        for first, slots in firsts.items():
            pack = pack.shown(slots, self.seats, first, stays_closed=self.closed)
        return CarriedOut(pack)


def _is_show(effect: Effect) -> bool:
    return isinstance(effect, Show)


@dataclass(frozen=True, slots=True)
class Choose(CardEffect):
    """Let the seats of these zones choose a slot each from their own zone, all before any is known.

    Every seat chooses by an action of this kind, at its own time. Naming a slot is as good as a
    sealed envelope where its seat alone has been shown what lies there, so that must be the case
    for the whole zone. Nothing is opened or moved: a game has what was chosen in its state, and
    asks for a `Show` of it next. The purpose names the choice among others.
    """

    purpose: str
    kind: str
    zones: tuple[Zone, ...]

    @property
    def asked(self) -> tuple[tuple[Seat, Zone], ...]:
        """The seats that are asked, each with its zone, in their order."""
        return tuple((zone.seat, zone) for zone in self.zones if zone.seat is not None)

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Return what all have chosen, in the order in which they were asked."""
        chosen = [on.chosen[seat] for seat, _ in self.asked]
        return CarriedOut(on.pack, tuple(one for one in chosen if not isinstance(one, Action)))


@dataclass(frozen=True, slots=True)
class Compare(CardEffect):
    """Tell everybody whether these slots have one face, and nothing else about them.

    Some seat of the game must have seen all of them; it proves the verdict, so that whoever has
    not seen them, their owner above all, need not believe anybody.
    """

    slots: tuple[SlotId, ...]

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Say whether the slots are alike, where there is a seat that could prove it."""
        require(len(self.slots) > 1, "it takes two slots to compare")
        hidden = set(on.pack.named(self.slots)) - on.pack.board.faces.keys()
        is_seen = any(known.keys() >= hidden for known in on.pack.notebooks.values())
        require(is_seen, "a seat that sees all slots compares them")
        return CarriedOut(on.pack, len({on.pack.faces[slot] for slot in self.slots}) == 1)


@dataclass(frozen=True, slots=True)
class Acks(CardEffect):
    """Go on when every seat has sealed that it has taken notice; nothing else is due.

    For games in which nobody may act before everybody has been told, where no other effect makes
    the seats seal a step.
    """

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Change nothing: here nobody has to be told."""
        return CarriedOut(on.pack)


@dataclass(frozen=True, slots=True)
class Restack(CardEffect):
    """Let each zone's seat shuffle its own zone, all at once, so that nobody can follow a card.

    Only the seat itself sees its cards then, whoever saw them before. Each zone has cards, each of
    which its seat holds: it was the first to see it, or has restacked or received it.
    """

    zones: tuple[Zone, ...]

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Shuffle each zone in its place."""
        owners = [zone.seat for zone in self.zones]
        require(self.zones and len(set(owners)) == len(owners), "each seat restacks one zone")
        pack, made = on.pack, dict[Zone, tuple[SlotId, ...]]()
        for zone in sorted(self.zones, key=lambda zone: -1 if zone.seat is None else zone.seat):
            slots = pack.board.at(zone)
            holder = pack.holder_of(slots)
            require(holder == zone.seat, "a seat restacks what it holds")
            faces = [pack.faces[slot] for slot in slots]
            on.chance.shuffle(faces)
            pack, made[zone] = pack.replaced(slots, faces, holder)
        return CarriedOut(pack, tuple(slot for zone in self.zones for slot in made[zone]))


@dataclass(frozen=True, slots=True)
class Give(CardEffect):
    """Hand slots of one seat's zones over to another seat, behind those of its zone.

    The giver holds them, as in a restack; then the receiver does, and of all seats it alone sees
    them. Gifts that stand next to one another are handed over together, none of what another gives.
    """

    slots: tuple[SlotId, ...]
    to: Zone

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Hand the slots over together with the gifts that follow, the lowest giver first."""
        behind = takewhile(lambda effect: isinstance(effect, Give), on.following)
        gifts = (self, *(one for one in behind if isinstance(one, Give)))
        on.pack.named([slot for one in gifts for slot in one.slots])
        givers = [on.pack.holder_of(one.slots) for one in gifts]
        pack, made = on.pack, dict[int, tuple[SlotId, ...]]()
        for index in sorted(range(len(gifts)), key=lambda index: givers[index]):
            pack, made[index] = _handed(pack, gifts[index], givers[index])
        first, *others = (made[index] for index in range(len(gifts)))
        return CarriedOut(pack, first, others=tuple(others))


@dataclass(frozen=True, slots=True)
class Claim(CardEffect):
    """Let a zone's seat give proof of a card of this face there, or that it holds none.

    The zone has cards, and the seat holds all of them, as in a restack. A card that is proven is
    open to everybody, and can still be restacked and given; of all others nothing is told. Of
    several such cards it is one that is open already, or else one by chance.
    """

    zone: Zone
    face: str

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Open a card of the face, if there is one."""
        slots = on.pack.board.at(self.zone)
        require(on.pack.holder_of(slots) == self.zone.seat, "who claims holds all the cards")
        require(self.face in on.pack.faces.values(), "there is such a face")
        having = [slot for slot in slots if on.pack.faces[slot] == self.face]
        proven = [slot for slot in having if slot in on.pack.board.faces]
        if proven or not having:
            return CarriedOut(on.pack, proven[0] if proven else None)
        slot = on.chance.pick(having)
        board = on.pack.board.opened({slot: self.face})
        return CarriedOut(replace(on.pack, board=board), slot)


@dataclass(frozen=True, slots=True)
class Ask(CardEffect):
    """Ask seats in secret for an action of one of these kinds each; all are opened at once.

    Everybody answers by what `legal` lists, at its own time; `apply` is never called. What can be
    said follows from what is public and from the cards that the answer proves: these are open
    then, and still held. Who says nothing within the window, in seconds, has its own node say the
    default, a kind without fields; where the window is 0, the node waits.
    """

    purpose: str
    kinds: tuple[str, ...]
    seats: tuple[Seat, ...]
    default: str
    window: int = 0

    def carry_out(self, on: OpenTable) -> CarriedOut:
        """Open the cards that answers prove, and return what all have said."""
        said = [on.chosen[seat] for seat in self.seats]
        answers = tuple(one for one in said if isinstance(one, Action))
        faces = {slot: on.pack.faces[slot] for slot in on.proven}
        return CarriedOut(replace(on.pack, board=on.pack.board.opened(faces)), answers)


Effect: TypeAlias = (
    NewDeck
    | Reshuffle
    | Coin
    | Show
    | Compare
    | Acks
    | Choose
    | Move
    | Restack
    | Give
    | Claim
    | Ask
)

EFFECTS: Final[tuple[type[Effect], ...]] = get_args(Effect)
"""All kinds of effects."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a transition's effects, one for each, and those of coins by their purpose."""

    results: tuple[Result, ...]
    coins: tuple[tuple[str, int], ...] = ()

    def slots(self, index: int) -> tuple[SlotId, ...]:
        """Return the slots that the effect at an index made."""
        made = self.results[index]
        assert isinstance(made, tuple), "the effect makes slots"
        return tuple(slot for slot in made if not isinstance(slot, Action))

    def answers(self, index: int) -> tuple[Action, ...]:
        """Return what the seats have answered that the effect at an index has asked."""
        said = self.results[index]
        assert isinstance(said, tuple), "the effect asks seats"
        return tuple(one for one in said if isinstance(one, Action))

    def claimed(self, index: int) -> SlotId | None:
        """Return the card that the effect at an index has found, if there is one."""
        found = self.results[index]
        return SlotId(found) if type(found) is int else None

    def verdict(self, index: int) -> bool:
        """Return whether the slots that the effect at an index has compared have one face."""
        told = self.results[index]
        assert isinstance(told, bool), "the effect compares slots"
        return told

    def coin(self, purpose: str) -> int:
        """Return how a coin fell."""
        return dict(self.coins)[purpose]


def _handed(before: Pack, gift: Give, giver: Seat) -> tuple[Pack, tuple[SlotId, ...]]:
    """Return the cards after a gift; who had seen them is remembered, and what was proven open."""
    receiver, layout = gift.to.seat, before.board.layout
    require({layout.where(slot).seat for slot in gift.slots} == {giver}, "a seat gives its own")
    require(receiver in before.notebooks and receiver != giver, "another seat receives")
    assert receiver is not None, "it is one of those seats"
    faces = [before.faces[slot] for slot in gift.slots]
    pack, made = before.replaced(gift.slots, faces, receiver)
    after = dict(zip(gift.slots, made, strict=True))
    proven = {new: pack.faces[new] for old, new in after.items() if old in before.board.faces}
    seen = {new: before.audiences[old] | {receiver} for old, new in after.items()}
    board = pack.board.moved(made, gift.to).opened(proven)
    audiences = MappingProxyType({**pack.audiences, **seen})
    return replace(pack, board=board, audiences=audiences), made
