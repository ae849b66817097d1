"""What lies far below the tip is forgotten, and had again when somebody asks for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import Bug, PeerError, Seat
from nodealer.ledger import ChainEntry, Entry, Evict, Evidence, entry_message, read, recover, write
from nodealer.ledger.chain import NEAR_MAX
from nodealer.ledger.draft import Draft
from nodealer.ledger.entry_memory import RECALLED_MAX
from nodealer.ledger.findings import RECALLS, check_ground
from tests.ledger.forge import Forger, codes, voted
from tests.ledger.telling import finish, opened
from tests.ledger.toy import BAD, Toy
from tests.ledger.world import World

LENGTH = 40
SCRIPT = (*("turn", "due", "chain", "turn") * (LENGTH // 4), "close")


def played(height: int = LENGTH) -> World:
    world = opened(SCRIPT, 4)
    while world.ledgers[Seat(0)].tip.height < height:
        assert world.act()
        world.settle()
    return world


def chain(world: World, seat: int = 0) -> list[ChainEntry]:
    return list(world.ledgers[Seat(seat)].tip.downwards())[::-1]


def held(links: list[ChainEntry]) -> list[int]:
    return [int(link.height) for link in links if link.memory.state is not None]


def test_near_entries_are_held_whole_and_far_ones_as_their_bytes() -> None:
    links = chain(played())
    tip = links[-1].height
    assert held(links) == [0, *range(tip - NEAR_MAX + 1, tip + 1)]
    assert [link.height for link in links if link.memory.is_far] == [*range(1, tip - NEAR_MAX + 1)]


def test_what_was_forgotten_is_had_again_as_it_was() -> None:
    world = opened(SCRIPT, 4)
    seen: dict[int, tuple[Entry, object]] = {}
    while world.ledgers[Seat(0)].tip.height < LENGTH:
        world.act()
        world.settle()
        tip = world.ledgers[Seat(0)].tip
        seen[tip.height] = entry_message(tip), tip.state
    links = [link for link in chain(world) if link.height in seen]
    assert len(links) > LENGTH - NEAR_MAX
    for link in (*links, *reversed(links)):
        entry, state = seen[link.height]
        assert entry_message(link) == entry
        assert read(write(entry_message(link))) == entry
        assert (link.content, link.contributions) == (entry.content, entry.contributions)
        assert (link.certificate, link.beside) == (entry.certificate, entry.beside)
        assert link.signed() == (*entry.contributions, *entry.certificate.messages)
        assert link.state == state
        assert link.state.digest() == entry.content.state


def test_what_a_round_has_settled_is_had_again_with_its_votes() -> None:
    world = opened(SCRIPT, 4)
    world.gone.add(Seat(0))
    seen: dict[bytes, Entry] = {}
    while len(seen) < 2 * NEAR_MAX:
        if not world.act():
            world.pass_time(1_000)
        world.settle()
        tip = world.ledgers[Seat(1)].tip
        if tip.content is not None:
            seen[tip.id] = entry_message(tip)
    links = [link for link in chain(world, 1) if link.id in seen and link.memory.is_far]
    assert any(link.certificate.votes for link in links)
    assert any(link.certificate.seals for link in links)
    assert [entry_message(link) for link in links] == [seen[link.id] for link in links]


def test_of_far_states_that_were_asked_for_only_the_last_few_stay() -> None:
    links = chain(played())
    near = held(links)
    for link in links:
        assert isinstance(link.state, Toy)
    recalled = [height for height in held(links) if height not in near]
    assert len(recalled) == RECALLED_MAX
    assert recalled[-1] == links[-1].height - NEAR_MAX


def test_an_older_ledger_that_shares_the_chain_goes_on_as_if_nothing_was_forgotten() -> None:
    world = opened(SCRIPT, 4)
    early = dict(world.ledgers)
    finish(world)
    log = world.log()
    assert early[Seat(0)].tip.memory.state is not None, "that of the charter stays"
    world.ledgers.update(early)
    world.play()
    assert world.log()[-1] == log[-1]


def test_a_layer_above_that_says_something_else_now_is_a_bug() -> None:
    links = chain(played())
    first = links[1]
    below = links[0]
    state = below.state
    assert isinstance(state, Toy)
    below.memory.state = replace(state, log=("another",))
    with pytest.raises(Bug):
        _ = first.state


def test_who_was_away_for_a_whole_history_is_sent_it() -> None:
    world = opened(SCRIPT, 4)
    away = Seat(3)
    before = world.ledgers[away]
    world = played()
    world.ledgers[away] = replace(before, fixed=world.ledgers[away].fixed)
    told = world.ledgers[away].tell()
    world.take(away, told)
    world.settle()
    assert world.ledgers[away].tip.id == world.ledgers[Seat(0)].tip.id


def test_a_journal_of_a_long_table_leads_to_the_same_and_is_told_whole() -> None:
    world = played(LENGTH - 4)
    before = world.ledgers[Seat(1)].tip
    fixed, root = world.fixed(Seat(1)), chain(world)[0].state
    ledger, _ = recover(fixed, root, world.journals[Seat(1)])
    links = list(ledger.tip.downwards())[::-1]
    assert links[-1].id == before.id
    assert held(links) == [link.height for link in links], "who tells a history asks for all"
    world.crash(Seat(1))
    finish(world)
    assert world.log(1) == world.log(0)
    assert len(held(chain(world, 1))) == NEAR_MAX + 1


# Evidence.


def far_evidence(world: World, data: bytes, height: int = 4) -> Evidence:
    """Return evidence against seat 3 over an entry long past: of what it contributes now."""
    link = next(one for one in chain(world) if one.height == height and one.owing())
    return Evidence("E5", Seat(3), (Forger(world, 3).contribution(link, data),))


def test_evidence_over_an_entry_far_below_is_judged_as_ever() -> None:
    world = played()
    draft = Draft(world.ledgers[Seat(1)])
    check_ground(draft, far_evidence(world, BAD, 1))
    with pytest.raises(PeerError, match="does not hold"):
        check_ground(draft, far_evidence(world, b"good", 1))


def test_a_vote_with_evidence_over_an_entry_far_below_proves_its_seat() -> None:
    world = played()
    accuser, tip = Forger(world, 2), world.ledgers[Seat(1)].tip
    vote = accuser.vote(tip, 1, Evict((Seat(3),)))
    accuser.tell(voted(vote, far_evidence(world, BAD, 1)), 1)
    assert codes(world, 1) == {Seat(3): "E5"}


def test_who_speaks_of_what_is_far_below_again_and_again_has_to_wait() -> None:
    world = played()
    liar, honest = Forger(world, 3), Forger(world, 2)

    def tell(teller: Forger, data: bytes, number: int) -> None:
        tip = world.ledgers[Seat(1)].tip
        vote = teller.vote(tip, number, Evict((Seat(0),)))
        teller.tell(voted(vote, far_evidence(world, data, 1)), 1)

    for number in range(1, RECALLS.at_once + 4):
        tell(liar, b"good", number)
    counts = world.ledgers[Seat(1)].counts
    assert counts["ledger/evidence"] == RECALLS.at_once
    assert counts["ledger/unknown-parent"] == 3
    tell(honest, BAD, 1)
    assert codes(world, 1) == {Seat(3): "E5"}, "nobody else has to"
    world.pass_time(RECALLS.each, who=[Seat(1)])
    before = world.ledgers[Seat(1)].recalls[Seat(3)]
    tell(liar, b"good", RECALLS.at_once + 5)
    assert world.ledgers[Seat(1)].recalls[Seat(3)] > before


def test_evidence_near_the_tip_costs_nobody_anything() -> None:
    world = played()
    liar, tip = Forger(world, 3), world.ledgers[Seat(1)].tip
    near = next(one for one in chain(world)[-NEAR_MAX:] if one.owing())
    for number in range(1, RECALLS.at_once + 4):
        made = liar.contribution(near, b"%d" % number)
        vote = liar.vote(tip, number, Evict((Seat(0),)))
        liar.tell(voted(vote, Evidence("E5", Seat(3), (made,))), 1)
    assert not world.ledgers[Seat(1)].recalls
