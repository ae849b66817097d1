"""Small duties that no story comes by: readers, journals that are damaged, words that lack."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import EntryId, Height, LocalError, PeerError, Seat, TableId
from nodealer.ledger import (
    Certificate,
    Entry,
    Evidence,
    Founded,
    Ledger,
    LedgerMessage,
    Part,
    Signatures,
    found,
    judge,
    recover,
    resent,
    write,
)
from nodealer.ledger.chain import eviction
from nodealer.ledger.codec import read
from nodealer.ledger.desk import Desk
from nodealer.ledger.draft import Draft
from nodealer.ledger.evidence import after_leave, between
from nodealer.ledger.forms import either, row
from nodealer.ledger.messages import Left, Recall, Sealed, Status, Voted
from nodealer.ledger.objects import Clock, Evict, Keep, Vote
from nodealer.ledger.signers import REMEMBERED_EACH
from nodealer.ledger.voting import entry_of
from nodealer.wire import uint
from tests.ledger.forge import Forger, voted, wrapped
from tests.ledger.telling import cut_off, events, opened
from tests.ledger.world import World, charter_of, seats

SCRIPT = ("turn", "due", "turn", "close")
UNKNOWN = EntryId(b"\x0b" * 32)


def propose(ledger: Ledger) -> object:
    return ledger.propose(b"bad")


# A reader has no seat: it follows and signs nothing.


def test_a_reader_follows_and_signs_nothing() -> None:
    world = opened(SCRIPT)
    heard: list[LedgerMessage] = []
    world.watch = lambda _, message, to: heard.append(message) if to == Seat(1) else None
    world.play()
    reader, ready = found(world.fixed(None), world.start)
    assert not ready.persist
    for message in [*world.journals[Seat(0)], *heard]:
        reader, ready = reader.receive(message, Seat(0))
        assert not ready.send
    assert reader.tip.id == world.ledgers[Seat(0)].tip.id
    assert reader.reading().waits == ()
    for act in (propose, Ledger.leave, Ledger.recall):
        with pytest.raises(LocalError, match="local/may-not-sign"):
            act(reader)
    assert not reader.tell()[1].send
    assert not reader.tick(10_000)[1].send


def test_a_reader_hears_rounds_as_far_as_they_come() -> None:
    world = opened(SCRIPT)
    reader, _ = found(world.fixed(None), world.start)
    for message in world.journals[Seat(0)]:
        reader, _ = reader.receive(message)
    forger, tip = Forger(world, 0), world.ledgers[Seat(0)].tip
    for number in (60, 120, 180):
        reader, _ = reader.receive(voted(forger.vote(tip, number, Evict((Seat(1),)))))
    assert sorted(reader.desk.votes) == [60, 120, 180]


# What this seat asks for wrongly.


@pytest.mark.parametrize("payloads", [[], [b"x", b"y"]])
def test_a_contribution_has_a_payload_for_every_part(payloads: list[bytes]) -> None:
    world = opened(("due", "close"))
    with pytest.raises(LocalError, match="local/may-not-sign"):
        world.ledgers[Seat(0)].contribute(payloads)


def test_nothing_is_contributed_where_nothing_is_owed_or_the_one_before_lacks() -> None:
    with pytest.raises(LocalError, match="local/may-not-sign"):
        opened(SCRIPT).ledgers[Seat(0)].contribute([b"x"])
    with pytest.raises(LocalError, match="local/may-not-sign"):
        opened(("chain", "close")).ledgers[Seat(1)].contribute([b"x"])


def test_what_replay_refuses_is_not_signed() -> None:
    with pytest.raises(LocalError, match="commit/mismatch"):
        propose(opened(("turn", "close")).ledgers[Seat(0)])
    with pytest.raises(LocalError, match="commit/mismatch"):
        opened(("due", "close")).ledgers[Seat(0)].contribute([b"bad"])


def test_what_is_no_message_cannot_be_written() -> None:
    with pytest.raises(LocalError, match="local/argument"):
        write("nothing")


def test_a_second_recall_asks_again() -> None:
    world = opened(SCRIPT)
    for _ in range(2):
        ledger, ready = world.ledgers[Seat(1)].recall()
        world.ledgers[Seat(1)] = ledger
        assert [m for m in ready.send if isinstance(m.message, Recall)]


# Journals.


def restart(world: World, records: list[LedgerMessage]) -> None:
    recover(world.fixed(Seat(0)), world.start, records)


def test_a_damaged_journal_is_noticed() -> None:
    world = opened(SCRIPT)
    vote = Forger(world, 1).vote(world.ledgers[Seat(0)].tip, 1, Keep(UNKNOWN, 0))
    without_grounds = [*world.journals[Seat(0)], voted(vote)]
    world.play()
    whole = world.journals[Seat(0)]
    entries = [place for place, one in enumerate(whole) if hasattr(one, "certificate")]
    without_one = [one for place, one in enumerate(whole) if place != entries[0]]
    seal = next(one for one in whole if isinstance(one, Sealed))
    forged = Sealed(replace(seal.seal, signature=bytes(64)))
    for damaged in (
        without_one,
        without_grounds,
        [forged, *whole[1:]],
        [*whole, Founded(world.charter)],
        [*whole, Recall(world.charter.table, Seat(0))],
    ):
        with pytest.raises(LocalError, match="local/journal"):
            restart(world, damaged)
    restart(world, whole)


def test_refusals_and_leaves_are_remembered() -> None:
    world = opened(SCRIPT, 4)
    world.gone |= {Seat(0), Seat(3)}
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    author.tell(author.bad_proposal(tip, b"bad"), 1)
    refusals = world.ledgers[Seat(1)].own.refusals
    world.journals[Seat(1)].append(Left(Forger(world, 2).leave(tip, 0)))
    world.crash(Seat(1))
    assert world.ledgers[Seat(1)].own.refusals == refusals
    assert world.ledgers[Seat(1)].own.leave is None


def test_before_the_table_is_open_the_own_seal_is_sent_again() -> None:
    world = World(3, SCRIPT)
    (sealed,) = resent(world.ledgers[Seat(0)])
    assert isinstance(sealed, Sealed)
    assert (sealed.seal.seat, sealed.seal.height) == (0, 0)
    world.settle()
    assert resent(world.ledgers[Seat(0)]) == ()


def test_before_the_table_is_open_who_is_ahead_is_asked() -> None:
    world = World(3, SCRIPT)
    held = [wire for wire in world.wires if wire[1] == Seat(2)]
    world.wires = [wire for wire in world.wires if wire[1] != Seat(2)]
    world.settle()
    assert not held[0][0]
    _, ready = world.ledgers[Seat(0)].tell()
    status = ready.send[0].message
    after, ready = world.ledgers[Seat(2)].receive(status, Seat(0))
    asked = [outgoing.to for outgoing in ready.send if isinstance(outgoing.message, Status)]
    assert asked == [Seat(0)]
    assert not after.tip.certificate.seals


# Refusals.


def test_no_refusal_is_signed_twice_or_by_who_is_out_or_for_what_is_past() -> None:
    world = opened(SCRIPT, 4)
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    other = Forger(world, 2)
    refusal = other.refusal(tip, bytes(UNKNOWN), "rules/illegal")
    away = other.signed(replace(refusal, height=Height(2), parent=UNKNOWN))
    other.tell(away, 1)
    assert any(kind.__name__ == "Refused" for kind, _, _ in world.ledgers[Seat(1)].ahead)
    world.answer(Seat(0))
    world.settle()
    author.tell(author.bad_proposal(tip, b"late"), 1)
    assert not world.ledgers[Seat(1)].own.refusals


# Answering below.


def test_votes_below_that_nobody_could_answer_are_passed_over() -> None:
    world = opened(("turn", "turn", "turn", "close"), 4)
    world.take(Seat(3), world.ledgers[Seat(3)].leave())
    world.settle()
    out = world.ledgers[Seat(1)].tip
    world.play()
    gone, other = Forger(world, 3), Forger(world, 2)
    before = len(events(world, Vote, 1))
    gone.tell(gone.vote(out, 1, Evict((Seat(0),))), 1)
    away = other.vote(out, 1, Evict((Seat(0),)))
    other.tell(other.signed(replace(away, base=UNKNOWN)), 1)
    assert len(events(world, Vote, 1)) == before


def test_the_answer_names_the_highest_result_that_is_known() -> None:
    world = opened(SCRIPT, 4)
    cut_off(world, 1)
    tip, author, asker = world.ledgers[Seat(1)].tip, Forger(world, 0), Forger(world, 3)
    proposal = author.proposal(tip, b"x")
    author.tell(proposal, 1)
    for seat in (2, 3):
        sealer = Forger(world, seat)
        sealer.tell(sealer.seal(tip, proposal.content.id), 1)
    ledger = replace(world.ledgers[Seat(1)], placed={})
    asks = asker.vote(tip, 5, Evict((Seat(2),)))
    ledger, _ = ledger.receive(voted(asks), Seat(3))
    entry = Keep(proposal.content.id, 0)
    for seat in (0, 2, 3):
        vote = Forger(world, seat).vote(tip, 2, entry)
        ledger, _ = ledger.receive(Voted(vote), Seat(seat))
    assert 2 in ledger.past.results[proposal.content.id]
    ledger = replace(ledger, placed={})
    ledger, _ = ledger.receive(voted(asker.vote(tip, 6, Evict((Seat(2),)))), Seat(3))
    assert ledger.own.votes[1][-1].choice in (Keep(proposal.content.id, 2), entry)


# Signatures and words.


def test_only_so_many_good_signatures_are_remembered() -> None:
    world = opened(("turn", "close"), 2)
    checker, key = Signatures(world.charter.keys), world.keys[0]
    signature = key.sign("nodealer/1/seal", b"")
    for _ in range(2):
        checker.check(Seat(0), "nodealer/1/seal", b"", signature)
    checker._good = dict.fromkeys(
        (Seat(0), "other", number, b"") for number in range(2 * REMEMBERED_EACH)
    )
    checker.check(Seat(0), "nodealer/1/seal", b"", signature)
    assert len(checker._good) == 2 * REMEMBERED_EACH


def test_a_refusal_contradicts_nothing_by_itself() -> None:
    world = opened(SCRIPT)
    forger, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    refusal, leave = forger.refusal(tip, UNKNOWN, "rules/illegal"), forger.leave(tip, 0)
    assert after_leave(leave, refusal) is None
    assert between(refusal, refusal, ()) is None
    seal = forger.seal(tip, UNKNOWN)
    assert between(seal, refusal, ()) is None
    checker = Signatures(world.charter.keys)
    with pytest.raises(PeerError, match="ledger/evidence"):
        judge(Evidence("E5", Seat(0), (leave,)), checker, lambda _: "rules/illegal")
    with pytest.raises(PeerError, match="ledger/evidence"):
        judge(Evidence("E5", Seat(0), (seal,)), checker, lambda _: "rules/illegal")


def test_words_and_rows_of_another_form_are_refused() -> None:
    clock = row(Clock, *((name, uint()) for name in ("act", "answer", "rejoin", "longest")))
    forms = either(clock=(Clock, clock))
    assert forms.dump(Clock(1, 2, 3, 4)) == ("clock", 1, 2, 3, 4)
    for value in (1, (), (1,), ("other", 1), ("clock", 1), ("clock", 1, 2, 3, 4, 5)):
        with pytest.raises(PeerError, match="encoding/shape"):
            forms.load(value)
    with pytest.raises(LocalError, match="local/argument"):
        forms.dump("a clock")


def test_a_desk_without_contributions_has_no_whole_set() -> None:
    world = opened(("due", "close"))
    assert Desk().whole_set(world.ledgers[Seat(0)].tip) is None


def test_charters_of_other_terms_are_other_tables() -> None:
    assert charter_of(3).table != charter_of(3, b"other").table != charter_of(4).table
    message = Founded(charter_of(3))
    assert read(write(message)) == message


# What lies in a message beside what it says.


def test_certificates_of_heights_further_down_are_read_as_well() -> None:
    world = opened(("turn", "turn", "turn", "turn", "close"))
    for _ in range(3):
        world.act()
        world.settle()
    ledger, forger = replace(world.ledgers[Seat(1)], certificates={}), Forger(world, 0)
    tip = ledger.tip
    assert tip.below is not None
    assert tip.below.below is not None
    far = tip.below.below.certificate
    after, ready = ledger.receive(Sealed(forger.seal(tip, UNKNOWN), (far,)), Seat(0))
    assert not ready.show
    assert (far.entry, 0) in after.certificates


def test_an_entry_of_another_table_is_no_entry_of_this_one() -> None:
    world = opened(SCRIPT)
    forger, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    content = replace(forger.proposal(tip, b"x").content, table=TableId(bytes(UNKNOWN)))
    certificate = Certificate(content.id, 0, seals=(forger.seal(tip, content.id),))
    after, _ = world.ledgers[Seat(1)].receive(Entry(content, (), certificate), Seat(0))
    assert after.counts == {"ledger/other-table": 1}


def test_what_was_kept_aside_may_prove_bad_where_it_belongs() -> None:
    world = opened(("turn", "turn", "close"))
    cut_off(world, 2)
    tip = world.ledgers[Seat(2)].tip
    proposal = Forger(world, 0).proposal(tip, b"x")
    forger = Forger(world, 0)
    early = replace(forger.seal(tip, UNKNOWN), height=Height(2), parent=proposal.content.id, rank=3)
    forger.tell(forger.signed(early), 2)
    assert world.ledgers[Seat(2)].ahead
    forger.tell(proposal, 2)
    other = Forger(world, 1)
    other.tell(other.seal(tip, proposal.content.id), 2)
    ledger = world.ledgers[Seat(2)]
    assert ledger.tip.id == proposal.content.id
    assert not ledger.ahead
    assert ledger.counts == {"ledger/rank-not-backed": 1}


def test_a_suspect_answers_nobody_with_keep() -> None:
    world = opened(SCRIPT)
    asker, tip = Forger(world, 2), world.ledgers[Seat(1)].tip
    world.answer(Seat(0))
    world.settle()
    world.take(Seat(1), world.ledgers[Seat(1)].recall())
    ledger = replace(world.ledgers[Seat(1)], placed={})
    after, ready = ledger.receive(voted(asker.vote(tip, 1, Evict((Seat(0),)))), Seat(2))
    assert not ready.persist
    assert after.own.votes == {}


def test_an_entry_that_is_not_at_hand_with_that_rank_is_not_shown() -> None:
    world = opened(SCRIPT)
    world.answer(Seat(0))
    world.settle()
    draft = Draft(world.ledgers[Seat(1)])
    below = draft.tip.below
    assert below is not None
    assert entry_of(draft, below, draft.tip.id, 0) is not None
    assert entry_of(draft, below, draft.tip.id, 5) is None
    assert entry_of(draft, below, UNKNOWN, 0) is None


def test_chains_that_do_not_agree_make_no_whole_set() -> None:
    link = opened(("chain", "close")).ledgers[Seat(0)].tip
    world = opened(("chain", "close"))
    parts = (
        Part(link.parts[0].label, "chain", seats(3), binding=False, chained=True),
        Part(b"two", "chain", (Seat(0), Seat(2)), binding=False, chained=True),
    )
    two = replace(link, parts=parts)
    one, other = (Forger(world, 0).contribution(two, data) for data in (b"x", b"y"))
    middle = Forger(world, 1).contribution(two, b"x", [other.id])
    last = Forger(world, 2).contribution(two, b"x", [one.id, middle.id])
    desk = Desk()
    for each in (one, other, middle, last):
        desk.file_contribution(each)
    desk.judged = frozenset(desk.contributions)
    assert desk.whole_set(two) is None


def test_a_due_step_is_settled_beside_an_eviction_that_may_not_be_taken() -> None:
    world = opened(("due", "close"), 4)
    cut_off(world, 1)
    forger, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    others = [Forger(world, seat).contribution(tip, b"x") for seat in (0, 2, 3)]
    for one in others[1:]:
        forger.tell(one, 1)
    forger.tell(forger.vote(tip, 5, Evict((Seat(3),))), 1)
    world.pass_time(4000, [Seat(1)])
    assert world.ledgers[Seat(1)].own.last_round(1) == 5
    content = eviction(tip, 1, (Seat(1),)).content
    votes = tuple(Forger(world, seat).vote(tip, 1, Evict((Seat(1),))) for seat in (0, 2, 3))
    ledger, _ = world.ledgers[Seat(1)].receive(
        Entry(content, (), Certificate(content.id, 1, votes=votes))
    )
    assert ledger.tip is tip
    ledger, _ = ledger.receive(wrapped(others[0]))
    ledger, _ = ledger.contribute([b"x"])
    assert len(ledger.desk.followed) == 2
    assert tip.id in ledger.own.seals
