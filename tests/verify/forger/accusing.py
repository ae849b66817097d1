"""Evidence and grounds, put together of whatever has been signed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from nodealer.ledger import Evidence
from tests.verify.forger.forgery import Hand

CODES: Final = ("E1", "E2", "E3", "E4", "E5", "E6", "E7")


def some_evidence(hand: Hand) -> Evidence:
    """Return evidence of any code from any messages, most often of one seat."""
    table = hand.pieces if hand.happens(90) else hand.elsewhere
    first = hand.one(table.signed)
    mine = [one for one in table.signed if one.seat == first.seat]
    near = [one for one in mine if abs(one.height - first.height) < 2]
    messages: list[Any] = [first]
    more = hand.between(0, 2)
    messages.extend(hand.one(near if hand.happens(60) else mine) for _ in range(more))
    if hand.happens(40):
        own = [one for one in table.contributions if one.height == first.height]
        messages.extend(hand.some(own, 4))
    names = {getattr(one, "entry", None) or getattr(one, "parent", None) for one in messages}
    named = [one for one in table.contents if one.id in names]
    contents = hand.some(named if named and hand.happens(70) else table.contents, 2)
    return Evidence(hand.one(CODES), first.seat, tuple(messages[:12]), contents)


def some_grounds(hand: Hand) -> tuple[Any, ...]:
    """Return leaves and evidence, or nothing."""
    if hand.happens(70):
        return ()
    grounds: list[Any] = [*hand.some(hand.pieces.leaves, 2)]
    if hand.happens(50):
        grounds.append(some_evidence(hand))
    return tuple(grounds)


def more_evidence(hand: Hand) -> None:
    """Bring evidence."""
    made = [some_evidence(hand) for _ in range(hand.between(1, 6))]
    hand.file = replace(hand.file, evidence=(*hand.file.evidence, *made))
    hand.tell("evidence:", *[f"{one.code} against {one.seat}" for one in made])
