"""Transcripts with evidence: one that holds of every code, and some that do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from nodealer.kernel import EntryId, Seat
from nodealer.ledger import AuthoredStep, Contribution, Evidence, Leave, Refusal, Seal, Vote
from nodealer.ledger.objects import Evict, Keep, Signed
from scripts.vectors.told import Case, cards, cut, flipped, trio, written
from tests.verify.forging import signed

NOTHING: Final = EntryId(bytes(range(32)))
"""The id of no entry."""

_SHUFFLE: Final = ((0, "shuffle"),)
"""Whom 66 of three waits for behind its second entry."""


_SIGNED_TWICE: Final = frozenset({"e5-contribution", "e5-author", "e6-seal", "e6-seal-of-a-step"})
"""Whose accused object contradicts what the seat has signed in the chain as well."""

_PROVEN_BESIDE: Final = {
    "another-seat": ((2, "E2"),),
    "another-code": ((2, "E2"),),
    "content-that-nothing-names": ((2, "E2"),),
    "far-away": ((2, "E2"),),
    "without-content": ((2, "E1"),),
    "true-refusal": ((1, "E1"),),
    "content-of-another": ((2, "E4"),),
}
"""What the messages prove, though not as the evidence says: the file is invalid all the same."""


def cases() -> Iterator[Case]:
    """Return the cases with evidence."""
    for name, (about, evidence) in _good().items():
        yield Case(
            f"evidence-{name}",
            about,
            written(trio(), evidence=(evidence,)),
            "unfinished",
            culprit=evidence.seat,
            height=2,
            proven=(
                *(((evidence.seat, "E1"),) if name in _SIGNED_TWICE else ()),
                (evidence.seat, evidence.code),
            ),
            waits=_SHUFFLE,
        )
    for name, (about, evidence, check, height) in _bad().items():
        yield Case(
            f"evidence-bad-{name}",
            about,
            written(trio(), evidence=(evidence,)),
            "invalid",
            check=check,
            height=height,
            proven=_PROVEN_BESIDE.get(name, ()),
        )
    yield from _built_on()


# What the seats of 66 of three have signed, and what one of them might have.


def seal_at(height: int, seat: int) -> Seal:
    """Return a seal of an entry."""
    return trio().entries[height - 1].certificate.seals[seat]


def given_at(height: int, seat: int) -> Contribution:
    """Return a contribution of an entry."""
    return trio().entries[height - 1].contributions[seat]


def vote_at(height: int, number: int, choice: Evict | Keep) -> Vote:
    """Return a vote of seat 2."""
    content = trio().entries[height - 1].content
    vote = Vote(content.table, content.height, content.parent, 0, number, choice, Seat(2), b"")
    return signed(vote)


def leave_at(height: int) -> Leave:
    """Return a leave of seat 2."""
    content = trio().entries[height - 1].content
    return signed(Leave(content.table, content.height, content.id, 0, Seat(2), b""))


def refusal_of(height: int, refused: bytes, reason: str) -> Refusal:
    """Return a refusal by seat 2."""
    content = trio().entries[height - 1].content
    place = (content.table, content.height, content.parent)
    return signed(Refusal(*place, refused, reason, (), Seat(2), b""))


def other_payload(one: Contribution, index: int, payload: bytes) -> Contribution:
    """Return a contribution with one of its payloads replaced."""
    payloads = list(one.payloads)
    payloads[index] = (payloads[index][0], payload)
    return signed(one, payloads=tuple(payloads))


def _good() -> dict[str, tuple[str, Evidence]]:
    action, keys = (entry.content for entry in trio().entries)
    given = given_at(2, 2)
    step = action.step
    assert isinstance(step, AuthoredStep)
    false_step = replace(action, step=AuthoredStep(step.seat, b"\x00"))
    false_state = replace(action, state=bytes(32))
    false_keys = replace(keys, state=bytes(32))
    keep = vote_at(2, 1, Keep(keys.id, 0))
    evict = vote_at(1, 1, Evict((Seat(1),)))
    everybody: tuple[Signed, ...] = (signed(seal_at(2, 2), entry=false_keys.id),)
    everybody = (*everybody, *trio().entries[1].contributions)
    return {
        "e1-seals": (
            "two seals over one parent",
            Evidence("E1", Seat(2), (seal_at(1, 2), signed(seal_at(1, 2), entry=NOTHING))),
        ),
        "e1-contributions": (
            "two contributions over one parent",
            Evidence("E1", Seat(2), (given, other_payload(given, 0, b"x"))),
        ),
        "e1-binding": (
            "two commitments under one label, over two parents of which one is not here",
            Evidence("E1", Seat(2), (given, signed(other_payload(given, 1, b"x"), parent=NOTHING))),
        ),
        "e2": (
            "two votes in one round",
            Evidence(
                "E2", Seat(2), (vote_at(2, 1, Evict((Seat(0),))), vote_at(2, 1, Evict((Seat(1),))))
            ),
        ),
        "e3": (
            "a vote behind one's own keep",
            Evidence("E3", Seat(2), (keep, vote_at(2, 2, Evict((Seat(1),))))),
        ),
        "e4": (
            "a vote against what one has built on",
            Evidence("E4", Seat(2), (seal_at(2, 2), evict), (action,)),
        ),
        "e5-contribution": (
            "a key without knowledge of it",
            Evidence("E5", Seat(2), (other_payload(given, 0, given_at(2, 1).payloads[0][1]),)),
        ),
        "e5-vote": (
            "a vote of which one's own seat is left out",
            Evidence("E5", Seat(2), (vote_at(2, 1, Evict((Seat(2),))),)),
        ),
        "e5-author": (
            "an action that is no action, sealed by its author",
            Evidence(
                "E5",
                step.seat,
                (signed(seal_at(1, step.seat), entry=false_step.id),),
                (false_step,),
            ),
        ),
        "e6-seal": (
            "a seal on an action that leads to another state",
            Evidence("E6", Seat(2), (signed(seal_at(1, 2), entry=false_state.id),), (false_state,)),
        ),
        "e6-seal-of-a-step": (
            "a seal on a step that leads to another state",
            Evidence("E6", Seat(2), everybody, (false_keys,)),
        ),
        "e6-refusal": (
            "a good action, refused",
            Evidence("E6", Seat(2), (refusal_of(1, action.id, "rules/illegal"),), (action,)),
        ),
        "e6-refusal-of-a-contribution": (
            "a good contribution, refused",
            Evidence(
                "E6", Seat(2), (refusal_of(2, given_at(2, 1).id, "proof/key"), given_at(2, 1))
            ),
        ),
        "e7": (
            "a seal after one's own leave",
            Evidence("E7", Seat(2), (leave_at(1), seal_at(2, 2))),
        ),
    }


def _bad() -> dict[str, tuple[str, Evidence, str, int]]:
    keys = trio().entries[1].content
    votes = (vote_at(2, 1, Evict((Seat(0),))), vote_at(2, 1, Evict((Seat(1),))))
    bad = other_payload(given_at(2, 1), 0, given_at(2, 2).payloads[0][1])
    far = tuple(signed(vote, height=9, base=NOTHING) for vote in votes)
    return {
        "another-seat": (
            "two votes of seat 2, against seat 1",
            Evidence("E2", Seat(1), votes),
            "liveness",
            2,
        ),
        "another-code": (
            "two votes of one round as E3",
            Evidence("E3", Seat(2), votes),
            "liveness",
            2,
        ),
        "one-message": ("one vote", Evidence("E2", Seat(2), votes[:1]), "liveness", 2),
        "seals-that-agree": (
            "seals over two parents",
            Evidence("E1", Seat(2), (seal_at(1, 2), seal_at(2, 2))),
            "liveness",
            2,
        ),
        "content-that-nothing-names": (
            "two votes, and a content beside them that none of them names",
            Evidence("E2", Seat(2), votes, (keys,)),
            "liveness",
            2,
        ),
        "good-contribution": (
            "a contribution that is good",
            Evidence("E5", Seat(1), (given_at(2, 1),)),
            "liveness",
            2,
        ),
        "without-content": (
            "a false seal without what was sealed",
            Evidence("E6", Seat(2), (signed(seal_at(1, 2), entry=NOTHING),)),
            "liveness",
            1,
        ),
        "unknown-parent": (
            "a contribution over an entry that is not here",
            Evidence("E5", Seat(2), (signed(given_at(2, 2), parent=NOTHING),)),
            "liveness",
            2,
        ),
        "true-refusal": (
            "a refusal for the right reason",
            Evidence("E6", Seat(2), (refusal_of(2, bad.id, "proof/key"), bad)),
            "liveness",
            2,
        ),
        "good-vote": ("a vote that may be cast", Evidence("E5", Seat(2), votes[:1]), "liveness", 2),
        "leave": ("a leave alone", Evidence("E5", Seat(2), (leave_at(2),)), "liveness", 2),
        "signature": (
            "two votes of which one is not signed",
            Evidence(
                "E2", Seat(2), (votes[0], replace(votes[1], signature=flipped(votes[1].signature)))
            ),
            "signatures",
            2,
        ),
        "far-away": (
            "two votes at height 9, as E3: it fails at the height that they state",
            Evidence("E3", Seat(2), far),
            "liveness",
            9,
        ),
        "another-table": (
            "two votes of another table",
            Evidence("E2", Seat(2), tuple(signed(vote, table=NOTHING) for vote in votes)),
            "chain",
            2,
        ),
        "content-of-another": (
            "a seal and a vote as E4, with the content of another entry",
            Evidence("E4", Seat(2), (seal_at(2, 2), vote_at(1, 1, Evict((Seat(1),)))), (keys,)),
            "liveness",
            2,
        ),
    }


def _built_on() -> Iterator[Case]:
    """Evidence against a link of a chain, with what it builds on and without."""
    whole = cut(cards(), 2)
    zero, one, two = cards().entries[1].contributions
    bad = other_payload(two, 0, one.payloads[0][1])
    yield Case(
        "evidence-e5-shuffle",
        "a shuffle that is none, with the two that it builds on",
        written(whole, evidence=(Evidence("E5", Seat(2), (bad, zero, one)),)),
        "unfinished",
        culprit=2,
        height=2,
        proven=((2, "E1"), (2, "E5")),
        waits=((0, "mask"), (1, "mask"), (2, "mask")),
    )
    yield Case(
        "evidence-bad-without-what-it-builds-on",
        "a shuffle that is none, without one that it builds on: nobody can say whether it is good",
        written(whole, evidence=(Evidence("E5", Seat(2), (bad, one)),)),
        "invalid",
        check="liveness",
        height=2,
        proven=((2, "E1"),),
    )
