"""The queue: every effect goes through its steps, one after the other, with its results kept."""

from __future__ import annotations

from itertools import product

import pytest

from nodealer.cards import DISCARD, STOCK, Composition, hand
from nodealer.games.effects import (
    JOINT_EFFECTS,
    Choose,
    Coin,
    Effect,
    Move,
    NewDeck,
    Reshuffle,
    Show,
)
from nodealer.kernel import Seat, SlotId, encode
from nodealer.table import Joint, Program
from nodealer.table.program import STEPS, Committed

DECK = NewDeck(Composition(("a", "b")), STOCK, coin=Coin("first", 2))
KINDS: list[Effect] = [
    DECK,
    Reshuffle((SlotId(1),), STOCK),
    Coin("toss", 6),
    Show((SlotId(1),)),
    Move((SlotId(1),), DISCARD),
]


def test_every_effect_has_its_steps() -> None:
    assert {type(effect) for effect in KINDS} == set(STEPS)
    assert {kind for kind, steps in STEPS.items() if steps} == set(JOINT_EFFECTS)


QUEUES = list(product(KINDS, repeat=3))


def words(effects: tuple[Effect, ...]) -> str:
    return "-".join(type(effect).__name__ for effect in effects)


@pytest.mark.parametrize("effects", QUEUES, ids=words)
def test_a_queue_goes_through_all_steps_in_order(effects: tuple[Effect, ...]) -> None:
    program = Program(effects)
    seen: list[Joint] = []
    wanted: list[Joint] = []
    merged = 0
    for index, effect in enumerate(effects):
        follows = index > 0 and isinstance(effect, Show) and isinstance(effects[index - 1], Show)
        merged += follows
        wanted += () if follows else STEPS[type(effect)]
    values = {encode(program.value())}
    while program.head is not None:
        if STEPS[type(program.head)]:
            program = program.begun()
            while program.step is not None:
                seen.append(program.step)
                values.add(encode(program.value()))
                following = program.next_step()
                if following is None:
                    break
                program = Program(program.effects, following, None, program.results, program.coins)
        if program.coin is not None:
            program = program.fallen(1)
        results = [None] * max(1, len(program.shows))
        program = program.done(*results)
        values.add(encode(program.value()))
    assert seen == wanted
    assert len(program.outcome().results) == len(effects)
    assert len(values) == len(wanted) + 1 + len(effects) - merged
    thrown = [e for e in effects if isinstance(e, Coin | NewDeck)]
    assert len(program.outcome().coins) == len(thrown)


def test_shows_at_the_head_are_one_release() -> None:
    one, other = Show((SlotId(1),)), Show((SlotId(2),), (Seat(0),))
    assert Program((one, other, Coin("c", 2), one)).shows == (one, other)
    assert Program((Coin("c", 2), one)).shows == ()
    assert Program().shows == ()


def test_a_coin_rides_along_with_a_deck_or_stands_alone() -> None:
    assert Program((DECK,)).coin == DECK.coin
    assert Program((NewDeck(DECK.composition, STOCK),)).coin is None
    assert Program((Coin("toss", 6),)).coin == Coin("toss", 6)
    assert Program((Show((SlotId(1),)),)).coin is None
    assert Program().coin is None


def test_every_field_of_a_queue_is_hashed() -> None:
    base = Program((DECK, Move((SlotId(1),), DISCARD)), Joint.MASK)
    made = Committed(b"label", ((Seat(0), bytes(32)),))
    others = [
        base,
        Program(base.effects, Joint.KEYS),
        Program(base.effects[:1], Joint.MASK),
        Program(base.effects, Joint.MASK, made),
        Program(base.effects, Joint.MASK, Committed(b"other", made.commitments)),
        Program(base.effects, Joint.MASK, Committed(b"label", ())),
        Program(base.effects, Joint.MASK, None, (None,)),
        Program(base.effects, Joint.MASK, None, (), (("first", 1),)),
        Program(base.effects, Joint.MASK, None, (), (("first", 0),)),
    ]
    changed: list[Effect] = [
        NewDeck(Composition(("b", "a")), STOCK, coin=DECK.coin),
        NewDeck(DECK.composition, DISCARD, coin=DECK.coin),
        NewDeck(DECK.composition, STOCK, keep=(SlotId(3),), coin=DECK.coin),
        NewDeck(DECK.composition, STOCK),
        NewDeck(DECK.composition, STOCK, coin=Coin("first", 3)),
        *KINDS[1:],
        Reshuffle((SlotId(2),), STOCK),
        Reshuffle((SlotId(1),), DISCARD),
        Coin("other", 6),
        Coin("toss", 5),
        Show((SlotId(2),)),
        Show((SlotId(1),), (Seat(0),)),
        Move((SlotId(1),), STOCK),
        Move((SlotId(2),), DISCARD),
        Choose("card", "play", (hand(Seat(0)),)),
        Choose("cards", "play", (hand(Seat(0)),)),
        Choose("card", "lay", (hand(Seat(0)),)),
        Choose("card", "play", (hand(Seat(0)), hand(Seat(1)))),
    ]
    values = [encode(one.value()) for one in (*others, *(Program((e,)) for e in changed))]
    assert len(set(values)) == len(values)
