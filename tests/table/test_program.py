"""The queue: every effect goes through its steps, one after the other, with its results kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from nodealer.cards import DISCARD, STOCK, Composition, hand
from nodealer.games.api import action
from nodealer.games.effects import (
    Acks,
    Ask,
    Choose,
    Claim,
    Coin,
    Compare,
    Effect,
    Give,
    Move,
    NewDeck,
    Reshuffle,
    Restack,
    Show,
)
from nodealer.kernel import Seat, SlotId, encode
from nodealer.table import OPERATIONS, PARTS, Program
from nodealer.table.program import Committed, effect_value

DECK = NewDeck(Composition(("a", "b")), STOCK, coin=Coin("first", 2))
KINDS: list[Effect] = [
    DECK,
    Reshuffle((SlotId(1),), STOCK),
    Coin("toss", 6),
    Show((SlotId(1),)),
    Compare((SlotId(1), SlotId(2))),
    Acks(),
    Choose("card", "play", (hand(Seat(0)),)),
    Move((SlotId(1),), DISCARD),
    Restack((hand(Seat(0)), hand(Seat(1)))),
    Give((SlotId(1), SlotId(2)), hand(Seat(1))),
    Claim(hand(Seat(0)), "a"),
    Ask("what", ("yes", "no"), (Seat(0), Seat(1)), "no", 5),
]


def test_every_effect_has_its_steps() -> None:
    assert {type(effect) for effect in KINDS} == set(OPERATIONS)
    assert [kind for kind, operation in OPERATIONS.items() if not operation.steps] == [Move]


def test_the_word_of_a_part_means_one_kind_and_that_of_a_step_is_its_own() -> None:
    for operation in OPERATIONS.values():
        words = [step.word for step in operation.steps]
        assert len(set(words)) == len(words)
        assert all(PARTS[part.kind] is part for step in operation.steps for part in step.parts)


@pytest.mark.parametrize("first", KINDS, ids=lambda effect: type(effect).__name__)
def test_a_queue_goes_through_all_steps_in_order(first: Effect) -> None:
    for others in product(KINDS, repeat=2):
        require_all_steps((first, *others))


def require_all_steps(effects: tuple[Effect, ...]) -> None:
    program = Program(effects)
    seen: list[str] = []
    wanted: list[str] = []
    merged = 0
    for index, effect in enumerate(effects):
        is_joined = index > 0 and type(effect) is type(effects[index - 1])
        follows = is_joined and isinstance(effect, Show | Give)
        merged += follows
        wanted += [] if follows else [step.word for step in OPERATIONS[type(effect)].steps]
    values = {encode(program.value())}
    while program.head is not None:
        operation = OPERATIONS[type(program.head)]
        for step in operation.steps:
            seen.append(step.word)
            program = replace(program, step=step.word)
            values.add(encode(program.value()))
        thrown = program.head.coin if isinstance(program.head, NewDeck) else program.head
        if isinstance(thrown, Coin):
            program = program.fallen(thrown.purpose, 1)
        joined = len(program.neighbours(Show)) + len(program.neighbours(Give))
        program = program.done(*[None] * (joined or 1))
        values.add(encode(program.value()))
    assert seen == wanted
    assert len(program.outcome().results) == len(effects)
    assert len(values) == len(wanted) + 1 + len(effects) - merged
    falling = [e for e in effects if isinstance(e, Coin | NewDeck)]
    assert len(program.outcome().coins) == len(falling)


def test_shows_at_the_head_are_one_release() -> None:
    one, other = Show((SlotId(1),)), Show((SlotId(2),), (Seat(0),))
    assert Program((one, other, Coin("c", 2), one)).neighbours(Show) == (one, other)
    assert Program((Coin("c", 2), one)).neighbours(Show) == ()
    assert Program().neighbours(Show) == ()


def test_a_show_that_opens_cards_is_hashed_as_ever() -> None:
    shown = Show((SlotId(1),), (Seat(0),))
    assert effect_value(shown) == ("show", (1,), (0,))
    assert effect_value(replace(shown, closed=True)) == ("show", (1,), (0,), True)


def test_every_field_of_a_queue_is_hashed() -> None:
    base = Program((DECK, Move((SlotId(1),), DISCARD)), "mask")
    made = Committed(b"label", ((Seat(0), bytes(32)),))
    others = [
        base,
        Program(base.effects, "keys"),
        Program(base.effects[:1], "mask"),
        Program(base.effects, "mask", made),
        Program(base.effects, "mask", Committed(b"other", made.commitments)),
        Program(base.effects, "mask", Committed(b"label", ())),
        Program(base.effects, "mask", None, (None,)),
        Program(base.effects, "mask", None, ((SlotId(1), SlotId(2)),)),
        Program(base.effects, "mask", None, ((action("agree"), action("object")),)),
        Program(base.effects, "mask", None, (), (("first", 1),)),
        Program(base.effects, "mask", None, (), (("first", 0),)),
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
        Show((SlotId(1),), (Seat(0),), closed=True),
        Compare((SlotId(2), SlotId(1))),
        Move((SlotId(1),), STOCK),
        Move((SlotId(2),), DISCARD),
        Choose("cards", "play", (hand(Seat(0)),)),
        Choose("card", "lay", (hand(Seat(0)),)),
        Choose("card", "play", (hand(Seat(0)), hand(Seat(1)))),
        Restack((hand(Seat(1)), hand(Seat(0)))),
        Restack((hand(Seat(0)),)),
        Give((SlotId(2), SlotId(1)), hand(Seat(1))),
        Give((SlotId(1), SlotId(2)), hand(Seat(0))),
        Claim(hand(Seat(1)), "a"),
        Claim(hand(Seat(0)), "b"),
        Ask("why", ("yes", "no"), (Seat(0), Seat(1)), "no", 5),
        Ask("what", ("no", "yes"), (Seat(0), Seat(1)), "no", 5),
        Ask("what", ("yes", "no"), (Seat(0),), "no", 5),
        Ask("what", ("yes", "no"), (Seat(0), Seat(1)), "yes", 5),
        Ask("what", ("yes", "no"), (Seat(0), Seat(1)), "no", 6),
    ]
    values = [encode(one.value()) for one in (*others, *(Program((e,)) for e in changed))]
    assert len(set(values)) == len(values)
