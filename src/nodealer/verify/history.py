"""The history of a table as it is told: who shuffled each deck, who was left out and why, who won.

All of it is read from the entries up to the first in which a check failed; of that one and of what
comes after it nothing is believed. What seats have done is what stands in complete entries under
their signatures: a shuffle is a contribution under the label of a shuffle that was due, an eviction
is the votes of its round. So this can be told without the rules as well, but then nobody has
checked the proofs. Who won only the rules can say, and without a replay nothing is said of it.

An *epoch* is the life of one deck. Its cards pass through the shuffles of all seats of the roster,
one after the other, and are *dealt from* once they are masked; later some of them may be shuffled
again. An eviction breaks off what is in the making. Each round of shuffles is uniform if at least
one of the seats that shuffled in it was honest, and for that one has to know which they were.

The *grounds* for leaving out a seat are what the record shows of it: its own leave, and evidence
that was judged and holds. Beyond them there is the word of the voters that it was silent, which
proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodealer.games import Standing
from nodealer.kernel import Seat
from nodealer.ledger import (
    Certificate,
    ChainEntry,
    DueStep,
    EvictStep,
    Evidence,
    Ground,
    Leave,
    label_of,
)
from nodealer.table import Position, Replay

KEYS: Final = "keys"
SHUFFLE: Final = "shuffle"
MASK: Final = "mask"
"""The kinds of the parts by which a deck is made."""

LEFT: Final = "left"
"""The ground of a seat that has left; a proof is called by the code of its evidence."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A round of shuffles; `masked` is where its cards were ready to be dealt."""

    height: int
    seats: tuple[Seat, ...]
    masked: int | None = None
    broken_off: int | None = None


@dataclass(frozen=True, slots=True)
class Epoch:
    """The life of a deck from its keys on: the first shuffle is of the whole deck."""

    name: bytes
    height: int
    shuffles: tuple[Shuffle, ...] = ()
    broken_off: int | None = None


@dataclass(frozen=True, slots=True)
class Evicted:
    """A seat that was left out, and what the record shows of it.

    No grounds are the votes alone. Grounds that are None are a proof that nobody could check here.
    """

    seat: Seat
    grounds: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Eviction:
    """The seats that a round has left out, and those whose votes did."""

    height: int
    round: int
    evicted: tuple[Evicted, ...]
    voters: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """The end of a game: the places from the first to the last, and points by seat."""

    height: int
    places: tuple[tuple[Seat, ...], ...]
    points: tuple[tuple[Seat, int], ...]

    @property
    def ranked(self) -> Iterator[tuple[int, tuple[Seat, ...]]]:
        """The seats of each place with its number; behind two who share one, one is left out."""
        place = 1
        for seats in self.places:
            yield place, seats
            place += len(seats)


@dataclass(frozen=True, slots=True)
class History:
    """The story of a table.

    There is one result for each game that was begun, None where it is not over; without a replay
    there are none at all.
    """

    epochs: tuple[Epoch, ...]
    evictions: tuple[Eviction, ...]
    results: tuple[GameResult | None, ...] | None


def history_of(
    links: Sequence[ChainEntry], known: Sequence[Ground], results: GameResults
) -> History:
    """Return what links tell, from the charter up; `known` are leaves and evidence that hold."""
    steps = [(link, link.content.step) for link in links if link.content is not None]
    evictions = [
        eviction_of(link, step, known) for link, step in steps if isinstance(step, EvictStep)
    ]
    return History(_epochs(links), tuple(evictions), results.up_to(links[-1].height))


def eviction_of(link: ChainEntry, step: EvictStep, known: Sequence[Ground]) -> Eviction:
    """Return who was left out by whom, and on which of the known grounds.

    An eviction that later rounds have kept is held by the votes to keep it; those that left the
    seats out lie beside them.
    """
    certificates = [one for one in (link.certificate, *link.beside) if one.entry == link.id]
    cast = [one for one in certificates if one.rank == step.round]
    evicted = tuple(Evicted(seat, _grounds(seat, link, cast, known)) for seat in step.seats)
    voters = tuple(vote.seat for one in cast for vote in one.votes)
    return Eviction(link.height, step.round, evicted, voters)


