"""What is open at the end of a file: messages of anything that was ever signed."""

from __future__ import annotations

from dataclasses import replace

from nodealer.ledger import Contribution, Leave, LedgerMessage, Refusal, Vote
from nodealer.ledger.messages import Contributed, Left, Proposal, Refused, Sealed, Voted
from nodealer.ledger.objects import Signed
from tests.verify.forger.accusing import some_grounds
from tests.verify.forger.forgery import Hand, Nothing


def message_of(hand: Hand, signed: Signed) -> LedgerMessage:
    """Return a message that shows something signed, with whatever may lie beside it."""
    match signed:
        case Contribution():
            return Contributed(signed)
        case Refusal():
            return Refused(signed)
        case Leave():
            return Left(signed)
        case Vote():
            kept = hand.one(hand.pieces.entries) if hand.happens(30) else None
            beside = hand.some(hand.pieces.certificates, 2) if hand.happens(40) else ()
            return Voted(signed, some_grounds(hand), kept, beside)
        case _:
            beside = hand.some(hand.pieces.certificates, 2) if hand.happens(20) else ()
            if hand.happens(30):
                return Proposal(hand.one(hand.pieces.contents), signed, beside)
            return Sealed(signed, beside)


def more_open(hand: Hand) -> None:
    """Add messages to what is open, of this table or another."""
    table = hand.pieces if hand.happens(85) else hand.elsewhere
    near = [one for one in table.signed if abs(one.height - len(hand.file.entries)) < 3]
    more = [
        message_of(hand, hand.one(near if near and hand.happens(70) else table.signed))
        for _ in range(hand.between(1, 4))
    ]
    if hand.happens(30):
        more.append(hand.one(table.messages))
    hand.file = replace(hand.file, open=(*hand.file.open, *more))
    hand.tell("open besides:", *[type(one).__name__ for one in more])


def less_open(hand: Hand) -> None:
    """Drop, repeat or shuffle what is open."""
    messages = list(hand.file.open)
    if not messages:
        raise Nothing
    match hand.below(3):
        case 0:
            messages.pop(hand.below(len(messages)))
        case 1:
            messages.append(hand.one(messages))
        case _:
            hand.chance.shuffle(messages)
    hand.file = replace(hand.file, open=tuple(messages))
    hand.tell("open messages dropped, repeated or shuffled")
