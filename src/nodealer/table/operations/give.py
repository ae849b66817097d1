"""`Give`: a seat hands slots of its zones over to another seat, under the key of the receiver.

Gifts that stand next to one another are one step: each giver owes one part with the cards of all of
its gifts. The receiver can read a card from the part itself, so a part leaves only when the entry
that has fixed slots and receiver is complete; and that is when the step becomes due.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nodealer import deck as ops
from nodealer.deck import Deck, Gift, Keyring
from nodealer.games import Give, Result
from nodealer.kernel import Bug, Reason, Seat, SlotId, changed
from nodealer.ledger import Owed
from nodealer.table.operation import (
    Checked,
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Parts,
    Place,
    Trick,
    bent,
    deck_in_use,
    every_time,
    vetted,
    written,
)
from nodealer.table.position import Position


def _giver(position: Position, give: Give) -> Seat:
    """Return the seat in whose zones all slots of a gift lie."""
    lying = {position.cards.layout.where(slot).seat for slot in give.slots}
    giver = lying.pop() if len(lying) == 1 else None
    if giver is None:
        raise _bug("one seat gives the cards of its zones")
    return giver


def _given(position: Position) -> list[tuple[Seat, Gift]]:
    """Return all gifts of the step, each with its giver, in the order of the rules."""
    gives = position.program.neighbours(Give)
    return [(_giver(position, give), Gift(give.slots, give.to)) for give in gives]


def _gifts(where: Place, seat: Seat) -> list[Gift]:
    return [gift for giver, gift in _given(where.position) if giver == seat]


def _make(where: Place, keyring: Keyring) -> bytes:
    gifts = _gifts(where, keyring.seat)
    return written(keyring, ops.make_gifts(where.ground, keyring, where.at, gifts))


def _check(where: Place, seat: Seat, data: bytes) -> Checked:
    part = ops.deck_messages(where.ground.group).read(data, ops.HandoverPart)
    return ops.check_gifts(where.ground, where.at, seat, _gifts(where, seat), part)


GIVE: Final = PartKind(
    kind="give",
    make=_make,
    check=_check,
    leaves=None,
    is_binding=False,
    doing="hand cards over",
    why="",
    told="{all} hand cards over, which only their new owners can read",
)


def _begun(position: Position) -> Position:
    given, deck = _given(position), position.cards
    slots = [slot for _, gift in given for slot in gift.numbers]
    if len(set(slots)) != len(slots):
        raise _bug("no card is given twice")
    for giver, gift in given:
        if not {giver, gift.to.seat} <= set(position.roster) or gift.to.seat == giver:
            raise _bug("one seat of the game gives to another")
        for slot in gift.numbers:
            deck.slot(slot).sole_layer(giver)
    return position


def _owed(position: Position) -> tuple[Owed, ...]:
    return (GIVE.owed_by(sorted({giver for giver, _ in _given(position)})),)


def _take(position: Position, ground: Deck | None, parts: Parts) -> Position:
    assert ground is not None, "the cards are of a deck"
    return changed(position, deck=ops.take_transfers(ground, vetted(parts[GIVE.kind])))


def _made(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    """Return the new slots of each gift: they are numbered by givers, then as the rules gave."""
    given, number = _given(before), before.cards.next_slot
    made: dict[int, tuple[SlotId, ...]] = {}
    for index in sorted(range(len(given)), key=lambda index: given[index][0]):
        count = len(given[index][1].numbers)
        made[index] = tuple(SlotId(number + more) for more in range(count))
        number = SlotId(number + count)
    return [made[index] for index in range(len(given))]


def _bug(rule: str) -> Bug:
    return Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")


def _other_card(where: Place, keyring: Keyring, data: bytes) -> bytes | None:
    """Hand over another card that the seat holds as well, in the place of the first."""
    gifts = _gifts(where, keyring.seat)
    named = {slot for gift in gifts for slot in gift.numbers}
    own = [
        slot.id
        for slot in where.ground.slots.values()
        if set(slot.layers) == {keyring.seat} and slot.id not in named
    ]
    if not own:
        return None
    first = Gift((own[0], *gifts[0].numbers[1:]), gifts[0].to)
    true = ops.deck_messages(keyring.group).read(data, ops.HandoverPart)
    part = ops.make_gifts(where.ground, keyring, where.at, [first])
    cards = (part.cards[0], *true.cards[1:])
    return written(keyring, replace(true, cards=cards))


OPERATION: Final = Operation(
    effect=Give,
    steps=(JointStep(word="give", parts=(GIVE,), owed=_owed, ground=deck_in_use, take=_take),),
    begin=_begun,
    results=_made,
    counted={"gift": every_time},
    lies=(
        Falsehood("another card given", GIVE, Trick.INSTEAD, _other_card),
        Falsehood("bad gift", GIVE, Trick.INSTEAD, bent),
        Falsehood("silent instead of giving", GIVE, Trick.SILENT),
    ),
)
