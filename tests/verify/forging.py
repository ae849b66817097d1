"""What a seat that breaks the rules can sign: the story's own keys, used for other things.

`resealed` is an entry that all its seats have signed anew, as if they had agreed on it. Then no
signature and no hash is wrong, and what refuses it is what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from nodealer.kernel import Seat
from nodealer.ledger import (
    Certificate,
    Content,
    Contribution,
    Entry,
    Leave,
    Refusal,
    Seal,
    Vote,
)
from nodealer.ledger.objects import DOMAINS
from nodealer.verify import Report, Transcript, judge_bytes, read_transcript, write_transcript
from tests.support.circle import player_of
from tests.verify.stage import find_small, whole_story

T = TypeVar("T", Contribution, Seal, Vote, Refusal, Leave)

_replaced: Callable[..., Any] = replace
"""Fields that tests name are checked when they run."""


@cache
def story() -> Transcript:
    """Return the whole story as a transcript."""
    return read_transcript(whole_story().record())


def entry_at(height: int) -> Entry:
    """Return an entry of the story."""
    return story().entries[height - 1]


def signed(one: T, /, **changed: object) -> T:
    """Return an object with other fields, signed by the seat that it names."""
    made: T = _replaced(one, **changed)
    signer = player_of(Seat(made.seat), "stage").signer
    done: T = _replaced(made, signature=signer.sign(DOMAINS[type(made)], made.body()))
    return done


def resealed(entry: Entry, content: Content) -> Entry:
    """Return an entry with another content, sealed by all who have sealed it before."""
    seals = tuple(
        signed(seal, entry=content.id, parent=content.parent) for seal in entry.certificate.seals
    )
    certificate = replace(entry.certificate, entry=content.id, seals=seals)
    return replace(entry, content=content, certificate=certificate)


def recontent(entry: Entry, /, **changed: object) -> Entry:
    """Return an entry whose content has other fields, sealed by all."""
    return resealed(entry, _replaced(entry.content, **changed))


def recontributed(entry: Entry, seat: int, /, **changed: object) -> Entry:
    """Return an entry in which a seat has contributed something else, sealed by all."""
    given = tuple(
        signed(one, **changed) if one.seat == seat else one for one in entry.contributions
    )
    named = tuple((one.seat, one.id) for one in given)
    return recontent(replace(entry, contributions=given), contributions=named)


def reseal(entry: Entry, seat: int, /, **changed: object) -> Entry:
    """Return an entry in which one seat has sealed otherwise."""
    seals = tuple(
        signed(seal, **changed) if seal.seat == seat else seal for seal in entry.certificate.seals
    )
    return replace(entry, certificate=replace(entry.certificate, seals=seals))


def revote(entry: Entry, seat: int, /, **changed: object) -> Entry:
    """Return an entry in which one seat has voted otherwise."""
    votes = tuple(
        signed(vote, **changed) if vote.seat == seat else vote for vote in entry.certificate.votes
    )
    return replace(entry, certificate=replace(entry.certificate, votes=votes))


def ending_with(entry: Entry, height: int) -> Transcript:
    """Return the beginning of the story with another entry at its end."""
    return replace(story(), entries=(*story().entries[: height - 1], entry), open=(), evidence=())


def report_on(transcript: Transcript) -> Report:
    """Judge a transcript as a file."""
    return judge_bytes(write_transcript(transcript), find_game=find_small).report


def empty(certificate: Certificate) -> Certificate:
    """Return a certificate that certifies nothing."""
    return replace(certificate, seals=(), votes=(), grounds=())
