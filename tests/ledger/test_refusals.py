"""What replay refuses names its author; a refusal that replay denies names the refuser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import Height, PeerError, Seat
from nodealer.ledger import Contribution, Evidence
from nodealer.ledger.draft import Draft
from nodealer.ledger.findings import check_ground
from nodealer.ledger.messages import Refused
from nodealer.ledger.objects import Evict, Refusal
from tests.ledger.forge import Forger, codes
from tests.ledger.telling import finish, opened
from tests.ledger.toy import BAD
from tests.ledger.world import World

SCRIPT = ("turn", "due", "turn", "close")


def refusals(world: World) -> set[tuple[Seat, str]]:
    return {(event.seat, event.reason) for _, event in world.shown if isinstance(event, Refusal)}


@pytest.mark.parametrize(
    ("action", "slug"),
    [(BAD, "commit/mismatch"), (b"fine", "ledger/state-differs")],
)
def test_a_bad_proposal_is_refused_and_its_author_left_out(action: bytes, slug: str) -> None:
    world = opened(SCRIPT, 4)
    world.gone.add(Seat(0))
    byzantine = Forger(world, 0)
    byzantine.tell(byzantine.bad_proposal(world.ledgers[Seat(1)].tip, action))
    assert {codes(world, seat)[Seat(0)] for seat in (1, 2, 3)} == {"E5"}
    world.settle()
    assert refusals(world) == {(Seat(seat), slug) for seat in (1, 2, 3)}
    finish(world)
    assert world.log(1)[0] == "out [0]"
    assert world.log(1)[-1] == "close"
    assert world.accused() == {Seat(0)}


def test_a_proposal_out_of_turn_names_its_author() -> None:
    world = opened(SCRIPT, 4)
    world.gone.add(Seat(2))
    byzantine = Forger(world, 2)
    byzantine.tell(byzantine.bad_proposal(world.ledgers[Seat(1)].tip, b"mine"))
    assert codes(world, 1) == {Seat(2): "E5"}
    finish(world)
    assert world.log()[-1] == "close"


def test_a_bad_contribution_names_its_author() -> None:
    world = opened(("due", "close"), 4)
    world.gone.add(Seat(3))
    byzantine = Forger(world, 3)
    byzantine.tell(byzantine.contribution(world.ledgers[Seat(0)].tip, BAD))
    assert {codes(world, seat)[Seat(3)] for seat in (0, 1, 2)} == {"E5"}
    finish(world)
    assert world.log()[0] == "out [3]"
    assert world.log()[-1] == "close"


@pytest.mark.parametrize("wrong", ["owed", "names", "height"])
def test_a_contribution_of_the_wrong_form_names_its_author(wrong: str) -> None:
    world = opened(("chain", "close"), 4)
    byzantine = Forger(world, 0)
    tip = world.ledgers[Seat(1)].tip
    given = ((b"other", b"x"),) if wrong == "owed" else ((tip.parts[0].label, b"x"),)
    height = Height(7 if wrong == "height" else 1)
    on = (bytes(32),) if wrong == "names" else ()
    made = Contribution(tip.table, height, tip.id, Seat(0), given, on, b"")
    byzantine.tell(byzantine.signed(made), 1)
    assert codes(world, 1) == {Seat(0): "E5"}


def test_who_lacks_what_a_contribution_builds_on_does_not_judge_it() -> None:
    world = opened(("chain", "close"), 4)
    tip = world.ledgers[Seat(2)].tip
    first, second = Forger(world, 0), Forger(world, 1)
    one = first.contribution(tip, b"x")
    bad = second.contribution(tip, BAD, on=[one.id])
    second.tell(bad, 2)
    assert not codes(world, 2)
    first.tell(one, 2)
    assert codes(world, 2) == {Seat(1): "E5"}
    evidence = world.ledgers[Seat(2)].proven[Seat(1)]
    assert evidence.messages == (bad, one)


def test_a_chain_over_the_wrong_seat_is_refused() -> None:
    world = opened(("chain", "close"), 4)
    tip = world.ledgers[Seat(3)].tip
    first, third = Forger(world, 0), Forger(world, 2)
    one = first.contribution(tip, b"x")
    first.tell(one, 3)
    third.tell(third.contribution(tip, b"y", on=[one.id]), 3)
    assert codes(world, 3) == {Seat(2): "E5"}


@pytest.mark.parametrize("refusal_first", [True, False])
def test_a_false_refusal_of_a_content_names_the_refuser(refusal_first: bool) -> None:
    world = opened(SCRIPT, 4)
    byzantine = Forger(world, 3)
    world.gone.add(Seat(3))
    tip = world.ledgers[Seat(1)].tip
    author = Forger(world, 0)
    proposal = author.proposal(tip, b"x")
    refusal = byzantine.refusal(tip, proposal.content.id, "rules/illegal")
    messages = [(byzantine, Refused(refusal)), (author, proposal)]
    for sender, message in messages if refusal_first else reversed(messages):
        sender.tell(message, 1, 2)
    assert codes(world, 1) == codes(world, 2) == {Seat(3): "E6"}
    finish(world)
    assert world.log(1)[-1] == "close"
    assert world.accused() == {Seat(3)}


def test_a_refusal_for_another_reason_than_the_true_one_is_false() -> None:
    world = opened(SCRIPT, 4)
    tip = world.ledgers[Seat(1)].tip
    author, byzantine = Forger(world, 0), Forger(world, 3)
    proposal = author.bad_proposal(tip, BAD)
    author.tell(proposal, 1)
    byzantine.tell(byzantine.refusal(tip, proposal.content.id, "proof/key"), 1)
    assert codes(world, 1) == {Seat(0): "E5", Seat(3): "E6"}


@pytest.mark.parametrize("refusal_first", [True, False])
def test_a_false_refusal_of_a_contribution_names_the_refuser(refusal_first: bool) -> None:
    world = opened(("due", "close"), 4)
    tip = world.ledgers[Seat(1)].tip
    giver, byzantine = Forger(world, 0), Forger(world, 3)
    one = giver.contribution(tip, b"x")
    steps = [(giver, one), (byzantine, byzantine.refusal(tip, one.id, "commit/mismatch"))]
    for sender, signed in reversed(steps) if refusal_first else steps:
        sender.tell(signed, 1)
    assert codes(world, 1) == {Seat(3): "E6"}


def test_a_false_refusal_of_what_is_due_names_the_refuser() -> None:
    world = opened(("due", "close"), 4)
    world.cut = {(Seat(one), Seat(3)) for one in range(4)} | {
        (Seat(3), Seat(one)) for one in range(4)
    }
    tip = world.ledgers[Seat(1)].tip
    byzantine = Forger(world, 3)
    byzantine.tell(byzantine.contribution(tip, b"x"))
    world.play()
    followed = next(iter(world.ledgers[Seat(1)].desk.followed.values()))
    byzantine.tell(byzantine.refusal(tip, followed.content.id, "ledger/state-differs"))
    assert codes(world, 1) == {Seat(3): "E6"}
    evidence = world.ledgers[Seat(1)].proven[Seat(3)]
    check_ground(Draft(world.ledgers[Seat(2)]), evidence)


def test_a_true_refusal_names_nobody_but_the_author() -> None:
    world = opened(SCRIPT, 4)
    tip = world.ledgers[Seat(1)].tip
    author, refuser = Forger(world, 0), Forger(world, 3)
    proposal = author.bad_proposal(tip, BAD)
    refuser.tell(refuser.refusal(tip, proposal.content.id, "commit/mismatch"), 1)
    assert not codes(world, 1)
    author.tell(proposal, 1)
    assert codes(world, 1) == {Seat(0): "E5"}


def test_who_seals_what_replay_refuses_is_named() -> None:
    world = opened(SCRIPT, 4)
    tip = world.ledgers[Seat(1)].tip
    author, byzantine = Forger(world, 0), Forger(world, 3)
    proposal = author.bad_proposal(tip, BAD)
    byzantine.tell(byzantine.seal(tip, proposal.content.id), 1)
    assert not codes(world, 1)
    author.tell(proposal, 1)
    assert codes(world, 1) == {Seat(0): "E5", Seat(3): "E6"}
    other = Forger(world, 2)
    other.tell(other.seal(tip, proposal.content.id), 1)
    assert codes(world, 1)[Seat(2)] == "E6"


def test_a_seal_on_a_refused_contribution_is_no_seal_on_a_content() -> None:
    world = opened(("due", "close"), 4)
    tip = world.ledgers[Seat(1)].tip
    byzantine, other = Forger(world, 0), Forger(world, 3)
    one = byzantine.contribution(tip, BAD)
    byzantine.tell(one, 1)
    other.tell(other.seal(tip, one.id), 1)
    assert codes(world, 1) == {Seat(0): "E5"}


# What a stranger is shown.


def shown_to(world: World, seat: int, evidence: Evidence) -> str | None:
    """Return the reason for which a seat rejects evidence; None if it believes it."""
    try:
        check_ground(Draft(world.ledgers[Seat(seat)]), evidence)
    except PeerError as error:
        return error.slug
    return None


def test_evidence_by_replay_convinces_a_seat_that_has_seen_nothing() -> None:
    world = opened(SCRIPT, 4)
    tip = world.ledgers[Seat(1)].tip
    author, byzantine = Forger(world, 0), Forger(world, 3)
    proposal = author.bad_proposal(tip, BAD)
    author.tell(proposal, 1)
    byzantine.tell(byzantine.seal(tip, proposal.content.id), 1)
    proven = world.ledgers[Seat(1)].proven
    assert shown_to(world, 2, proven[Seat(0)]) is None
    assert shown_to(world, 2, proven[Seat(3)]) is None
    for evidence in proven.values():
        other = "E6" if evidence.code == "E5" else "E5"
        assert shown_to(world, 2, replace(evidence, code=other)) == "ledger/evidence"
        assert shown_to(world, 2, replace(evidence, contents=())) == "ledger/evidence"


def test_evidence_against_a_contribution_comes_with_what_it_builds_on() -> None:
    world = opened(("chain", "close"), 4)
    tip = world.ledgers[Seat(1)].tip
    first, second, refuser = Forger(world, 0), Forger(world, 1), Forger(world, 3)
    one = first.contribution(tip, b"x")
    bad, good = (second.contribution(tip, data, on=[one.id]) for data in (BAD, b"y"))
    assert shown_to(world, 2, Evidence("E5", Seat(1), (bad, one))) is None
    assert shown_to(world, 2, Evidence("E5", Seat(1), (bad,))) == "ledger/evidence"
    assert shown_to(world, 2, Evidence("E5", Seat(1), (good, one))) == "ledger/evidence"
    false = refuser.refusal(tip, good.id, "commit/mismatch")
    true = refuser.refusal(tip, bad.id, "commit/mismatch")
    assert shown_to(world, 2, Evidence("E6", Seat(3), (false, good, one))) is None
    assert shown_to(world, 2, Evidence("E6", Seat(3), (false, good))) == "ledger/evidence"
    assert shown_to(world, 2, Evidence("E6", Seat(3), (true, bad, one))) == "ledger/evidence"
    assert shown_to(world, 2, Evidence("E6", Seat(3), (true,))) == "ledger/evidence"


def test_an_honest_seal_on_a_due_content_is_not_judged_without_its_contributions() -> None:
    world = opened(("due", "close"), 4)
    world.play()
    link = world.ledgers[Seat(1)].tip.at(1)
    assert link is not None
    assert link.content is not None
    seal = link.certificate.seals[2]
    bare = Evidence("E6", seal.seat, (seal,), (link.content,))
    assert shown_to(world, 1, bare) == "ledger/evidence"
    whole = Evidence("E6", seal.seat, (seal, *link.contributions), (link.content,))
    assert shown_to(world, 1, whole) == "ledger/evidence"


def test_evidence_of_another_table_or_over_something_unknown_is_no_ground() -> None:
    world = opened(SCRIPT, 4)
    other = World(4, SCRIPT, terms=b"other")
    other.settle()
    for away, slug in ((other, "ledger/other-table"), (world, "ledger/unknown-parent")):
        byzantine = Forger(away, 0)
        tip = away.ledgers[Seat(1)].tip
        proposal = byzantine.bad_proposal(tip, BAD)
        seal = proposal.seal
        if away is world:
            seal = byzantine.signed(replace(seal, parent=seal.entry))
        evidence = Evidence("E5", Seat(0), (seal,), (proposal.content,))
        assert shown_to(world, 2, evidence) == slug


def test_a_vote_that_breaks_the_rules_by_itself_is_replayed() -> None:
    world = opened(SCRIPT, 4)
    byzantine = Forger(world, 0)
    tip = world.ledgers[Seat(1)].tip
    broken = byzantine.vote(tip, 1, Evict((Seat(0),)))
    assert shown_to(world, 1, Evidence("E5", Seat(0), (broken,))) is None
    good = byzantine.vote(tip, 1, Evict((Seat(1),)))
    assert shown_to(world, 1, Evidence("E5", Seat(0), (good,))) == "ledger/evidence"
    leave = byzantine.leave(tip, 3)
    assert shown_to(world, 1, Evidence("E5", Seat(0), (leave,))) == "ledger/evidence"
