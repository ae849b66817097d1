"""The signatures of a lobby, and who gives them; who checks something raises.

    join      by the guest, over the host, the link and all that it says
    offer     by the host, over everything that is offered
    answer    by the guest, over the hash of the terms, its seat, its sealing key, and whether the
              offer calls it a program: who reads other offers has accepted other things
    address   by the key whose addresses they are
    line      by whoever says it

A signature names the lobby and, where it matters, the other side, so none of them can be shown in
another lobby or to another host. The proof of the secret covers both keys and the link on which it
is sent: who overhears it, or is sent it by mistake, can use it for nothing.

A link is named by a few bytes that its two ends have in common and that no other link has, such as
a hash over what both have drawn for it. They are handed in; how links are made is not known here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nodealer.crypto import PROOF_BYTES, SIGNATURE_BYTES, SharedSecret, SigningKey, VerifyKey
from nodealer.kernel import Seat, Value
from nodealer.lobby.messages import AddressRecord, Answer, Attendee, Join, LobbyLine, Offer

PROOF: Final = "nodealer/1/invited"
JOIN: Final = "nodealer/2/join"
OFFER: Final = "nodealer/2/offer"
ANSWER: Final = "nodealer/2/answer"
SAID: Final = "nodealer/2/said"
ADDRESS: Final = "nodealer/1/address"

UNSIGNED: Final = bytes(SIGNATURE_BYTES)
UNPROVEN: Final = bytes(PROOF_BYTES)


def proof_of(join: Join, secret: SharedSecret, host: bytes, link: bytes) -> bytes:
    """Return the proof of the secret that belongs into a join."""
    return secret.prove(PROOF, _proven(join, host, link))


def check_proof(join: Join, secret: SharedSecret, host: bytes, link: bytes) -> None:
    """Raise unless whoever made the join knows the secret."""
    secret.check(PROOF, _proven(join, host, link), join.proof)


def sign_join(join: Join, signer: SigningKey, host: bytes, link: bytes) -> bytes:
    """Return the signature of a join."""
    return signer.sign(JOIN, _join(join, host, link))


def check_join(join: Join, host: bytes, link: bytes) -> None:
    """Raise unless the guest has signed this for this host and link."""
    VerifyKey(join.key).verify(JOIN, _join(join, host, link), join.signature)


def sign_offer(offer: Offer, signer: SigningKey) -> bytes:
    """Return the signature of an offer."""
    return signer.sign(OFFER, _offer(offer))


def check_offer(offer: Offer, host: bytes) -> None:
    """Raise unless the host has signed this offer."""
    VerifyKey(host).verify(OFFER, _offer(offer), offer.signature)


def sign_answer(answer: Answer, who: Attendee, signer: SigningKey) -> bytes:
    """Return the signature of an answer of somebody who is seated like this."""
    return signer.sign(ANSWER, _answer(answer, who))


def check_answer(answer: Answer, who: Attendee) -> None:
    """Raise unless somebody who is seated like this has signed the answer."""
    VerifyKey(who.key).verify(ANSWER, _answer(answer, who), answer.signature)


def signed_line(line: LobbyLine, signer: SigningKey) -> LobbyLine:
    """Return a line with the signature of whoever says it."""
    return replace(line, signature=signer.sign(SAID, _said(line)))


def check_line(line: LobbyLine) -> None:
    """Raise unless the key of a line has signed it."""
    VerifyKey(line.key).verify(SAID, _said(line), line.signature)


def address_record(signer: SigningKey, number: int, addresses: tuple[str, ...]) -> AddressRecord:
    """Return a record of one's own addresses; numbers go up with every change."""
    key = signer.verify_key.raw
    record = AddressRecord(key, number, addresses, UNSIGNED)
    return AddressRecord(key, number, addresses, signer.sign(ADDRESS, _address(record)))


def check_address(record: AddressRecord) -> None:
    """Raise unless the key of a record has signed it."""
    VerifyKey(record.key).verify(ADDRESS, _address(record), record.signature)


def unsigned_answer(offer: Offer, terms: bytes, seat: Seat, sealing: bytes) -> Answer:
    """Return what a seat that accepts an offer signs."""
    return Answer(offer.lobby, offer.number, terms, seat, sealing, UNSIGNED)


def _proven(join: Join, host: bytes, link: bytes) -> Value:
    return (join.lobby, host, join.key, link, join.watches)


def _join(join: Join, host: bytes, link: bytes) -> Value:
    said = (join.watches, join.name, join.is_program, join.program, join.proof)
    return (join.lobby, host, join.key, link, *said)


def _offer(offer: Offer) -> Value:
    clock = offer.clock
    times = (clock.act, clock.answer, clock.rejoin, clock.longest)
    seats = tuple(
        None if one is None else (one.key, one.name, one.is_program) for one in offer.seats
    )
    what = (offer.game, offer.version, offer.options, times, offer.policy)
    return (offer.lobby, offer.number, *what, seats)


def _answer(answer: Answer, who: Attendee) -> Value:
    what = (answer.lobby, answer.number, answer.terms, answer.seat, answer.sealing)
    return (*what, who.is_program)


def _said(line: LobbyLine) -> Value:
    return (line.lobby, line.key, line.name, line.number, line.text)


def _address(record: AddressRecord) -> Value:
    return (record.key, record.number, record.addresses)
