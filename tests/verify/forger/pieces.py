"""What a forger may take: everything that was signed at a table, and everything that never was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import TypeVar, cast

from nodealer.ledger import (
    Certificate,
    Content,
    Contribution,
    Entry,
    Leave,
    LedgerMessage,
    Refusal,
    Seal,
    Vote,
)
from nodealer.ledger.messages import Contributed, Left, Proposal, Refused, Sealed, Voted
from nodealer.ledger.objects import Signed
from tests.verify.forger.histories import history
from tests.verify.forger.known import History

T = TypeVar("T")

OPEN = (Proposal, Sealed, Contributed, Voted, Refused, Left)
SIGNED = (Contribution, Seal, Vote, Refusal, Leave)


def parts_of(value: object) -> Iterator[object]:
    """Yield every object that a value is made of, itself included."""
    if is_dataclass(value):
        yield value
        for one in fields(value):
            if one.init:
                yield from parts_of(getattr(value, one.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from parts_of(item)


def sort_of(kind: type[T] | tuple[type[T], ...], parts: Iterable[object]) -> tuple[T, ...]:
    """Return the parts of a kind, each once."""
    return tuple(dict.fromkeys(one for one in parts if isinstance(one, kind)))


def signed_in(values: Iterable[object]) -> tuple[Signed, ...]:
    """Return everything signed in these values, each once."""
    parts = (part for value in values for part in parts_of(value))
    return cast("tuple[Signed, ...]", sort_of(SIGNED, parts))


@dataclass(frozen=True)
class Pieces:
    """The parts of a history, each once."""

    contributions: tuple[Contribution, ...]
    seals: tuple[Seal, ...]
    votes: tuple[Vote, ...]
    refusals: tuple[Refusal, ...]
    leaves: tuple[Leave, ...]
    contents: tuple[Content, ...]
    certificates: tuple[Certificate, ...]
    entries: tuple[Entry, ...]
    messages: tuple[LedgerMessage, ...]

    @property
    def signed(self) -> tuple[Signed, ...]:
        """Everything signed."""
        return (*self.contributions, *self.seals, *self.votes, *self.refusals, *self.leaves)

    def and_those(self, more: Pieces) -> Pieces:
        """Return these parts and others."""
        both = {
            one.name: tuple(dict.fromkeys((*getattr(self, one.name), *getattr(more, one.name))))
            for one in fields(self)
        }
        return Pieces(**both)


def taken_apart(values: Iterable[object]) -> Pieces:
    """Return all parts of these values."""
    parts = [part for value in values for part in parts_of(value)]
    return Pieces(
        contributions=sort_of(Contribution, parts),
        seals=sort_of(Seal, parts),
        votes=sort_of(Vote, parts),
        refusals=sort_of(Refusal, parts),
        leaves=sort_of(Leave, parts),
        contents=sort_of(Content, parts),
        certificates=sort_of(Certificate, parts),
        entries=sort_of(Entry, parts),
        messages=cast("tuple[LedgerMessage, ...]", sort_of(OPEN, parts)),
    )


@cache
def pieces(name: str) -> Pieces:
    """Return the parts of a history."""
    made = history(name)
    return taken_apart((*made.files, *made.sent))


def elsewhere(made: History) -> Pieces:
    """Return the parts of another table, at which the same people sit."""
    return pieces("macaua" if made.name == "small" else "small")
