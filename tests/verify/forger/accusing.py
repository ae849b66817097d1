"""Evidence and grounds, put together of whatever has been signed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from nodealer.ledger import Contribution, Evidence
from nodealer.ledger.objects import Signed
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


def accuse(hand: Hand) -> None:
    """Bring evidence by replay against anything signed, with nearly all that it would take."""
    table = hand.pieces
    pools: list[tuple[Signed, ...]] = [table.contributions, table.seals, table.refusals]
    first = hand.one(hand.one([pool for pool in pools if pool]))
    contents = {bytes(content.id): content for content in table.contents}
    by_id = {one.id: one for one in table.contributions}
    content = contents.get(bytes(getattr(first, "entry", getattr(first, "refused", b""))))
    wanted = [] if content is None else [by_id.get(name) for _, name in content.contributions]
    wanted.append(by_id.get(getattr(first, "refused", b"")))
    wanted.extend(by_id.get(name) for name in getattr(first, "on", ()))
    rest = [one for one in wanted if one is not None]
    rest.extend(by_id[name] for one in tuple(rest) for name in one.on if name in by_id)
    if rest and hand.happens(50):
        place = hand.below(len(rest))
        alike = [one for one in table.contributions if one.seat == rest[place].seat]
        rest[place : place + 1] = hand.some(alike, 1)
    given = tuple(dict.fromkeys(rest))[:11]
    named = () if content is None else (content,)
    code = "E6" if hand.happens(70) and not isinstance(first, Contribution) else "E5"
    evidence = Evidence(code, first.seat, (first, *given), named)
    hand.file = replace(hand.file, evidence=(*hand.file.evidence, evidence))
    hand.tell(f"{code} against {first.seat} for its {type(first).__name__}")


def accuse_of_two(hand: Hand) -> None:
    """Bring two messages of one seat as a contradiction, with the content between them."""
    first = hand.one(hand.pieces.signed)
    near = [
        one
        for one in hand.pieces.signed
        if one.seat == first.seat and one is not first and abs(one.height - first.height) < 2
    ]
    second = hand.one(near)
    names = {getattr(one, "parent", getattr(one, "base", None)) for one in (first, second)}
    contents = hand.some([one for one in hand.pieces.contents if one.id in names], 2)
    made = tuple(Evidence(code, first.seat, (first, second), contents) for code in CODES[:4])
    more = (*made, Evidence("E7", first.seat, (second, first)))
    hand.file = replace(hand.file, evidence=(*hand.file.evidence, *more))
    hand.tell("two messages against", first.seat)
