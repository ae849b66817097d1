"""A node whose journal may be old signs nothing until all others have reminded it."""

from __future__ import annotations

import pytest

from nodealer.kernel import EntryId, Height, LocalError, Seat
from nodealer.ledger import Ledger, LedgerMessage, Seal, read, recover
from nodealer.ledger.messages import Contributed, Memory, Recall, Sealed, Status, Voted
from nodealer.ledger.objects import Evict, Keep, Vote
from nodealer.ledger.ready import Dropped, Suspect
from tests.ledger.forge import Forger, voted, wrapped
from tests.ledger.telling import cut_off, events, finish, opened
from tests.ledger.world import World

UNKNOWN = EntryId(b"\x07" * 32)

SCRIPT = ("turn", "due", "turn", "turn", "close")


def restored(world: World, seat: int, records: list[LedgerMessage]) -> None:
    """Put an older journal in the place of a seat's own, and say so."""
    now = world.ledgers[Seat(seat)].now
    world.journals[Seat(seat)] = list(records)
    world.take(
        Seat(seat),
        recover(world.fixed(Seat(seat)), world.start, records, now),
    )
    world.take(Seat(seat), world.ledgers[Seat(seat)].recall())


def test_a_restored_node_catches_up_and_plays_on() -> None:
    world = opened(SCRIPT)
    old = list(world.journals[Seat(1)])
    for _ in range(3):
        world.settle()
        world.act()
    restored(world, 1, old)
    assert world.ledgers[Seat(1)].suspect == {}
    with pytest.raises(LocalError, match="local/may-not-sign"):
        world.ledgers[Seat(1)].propose(b"x")
    finish(world)
    assert world.ledgers[Seat(1)].suspect is None
    assert world.log(1)[-1] == "close"
    assert len(world.tips()) == 1
    assert not world.accused()


def test_it_adopts_what_it_had_signed_and_does_not_sign_it_anew() -> None:
    world = opened(("due", "close"))
    old = list(world.journals[Seat(1)])
    world.answer(Seat(1))
    world.settle()
    restored(world, 1, old)
    world.settle()
    ledger = world.ledgers[Seat(1)]
    assert ledger.suspect is None
    assert [one.payloads[0][1] for one in ledger.own.contributions.values()] == [b"x0"]
    assert not ledger.asked
    finish(world)
    assert world.log(1)[0] == "0:x0+1:x0+2:x0"
    assert not world.accused()


@pytest.mark.parametrize("is_old", [False, True])
def test_an_old_copy_signs_nothing_even_where_its_own_records_ask_for_a_seal(is_old: bool) -> None:
    world = opened(("due", "close"))
    world.act()
    world.settle()
    stored = world.journals[Seat(1)]
    last = max(i for i, one in enumerate(stored) if isinstance(one, Contributed))
    ledger, ready = recover(world.fixed(Seat(1)), world.start, stored[: last + 1], is_old=is_old)
    assert bool(ready.persist) != is_old
    asked = [one.message for one in ready.send if isinstance(one.message, Recall)]
    assert (ledger.suspect == {}) == bool(asked) == is_old


def test_while_one_seat_is_silent_it_signs_nothing_and_asks_again() -> None:
    world = opened(SCRIPT)
    old = list(world.journals[Seat(1)])
    world.answer(Seat(0))
    world.gone.add(Seat(2))
    restored(world, 1, old)
    world.settle()
    assert world.ledgers[Seat(1)].suspect == {Seat(0): 0}
    world.pass_time(35, [Seat(1)])
    asked = [message for message in on_the_way(world, 1, 0) if isinstance(message, Recall)]
    assert asked
    world.settle()
    world.gone.clear()
    world.pass_time(100, [Seat(1)])
    world.settle()
    assert world.ledgers[Seat(1)].suspect is None
    finish(world)
    assert len(world.tips()) == 1


def on_the_way(world: World, sender: int, to: int) -> list[LedgerMessage]:
    return [read(data) for by, at, data in world.wires if (by, at) == (sender, to)]


