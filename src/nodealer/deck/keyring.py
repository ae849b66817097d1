"""The private side of one seat at one table: everything it can derive from its seed.

A keyring keeps no state. Which secret belongs to which public key follows from contexts that stand
in the public state, so a node that lost its memory but not its seed makes the same keys, the same
shuffles and the same proofs again, byte for byte. That protects against accidents only; what was
sent is still journaled first and resent verbatim.

The contexts name the *inputs* of each operation, not only its place: the same place can be reached
twice (a step that is redone after an eviction, two branches of a fork) with other inputs, and
randomness used on two inputs can be subtracted out.
"""

from __future__ import annotations

from typing import Final

from nodealer.crypto import Group, NonceSource, Point, Seed
from nodealer.deck.moment import ProofMoment
from nodealer.deck.slots import Layer, LayerKind
from nodealer.deck.state import Deck, seat_origin
from nodealer.kernel import EpochId, LocalError, Reason, Seat, SlotId, TableId, Value, frame

_NONCE_LABEL: Final = "proof"
_BLINDING_LABEL: Final = "blinding"


class Keyring:
    """A seat and its seed."""

    __slots__ = ("_seed", "group", "seat")

    def __init__(self, group: Group, seat: Seat, seed: bytes) -> None:
        self.group = group
        self.seat = seat
        self._seed = Seed(group, seed)

    def __repr__(self) -> str:
        """Show whose keyring it is and nothing else."""
        return f"<keyring of seat {self.seat}>"

    @property
    def nonces(self) -> NonceSource:
        """What proofs draw their nonces from."""
        return self._seed.nonce_source(_NONCE_LABEL)

    @property
    def blindings(self) -> NonceSource:
        """What the blinding factors of an inequality are drawn from; used like nonces."""
        return self._seed.nonce_source(_BLINDING_LABEL)

    def sealing_secret(self, terms: bytes) -> int:
        """Return y, for one table: whoever accepted these terms in this seat."""
        return self._seed.secret(LayerKind.SEAT.value, seat_origin(terms, self.seat))

    def deck_secret(self, table: TableId, epoch: EpochId) -> int:
        """Return x, for one epoch of the deck."""
        return self._seed.secret("deck", frame(table, self.seat, epoch))

    def layer_secret(self, layer: Layer) -> int:
        """Return the secret of one of this seat's layers."""
        secret = self._seed.secret(layer.kind.value, layer.origin)
        if layer.seat != self.seat or self.group.times_generator(secret) != layer.key:
            raise LocalError(Reason.LOCAL_SECRET, f"layer of seat {layer.seat}")
        return secret

    def slot_secret(self, origin: bytes) -> int:
        """Return the key of a layer that is about to be made for one slot."""
        return self._seed.secret(LayerKind.SLOT.value, origin)

    def randomness(self, operation: str, moment: ProofMoment, *inputs: Value) -> SecretRow:
        """Return the scalars of one operation on these inputs, by index."""
        context = frame(moment.table, moment.step, moment.parent, self.seat, *inputs)
        return SecretRow(self._seed, operation, context)

    def committed(self, purpose: str, *inputs: Value) -> bytes:
        """Return 32 secret bytes for a commitment: its salt, or the value of a coin."""
        return self._seed.secret_bytes(purpose, frame(self.seat, *inputs))


class SecretRow:
    """Scalars and a permutation under one label and context."""

    __slots__ = ("_context", "_label", "_seed")

    def __init__(self, seed: Seed, label: str, context: bytes) -> None:
        self._seed = seed
        self._label = label
        self._context = context

    def scalar(self, index: int = 0) -> int:
        """Return the scalar at an index, never zero."""
        return self._seed.secret(self._label, self._context, index)

    def permutation(self, size: int) -> list[int]:
        """Return a uniform permutation, independent of the scalars."""
        return self._seed.permutation(f"{self._label}/order", self._context, size)


def slot_origin(deck: Deck, moment: ProofMoment, seat: Seat, slot: SlotId, E: Point) -> bytes:
    """Return the context from which a seat derives its key for one slot."""
    return frame(deck.table, deck.epoch, slot, seat, E.encode(), moment.step)
