"""What a seat answers that holds the result of a round, where another result has the same rank.

Two results of one round need somebody who votes twice in it. Who has taken one of them and signed
over it has said so for good: an answer that keeps the other one would be E4 against the answerer.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import Seat
from nodealer.ledger import DUTIES, ChainEntry, Contribution, Duties, Entry
from nodealer.ledger.chain import eviction
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import Voted, signed_of
from nodealer.ledger.objects import Certificate, Content, Evict, Keep, Seal, Vote
from nodealer.ledger.voting import may_cast
from tests.ledger.forge import Forger
from tests.ledger.proving import prove_all
from tests.ledger.telling import cut_off
from tests.ledger.world import World

ONES, OTHERS = (Seat(1), Seat(2)), (Seat(3), Seat(4))
"""Each side leaves out the other one, with the votes of seat 0."""


def out_by_round_1(world: World, base: ChainEntry) -> Entry:
    """Return the eviction of seats 1 and 2 by round 1, with the votes of all others."""
    content = eviction(base, 1, ONES).content
    stay = [Forger(world, one) for one in (0, *OTHERS)]
    votes = tuple(one.vote(base, 1, Evict(ONES)) for one in stay)
    return Entry(content, (), Certificate(content.id, 1, votes=votes))


def between_two_results(terms: bytes, duties: Duties = DUTIES) -> tuple[World, ChainEntry, Entry]:
    """Let seat 1 seal over the eviction of the others, then see its own one of the same round."""
    world = World(5, ("due", "due", "close"), duties, terms)
    world.settle()
    cut_off(world, 1)
    base, here = world.ledgers[Seat(1)].tip, [Forger(world, seat) for seat in (0, 2)]
    world.take(Seat(1), world.ledgers[Seat(1)].contribute([b"x"]))
    for one in here:
        one.tell(one.contribution(base, b"x"), 1)
    world.pass_time(400, [Seat(1)])
    for one in here:
        one.tell(one.vote(base, 1, Evict(OTHERS)), 1)
    tip = world.ledgers[Seat(1)].tip
    assert (tip.below, tip.rank) == (base, 1)
    world.take(Seat(1), world.ledgers[Seat(1)].contribute([b"y"]))
    for one in here:
        one.tell(one.contribution(tip, b"y"), 1)
    other = out_by_round_1(world, base)
    world.take(Seat(1), world.ledgers[Seat(1)].receive(other, Seat(3)))
    assert set(world.ledgers[Seat(1)].past.results) == {tip.id, other.content.id}
    return world, base, other


def signed_by_1(world: World) -> list[Seal | Vote | Contribution]:
    signed = map(signed_of, world.journals[Seat(1)])
    kinds = Seal | Vote | Contribution
    return [one for one in signed if isinstance(one, kinds) and one.seat == 1 and one.height > 0]


TERMS = (b"a", b"b", b"c", b"d", b"e", b"f")


def test_the_terms_put_the_other_result_before_and_behind_the_own_one() -> None:
    orders = set()
    for terms in TERMS:
        world, _, other = between_two_results(terms)
        orders.add(other.content.id > world.ledgers[Seat(1)].tip.id)
    assert orders == {False, True}


@pytest.mark.parametrize("terms", TERMS)
def test_a_later_vote_is_answered_with_the_result_that_the_seat_holds(terms: bytes) -> None:
    world, base, _ = between_two_results(terms)
    tip = world.ledgers[Seat(1)].tip
    seals = [one for one in signed_by_1(world) if isinstance(one, Seal)]
    assert [(seal.parent, seal.rank) for seal in seals] == [(tip.id, 1)]
    asker = Forger(world, 3)
    asker.tell(asker.vote(base, 2, Evict(ONES)), 1)
    votes = [one for one in signed_by_1(world) if isinstance(one, Vote) and one.base == base.id]
    assert [(vote.round, vote.choice) for vote in votes] == [
        (1, Evict(OTHERS)),
        (2, Keep(tip.id, 1)),
    ]
    assert not evidence_against_1(world)


def evidence_against_1(world: World) -> set[str]:
    contents: list[Content] = [
        link.content for link in world.ledgers[Seat(1)].tip.downwards() if link.content is not None
    ]
    return {evidence.code for evidence in prove_all(signed_by_1(world), contents)}


@pytest.mark.parametrize("terms", TERMS)
def test_no_rule_lets_a_seat_deny_what_it_has_taken(terms: bytes) -> None:
    world, base, other = between_two_results(terms)
    draft = Draft(world.ledgers[Seat(1)])
    denial = Keep(other.content.id, 1)
    assert not may_cast(draft, base, 2, denial)
    assert not may_cast(draft, base, 2, Evict((Seat(0),)))
    assert may_cast(draft, base, 2, Keep(draft.tip.id, 1))


def test_without_that_rule_the_denial_names_its_seat() -> None:
    world, base, other = between_two_results(TERMS[0], replace(DUTIES, stands_by=lambda *_: True))
    denial, draft = Keep(other.content.id, 1), Draft(world.ledgers[Seat(1)])
    assert may_cast(draft, base, 2, denial)
    vote = Forger(world, 1).vote(base, 2, denial)
    world.journals[Seat(1)].append(Voted(vote))
    assert evidence_against_1(world) == {"E4"}