@pytest.mark.parametrize("kind", ["seal", "contribution", "vote", "aside"])
def test_a_signature_that_the_journal_lacks_makes_a_node_suspect(kind: str) -> None:
    world = opened(("due", "close"))
    other = Forger(world, 1)
    tip = world.ledgers[Seat(1)].tip
    made: dict[str, object] = {
        "seal": other.seal(tip, bytes(32)),
        "contribution": other.contribution(tip, b"other"),
        "vote": other.vote(tip, 1, Evict((Seat(0),))),
        "aside": other.signed(Seal(tip.table, Height(2), UNKNOWN, tip.id, 0, Seat(1), b"")),
    }
    world.take(Seat(1), world.ledgers[Seat(1)].receive(wrapped(made[kind]), Seat(0)))
    assert events(world, Suspect, 1)
    assert world.ledgers[Seat(1)].suspect == {}
    assert [m for m in on_the_way(world, 1, 2) if isinstance(m, Recall)]
    stored = world.journals[Seat(1)][-1]
    assert stored == wrapped(made[kind])


def test_its_own_echo_makes_no_node_suspect() -> None:
    world = opened(SCRIPT)
    world.play()
    for record in [*world.journals[Seat(1)], *world.journals[Seat(0)]]:
        world.take(Seat(1), world.ledgers[Seat(1)].receive(record, Seat(2)))
    assert not events(world, Suspect)


def test_votes_that_it_had_forgotten_forbid_the_tip_that_it_took_since() -> None:
    world = opened(SCRIPT)
    old = list(world.journals[Seat(1)])
    cut_off(world, 1)
    world.pass_time(60, [Seat(1)])
    assert world.ledgers[Seat(1)].own.last_round(1) == 1
    vote = world.ledgers[Seat(1)].own.votes[1][0]
    world.cut = {(Seat(1), Seat(0)), (Seat(1), Seat(2)), (Seat(0), Seat(1)), (Seat(2), Seat(1))}
    author, last = Forger(world, 0), Forger(world, 2)
    tip = world.ledgers[Seat(0)].tip
    proposal = author.proposal(tip, b"x")
    restored(world, 1, old)
    world.cut.clear()
    world.wires.clear()
    # It forgets its vote, is told the step and the seals, and has sealed before it is suspect.
    world.ledgers[Seat(1)] = recover(world.fixed(Seat(1)), world.start, old)[0]
    author.tell(proposal, 1)
    last.tell(last.seal(tip, proposal.content.id), 1)
    ledger = world.ledgers[Seat(1)]
    assert (ledger.tip.height, ledger.tip.rank) == (1, 0)
    world.take(Seat(1), ledger.receive(voted(vote), Seat(0)))
    assert world.ledgers[Seat(1)].suspect == {}
    for seat in (0, 2):
        told = Memory(tip.table, Seat(seat), Height(0), tip.id, ())
        world.take(Seat(1), world.ledgers[Seat(1)].receive(told, Seat(seat)))
    ledger = world.ledgers[Seat(1)]
    assert ledger.suspect is None
    assert ledger.tip.height == 0
    assert proposal.content.id in ledger.desk.results
    world.crash(Seat(1))
    assert world.ledgers[Seat(1)].tip.height == 0
    world.wires.clear()
    world.pass_time(200, [Seat(1)])
    last_vote = world.ledgers[Seat(1)].own.votes[1][-1]
    assert (last_vote.round, last_vote.choice) == (2, Keep(proposal.content.id, 0))


def test_a_forgotten_vote_for_the_tip_lets_it_stand() -> None:
    world = opened(SCRIPT)
    author, own, last = (Forger(world, seat) for seat in range(3))
    tip = world.ledgers[Seat(1)].tip
    proposal = author.proposal(tip, b"x")
    author.tell(proposal, 1)
    last.tell(last.seal(tip, proposal.content.id), 1)
    vote = own.vote(tip, 1, Keep(proposal.content.id, 0))
    world.take(Seat(1), world.ledgers[Seat(1)].receive(voted(vote), Seat(0)))
    assert world.ledgers[Seat(1)].suspect == {}
    for seat in (0, 2):
        told = Memory(tip.table, Seat(seat), Height(1), proposal.content.id, ())
        world.take(Seat(1), world.ledgers[Seat(1)].receive(told, Seat(seat)))
    ledger = world.ledgers[Seat(1)]
    assert ledger.suspect is None
    assert (ledger.tip.height, ledger.tip.rank) == (1, 0)
    assert not world.accused()


