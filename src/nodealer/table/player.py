"""The private side of a seat: its keys and its notebook, and what it makes with them.

A player answers what the ledger asks of its seat: the payloads of due steps, which follow from the
seed and the public state, and the bytes of the action that its person has chosen. The notebook is
what the seat can see: the faces of the slots that were shown to it. It follows from keys and
position too; nothing of it is ever sent, stored or logged.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from nodealer.crypto import Point, SigningKey
from nodealer.deck import Keyring, holds_seals, see
from nodealer.games import NOTHING_KNOWN, Action, Notebook
from nodealer.kernel import Seat, SlotId
from nodealer.ledger import Contribution, Given, Moment, Part
from nodealer.table.acting import write_action
from nodealer.table.carrying import make
from nodealer.table.position import Position
from nodealer.table.replay import Replay


class Player:
    """A seat with its keys. What it has seen is remembered, so that no card is decoded twice.

    A card is remembered by its number and its E. Its number alone would not do for ever: a tip
    that is replaced gives its numbers back.
    """

    __slots__ = ("_seen", "keyring", "signer")

    def __init__(self, keyring: Keyring, signer: SigningKey) -> None:
        self.keyring = keyring
        self.signer = signer
        self._seen: dict[tuple[SlotId, Point], str] = {}

    def __repr__(self) -> str:
        """Show whose keys these are and nothing else."""
        return f"<player of seat {self.seat}>"

    @property
    def seat(self) -> Seat:
        """The seat whose keys these are."""
        return self.keyring.seat

    def payloads(
        self,
        state: Replay,
        moment: Moment,
        parts: Sequence[Part],
        earlier: Sequence[Contribution],
    ) -> list[bytes]:
        """Return what this seat owes to a due step."""
        given = tuple(Given(one.seat, one.payloads) for one in earlier)
        return [
            make(state.place_of(moment, part.label, given), part.kind, self.keyring)
            for part in parts
        ]

    def write(self, position: Position, moment: Moment, chosen: Action) -> bytes:
        """Return an action as bytes, with the cards that it opens."""
        return write_action(position, moment, self.keyring, chosen)

    def notebook(self, position: Position) -> Notebook:
        """Return the faces that this seat may see and others may not."""
        deck = position.deck
        if deck is None or self.seat not in position.roster:
            return NOTHING_KNOWN
        known = {}
        for number, slot in deck.slots.items():
            is_shown = self.seat in slot.audience and holds_seals(slot, self.seat)
            if slot.face is None and is_shown:
                card = number, slot.E
                if card not in self._seen:
                    self._seen[card] = see(deck, self.keyring, number)
                known[number] = self._seen[card]
        if len(self._seen) > len(deck.slots):  # some of them are of cards that are gone
            self._seen = {(number, deck.slots[number].E): face for number, face in known.items()}
        return MappingProxyType(known)
