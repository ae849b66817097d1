"""A certificate makes an entry complete, or is refused for what it lacks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from nodealer.kernel import EntryId, Height, PeerError, Seat
from nodealer.ledger import Certificate, ChainEntry, Content, Seal, Vote
from nodealer.ledger.certificates import check_certificate
from nodealer.ledger.chain import authored, eviction
from nodealer.ledger.objects import Choice, Evict, Keep
from tests.ledger.forge import Forger
from tests.ledger.telling import opened

OTHER = EntryId(b"\x07" * 32)


@dataclass
class Case:
    """A table of four, a content over its charter, and evictions of one and of two seats."""

    def __post_init__(self) -> None:
        self.world = opened(("turn", "turn", "close"), 4)
        self.base: ChainEntry = self.world.ledgers[Seat(0)].tip
        self.content: Content = authored(self.base, Seat(0), b"x").content
        self.one = eviction(self.base, 1, (Seat(3),)).content
        self.two = eviction(self.base, 1, (Seat(2), Seat(3))).content

    def seals(self, *seats: int, rank: int = 0) -> tuple[Seal, ...]:
        """Return seals on the content."""
        return tuple(
            replace(Forger(self.world, seat).seal(self.base, self.content.id), rank=rank)
            for seat in seats
        )

    def votes(self, choice: Choice, *seats: int, number: int = 1) -> tuple[Vote, ...]:
        """Return votes over the base."""
        return tuple(Forger(self.world, seat).vote(self.base, number, choice) for seat in seats)


CASE = Case()


def refused(content: Content, certificate: Certificate, *backed: tuple[bytes, int]) -> str | None:
    """Return why a certificate is refused; None if it is good."""
    try:
        check_certificate(CASE.base, content, certificate, lambda *key: key in backed)
    except PeerError as error:
        return error.detail if error.slug == "ledger/certificate" else error.slug
    return None


def test_seals_of_all_make_a_step_complete() -> None:
    content = CASE.content
    assert refused(content, Certificate(content.id, 0, seals=CASE.seals(0, 1, 2, 3))) is None


@pytest.mark.parametrize(
    ("seals", "found"),
    [
        (CASE.seals(0, 1, 2), "not the seals of the roster"),
        (CASE.seals(0, 1, 2, 2), "not the seals of the roster"),
        (CASE.seals(1, 0, 2, 3), "not the seals of the roster"),
        (CASE.seals(0, 1, 2, 3, rank=1), "a stated rank without its certificate"),
        (
            (*CASE.seals(0, 1, 2), replace(CASE.seals(3)[0], entry=OTHER)),
            "a seal of something else",
        ),
        (
            (*CASE.seals(0, 1, 2), replace(CASE.seals(3)[0], height=Height(9))),
            "a seal of something else",
        ),
    ],
)
def test_other_seals_do_not(seals: tuple[Seal, ...], found: str) -> None:
    assert refused(CASE.content, Certificate(CASE.content.id, 0, seals=seals)) == found


def test_a_stated_rank_counts_with_its_certificate() -> None:
    certificate = Certificate(CASE.content.id, 0, seals=CASE.seals(0, 1, 2, 3, rank=1))
    assert refused(CASE.content, certificate, (CASE.base.id, 1)) is None


def test_an_eviction_is_never_sealed_and_a_step_is_never_voted_in_without_keep() -> None:
    sealed = Certificate(CASE.one.id, 0, seals=CASE.seals(0, 1, 2, 3))
    assert refused(CASE.one, sealed) == "an eviction needs votes"
    voted = Certificate(CASE.content.id, 1, votes=CASE.votes(Evict((Seat(3),)), 0, 1, 2))
    assert refused(CASE.content, voted) == "not the eviction of this round"


def test_the_certificate_is_of_this_entry() -> None:
    certificate = Certificate(OTHER, 0, seals=CASE.seals(0, 1, 2, 3))
    assert refused(CASE.content, certificate) == "another entry"
    elsewhere = replace(CASE.content, parent=OTHER)
    assert refused(elsewhere, Certificate(elsewhere.id, 0)) == "another entry"


def test_votes_of_all_who_stay_make_an_eviction_complete() -> None:
    votes = CASE.votes(Evict((Seat(3),)), 0, 1, 2)
    assert refused(CASE.one, Certificate(CASE.one.id, 1, votes=votes)) is None


@pytest.mark.parametrize(
    ("votes", "found"),
    [
        (CASE.votes(Evict((Seat(3),)), 0, 2, 1), "votes in disorder"),
        (CASE.votes(Evict((Seat(3),)), 0, 1, 1), "votes in disorder"),
        (CASE.votes(Evict((Seat(3),)), 0, 1, 2, number=2), "a vote on something else"),
        (
            (*CASE.votes(Evict((Seat(3),)), 0, 1), replace(CASE.votes(Keep(OTHER, 0), 2)[0])),
            "not all leave out the same seats",
        ),
        (CASE.votes(Evict((Seat(3),)), 0, 1), "not the votes of all who stay"),
        (
            (
                *CASE.votes(Evict((Seat(3),)), 0, 1, 2),
                replace(CASE.votes(Evict((Seat(2),)), 3)[0], seat=Seat(9)),
            ),
            "a vote of a seat that is out",
        ),
        ((), "not the votes of all who stay"),
    ],
)
def test_other_votes_do_not(votes: tuple[Vote, ...], found: str) -> None:
    assert refused(CASE.one, Certificate(CASE.one.id, 1, votes=votes)) == found


def test_without_a_majority_every_seat_left_out_needs_a_ground() -> None:
    votes = CASE.votes(Evict((Seat(2), Seat(3))), 0, 1)
    grounds = tuple(Forger(CASE.world, seat).leave(CASE.base, 0) for seat in (2, 3))
    for some in ((), grounds[:1]):
        certificate = Certificate(CASE.two.id, 1, votes=votes, grounds=some)
        assert refused(CASE.two, certificate) == "neither a majority nor grounds"
    assert refused(CASE.two, Certificate(CASE.two.id, 1, votes=votes, grounds=grounds)) is None


def test_a_majority_keeps_an_entry_that_is_shown_to_be_complete() -> None:
    content = CASE.content
    votes = CASE.votes(Keep(content.id, 0), 0, 2, 3)
    certificate = Certificate(content.id, 1, votes=votes)
    assert refused(content, certificate, (content.id, 0)) is None
    assert refused(content, certificate) == "the kept entry is not shown to be complete"


@pytest.mark.parametrize(
    ("votes", "found"),
    [
        (CASE.votes(Keep(CASE.content.id, 0), 0, 1), "no majority"),
        (
            (*CASE.votes(Keep(CASE.content.id, 0), 0, 1), *CASE.votes(Keep(OTHER, 0), 2)),
            "not all keep this entry",
        ),
        (
            (*CASE.votes(Keep(CASE.content.id, 0), 0, 1), *CASE.votes(Evict((Seat(0),)), 2)),
            "not all keep this entry",
        ),
        (CASE.votes(Keep(CASE.content.id, 1), 0, 1, 2), "not all keep this entry"),
    ],
)
def test_other_keeps_do_not(votes: tuple[Vote, ...], found: str) -> None:
    certificate = Certificate(CASE.content.id, 1, votes=votes)
    assert refused(CASE.content, certificate, (CASE.content.id, 0)) == found
