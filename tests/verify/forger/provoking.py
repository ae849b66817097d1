"""What a dishonest seat tells honest ones, each perhaps another thing, and what they answer.

The tables are real ones, at the end of a history. What they sign from then on is theirs, so
whatever is made of it must not be held against them.
"""

from __future__ import annotations

from typing import TypeAlias

from nodealer.kernel import Height, Seat
from nodealer.ledger import (
    AskAction,
    AskSeal,
    AuthoredStep,
    ChainEntry,
    Content,
    Contribution,
    LedgerMessage,
    Ready,
    Seal,
    Vote,
)
from nodealer.ledger.messages import Contributed, Proposal
from nodealer.ledger.objects import Evict, Signed
from nodealer.table import Table
from nodealer.verify import read_transcript, transcript_of
from tests.verify.forger.forgery import Hand, Nothing
from tests.verify.forger.opening import message_of
from tests.verify.forger.signing import any_refusal, anything, made_otherwise

Queue: TypeAlias = list[tuple[Seat, LedgerMessage]]
"""What is under way, and to whom."""


def provoke(hand: Hand) -> None:
    """Tell honest seats things, each perhaps another one, and take what they answer.

    Beside its lies the dishonest seat has a table that keeps to the rules, so that the game goes
    on. The file is then one that one of the others would write.
    """
    assert hand.key is not None, "a stranger is not listened to"
    hand.tables = hand.tables or dict(hand.history.tables)
    others = [seat for seat in hand.tables if seat != hand.key]
    doings = (come_together, pass_time, take_turns, *[tell_something] * 5)
    for _ in range(hand.between(1, 5)):
        try:
            hand.one(doings)(hand)
        except Nothing:
            continue
    writer = hand.tables[hand.one(others)]
    hand.file = read_transcript(transcript_of(writer.ledger))


def tell_something(hand: Hand) -> None:
    """Tell some of the others something, near the tip of one of them."""
    others = [seat for seat in hand.tables if seat != hand.key]
    message = near_message(hand, hand.tables[hand.one(others)].ledger.tip)
    to = [seat for seat in others if hand.happens(70)]
    exchange(hand, [(seat, message) for seat in to])
    hand.tell("told", *to, type(message).__name__)


def come_together(hand: Hand) -> None:
    """Let every seat tell where it stands, so that each is sent what it lacks."""
    queue: Queue = []
    for seat in tuple(hand.tables):
        _take(hand, seat, hand.tables[seat].tell(), queue)
    exchange(hand, queue)
    hand.tell("came together")


def take_turns(hand: Hand) -> None:
    """Let those act that are asked to."""
    for seat in tuple(hand.tables):
        table, queue = hand.tables[seat], list[tuple[Seat, LedgerMessage]]()
        asked = [ask for ask in table.ledger.asked if ask.parent == table.ledger.tip.id]
        is_again = any(isinstance(ask, AskAction) and ask.again for ask in asked)
        if asked and not is_again and not isinstance(asked[0], AskSeal):
            _take(hand, seat, table.act(hand.one(table.legal())), queue)
            exchange(hand, queue)
            hand.tell("seat", seat, "acted")


def near_message(hand: Hand, tip: ChainEntry) -> LedgerMessage:
    """Return a message of the dishonest seat over a tip, where honest seats may answer it."""
    assert hand.key is not None, "a stranger signs nothing"
    if tip.owed_by(hand.key) and hand.happens(70):
        return Contributed(contribution_over(hand, tip, hand.key))
    if hand.happens(30):
        return proposal_over(hand, tip, hand.key)
    table, height = tip.table, Height(tip.height + 1)
    signed: Signed
    match hand.below(4):
        case 0:
            signed = hand.sign(any_refusal(hand), height=height, parent=tip.id)
        case 1:
            choice = Evict(tuple(sorted(hand.some(tip.roster, 2))))
            number = hand.between(0, 3)
            vote = Vote(table, height, tip.id, tip.rank, number, choice, hand.key, b"")
            signed = hand.sign(vote)
        case 2:
            entry = hand.one(hand.pieces.contents).id
            signed = hand.sign(Seal(table, height, tip.id, entry, tip.rank, hand.key, b""))
        case _:
            signed = anything(hand)
    return message_of(hand, signed)


def contribution_over(hand: Hand, tip: ChainEntry, seat: Seat) -> Contribution:
    """Return a contribution of what is owed, a good one or not."""
    known = [one for one in hand.pieces.contributions if one.parent == tip.id]
    before = tip.predecessors(seat)
    on = tuple(hand.one([one.id for one in known if one.seat == other]) for other in before)
    blank = tuple((part.label, b"") for part in tip.owed_by(seat))
    one = Contribution(tip.table, Height(tip.height + 1), tip.id, seat, blank, on, b"")
    good = made_otherwise(hand, one)
    if good is not None and hand.happens(70):
        return good
    label, payload = (good or one).payloads[0]
    bent = ((label, payload[:-1] + b"x"), *(good or one).payloads[1:])
    return hand.sign(one, payloads=bent, on=on if hand.happens(70) else ())


def proposal_over(hand: Hand, tip: ChainEntry, seat: Seat) -> Proposal:
    """Return a proposal of an action that somebody has done elsewhere."""
    steps = [one.step for one in hand.pieces.contents]
    action = hand.one([step.action for step in steps if isinstance(step, AuthoredStep)])
    height = Height(tip.height + 1)
    state = hand.one(hand.pieces.contents).state
    content = Content(tip.table, height, tip.id, AuthoredStep(seat, action), (), state)
    seal = Seal(tip.table, height, tip.id, content.id, tip.rank, seat, b"")
    return Proposal(content, hand.sign(seal))


def exchange(hand: Hand, queue: Queue) -> None:
    """Deliver messages to seats, and what these answer to each other."""
    for _ in range(300):
        if not queue:
            return
        to, message = queue.pop(0)
        _take(hand, to, hand.tables[to].receive(message), queue)


def _take(hand: Hand, seat: Seat, done: tuple[Table, Ready], queue: Queue) -> None:
    hand.tables[seat], ready = done
    hand.provoked.extend(ready.persist)
    for out in ready.send:
        hand.provoked.append(out.message)
        others = [other for other in hand.tables if other != seat and out.to in (None, other)]
        if seat != hand.key or hand.happens(80):
            queue.extend((other, out.message) for other in others)


def pass_time(hand: Hand) -> None:
    """Let seats lose patience."""
    now = max(table.ledger.now for table in hand.tables.values())
    for step in range(1, 4):
        queue: Queue = []
        for seat in tuple(hand.tables):
            _take(hand, seat, hand.tables[seat].tick(now + step * 200_000), queue)
        exchange(hand, queue)
    hand.tell("time passed")
