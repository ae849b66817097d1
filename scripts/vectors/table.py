"""A table that writes down what happens at it: the steps of a conversation.

Every method is one step. The owing seats make their parts from their keyrings, the parts are
checked and taken in by the deck, and what everybody sent is kept with the facts that changed.
Before each step the deck is kept too, for forgers who want to send something else at that place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nodealer import deck as ops
from nodealer.cards import STOCK, Composition, Zone, hand
from nodealer.crypto import SECP256K1, Point
from nodealer.deck import PUBLIC, Deck, Keyring, ProofMoment
from nodealer.kernel import EntryId, EpochId, Height, Seat, SlotId, TableId
from scripts.vectors.facts import facts_of
from scripts.vectors.files import Json
from scripts.vectors.notation import hashed, merge_patch, moment, point, seats, zone


@dataclass
class Before:
    """Where a step was made: the deck before it, and the moment of its parts."""

    deck: Deck | None
    at: ProofMoment


@dataclass
class Table:
    """Seats, their keyrings, the deck between them, and all steps so far."""

    name: str
    size: int
    deck: Deck | None = None
    height: int = 0
    steps: list[Json] = field(default_factory=list)
    before: list[Before] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    sealing: dict[Seat, Point] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the identifiers and one keyring for each seat."""
        self.table = TableId(hashed(self.name, "table"))
        self.terms = hashed(self.name, "terms")
        self.rings = {
            Seat(seat): Keyring(SECP256K1, Seat(seat), self.seed(Seat(seat)))
            for seat in range(self.size)
        }

    def seed(self, seat: Seat) -> bytes:
        """Return the seed of a seat."""
        return hashed(self.name, "seed", seat)

    def identity(self, seat: Seat) -> bytes:
        """Return what stands for the identity key of a seat."""
        return hashed(self.name, "identity", seat)

    @property
    def state(self) -> Deck:
        """The deck, which there is by now."""
        assert self.deck is not None, "the table has begun"
        return self.deck

    def at(self, label: str) -> ProofMoment:
        """Return the moment of the next step."""
        parent = EntryId(hashed(self.name, "entry", self.height))
        return ProofMoment(self.table, Height(self.height), parent, label.encode())

    def record(self, mark: str, step: Json, then: Callable[[], None]) -> None:
        """Write a step down and do it; `mark` is its name for forgers."""
        facts = facts_of(self.deck, self.rings)
        self.before.append(Before(self.deck, self.at(step["do"])))
        then()
        self.height += 1
        changed = merge_patch(facts, facts_of(self.deck, self.rings))
        self.marks.setdefault(mark, len(self.steps))
        self.steps.append({**step, "then": changed})

    def sealing_keys(self) -> None:
        """Every seat shows its sealing key, before there is a deck."""
        parts = {
            seat: ops.make_sealing_key(ring, self.terms, self.identity(seat))
            for seat, ring in self.rings.items()
        }
        self.sealing = {seat: part.X for seat, part in parts.items()}
        identities = {str(seat): self.identity(seat).hex() for seat in self.rings}
        step = {"do": "sealing-keys", "identities": identities, "parts": written(parts)}
        self.record("sealing-keys", step, lambda: None)
        keys = {str(seat): point(key) for seat, key in self.sealing.items()}
        self.steps[-1]["gives"] = {"sealing_keys": keys}

    def begin(self, epoch: str, faces: Sequence[str], roster: Sequence[int], mark: str) -> None:
        """Begin an epoch: a deck before its keys."""
        first = SlotId(0 if self.deck is None else self.deck.next_slot)
        identifier = EpochId(hashed(self.name, "epoch", epoch))
        members = [Seat(seat) for seat in roster]
        step = {
            "do": "begin",
            "epoch": identifier.hex(),
            "composition": list(faces),
            "roster": list(roster),
            "first_slot": int(first),
        }

        def begun() -> None:
            self.deck = ops.new_deck(
                SECP256K1,
                self.table,
                self.terms,
                identifier,
                self.sealing,
                Composition(tuple(faces)),
                roster=members,
                first_slot=first,
            )

        self.record(mark, step, begun)

    def deck_keys(self, mark: str = "deck-keys") -> None:
        """Every seat shows its deck key."""
        deck, at = self.state, self.at("deck-keys")
        parts = {s: ops.make_deck_key(deck, self.rings[s], at) for s in deck.roster}

        def taken() -> None:
            vetted = [ops.check_deck_key(deck, at, s, part) for s, part in parts.items()]
            self.deck = ops.take_deck_keys(deck, vetted)

        step = {"do": "deck-keys", **made_at(at, parts), "zone": zone(STOCK)}
        self.record(mark, step, taken)

    def shuffle(self, mark: str) -> None:
        """Every seat shuffles the pile in turn; the steps are marked with their seats."""
        for seat in self.state.roster:
            self._shuffle_once(seat, f"{mark} {seat}")

    def _shuffle_once(self, seat: Seat, mark: str) -> None:
        deck, at = self.state, self.at("shuffle")
        part = ops.make_shuffle(deck, self.rings[seat], at)

        def taken() -> None:
            self.deck = ops.take_shuffle(deck, ops.check_shuffle(deck, at, seat, part))

        self.record(mark, {"do": "shuffle", **made_at(at, {seat: part})}, taken)

    def mask(self, mark: str = "mask") -> None:
        """Every seat masks the pile."""
        deck, at = self.state, self.at("mask")
        parts = {s: ops.make_mask(deck, self.rings[s], at) for s in deck.roster}

        def taken() -> None:
            vetted = [ops.check_mask(deck, at, s, part) for s, part in parts.items()]
            self.deck = ops.take_masks(deck, vetted)

        self.record(mark, {"do": "mask", **made_at(at, parts)}, taken)

    def move(self, slots: Sequence[SlotId], source: Zone, target: Zone) -> None:
        """Let slots lie elsewhere, as the rules of a game say."""
        deck = self.state

        def moved() -> None:
            self.deck = deck.with_layout(deck.layout.moved(slots, source, target))

        step = {"do": "move", "slots": list(slots), "from": zone(source), "to": zone(target)}
        self.record("move", step, moved)

    def grant(
        self, mark: str, wishes: Mapping[SlotId, Sequence[int]], staying: Sequence[SlotId] = ()
    ) -> None:
        """Agree on new viewers, and send what this takes; some slots stay closed."""
        self.announce(mark, wishes, staying)
        deck, at = self.state, self.at("release")
        parts = {s: ops.make_releases(deck, self.rings[s], at) for s in ops.owing(deck)}

        def taken() -> None:
            vetted = [ops.check_releases(deck, at, s, part) for s, part in parts.items()]
            self.deck = ops.take_releases(deck, vetted)

        self.record(f"{mark}: release", {"do": "release", **made_at(at, parts)}, taken)

    def announce(
        self, mark: str, wishes: Mapping[SlotId, Sequence[int]], staying: Sequence[SlotId] = ()
    ) -> None:
        """Agree on new viewers."""
        asked = [(slot, [Seat(seat) for seat in added]) for slot, added in wishes.items()]
        step: Json = {"do": "announce", "wishes": [[slot, seats(added)] for slot, added in asked]}
        if staying:
            step["stays_closed"] = list(staying)

        def announced() -> None:
            self.deck = ops.announce(self.state, asked, staying)

        self.record(mark, step, announced)

    def show(self, mark: str, *slots: SlotId) -> None:
        """Show slots to everybody."""
        self.grant(mark, dict.fromkeys(slots, (int(PUBLIC),)))

    def authored(
        self,
        mark: str,
        do: str,
        seat: int,
        asked: Json,
        make: Callable[[Deck, Keyring, ProofMoment], object],
        take: Callable[[Deck, ProofMoment, Seat, Any], Deck | None],
    ) -> None:
        """One seat acts or claims; `asked` says about what."""
        deck, at, actor = self.state, self.at(do), Seat(seat)
        part = make(deck, self.rings[actor], at)

        def taken() -> None:
            after = take(deck, at, actor, part)
            self.deck = deck if after is None else after

        step = {"do": do, "seat": seat, **asked, **made_at(at, {actor: part})}
        self.record(mark, step, taken)

    def exchange(self, mark: str, moves: Sequence[tuple[int, SlotId, int]]) -> None:
        """Seats hand one card each to another seat, all at once."""
        deck, at = self.state, self.at("transfer")
        parts = {
            Seat(giver): ops.make_transfer(deck, self.rings[Seat(giver)], at, [slot], Seat(to))
            for giver, slot, to in moves
        }
        vetted = [
            ops.check_transfer(deck, at, Seat(giver), [slot], Seat(to), parts[Seat(giver)])
            for giver, slot, to in moves
        ]

        def taken() -> None:
            self.deck = ops.take_transfers(deck, vetted)

        asked = {str(giver): {"slots": [slot], "to": to} for giver, slot, to in moves}
        self.record(mark, {"do": "transfer", "moves": asked, **made_at(at, parts)}, taken)

    def restack_all(self, mark: str, *actors: int) -> None:
        """Seats restack their hands, all at once."""
        deck, at, behind = self.state, self.at("restack"), 0
        parts, vetted, zones = {}, [], {}
        for seat in map(Seat, sorted(actors)):
            where = hand(seat)
            part = ops.make_restack(deck, self.rings[seat], at, where, behind=behind)
            parts[seat], zones[str(seat)] = part, zone(where)
            vetted.append(ops.check_restack(deck, at, seat, where, part, behind=behind))
            behind += len(deck.layout.at(where))

        def taken() -> None:
            self.deck = ops.take_restacks(deck, vetted)

        self.record(mark, {"do": "restacks", "zones": zones, **made_at(at, parts)}, taken)

    def give(self, mark: str, gifts: Mapping[int, Sequence[ops.Gift]]) -> None:
        """Seats give cards into zones of others, all at once."""
        deck, at = self.state, self.at("give")
        parts = {
            Seat(seat): ops.make_gifts(deck, self.rings[Seat(seat)], at, given)
            for seat, given in gifts.items()
        }
        vetted = [
            ops.check_gifts(deck, at, Seat(seat), given, parts[Seat(seat)])
            for seat, given in gifts.items()
        ]

        def taken() -> None:
            self.deck = ops.take_transfers(deck, vetted)

        asked = {
            str(seat): [{"slots": list(one.numbers), "to": zone(one.to)} for one in given]
            for seat, given in gifts.items()
        }
        self.record(mark, {"do": "give", "gifts": asked, **made_at(at, parts)}, taken)

    def take_back(self, mark: str, slots: Sequence[SlotId]) -> None:
        """Return slots for a reshuffle."""
        deck, at = self.state, self.at("return")
        due = ops.returns_due(deck, slots)
        parts = {s: ops.make_return(deck, self.rings[s], at, slots) for s in due}

        def taken() -> None:
            vetted = [ops.check_return(deck, at, s, slots, part) for s, part in parts.items()]
            self.deck = ops.gather(deck, slots, STOCK, vetted)

        step = {"do": "return", "slots": list(slots), "zone": zone(STOCK), **made_at(at, parts)}
        self.record(mark, step, taken)

    def leave(self, mark: str, leaving: int) -> None:
        """A seat leaves while the cards stay."""
        deck = self.state

        def left() -> None:
            self.deck = ops.without_seats(deck, [Seat(leaving)])

        self.record(mark, {"do": "leave", "seats": [leaving]}, left)

    def decide(self, mark: str, label: str, values: Mapping[int, bytes] | None = None) -> None:
        """Commit and open: a choice if values are given, else a coin."""
        name = label.encode()
        chosen = {
            seat: ops.coin_value(ring, self.table, name) if values is None else values[seat]
            for seat, ring in self.rings.items()
        }
        commits = {
            seat: ops.make_commit(self.rings[seat], self.table, name, value)
            for seat, value in chosen.items()
        }
        step: Json = {"do": "commit", "label": name.hex(), "parts": written(commits)}
        self.record(f"{mark}: commit", step, lambda: None)
        opened = {
            seat: ops.make_open(self.rings[seat], self.table, name, value)
            for seat, value in chosen.items()
        }
        step = {"do": "open", "label": name.hex(), "parts": written(opened)}
        self.record(f"{mark}: open", step, lambda: None)
        values_given = {str(seat): value.hex() for seat, value in chosen.items()}
        self.steps[-1]["gives"] = {"values": values_given}
        if values is None:
            owed_by = [int(seat) for seat in self.rings]
            step = {"do": "coin", "label": name.hex(), "seats": owed_by, "sides": 52}
            self.record(f"{mark}: coin", step, lambda: None)
            result = ops.coin(self.table, name, self.rings, chosen)
            self.steps[-1]["gives"] = {"coin": result.hex(), "drawn": ops.draw(result, 52)}

    def true_face(self, number: SlotId) -> str:
        """Return what a slot is, which all seats together can always find out."""
        slot = self.state.slot(number)
        for seat, layer in slot.layers.items():
            secret = self.rings[seat].layer_secret(layer)
            slot = replace(slot, N=slot.N - secret * slot.E)
        return self.state.faces.name(slot.N)


def written(parts: Mapping[Seat, object]) -> dict[str, str]:
    """Return the message of each seat as hex."""
    messages = ops.deck_messages(SECP256K1)
    return {str(seat): messages.write(part).hex() for seat, part in parts.items()}


def made_at(at: ProofMoment, parts: Mapping[Seat, object]) -> Json:
    """Return a moment and what was sent at it, as members of a step."""
    return {"moment": moment(at), "parts": written(parts)}
