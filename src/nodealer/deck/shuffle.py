"""The shuffle round: seat after seat permutes and re-randomises the pile, and proves it.

The order of the seats is that of the roster; each works on the result of the one before. If one
seat at least is honest, nobody knows where any card went and every order is equally likely. What a
seat is shown to have done is exactly a permutation and a re-encryption, so no card can be changed,
doubled or lost.
"""

from __future__ import annotations

from dataclasses import dataclass

from nodealer.crypto import (
    Masked,
    ProofTranscript,
    ShuffleProof,
    prove_shuffle,
    shuffled,
    verify_shuffle,
)
from nodealer.deck.keyring import Keyring
from nodealer.deck.moment import ProofMoment
from nodealer.deck.state import Deck, Pile, Stage, Vetted, judging
from nodealer.kernel import LocalError, Reason, Seat, changed, digest


@dataclass(frozen=True, slots=True)
class ShufflePart:
    """The pile as this seat leaves it, and the proof that it only shuffled."""

    cards: tuple[Masked, ...]
    proof: ShuffleProof


def next_shuffler(deck: Deck) -> Seat:
    """Return the seat whose shuffle is due."""
    return deck.roster[len(_pile(deck).shuffled_by)]


def make_shuffle(deck: Deck, keyring: Keyring, moment: ProofMoment) -> ShufflePart:
    """Shuffle the pile in this seat's turn."""
    pile = _pile_of_turn(deck, keyring.seat)
    key = deck.joint_key
    row = keyring.randomness("shuffle", moment, deck.epoch, key.encode(), deck_hash(pile.cards))
    order = row.permutation(len(pile.cards))
    fresh = [row.scalar(index) for index in range(len(order))]
    after = shuffled(deck.group, key, pile.cards, order, fresh)
    transcript = _transcript(deck, moment, keyring.seat)
    proof = prove_shuffle(
        deck.group, transcript, key, pile.cards, after, order, fresh, keyring.nonces
    )
    return ShufflePart(tuple(after), proof)


@judging
def check_shuffle(
    deck: Deck, moment: ProofMoment, seat: Seat, part: ShufflePart
) -> Vetted[ShufflePart]:
    """Check that the seat whose turn it is shuffled the pile and did nothing else."""
    pile = _pile_of_turn(deck, seat)
    verify_shuffle(
        deck.group,
        _transcript(deck, moment, seat),
        deck.joint_key,
        pile.cards,
        part.cards,
        part.proof,
    )
    return Vetted(seat, part, deck, moment)


def vouch_shuffle(
    deck: Deck, keyring: Keyring, moment: ProofMoment, part: ShufflePart
) -> Vetted[ShufflePart]:
    """Vouch for this seat's own shuffle, just made over this state."""
    _pile_of_turn(deck, keyring.seat)
    return Vetted(keyring.seat, part, deck, moment)


def take_shuffle(deck: Deck, vetted: Vetted[ShufflePart]) -> Deck:
    """Take in one seat's shuffle."""
    part, pile = vetted.of(ShufflePart, deck), _pile(deck)
    done = (*pile.shuffled_by, vetted.seat)
    return changed(deck, pile=Pile(part.cards, pile.zone, done))


def deck_hash(cards: tuple[Masked, ...]) -> bytes:
    """Return the hash of a list of masked cards, to key randomness that is used on them."""
    points = b"".join([point.encode() for card in cards for point in card])
    return digest("nodealer/1/cards", len(cards), points)


def _pile(deck: Deck) -> Pile:
    if deck.pile is None:
        raise LocalError(Reason.DECK_STAGE, f"the deck is at {deck.stage.value}")
    return deck.pile


def _pile_of_turn(deck: Deck, seat: Seat) -> Pile:
    deck.require(Stage.SHUFFLE)
    if seat != next_shuffler(deck):
        raise LocalError(Reason.DECK_SEAT, f"seat {next_shuffler(deck)} shuffles now, not {seat}")
    return _pile(deck)


def _transcript(deck: Deck, moment: ProofMoment, seat: Seat) -> ProofTranscript:
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, "shuffle"))
