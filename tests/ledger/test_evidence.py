"""Every evidence code names whom it should, and needs what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import EntryId, Height, PeerError, Seat, TableId, digest
from nodealer.ledger import Contribution, Evidence, Leave, Seal, Signatures, Vote, judge
from nodealer.ledger.evidence import (
    after_leave,
    between,
    broken_vote,
    held_and_voted,
    regressing_vote,
    two_bindings,
    two_contributions,
    two_seals,
    two_votes,
)
from nodealer.ledger.objects import (
    DOMAINS,
    AuthoredStep,
    Choice,
    Content,
    Evict,
    Keep,
    Signed,
)
from tests.ledger.world import charter_of, keys

TABLE = charter_of(3).table
SEAT = Seat(1)
A, B, C = (EntryId(digest("entry", number)) for number in range(3))
LINK = Content(TABLE, Height(4), A, AuthoredStep(Seat(0), b"x"), (), bytes(32))


def seal(parent: EntryId, entry: EntryId, rank: int = 0, height: int = 5) -> Seal:
    return Seal(TABLE, Height(height), parent, entry, rank, SEAT, b"")


def vote(number: int, choice: Choice, base: EntryId = A, height: int = 4, rank: int = 0) -> Vote:
    return Vote(TABLE, Height(height), base, rank, number, choice, SEAT, b"")


def contribution(data: bytes, parent: EntryId = A, label: bytes = b"label") -> Contribution:
    return Contribution(TABLE, Height(5), parent, SEAT, ((label, data),), (), b"")


def code(found: Evidence | None) -> str | None:
    return None if found is None else found.code


def test_two_seals_over_one_parent() -> None:
    assert code(two_seals(seal(A, B), seal(A, C))) == "E1"
    assert two_seals(seal(A, B), seal(A, B, rank=1)) is None
    assert two_seals(seal(A, B), seal(B, C)) is None
    assert between(seal(A, B), replace(seal(A, C), seat=Seat(2)), ()) is None
    assert between(seal(A, B), replace(seal(A, C), table=TableId(bytes(32))), ()) is None


def test_two_contributions_over_one_parent() -> None:
    assert code(two_contributions(contribution(b"1"), contribution(b"2"))) == "E1"
    assert two_contributions(contribution(b"1"), contribution(b"1")) is None
    assert two_contributions(contribution(b"1"), contribution(b"2", B)) is None


def test_a_binding_label_binds_whatever_the_parent() -> None:
    one, other = contribution(b"1"), contribution(b"2", B)
    assert code(two_bindings(one, other, {b"label"})) == "E1"
    assert two_bindings(one, other, ()) is None
    assert two_bindings(one, contribution(b"1", B), {b"label"}) is None
    assert between(one, replace(other, seat=Seat(2)), (), {b"label"}) is None


def test_two_votes_of_one_round() -> None:
    assert code(two_votes(vote(1, Evict((Seat(0),))), vote(1, Evict((Seat(2),))))) == "E2"
    assert code(two_votes(vote(1, Keep(B, 0)), vote(1, Keep(B, 0), base=C))) == "E2"
    assert two_votes(vote(1, Keep(B, 0)), vote(1, Keep(B, 0))) is None
    assert two_votes(vote(1, Keep(B, 0)), vote(2, Keep(C, 0))) is None
    assert between(vote(1, Keep(B, 0)), replace(vote(1, Keep(C, 0)), seat=Seat(0)), ()) is None


@pytest.mark.parametrize(
    ("early", "late", "expected"),
    [
        (Keep(B, 0), Evict((Seat(0),)), "E3"),
        (Keep(B, 1), Keep(B, 0), "E3"),
        (Keep(B, 1), Keep(C, 1), "E3"),
        (Keep(B, 0), Keep(C, 1), None),
        (Keep(B, 0), Keep(B, 0), None),
        (Evict((Seat(0),)), Keep(B, 0), None),
        (Evict((Seat(0),)), Evict((Seat(2),)), None),
    ],
)
def test_a_later_vote_regresses(early: Choice, late: Choice, expected: str | None) -> None:
    assert code(regressing_vote(vote(2, early), vote(3, late))) == expected
    assert code(regressing_vote(vote(3, late), vote(2, early))) == expected
    assert regressing_vote(vote(2, early), vote(3, late, base=C)) is None


@pytest.mark.parametrize(
    ("rank", "number", "choice", "expected"),
    [
        (0, 1, Evict((Seat(0),)), "E4"),
        (1, 1, Evict((Seat(0),)), None),
        (0, 1, Keep(LINK.id, 0), None),
        (0, 1, Keep(B, 0), "E4"),
        (1, 2, Keep(LINK.id, 0), "E4"),
        (1, 2, Keep(B, 2), None),
    ],
)
def test_what_is_held_denies_a_vote(
    rank: int, number: int, choice: Choice, expected: str | None
) -> None:
    over = vote(number, choice)
    assert code(held_and_voted(seal(LINK.id, B, rank), over, LINK)) == expected
    held = vote(1, Evict((Seat(0),)), base=LINK.id, height=5, rank=rank)
    assert code(held_and_voted(held, over, LINK)) == expected
    assert code(between(over, seal(LINK.id, B, rank), [LINK])) == expected
    assert held_and_voted(seal(B, C, rank), over, LINK) is None


def test_a_vote_that_breaks_the_rules_by_itself() -> None:
    roster = (Seat(0), Seat(1), Seat(2))
    for seats in ((), (SEAT,), (Seat(5),), (Seat(2), Seat(0)), (Seat(0), Seat(0))):
        assert code(broken_vote(vote(1, Evict(seats)), roster)) == "E5"
    assert code(broken_vote(vote(2, Keep(B, 2)), roster)) == "E5"
    assert code(broken_vote(vote(0, Evict((Seat(0),))), roster)) == "E5"
    assert broken_vote(vote(2, Keep(B, 1)), roster) is None
    assert broken_vote(vote(1, Evict((Seat(0), Seat(2)))), roster) is None


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (seal(A, B, height=5), "E7"),
        (seal(A, B, height=4), None),
        (contribution(b"x"), "E7"),
        (vote(1, Keep(B, 0), height=5), "E7"),
        (vote(3, Keep(B, 0)), "E7"),
        (vote(2, Keep(B, 0)), None),
        (vote(9, Keep(B, 0), height=3), None),
    ],
)
def test_something_signed_after_a_leave(after: Signed, expected: str | None) -> None:
    leave = Leave(TABLE, Height(4), A, 2, SEAT, b"")
    assert code(after_leave(leave, after)) == expected
    assert code(between(after, leave, ())) == expected
    assert between(replace(leave, seat=Seat(2)), after, ()) is None


def test_a_stranger_judges_by_keys_alone() -> None:
    signer = keys(3)[SEAT]
    one, other = (
        replace(each, signature=signer.sign(DOMAINS[Seal], each.body()))
        for each in (seal(A, B), seal(A, C))
    )
    checker = Signatures(charter_of(3).keys)
    judge(Evidence("E1", SEAT, (one, other)), checker, lambda _: None)
    for false in (
        Evidence("E2", SEAT, (one, other)),
        Evidence("E1", Seat(2), (one, other)),
        Evidence("E1", SEAT, (one,)),
        Evidence("E1", SEAT, (one, one)),
        Evidence("E1", SEAT, (one, seal(A, C))),
        Evidence("E5", SEAT, (one,)),
    ):
        with pytest.raises(PeerError):
            judge(false, checker, lambda _: None)
