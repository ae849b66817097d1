"""Whatever a peer sends never raises: it is evidence, or dropped, counted and bounded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import EntryId, Height, LocalError, Seat
from nodealer.kernel.limits import MESSAGE_BYTES_MAX
from nodealer.ledger import (
    KINDS,
    Certificate,
    Entry,
    Founded,
    Ledger,
    LedgerMessage,
    Ready,
    Vote,
    read,
    write,
)
from nodealer.ledger.chain import authored, eviction
from nodealer.ledger.desk import CONTENTS_MAX
from nodealer.ledger.messages import Proposal, Sealed
from nodealer.ledger.objects import Evict, Keep
from nodealer.ledger.ready import Dropped
from tests.ledger.forge import Forger, codes, voted, wrapped
from tests.ledger.telling import opened
from tests.ledger.toy import CRASH
from tests.ledger.world import World

UNKNOWN = EntryId(b"\x09" * 32)

SCRIPT = ("turn", "due", "chain", "bind", "turn", "close")


def told(world: World, message: LedgerMessage, seat: int = 1, sender: int | None = None) -> Ready:
    ledger, ready = world.ledgers[Seat(seat)].receive(
        message, None if sender is None else Seat(sender)
    )
    world.ledgers[Seat(seat)] = ledger
    return ready


def slug_of(ready: Ready) -> str | None:
    dropped = [event.slug for event in ready.show if isinstance(event, Dropped)]
    return dropped[0] if dropped else None


@given(st.binary(max_size=300))
def test_garbage_is_dropped_and_counted(data: bytes) -> None:
    world = opened(SCRIPT)
    before = world.ledgers[Seat(1)]
    ledger, ready = before.receive(data, Seat(0))
    assert ready.show
    assert sum(ledger.counts.values()) == 1
    assert (ledger.tip, ledger.desk) == (before.tip, before.desk)
    assert not ready.persist
    assert not ready.send


def test_what_is_too_long_is_dropped_before_it_is_read() -> None:
    world = opened(SCRIPT)
    ledger, _ = world.ledgers[Seat(1)].receive(bytes(MESSAGE_BYTES_MAX + 1), Seat(0))
    assert ledger.counts == {"encoding/oversized": 1}


def conversation() -> list[LedgerMessage]:
    """Return every kind of message of a game with a round, once each at least."""
    world = opened(SCRIPT)
    seen: list[LedgerMessage] = [Founded(world.charter)]
    world.watch = lambda _, message, __: seen.append(message)
    world.pass_time(50, [Seat(1)])
    world.play()
    world.gone.add(Seat(2))
    world.take(Seat(0), world.ledgers[Seat(0)].recall())
    world.settle()
    other = Forger(world, 2)
    tip = world.ledgers[Seat(0)].tip
    seen.append(voted(other.vote(tip, 1, Evict((Seat(0),))), other.leave(tip, 0)))
    seen.append(wrapped(other.refusal(tip, bytes(32), "rules/illegal")))
    return [*seen, wrapped(other.leave(tip, 3))]


MESSAGES = conversation()


def test_the_conversation_has_every_kind() -> None:
    heads = {write(message)[2:40].split(b"ledger/")[1] for message in MESSAGES}
    kinds = {kind.removeprefix("ledger/").encode() for kind in KINDS}
    assert all(any(head.startswith(kind) for head in heads) for kind in kinds)


@pytest.mark.parametrize("place", range(0, len(MESSAGES), 7))
def test_messages_are_the_same_after_writing_and_reading(place: int) -> None:
    data = write(MESSAGES[place])
    assert write(read(data)) == data


@given(st.data())
def test_a_message_with_one_byte_changed_never_raises(data: st.DataObject) -> None:
    message = data.draw(st.sampled_from(MESSAGES))
    raw = bytearray(write(message))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    for world in WORLDS:
        for seat in (Seat(0), Seat(1)):
            after, ready = world.ledgers[seat].receive(bytes(raw), Seat(2))
            assert not set(after.proven) - {Seat(2)}
            assert after.tip.height <= world.ledgers[seat].tip.height + 1
            assert ready is not None


def _worlds() -> list[World]:
    started, halfway, late = opened(SCRIPT), opened(SCRIPT), opened(SCRIPT)
    halfway.act()
    halfway.settle()
    halfway.act()
    late.play()
    return [started, halfway, late]


WORLDS = _worlds()


@given(st.lists(st.sampled_from(MESSAGES), max_size=25), st.integers(0, 2))
def test_any_messages_in_any_order_name_nobody_and_end_in_a_ledger(
    messages: list[LedgerMessage], where: int
) -> None:
    ledger: Ledger = WORLDS[where].ledgers[Seat(1)]
    for message in messages:
        ledger, _ = ledger.receive(message, None)
    assert not set(ledger.proven) - {Seat(2)}


def test_a_charter_or_another_tables_message_is_no_message_of_this_table() -> None:
    world, other = opened(SCRIPT), World(3, SCRIPT, terms=b"other")
    assert slug_of(told(world, Founded(world.charter))) == "encoding/kind"
    other.settle()
    stranger, tip = Forger(other, 0), other.ledgers[Seat(0)].tip
    for message in (
        stranger.proposal(tip, b"x"),
        Sealed(stranger.seal(tip, bytes(32))),
        voted(stranger.vote(tip, 1, Evict((Seat(1),)))),
    ):
        assert slug_of(told(world, message)) == "ledger/other-table"
    entry = Entry(
        authored(tip, Seat(0), b"x").content,
        (),
        Certificate(tip.id, 0, seals=(stranger.seal(tip, tip.id),)),
    )
    assert slug_of(told(world, entry)) == "ledger/certificate"


def test_a_forged_signature_costs_the_link_and_no_seat() -> None:
    world = opened(SCRIPT)
    forger, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    proposal = forger.proposal(tip, b"x")
    forged = Proposal(proposal.content, replace(proposal.seal, signature=bytes(64)))
    ready = told(world, forged, sender=2)
    assert ready.show == (Dropped("signature/bad", Seat(2)),)
    assert not codes(world, 1)
    assert not world.ledgers[Seat(1)].desk.contents


def test_a_proposal_must_be_sealed_by_its_author() -> None:
    world = opened(SCRIPT)
    author, other = Forger(world, 0), Forger(world, 2)
    tip = world.ledgers[Seat(1)].tip
    content = author.content(tip, b"x")
    for message in (
        Proposal(content, other.seal(tip, content.id)),
        Proposal(content, author.seal(tip, bytes(32))),
        Proposal(eviction(tip, 1, (Seat(2),)).content, author.seal(tip, content.id)),
    ):
        assert slug_of(told(world, message)) == "ledger/not-its-seal"


def test_an_author_fills_no_desk_with_proposals() -> None:
    world = opened(SCRIPT)
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    for number in range(2 * CONTENTS_MAX):
        told(world, author.proposal(tip, b"x%d" % number))
    assert len(world.ledgers[Seat(1)].desk.contents) == 2
    assert codes(world, 1) == {Seat(0): "E1"}


def test_a_giver_fills_no_desk_with_contributions_or_refusals() -> None:
    world = opened(("due", "close"))
    giver, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    for number in range(10):
        giver.tell(giver.contribution(tip, b"x%d" % number), 1)
        giver.tell(giver.refusal(tip, bytes([number]) * 32, "rules/illegal"), 1)
        giver.tell(giver.seal(tip, bytes([number]) * 32), 1)
        giver.tell(giver.vote(tip, 1, Evict((Seat(1 + number % 2),))), 1)
        giver.tell(giver.leave(tip, number), 1)
    desk = world.ledgers[Seat(1)].desk
    assert len(desk.contributions) == len(desk.refusals) == len(desk.seals) == 2
    assert [votes[Seat(0)].choice for votes in desk.votes.values() if Seat(0) in votes] == [
        Evict((Seat(1),))
    ]


@pytest.mark.parametrize("what", ["rank", "height", "roster"])
def test_a_seal_or_vote_that_does_not_fit_is_not_kept(what: str) -> None:
    world = opened(SCRIPT, 4)
    tip = world.ledgers[Seat(1)].tip
    forger = Forger(world, 0)
    expected = {
        "rank": "ledger/rank-not-backed",
        "height": "ledger/wrong-place",
        "roster": "ledger/not-in-roster",
    }[what]
    seal, vote = forger.seal(tip, bytes(32)), forger.vote(tip, 1, Evict((Seat(2),)))
    if what == "rank":
        seal, vote = forger.seal(tip, bytes(32), 1), forger.vote(tip, 1, Evict((Seat(2),)), 1)
    if what == "height":
        seal = forger.signed(replace(seal, height=Height(7)))
        vote = forger.signed(replace(vote, height=Height(7)))
    if what == "roster":
        world.take(Seat(0), world.ledgers[Seat(0)].leave())
        world.settle()
        tip = world.ledgers[Seat(1)].tip
        seal, vote = forger.seal(tip, bytes(32), 0), forger.vote(tip, 1, Evict((Seat(2),)), 0)
    assert slug_of(told(world, Sealed(seal))) == expected
    assert slug_of(told(world, voted(vote))) == expected


def test_a_keep_needs_the_entry_that_it_keeps() -> None:
    world = opened(SCRIPT)
    forger, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    vote: Vote = forger.vote(tip, 1, Keep(tip.id, 0))
    assert slug_of(told(world, voted(vote))) == "ledger/rank-not-backed"


def test_a_vote_that_breaks_the_rules_by_itself_is_evidence() -> None:
    for choice in (Evict(()), Evict((Seat(0),)), Keep(opened(SCRIPT).ledgers[Seat(1)].tip.id, 1)):
        world = opened(SCRIPT)
        forger, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
        forger.tell(forger.vote(tip, 1, choice), 1)
        assert codes(world, 1) == {Seat(0): "E5"}
        assert Seat(0) not in world.ledgers[Seat(1)].desk.votes.get(1, {})


@pytest.mark.parametrize(
    "what", ["empty", "other", "few", "mixed", "unordered", "round", "unknown", "grounds", "keep"]
)
def test_an_entry_needs_its_certificate(what: str) -> None:
    world = opened(SCRIPT, 4)
    tip = world.ledgers[Seat(3)].tip
    forgers = [Forger(world, seat) for seat in range(4)]
    content = authored(tip, Seat(0), b"x").content
    seals = tuple(forger.seal(tip, content.id) for forger in forgers)
    out = eviction(tip, 1, (Seat(1), Seat(2))).content
    pair = (Seat(1), Seat(2))
    votes = tuple(forgers[seat].vote(tip, 1, Evict(pair)) for seat in (0, 3))
    bad: dict[str, Entry] = {
        "empty": Entry(content, (), Certificate(content.id, 0)),
        "other": Entry(content, (), Certificate(out.id, 0, seals=seals)),
        "few": Entry(content, (), Certificate(content.id, 0, seals=seals[:3])),
        "mixed": Entry(content, (), Certificate(content.id, 0, seals=seals, votes=votes)),
        "unordered": Entry(out, (), Certificate(out.id, 1, votes=votes[::-1])),
        "round": Entry(out, (), Certificate(out.id, 2, votes=votes)),
        "unknown": Entry(out, (), Certificate(out.id, 0, seals=seals)),
        "grounds": Entry(out, (), Certificate(out.id, 1, votes=votes)),
        "keep": Entry(
            content,
            (),
            Certificate(
                content.id,
                1,
                votes=tuple(f.vote(tip, 1, Keep(content.id, 0)) for f in forgers[:3]),
            ),
        ),
    }
    assert slug_of(told(world, bad[what], 3)) == "ledger/certificate"
    assert world.ledgers[Seat(3)].tip is tip


def test_certificates_beside_a_message_must_be_followed() -> None:
    world = opened(SCRIPT, 4)
    tip = world.ledgers[Seat(3)].tip
    forger = Forger(world, 0)
    seal = forger.seal(tip, bytes(32))
    away = forger.signed(replace(seal, parent=UNKNOWN))
    vote = forger.vote(tip, 1, Evict(tuple(Seat(seat) for seat in range(4))))
    for certificate, slug in (
        (Certificate(tip.id, 1), "ledger/certificate"),
        (Certificate(tip.id, 1, seals=(away,)), "ledger/unknown-parent"),
        (Certificate(seal.entry, 1, seals=(seal,)), "ledger/certificate"),
        (Certificate(seal.entry, 1, votes=(vote,)), "ledger/certificate"),
    ):
        assert slug_of(told(world, Sealed(seal, (certificate,)), 3)) == slug


def test_an_unknown_seat_has_signed_nothing() -> None:
    world = opened(SCRIPT)
    forger, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    seal = forger.seal(tip, bytes(32))
    stranger = replace(seal, seat=Seat(9))
    assert slug_of(told(world, Sealed(stranger))) == "ledger/not-in-roster"
    away = replace(stranger, parent=UNKNOWN)
    assert slug_of(told(world, Sealed(away))) == "ledger/not-in-roster"


def test_time_that_goes_back_is_the_callers_error() -> None:
    world = opened(SCRIPT)
    with pytest.raises(LocalError, match="local/argument"):
        world.ledgers[Seat(0)].tick(-1)


def test_an_entry_without_its_certificate_is_not_even_replayed() -> None:
    world = opened(SCRIPT)
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    content = author.content(tip, CRASH)  # over which replay would raise
    alone = Certificate(content.id, 0, seals=(author.seal(tip, content.id),))
    assert slug_of(told(world, Entry(content, (), alone))) == "ledger/certificate"
