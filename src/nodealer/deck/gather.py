"""Taking cards back for a reshuffle: public ones, hidden ones, in any mixture.

The cards become a pile under the joint key and pass through a full shuffle round and mask round
again. How a card gets back under that key depends on what happened to it:

    its face is public                   it re-enters as everybody knows it, with the exponent one
    only masked and opened since its     back to its ciphertext before the mask: no message at all
    last joint shuffle
    restacked or handed over             its holder re-encrypts it to the joint key, with proof

Going back to the old ciphertext tells nobody anything: it has the same audience as the slot, and
the shuffle that follows makes every output a fresh encryption whatever is known of the inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from nodealer.cards import Zone
from nodealer.crypto import Masked
from nodealer.deck.handover import Destination, HandoverPart, check_handover, make_handover
from nodealer.deck.keyring import Keyring
from nodealer.deck.keys import public_card
from nodealer.deck.moment import ProofMoment
from nodealer.deck.retire import retired_to_pile
from nodealer.deck.slots import Slot
from nodealer.deck.state import Deck, Pile, Stage, Vetted, collected, judging
from nodealer.kernel import LocalError, Reason, Seat, SlotId, changed


@dataclass(frozen=True, slots=True)
class Returned:
    """Checked: a holder's slots as ciphertexts under the joint key."""

    cards: Mapping[SlotId, Masked]


def returns_due(deck: Deck, numbers: Sequence[SlotId]) -> dict[Seat, tuple[SlotId, ...]]:
    """Return, by holder, the slots that their holders have to bring back by a proof."""
    due: dict[Seat, list[SlotId]] = {}
    for slot in _gathered(deck, numbers):
        if slot.face is None and slot.base is None:
            holder = next(iter(slot.layers))
            slot.sole_layer(holder)
            due.setdefault(holder, []).append(slot.id)
    return {seat: tuple(slots) for seat, slots in sorted(due.items())}


def make_return(
    deck: Deck, keyring: Keyring, moment: ProofMoment, numbers: Sequence[SlotId]
) -> HandoverPart:
    """Bring this seat's part of the named slots back under the joint key."""
    own = _own(deck, keyring.seat, numbers)
    return make_handover(deck, keyring, moment, own, _returning(deck))


@judging
def check_return(
    deck: Deck, moment: ProofMoment, seat: Seat, numbers: Sequence[SlotId], part: HandoverPart
) -> Vetted[Returned]:
    """Check a holder's part of a return."""
    own = _own(deck, seat, numbers)
    cards = check_handover(deck, moment, seat, own, _returning(deck), part)
    returned = Returned(MappingProxyType(dict(zip(own, cards, strict=True))))
    return Vetted(seat, returned, deck, moment)


def gather(
    deck: Deck, numbers: Sequence[SlotId], zone: Zone, parts: Iterable[Vetted[Returned]] = ()
) -> Deck:
    """Take the named slots back as a pile that will be shuffled into `zone`."""
    due = returns_due(deck, numbers)
    returned: dict[SlotId, Masked] = {}
    for seat, part in collected(deck, Returned, due, parts).items():
        if tuple(part.cards) != due[seat]:
            raise LocalError(Reason.LOCAL_STALE, f"seat {seat} returned other slots")
        returned.update(part.cards)
    cards = tuple(_card(deck, slot, returned) for slot in _gathered(deck, numbers))
    return changed(retired_to_pile(deck, numbers), pile=Pile(cards, zone))


def _returning(deck: Deck) -> Destination:
    return Destination("return", deck.joint_key, Reason.PROOF_RETURN)


def _card(deck: Deck, slot: Slot, returned: Mapping[SlotId, Masked]) -> Masked:
    if slot.face is not None:
        return public_card(deck, slot.face)
    if slot.base is not None:
        return Masked(slot.E, slot.base)
    return returned[slot.id]


def _own(deck: Deck, seat: Seat, numbers: Sequence[SlotId]) -> tuple[SlotId, ...]:
    own = returns_due(deck, numbers).get(seat)
    if own is None:
        raise LocalError(Reason.DECK_SEAT, f"seat {seat} has nothing to return")
    return own


def _gathered(deck: Deck, numbers: Sequence[SlotId]) -> list[Slot]:
    deck.require(Stage.READY)
    gone = set(deck.deck_keys) - set(deck.roster)
    if gone:
        raise LocalError(Reason.DECK_SEAT_GONE, f"seats {sorted(gone)} cannot shuffle any more")
    if len(set(numbers)) != len(numbers):
        raise LocalError(Reason.DECK_SLOT_TWICE, f"slots {list(numbers)}")
    if not numbers:
        raise LocalError(Reason.DECK_COUNT, "no slots are named")
    return [deck.slot(number) for number in numbers]