def _grounds(
    seat: Seat, link: ChainEntry, cast: Sequence[Certificate], known: Sequence[Ground]
) -> tuple[str, ...] | None:
    """Return the grounds for leaving out a seat: those of its votes, and what was known before.

    Grounds lie beside the votes under nobody's signature. So one that could not be checked is told
    of only where the votes are no majority, and the seat is out by it.
    """
    assert link.below is not None, "the charter leaves nobody out"
    claimed = {
        one.code
        for certificate in cast
        for one in certificate.grounds
        if isinstance(one, Evidence) and one.seat == seat
    }
    is_out_by_them = not any(link.below.is_majority(len(one.votes)) for one in cast)
    found = set()
    for ground in known:
        if ground.seat != seat:
            continue
        if isinstance(ground, Leave):
            found.add("")  # before every code
        elif ground.code in claimed or ground.height <= link.height:
            found.add(ground.code)
    if claimed and not found and is_out_by_them:
        return None
    return tuple(code or LEFT for code in sorted(found))


# Epochs.


def _epochs(links: Sequence[ChainEntry]) -> tuple[Epoch, ...]:
    told: list[Epoch] = []
    for link in links[1:]:
        assert link.content is not None, "only the charter has no content"
        assert link.below is not None, "and nothing below it"
        step = link.content.step
        if isinstance(step, EvictStep):
            told[-1:] = [_broken_off(epoch, link.height) for epoch in told[-1:]]
        elif isinstance(step, DueStep):
            kinds = {part.kind for part in step.parts}
            if KEYS in kinds:
                told.append(Epoch(link.below.id, link.height))
            elif SHUFFLE in kinds:
                shuffle = Shuffle(link.height, _shufflers(link, link.below))
                told[-1:] = [_shuffled(epoch, shuffle) for epoch in told[-1:]]
            elif MASK in kinds:
                told[-1:] = [_masked(epoch, link.height) for epoch in told[-1:]]
    return tuple(told)


def _shufflers(link: ChainEntry, below: ChainEntry) -> tuple[Seat, ...]:
    """Return the seats that have signed a shuffle of this step, in the order of their shuffles."""
    label = label_of(SHUFFLE, "", below.anchor)
    return tuple(
        one.seat for one in link.contributions if label in (given for given, _ in one.payloads)
    )


def _shuffled(epoch: Epoch, shuffle: Shuffle) -> Epoch:
    return replace(epoch, shuffles=(*epoch.shuffles, shuffle))


def _masked(epoch: Epoch, height: int) -> Epoch:
    *others, last = epoch.shuffles or (Shuffle(height, ()),)
    return replace(epoch, shuffles=(*others, replace(last, masked=height)))


def _broken_off(epoch: Epoch, height: int) -> Epoch:
    """Return an epoch after an eviction: what was in the making is dropped."""
    if epoch.broken_off is not None:
        return epoch
    if not epoch.shuffles:
        return replace(epoch, broken_off=height)
    *others, last = epoch.shuffles
    if last.masked is not None or last.broken_off is not None:
        return epoch
    dropped = (*others, replace(last, broken_off=height))
    return replace(epoch, shuffles=dropped, broken_off=None if others else height)


# Results.


class GameResults:
    """The ends of the games of a history, noted while it is walked from the charter up."""

    def __init__(self) -> None:
        self._games: list[tuple[int, GameResult | None]] = []
        """The height at which each game was begun, and how it has ended."""
        self._known: int | None = None
        """Up to this height there is a state after each entry."""

    def note(self, link: ChainEntry) -> None:
        """Note what has come to its end with an entry, or has begun."""
        if not isinstance(link.state, Replay) or (self._known or 0) < link.height - 1:
            return
        self._known = link.height
        position = link.state.position
        while len(self._games) < position.games:
            self._games.append((link.height, None))
        begun, result = self._games[-1]
        if result is None:
            self._games[-1] = begun, _result(link.height, position)

    def up_to(self, height: int) -> tuple[GameResult | None, ...] | None:
        """Return how games have ended up to a height, None for one that has not; or nothing."""
        if self._known is None or self._known < height:
            return None
        return tuple(
            None if result is None or result.height > height else result
            for begun, result in self._games
            if begun <= height
        )


def _result(height: int, position: Position) -> GameResult | None:
    """Return how the game has ended, or None while it has not; whatever rules do, nothing fails."""
    try:
        standing: Standing | None = position.standing
        if standing is None:
            return None
        places = tuple(tuple(Seat(int(seat)) for seat in place) for place in standing.places)
        points = tuple(sorted((Seat(int(seat)), int(n)) for seat, n in standing.points.items()))
    except Exception:  # noqa: BLE001 - rules that fail here have failed elsewhere, or do not matter
        return None
    seats = set(position.setting.agreed.charter.seats)
    named = {seat for place in places for seat in place} | {seat for seat, _ in points}
    is_whole = bool(places) and all(places) and named <= seats
    return GameResult(height, places, points) if is_whole else None
