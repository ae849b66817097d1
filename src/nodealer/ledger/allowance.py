"""The allowance of who asks: bounded by work, and no question is forgotten.

A status or a recall costs whoever sends it a hundred bytes, and may be answered with 64 entries. So
each seat has an allowance, in units of a message of 1 KiB: what it is sent counts against that, and
time brings it back. While it is used up a question waits; of each kind the last one of each seat
does, because it says where the seat stands now and so asks for all that those before it lacked.
It is answered as soon as the allowance is there again, and `answers_at` says when that is.

So nobody who asks goes without: not who comes back after a long time, who is sent a whole window of
the link at once, and not who asks because the table is suspended, whose answers are a few messages.
Who asks all the time is sent 125 KiB a second, whatever it asks for, and no other seat has less.
"""

from __future__ import annotations

from typing import Final

from nodealer.kernel import Rate, Seat
from nodealer.ledger import catch_up
from nodealer.ledger.desk import put
from nodealer.ledger.draft import Draft, Question
from nodealer.ledger.messages import Contributed, Entry, LedgerMessage, Status, Voted
from nodealer.ledger.objects import Contribution
from nodealer.ledger.recall import answer_recall

UNIT_BYTES: Final = 1 << 10

ALLOWANCE: Final = Rate(at_once=4096, each=8)
"""At once 4 MiB, what a link takes before its other end has read any of it; then one unit each 8
ticks. The histories of most tables are shorter than what there is at once."""


def ask(draft: Draft, question: Question, sender: Seat | None) -> None:
    """Answer a question of a seat, now or when its allowance is there again."""
    draft.require_spoken_by(question.table, question.seat, sender)
    if _is_free(draft, question.seat):
        _answer(draft, question)
    else:
        draft.asking = put(draft.asking, (question.seat, type(question)), question)


def answer_late(draft: Draft) -> bool:
    """Answer what has waited for long enough, and say whether there was anything."""
    found = [one for one in draft.asking.values() if _is_free(draft, one.seat)]
    for question in found:
        draft.asking = {at: one for at, one in draft.asking.items() if one is not question}
        _answer(draft, question)
    return bool(found)


def answers_at(draft: Draft) -> int | None:
    """Return when the next question that waits is answered."""
    seats = {seat for seat, _ in draft.asking}
    free_at = (draft.paid.get(seat, 0) + ALLOWANCE.each for seat in seats)
    return min((one - ALLOWANCE.at_once * ALLOWANCE.each for one in free_at), default=None)


def units(message: LedgerMessage) -> int:
    """Return how much of an allowance a message uses up."""
    return 1 + _payload_bytes(message) // UNIT_BYTES


def _payload_bytes(message: LedgerMessage) -> int:
    match message:
        case Entry(contributions=contributions):
            return sum(map(_bytes_of, contributions))
        case Contributed(contribution=one):
            return _bytes_of(one)
        case Voted(kept=Entry() as kept):
            return _payload_bytes(kept)
        case _:
            return 0


def _bytes_of(one: Contribution) -> int:
    return sum(len(data) for _, data in one.payloads)


def _is_free(draft: Draft, seat: Seat) -> bool:
    return ALLOWANCE.is_free(draft.paid.get(seat, 0), draft.now)


def _answer(draft: Draft, question: Question) -> None:
    before, seat = len(draft.outbox), question.seat
    if isinstance(question, Status):
        catch_up.answer_status(draft, question)
    else:
        answer_recall(draft, question)
    sent = 1 + sum(units(out.message) for out in draft.outbox[before:])
    draft.paid = put(draft.paid, seat, ALLOWANCE.after(draft.paid.get(seat, 0), draft.now, sent))