def test_who_asked_while_a_node_was_suspect_is_answered_once_it_signs_again() -> None:
    world = opened(SCRIPT)
    author, behind = Forger(world, 0), Forger(world, 2)
    tip = world.ledgers[Seat(1)].tip
    proposal = author.proposal(tip, b"x")
    author.tell(proposal, 1)
    behind.tell(behind.seal(tip, proposal.content.id), 1)
    world.take(Seat(1), world.ledgers[Seat(1)].recall())
    for number in (1, 2):  # its clock is fast; then it waits for the others and asks no more
        behind.tell(behind.vote(tip, number, Evict((Seat(0),))), 1)
    assert not world.ledgers[Seat(1)].own.votes
    for seat in (0, 2):
        told = Memory(tip.table, Seat(seat), Height(0), tip.id, ())
        world.take(Seat(1), world.ledgers[Seat(1)].receive(told, Seat(seat)))
    (vote,) = world.ledgers[Seat(1)].own.votes[1]
    assert (vote.round, vote.choice) == (2, Keep(proposal.content.id, 0))
    assert voted_to(world, 1, 2) == [vote]


def test_restored_nodes_that_may_not_take_an_entry_keep_it_with_the_others() -> None:
    world = opened(SCRIPT, 4)
    old = {seat: list(world.journals[Seat(seat)]) for seat in (1, 2)}
    world.cut = {(Seat(1), Seat(3))}
    world.answer(Seat(0))
    world.settle()
    others = {(one, other) for one in world.ledgers for other in world.ledgers}
    for number, to in enumerate((1, 2, 0), start=1):  # each answers in a round of its own
        world.cut = others - {(Seat(3), Seat(to)), (Seat(to), Seat(3))}
        world.pass_time(400, [Seat(3)])
        world.wires = [one for one in world.wires if isinstance(read(one[2]), Voted)]
        world.settle()
        assert world.ledgers[Seat(to)].own.last_round(1) == number
    assert world.ledgers[Seat(3)].tip.height == 0
    world.cut.clear()
    for seat, records in old.items():
        restored(world, seat, records)
    finish(world, rounds=60)
    assert all(ledger.suspect is None for ledger in world.ledgers.values())
    assert world.log(1)[-1] == "close"
    assert len(world.tips()) == 1
    assert not world.accused()


@pytest.mark.parametrize(
    ("over", "rank", "goes_on"),
    [("nothing", 0, True), ("it", 0, True), ("it", 2, False), ("another", 0, False)],
)
def test_a_node_that_can_only_keep_an_entry_goes_on_if_all_that_it_has_signed_allows_that(
    over: str, rank: int, goes_on: bool
) -> None:
    world = opened(SCRIPT)
    author, own, last = (Forger(world, seat) for seat in range(3))
    tip = world.ledgers[Seat(1)].tip
    proposal = author.proposal(tip, b"x")
    entry = proposal.content.id
    vote = own.vote(tip, 1, Keep(entry, 0))
    parent = {"nothing": tip.id, "it": entry, "another": UNKNOWN}[over]
    height = Height(1 if over == "nothing" else 2)
    sealed = entry if over == "nothing" else UNKNOWN
    signed = own.signed(Seal(tip.table, height, parent, sealed, rank, Seat(1), b""))
    world.take(Seat(1), world.ledgers[Seat(1)].recall())
    author.tell(Memory(tip.table, Seat(0), Height(1), entry, (voted(vote), Sealed(signed))), 1)
    if over != "nothing":
        known = Sealed(own.seal(tip, entry))
        author.tell(Memory(tip.table, Seat(0), Height(1), entry, (known,)), 1)
    author.tell(proposal, 1)
    author.tell(own.seal(tip, entry), 1)
    last.tell(last.seal(tip, entry), 1)
    assert world.ledgers[Seat(1)].tip.height == 0
    assert entry in world.ledgers[Seat(1)].desk.results
    last.tell(Memory(tip.table, Seat(2), Height(0), tip.id, ()), 1)
    assert (world.ledgers[Seat(1)].suspect is None) == goes_on
    world.pass_time(400, [Seat(1)])
    cast = [(one.round, one.choice) for one in world.ledgers[Seat(1)].own.votes[1]]
    kept = Keep(entry, 0)
    assert cast == ([(1, kept), (2, kept)] if goes_on else [(1, kept)])
    assert not world.accused()


def voted_to(world: World, sender: int, to: int) -> list[Vote]:
    return [one.vote for one in on_the_way(world, sender, to) if isinstance(one, Voted)]


