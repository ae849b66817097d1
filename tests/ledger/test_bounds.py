"""What one message of a peer can cause is bounded: in bytes, in answers, and in what is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import EntryId, LocalError, PeerError, Seat, Value, encode
from nodealer.ledger import Contribution, LedgerMessage, Signatures, read, write
from nodealer.ledger.answers import (
    ANSWERS_MAX,
    BURDENS_MAX,
    MEETINGS_EVERY,
    MEETINGS_MAX,
    WHOLE_MAX,
)
from nodealer.ledger.codec import MEMORIES_MAX, RECENT_MAX, SIGNED_BYTES_MAX
from nodealer.ledger.desk import ROUNDS_MAX
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import Contributed, Entry, Memory, Recall, Refused, Voted
from nodealer.ledger.objects import Certificate, Evict
from nodealer.ledger.signers import check_signed
from nodealer.ledger.voting import grounds_of
from tests.ledger.forge import Forger, codes, voted
from tests.ledger.telling import opened
from tests.ledger.world import World

SCRIPT = ("turn", "due", "turn", "close")


def longest(world: World, seat: int, mark: bytes) -> Contribution:
    """Return the longest contribution that a seat can sign."""
    data = mark.ljust(SIGNED_BYTES_MAX, b".")
    return Forger(world, seat).contribution(world.ledgers[Seat(1)].tip, data)


@pytest.mark.parametrize("parts", [1, 2])
def test_what_is_longer_than_anybody_has_to_sign_is_not_read(parts: int) -> None:
    world = opened(("due", "close"), 4)
    one = longest(world, 0, b"long")
    assert read(write(Contributed(one))) == Contributed(one)
    (label, data) = one.payloads[0]
    payloads = ((label, data + b"."), (label, b""))[:1] if parts == 1 else ((label, data),) * 2
    fields: Value = (one.table, one.height, one.parent, one.seat, payloads, (), one.signature)
    with pytest.raises(PeerError, match="encoding/shape"):
        read(encode((1, "ledger/contributed", fields)))
    place = (one.table, one.height, one.parent, one.seat)
    with pytest.raises(LocalError):
        write(Contributed(Contribution(*place, payloads, (), one.signature)))


def test_the_bytes_of_a_few_short_messages_are_remembered() -> None:
    world = opened(("due", "close"), 4)
    recall = Recall(world.charter.table, Seat(0))
    data = write(recall)
    others = [Recall(world.charter.table, Seat(1)) for _ in range(RECENT_MAX)]
    assert write(recall) is data
    for other in others:
        write(other)
    again = write(recall)
    assert again == data
    assert again is not data
    long = Contributed(longest(world, 0, b"long"))
    assert write(long) == write(long)
    assert write(long) is not write(long)


def test_two_stories_as_long_as_can_be_still_make_evidence_that_can_be_shown() -> None:
    world = opened(("due", "close"), 4)
    teller = Forger(world, 0)
    teller.tell(longest(world, 0, b"one"))
    teller.tell(longest(world, 0, b"two"))
    world.gone.add(Seat(0))
    world.play()
    assert codes(world, 1) == {Seat(0): "E1"}
    assert world.log(1)[-1] == "close"


def test_no_more_grounds_lie_beside_a_vote_than_a_message_holds() -> None:
    world = opened(("due", "close"), 10)
    for seat in range(1, 10):
        Forger(world, seat).tell(longest(world, seat, b"one"), 0)
        Forger(world, seat).tell(longest(world, seat, b"two"), 0)
    ledger = world.ledgers[Seat(0)]
    assert len(ledger.proven) == 9
    others = Evict(tuple(Seat(seat) for seat in range(1, 10)))
    grounds = grounds_of(Draft(ledger), others)
    assert 0 < len(grounds) < 9
    message: LedgerMessage = Voted(Forger(world, 0).vote(ledger.tip, 1, others), grounds)
    assert read(write(message)) == message


def test_whoever_names_all_there_is_makes_no_refusal_too_long_to_be_sent() -> None:
    world = opened(("due", "close"), 10)
    for seat in range(8):
        world.answer(Seat(seat))
    world.settle()
    one, other = Forger(world, 8), Forger(world, 9)
    link = world.ledgers[Seat(0)].tip
    named = [one.contribution(link, b"1"), one.contribution(link, b"2")]
    named.append(other.contribution(link, b"1"))
    for contribution in named:
        one.tell(contribution, *range(8))
    honest = [c.id for c in world.ledgers[Seat(0)].desk.contributions.values()]
    last = other.contribution(link, b"2", honest)
    assert len(last.on) == 11
    other.tell(last, *range(8))
    sent = [read(data) for _, _, data in world.wires]
    assert any(isinstance(m, Refused) and m.refusal.refused == last.id for m in sent)
    assert world.accused() == {Seat(8), Seat(9)}


def test_a_memory_holds_the_latest_votes_if_there_are_more_than_it_can_hold() -> None:
    world = opened(SCRIPT, 4)
    base = world.ledgers[Seat(3)].tip
    world.answer(Seat(0))
    world.settle()
    asker = Forger(world, 3)
    last = MEMORIES_MAX + ROUNDS_MAX
    for number in range(1, last):
        asker.tell(asker.vote(base, number, Evict((Seat(0),))), 1)
    held = world.ledgers[Seat(1)].past.votes
    assert sum(Seat(3) in votes for votes in held.values()) <= last
    _, ready = world.ledgers[Seat(1)].receive(Recall(world.charter.table, Seat(3)), Seat(3))
    (memory,) = [out.message for out in ready.send if isinstance(out.message, Memory)]
    assert read(write(memory)) == memory


def test_whoever_asks_again_and_again_is_answered_only_so_often() -> None:
    world = opened(SCRIPT, 4)
    base = world.ledgers[Seat(3)].tip
    world.answer(Seat(0))
    world.settle()
    asker = Forger(world, 3)
    last = ANSWERS_MAX + MEETINGS_MAX * MEETINGS_EVERY
    for number in range(1, last + ROUNDS_MAX):
        asker.tell(asker.vote(base, number, Evict((Seat(0),))), 1)
    rounds = [vote.round for vote in world.ledgers[Seat(1)].own.votes[1]]
    assert rounds[:ANSWERS_MAX] == list(range(1, ANSWERS_MAX + 1))
    meetings = range(ANSWERS_MAX + MEETINGS_EVERY, last + 1, MEETINGS_EVERY)
    assert rounds[ANSWERS_MAX:] == list(meetings)
    assert len(meetings) == MEETINGS_MAX
    # What one seat has used up is nothing to another that is behind.
    other = Forger(world, 2)
    other.tell(other.vote(base, last + 1, Evict((Seat(0),))), 1)
    assert len(world.ledgers[Seat(1)].own.votes[1]) == len(rounds) + 1


def test_what_lies_beside_votes_that_are_kept_aside_takes_little_room() -> None:
    """A vote over an entry not known here is kept, but not all that was sent with it."""
    world = opened(SCRIPT, 4)
    behind = world.ledgers[Seat(3)]
    world.answer(Seat(0))
    world.settle()
    ahead, teller = world.ledgers[Seat(1)].tip, Forger(world, 2)
    leave = Forger(world, 0).leave(ahead, 1)
    for number in range(1, 2 * BURDENS_MAX + 1):
        vote = teller.vote(ahead, number, Evict((Seat(0),)))
        behind, _ = behind.receive(voted(vote, leave), Seat(2))
    kept = [one for messages in behind.ahead.values() for one in messages]
    assert sum(isinstance(one, Voted) and one.grounds == (leave,) for one in kept) == BURDENS_MAX
    assert len(kept) == 2 * BURDENS_MAX


def test_entries_that_are_kept_aside_take_little_room() -> None:
    """One vote of a liar makes as long an entry as it likes, over something that nobody knows."""
    world = opened(SCRIPT, 4)
    behind, liar = world.ledgers[Seat(3)], Forger(world, 2)
    tip, nowhere = behind.tip, EntryId(bytes(32))
    given = liar.contribution(tip, b"", [bytes(32)] * 8)
    for number in range(1, 2 * WHOLE_MAX):
        vote = liar.signed(replace(liar.vote(tip, number, Evict((Seat(0),))), base=nowhere))
        for action in (b"one", b"two"):
            content = replace(liar.content(tip, action), parent=nowhere)
            certificate = Certificate(content.id, number, votes=(vote,))
            behind, _ = behind.receive(Entry(content, (given,), certificate), Seat(2))
    kept = [one for messages in behind.ahead.values() for one in messages]
    assert len(kept) == WHOLE_MAX
    assert all(isinstance(one, Entry) for one in kept)


def test_the_memory_of_good_signatures_holds_nothing_long() -> None:
    world = opened(("due", "close"), 4)
    checker, one = Signatures(world.charter.keys), longest(world, 0, b"long")
    for _ in range(2):
        check_signed(checker, one)
    assert len(repr(checker._good)) < 1000
    with pytest.raises(PeerError, match="signature"):
        check_signed(checker, replace(one, signature=bytes(64)))
