"""Keys: the sealing key of a seat for the table, and its deck key for an epoch.

Each is shown with a proof that the seat knows the secret. Without it the last seat to speak could
choose its key so that the sum of all becomes a key whose secret it alone knows. The proof is bound
to the seat, so another seat's key cannot be copied either.

Two equal sealing keys are refused before there is a table. Two equal deck keys are taken: two seats
that share a secret harm nobody else by it, and refusing the pair would let any two seats stop the
others, who have done nothing wrong. Keys that add up to nothing need every seat at the table; where
that happened, nobody is left to be protected, and no step can follow.

Sealing has a key of its own because everything ever sealed to a seat can be read with it, for ever:
it must never be opened, converted or reused as a layer of the deck.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.cards import STOCK, Zone
from nodealer.crypto import Group, Masked, Point, Proof, ProofTranscript, prove, relations, verify
from nodealer.deck.keyring import Keyring
from nodealer.deck.moment import ProofMoment
from nodealer.deck.state import Deck, Pile, Stage, Vetted, collected, judging
from nodealer.kernel import ID_BYTES, LocalError, PeerError, Reason, Seat, changed, digest

_SEALING_DOMAIN: Final = "nodealer/1/sealing-key"


@dataclass(frozen=True, slots=True)
class KeyPart:
    """A public key and the proof that its secret is known."""

    X: Point
    proof: Proof


def make_sealing_key(keyring: Keyring, terms: bytes, identity: bytes) -> KeyPart:
    """Make a seat's sealing key for a table with these terms; `identity` is its signing key."""
    group = keyring.group
    secret = keyring.sealing_secret(terms)
    public = group.times_generator(secret)
    transcript = _sealing_transcript(group, terms, keyring.seat, identity)
    proof = prove(group, transcript, relations.key(group, public), [secret], keyring.nonces)
    return KeyPart(public, proof)


def check_sealing_key(
    group: Group, terms: bytes, seat: Seat, identity: bytes, part: KeyPart
) -> Point:
    """Return a seat's sealing key once its proof is verified."""
    transcript = _sealing_transcript(group, terms, seat, identity)
    verify(group, transcript, relations.key(group, part.X), part.proof, Reason.PROOF_KEY)
    return part.X


def make_deck_key(deck: Deck, keyring: Keyring, moment: ProofMoment) -> KeyPart:
    """Make this seat's key for the epoch of the deck."""
    deck.require(Stage.KEYS)
    deck.require_seat(keyring.seat)
    group = deck.group
    secret = keyring.deck_secret(deck.table, deck.epoch)
    public = group.times_generator(secret)
    transcript = _deck_transcript(deck, moment, keyring.seat)
    proof = prove(group, transcript, relations.key(group, public), [secret], keyring.nonces)
    return KeyPart(public, proof)


@judging
def check_deck_key(deck: Deck, moment: ProofMoment, seat: Seat, part: KeyPart) -> Vetted[KeyPart]:
    """Check that a seat knows the secret of the deck key it shows."""
    deck.require(Stage.KEYS)
    deck.require_seat(seat)
    group = deck.group
    transcript = _deck_transcript(deck, moment, seat)
    verify(group, transcript, relations.key(group, part.X), part.proof, Reason.PROOF_KEY)
    return Vetted(seat, part, deck, moment)


def take_deck_keys(deck: Deck, parts: Iterable[Vetted[KeyPart]], zone: Zone = STOCK) -> Deck:
    """Take in every seat's deck key; the cards that enter then wait for their first shuffle."""
    deck.require(Stage.KEYS)
    made = collected(deck, KeyPart, deck.roster, parts)
    keys = {seat: part.X for seat, part in made.items()}
    keyed = changed(deck, deck_keys=MappingProxyType(keys))
    if keyed.joint_key.is_identity:
        raise PeerError(Reason.DECK_DEGENERATE, "the joint key is O", deck.roster)
    cards = tuple(public_card(keyed, name) for name in deck.entering.faces)
    return changed(keyed, pile=Pile(cards, zone))


def public_card(deck: Deck, face: str) -> Masked:
    """Return a card that everybody knows, as it enters a shuffle: masked with the exponent one."""
    return Masked(deck.group.generator, deck.faces.point(face) + deck.joint_key)


def _sealing_transcript(group: Group, terms: bytes, seat: Seat, identity: bytes) -> ProofTranscript:
    if len(terms) != ID_BYTES or seat < 0:
        raise LocalError(Reason.LOCAL_ARGUMENT, "terms are a hash, seats count from 0")
    return ProofTranscript(group, digest(_SEALING_DOMAIN, terms, seat, identity))


def _deck_transcript(deck: Deck, moment: ProofMoment, seat: Seat) -> ProofTranscript:
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, "key"))