def test_what_it_adopted_is_read_again_without_what_that_rests_on() -> None:
    world = opened(SCRIPT)
    author, own = Forger(world, 0), Forger(world, 1)
    tip = world.ledgers[Seat(1)].tip
    entry = author.proposal(tip, b"x").content.id
    vote = own.vote(tip, 1, Keep(entry, 0))
    world.take(Seat(1), world.ledgers[Seat(1)].recall())
    author.tell(Memory(tip.table, Seat(0), Height(1), entry, (voted(vote),)), 1)
    world.crash(Seat(1))
    assert world.ledgers[Seat(1)].own.votes == {1: (vote,)}


def test_a_node_that_has_signed_higher_waits_until_it_is_there_again() -> None:
    world = opened(SCRIPT)
    old = list(world.journals[Seat(1)])
    world.settle()
    world.act()
    world.settle()
    world.act()
    restored(world, 1, old)
    ledger = world.ledgers[Seat(1)]
    one = Forger(world, 1)
    high = one.seal(world.ledgers[Seat(0)].tip, bytes(32))
    for seat in (0, 2):
        told = Memory(high.table, Seat(seat), Height(0), high.parent, (Sealed(high),))
        world.take(Seat(1), world.ledgers[Seat(1)].receive(told, Seat(seat)))
    assert world.ledgers[Seat(1)].suspect is not None
    assert ledger.tip.height == 0


@pytest.mark.parametrize("what", ["table", "seat", "sender", "stranger"])
def test_a_memory_that_does_not_fit_is_dropped(what: str) -> None:
    world = opened(SCRIPT)
    restored(world, 1, list(world.journals[Seat(1)]))
    tip = world.ledgers[Seat(0)].tip
    table = b"\x01" * 32 if what == "table" else tip.table
    seat = Seat(9) if what == "seat" else Seat(2)
    other = Forger(world, 0)
    messages = (Sealed(other.seal(tip, bytes(32))),) if what == "stranger" else ()
    memory = Memory(type(tip.table)(table), seat, Height(0), tip.id, messages)
    sender = Seat(0) if what == "sender" else None
    world.take(Seat(1), world.ledgers[Seat(1)].receive(memory, sender))
    assert world.ledgers[Seat(1)].suspect == {}
    assert len(events(world, Dropped, 1)) == 1


def test_a_memory_nobody_asked_for_is_passed_over() -> None:
    world = opened(SCRIPT)
    tip = world.ledgers[Seat(0)].tip
    before: Ledger = world.ledgers[Seat(1)]
    memory = Memory(tip.table, Seat(2), Height(9), tip.id, ())
    world.take(Seat(1), before.receive(memory, Seat(2)))
    assert world.ledgers[Seat(1)].suspect is None


def test_a_memory_brings_back_what_is_kept_aside() -> None:
    world = opened(SCRIPT)
    old = list(world.journals[Seat(1)])
    one = Forger(world, 1)
    tip = world.ledgers[Seat(0)].tip
    away = one.signed(Seal(tip.table, Height(2), UNKNOWN, tip.id, 0, Seat(1), b""))
    one.tell(away, 0)
    assert world.ledgers[Seat(0)].ahead
    restored(world, 1, old)
    world.settle()
    assert world.ledgers[Seat(1)].own.seals[UNKNOWN] == away
    assert world.ledgers[Seat(1)].suspect is not None


def test_a_memory_brings_back_refusals() -> None:
    world = opened(SCRIPT, 4)
    old = list(world.journals[Seat(1)])
    byzantine = Forger(world, 0)
    world.gone |= {Seat(0), Seat(3)}
    byzantine.tell(byzantine.bad_proposal(world.ledgers[Seat(1)].tip, b"bad"), 1)
    world.settle()
    signed = world.ledgers[Seat(1)].own.refusals
    restored(world, 1, old)
    world.settle()
    assert signed
    assert world.ledgers[Seat(1)].own.refusals == signed


def test_a_memory_brings_back_the_leave() -> None:
    world = opened(SCRIPT)
    old = list(world.journals[Seat(1)])
    world.take(Seat(1), world.ledgers[Seat(1)].leave())
    world.settle()
    restored(world, 1, old)
    world.settle()
    assert world.ledgers[Seat(1)].own.leave is not None


def test_a_reader_answers_no_recall() -> None:
    world = opened(SCRIPT)
    reader, _ = recover(world.fixed(None), world.start, world.journals[Seat(0)])
    after, ready = reader.receive(Recall(world.charter.table, Seat(1)), Seat(1))
    assert not ready.send
    assert after.tip is reader.tip
    assert not [m for m in ready.send if isinstance(m.message, Status | Contributed)]
