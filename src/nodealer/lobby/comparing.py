"""Two words that all seats compare aloud, and that nobody can forge by computing.

The six words of a key are long, and there are as many as people. Everybody at a table has the same
two words instead, if all see the same people in the same seats. Somebody in the middle, who is
guest in one lobby and host of another, wants the words of both to be equal. So every seat pledges
itself to a nonce before any nonce is told: the words follow from all of them, and whoever has
pledged itself cannot choose any more. What is left is to guess, once for each drawing, and honest
seats take part in `DRAWINGS_MAX` of them.

    host    begun → pledged, by every seat → told, by every seat → words
    seat    asked: pledges → all pledges: tells its nonce → all nonces: checks them, words

A drawing is a value on each side. It is not stored: whoever starts again draws anew, because a
nonce that was told once must never be pledged again. The nonces follow from `chance`, which the
caller draws for each run of the program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from nodealer.kernel import PeerError, Reason, Seat, digest
from nodealer.lobby.messages import Attendee, WordDrawing

NONCE: Final = "nodealer/2/nonce"
PLEDGE: Final = "nodealer/2/pledge"
COMPARED: Final = "nodealer/2/compared"

CHANCE_BYTES: Final = 32

WORDS_BYTES: Final = 2
"""One for each word."""

DRAWINGS_MAX: Final = 8
"""In one lobby and run: each is one guess for somebody in the middle."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawing as a seat of it knows it."""

    chance: bytes = field(default=b"", repr=False)
    """All nonces of this run follow from it; without it the seat takes part in nothing."""
    count: int = 0
    """In how many drawings this seat has pledged itself."""
    number: int = 0
    """That of the host, which goes up with each."""
    people: tuple[Attendee | None, ...] = ()
    """Who sits where, in the drawing of this number."""
    nonce: bytes = field(default=b"", repr=False)
    pledges: Mapping[Seat, bytes] = field(default_factory=dict)
    nonces: Mapping[Seat, bytes] = field(default_factory=dict, repr=False)
    words: bytes | None = None
    """Two numbers of words, once all nonces are here."""

    @property
    def may_draw(self) -> bool:
        """Whether this seat takes part in one more drawing."""
        return bool(self.chance) and self.count < DRAWINGS_MAX

    @property
    def is_pledged(self) -> bool:
        """Whether all have pledged themselves."""
        return bool(self.people) and len(self.pledges) == len(self.people)


def begun(drawn: Drawn, lobby: bytes, people: tuple[Attendee | None, ...], number: int) -> Drawn:
    """Return a new drawing among these people, with a nonce that was never used."""
    count = drawn.count + 1
    nonce = digest(NONCE, drawn.chance, lobby, count)
    return Drawn(drawn.chance, count, number, people, nonce)


def forgotten(drawn: Drawn) -> Drawn:
    """Return what is left when there is another link, or other people: how often it was done."""
    return Drawn(drawn.chance, drawn.count)


def pledge_of(drawn: Drawn, lobby: bytes, seat: Seat) -> bytes:
    """Return what this seat pledges itself with."""
    return _pledge(drawn, lobby, seat, drawn.nonce)


def pledged(drawn: Drawn, seat: Seat, pledge: bytes) -> Drawn:
    """Return the drawing of a host with the pledge of one more seat, or raise `PeerError`."""
    if seat in drawn.pledges:
        raise PeerError(Reason.LOBBY_UNEXPECTED, "pledged already")
    return replace(drawn, pledges={**drawn.pledges, seat: pledge})


def all_pledged(drawn: Drawn, lobby: bytes, seat: Seat, pledges: Sequence[bytes]) -> Drawn:
    """Return the drawing of a seat with the pledges of all, its own among them, or raise."""
    if drawn.pledges:
        raise PeerError(Reason.LOBBY_UNEXPECTED, "all have pledged already")
    if len(pledges) != len(drawn.people) or pledges[seat] != pledge_of(drawn, lobby, seat):
        raise PeerError(Reason.COMMIT_MISMATCH, "not what this seat has pledged")
    return replace(drawn, pledges={Seat(one): pledge for one, pledge in enumerate(pledges)})


def told(drawn: Drawn, lobby: bytes, host: bytes, seat: Seat, nonce: bytes) -> Drawn:
    """Return the drawing with the nonce of one more seat, and the words if it is the last."""
    if not drawn.is_pledged or seat in drawn.nonces:
        raise PeerError(Reason.LOBBY_UNEXPECTED, "no nonce is wanted")
    if drawn.pledges[seat] != _pledge(drawn, lobby, seat, nonce):
        raise PeerError(Reason.COMMIT_MISMATCH, f"seat {seat}", (seat,))
    drawn = replace(drawn, nonces={**drawn.nonces, seat: nonce})
    if len(drawn.nonces) < len(drawn.people):
        return drawn
    return replace(drawn, words=_words(drawn, lobby, host))


def all_told(drawn: Drawn, lobby: bytes, host: bytes, drawing: WordDrawing) -> Drawn:
    """Return the drawing of a seat with the nonces of all, and the words; or raise."""
    if drawing.pledges != _in_order(drawn.pledges) or len(drawing.nonces) != len(drawn.people):
        raise PeerError(Reason.COMMIT_MISMATCH, "other pledges than before")
    for seat, nonce in enumerate(drawing.nonces):
        drawn = told(drawn, lobby, host, Seat(seat), nonce)
    return drawn


def drawing_of(drawn: Drawn, lobby: bytes) -> WordDrawing:
    """Return what a host tells of the drawing: nothing, all pledges, or all nonces too."""
    pledges = _in_order(drawn.pledges) if drawn.is_pledged else ()
    nonces = _in_order(drawn.nonces) if drawn.words is not None else ()
    return WordDrawing(lobby, drawn.number, pledges, nonces)


def _in_order(parts: Mapping[Seat, bytes]) -> tuple[bytes, ...]:
    return tuple(parts[seat] for seat in sorted(parts))


def _pledge(drawn: Drawn, lobby: bytes, seat: Seat, nonce: bytes) -> bytes:
    who = drawn.people[seat]
    assert who is not None, "no seat is free"
    return digest(PLEDGE, lobby, drawn.number, seat, who.key, nonce)


def _words(drawn: Drawn, lobby: bytes, host: bytes) -> bytes:
    people = tuple((one.key, one.name) for one in drawn.people if one is not None)
    parts = (_in_order(drawn.pledges), _in_order(drawn.nonces))
    return digest(COMPARED, lobby, host, people, *parts)[:WORDS_BYTES]
