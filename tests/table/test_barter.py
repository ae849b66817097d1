"""Table and plain dealer come to the same where hands are restacked, given and taken back."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from nodealer.cards import STOCK, Board, Zone, hand
from nodealer.deck import without_seats
from nodealer.games.api import Step
from nodealer.games.effects import Claim, Effect, Give, Move, Outcome, Restack, Show
from nodealer.kernel import Bug, EntryId, Seat, SlotId
from nodealer.kernel.chance import Chance
from nodealer.ledger import Authored, Closed
from nodealer.table import Replay
from nodealer.table.carrying import entered
from tests.games.barter import BARTER, DECK, Barter, State
from tests.support.circle import hashed
from tests.support.rehearsal import rehearsal
from tests.table.points import BARTERED_STEPS, bartered_at
from tests.table.test_carrying import carry_out, play
from tests.table.twin import Twin

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_game_goes_as_with_a_dealer(seats: int, is_full: bool) -> None:
    for number in range(6 if is_full else 1):
        twin = Twin(rehearsal(seats, BARTER, options={"turns": 12}, salt=("barter", number)))
        play(twin, 1000, Chance(seats))
        assert isinstance(twin.table.duty, Closed)


@pytest.mark.parametrize("seed", range(5))
def test_it_does_so_when_seats_leave(seed: int, is_full: bool) -> None:
    for number in range(20 if is_full else 1):
        made = rehearsal(2 + seed, BARTER, options={"turns": 12}, salt=("leaving", seed, number))
        twin = Twin(made)
        play(twin, 2000, Chance("leaving", seed, number), leaving_percent=8)
        assert isinstance(made.duty, Closed)


# What can be asked for, and what cannot.

ASIDE = Zone("aside", Seat(1))


def dealt(seats: int = 3, salt: object = "asked") -> Twin:
    """Return a table and a dealer at the first turn."""
    twin = Twin(rehearsal(seats, BARTER, options={"cards": 3}, salt=salt))
    while not isinstance(twin.table.duty, Authored):
        twin.settle()
    return twin


def held(twin: Twin, seat: int) -> tuple[SlotId, ...]:
    return twin.table.position.board.at(hand(Seat(seat)))


def seen(twin: Twin, seat: int, slots: Sequence[SlotId]) -> list[str | None]:
    """Return the faces that a seat sees on these slots."""
    zones = twin.table.view(Seat(seat)).zones
    faces = {card.slot: card.face for zone in zones for card in zone.cards}
    return [faces[slot] for slot in slots]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_hand_that_all_others_saw_is_closed_and_restacked_claimed_and_given(seats: int) -> None:
    twin = dealt(seats)
    mine, others = held(twin, 1), tuple(Seat(n) for n in range(seats) if n != 1)
    faces = seen(twin, 1, mine)
    position = carry_out(twin, Show(mine, others, closed=True))
    assert not position.board.faces
    assert all(seen(twin, seat, mine) == faces for seat in range(seats))
    assert [card.face for card in position.view().zone("hand", Seat(1))] == [None] * 3
    carry_out(twin, Restack((hand(Seat(1)),)))
    fresh = held(twin, 1)
    assert not set(fresh) & set(mine)
    assert Counter(seen(twin, 1, fresh)) == Counter(faces)
    assert seen(twin, 0, fresh) == [None] * 3
    absent = next(face for face in DECK.distinct if face not in faces)
    assert not carry_out(twin, Claim(hand(Seat(1)), absent)).board.faces
    position = carry_out(twin, Claim(hand(Seat(1)), str(faces[0])))
    ((proven, face),) = position.board.faces.items()
    assert (proven in fresh, face) == (True, faces[0])
    carry_out(twin, Give((proven,), hand(Seat(0))))
    assert twin.table.position.board.faces == {held(twin, 0)[-1]: faces[0]}
    hidden = next(slot for slot in fresh if slot != proven)
    carry_out(twin, Give((hidden,), hand(Seat(0))))
    assert seen(twin, 0, held(twin, 0)[-1:]) != [None]
    assert seen(twin, 1, held(twin, 0)[-1:]) == [None]


def test_cards_that_stay_closed_are_opened_once_somebody_asks_for_it() -> None:
    twin = dealt(2)
    mine = held(twin, 1)
    kept = Show(mine[:1], (Seat(0),), closed=True)
    carry_out(twin, kept, Show(mine[:2], (Seat(0),)), replace(kept, slots=mine[1:2]))
    faces = twin.table.position.board.faces
    assert mine[0] not in faces, "the last seat has seen it by the show that keeps it closed"
    assert mine[1] in faces
    height = twin.table.moment.height
    carry_out(twin, Show(mine[:1], (Seat(0),)))
    assert twin.table.moment.height == height, "who sees a card already is shown nothing"
    assert mine[0] not in twin.table.position.board.faces
    carry_out(twin, Show(mine[:1]))
    assert mine[0] in twin.table.position.board.faces


def test_shows_that_stand_together_are_one_for_who_holds_the_card() -> None:
    """The lowest of all who are shown it at once holds it, in whatever order they stand."""
    twin = dealt(4)
    slots = twin.table.position.board.at(STOCK)[:2]
    peeks = (Show(slots[:1], (Seat(2),)), Show(slots, (Seat(3),)), Show(slots[:1], (Seat(1),)))
    carry_out(twin, *peeks)
    cards = twin.table.position.cards
    assert [set(cards.slot(slot).layers) for slot in slots] == [{1}, {3}]


def test_who_has_given_a_card_is_shown_it_again_with_whoever_is_shown_it_next() -> None:
    twin = dealt(3)
    carry_out(twin, Give(held(twin, 0)[:1], hand(Seat(1))))
    given = held(twin, 1)[-1:]
    assert seen(twin, 0, given) == [None]
    carry_out(twin, Show(given, (Seat(1),)))
    assert seen(twin, 0, given) == [None], "who sees it already is shown nothing"
    carry_out(twin, Show(given, (Seat(0),)))
    assert seen(twin, 0, given) == seen(twin, 1, given)
    carry_out(twin, Show(given, (Seat(2),)))
    assert given[0] in twin.table.position.board.faces


def test_gifts_in_all_directions_are_one_step() -> None:
    twin = dealt(3)
    hands = [held(twin, seat) for seat in range(3)]
    height, first = twin.table.moment.height, twin.table.position.cards.next_slot
    position = carry_out(
        twin,
        Give(hands[2][:1], hand(Seat(1))),
        Give(hands[0][:2], ASIDE),
        Give(hands[0][2:], hand(Seat(2))),
        Give(hands[1], hand(Seat(0))),
    )
    assert twin.table.moment.height == height + 1
    made = [SlotId(first + more) for more in range(7)]
    assert position.board.at(ASIDE) == tuple(made[:2])
    assert position.board.at(hand(Seat(2))) == (*hands[2][1:], made[2])
    assert position.board.at(hand(Seat(0))) == tuple(made[3:6])
    assert position.board.at(hand(Seat(1))) == (made[6],)


def test_what_an_effect_comes_to_is_told_in_the_order_of_the_rules() -> None:
    told = list[Outcome]()

    class Listening(Barter):
        def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
            told.append(outcome)
            return super().resume(state, board, outcome)

    twin = dealt(3)
    setting = replace(twin.table.setting, game=Listening())
    twin.table.state = Replay(replace(twin.table.position, setting=setting))
    twin.dealer.game = Listening()
    zones = (hand(Seat(2)), hand(Seat(0)))
    first = twin.table.position.cards.next_slot
    carry_out(twin, Restack(zones))
    restacked = tuple(SlotId(first + more) for more in (3, 4, 5, 0, 1, 2))
    assert [one.results for one in told] == [(restacked,)] * 2
    told.clear()
    gifts = (Give(held(twin, 2)[:1], hand(Seat(0))), Give(held(twin, 0)[:2], hand(Seat(2))))
    first = twin.table.position.cards.next_slot
    carry_out(twin, *gifts)
    given = ((first + 2,), (first, first + 1))
    assert [one.results for one in told] == [given] * 2


IMPOSSIBLE: dict[str, Callable[[Twin], tuple[Effect, ...]]] = {
    "nobody restacks": lambda _: (Restack(()),),
    "a zone of nobody is restacked": lambda _: (Restack((STOCK,)),),
    "an empty zone is restacked": lambda _: (Restack((ASIDE,)),),
    "a seat restacks two zones": lambda twin: (
        Move(held(twin, 1)[:1], ASIDE),
        Restack((hand(Seat(1)), ASIDE)),
    ),
    "a stranger restacks": lambda _: (Restack((hand(Seat(7)),)),),
    "cards are restacked that nobody saw": lambda twin: (
        Move(twin.table.position.board.at(STOCK)[:1], ASIDE),
        Restack((ASIDE,)),
    ),
    "a card of another is restacked": lambda twin: (
        Move(held(twin, 0)[:1], ASIDE),
        Restack((ASIDE,)),
    ),
    "an open card is restacked": lambda twin: (Show(held(twin, 1)[:1]), Restack((hand(Seat(1)),))),
    "nothing is given": lambda _: (Give((), hand(Seat(1))),),
    "a card that is not there is given": lambda _: (Give((SlotId(999),), hand(Seat(1))),),
    "a card is given to nobody": lambda twin: (Give(held(twin, 0)[:1], STOCK),),
    "a card is given to a stranger": lambda twin: (Give(held(twin, 0)[:1], hand(Seat(7))),),
    "a seat gives to itself": lambda twin: (Give(held(twin, 1)[:1], ASIDE),),
    "two seats give one gift": lambda twin: (
        Give((held(twin, 0)[0], held(twin, 1)[0]), hand(Seat(2))),
    ),
    "a card is given twice": lambda twin: (
        Give(held(twin, 0)[:1], hand(Seat(2))),
        Give(held(twin, 0)[:1], hand(Seat(1))),
    ),
    "a card of the stock is given": lambda twin: (
        Give(twin.table.position.board.at(STOCK)[:1], hand(Seat(1))),
    ),
    "an open card is given": lambda twin: (
        Show(held(twin, 0)[:1]),
        Give(held(twin, 0)[:1], hand(Seat(1))),
    ),
    "a card is given that lies elsewhere": lambda twin: (
        Move(held(twin, 0)[:1], STOCK),
        Give(held(twin, 0)[:1], hand(Seat(1))),
    ),
    "what stays closed is shown to everybody": lambda twin: (Show(held(twin, 0), closed=True),),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_is_a_bug_of_the_rules_to_both(name: str) -> None:
    twin = dealt(3)
    step: Step[object] = Step(twin.table.position.rules, IMPOSSIBLE[name](twin))
    with pytest.raises(Bug):
        at_the_table(twin, step)
    with pytest.raises(Bug):
        at_the_dealer(twin, step)


def at_the_table(twin: Twin, step: Step[object]) -> None:
    twin.table.state = Replay(entered(twin.table.position, step))
    twin.table.settle()


def at_the_dealer(twin: Twin, step: Step[object]) -> None:
    twin.dealer._enter(step)
    twin.dealer.settle()


# Seats that leave in the middle.


@pytest.mark.parametrize("point", BARTERED_STEPS)
@pytest.mark.parametrize("seats", range(2, 7 if IS_FULL else 5))
def test_a_seat_leaves_in_the_middle_and_the_others_go_on(
    point: str, seats: int, is_full: bool
) -> None:
    for gone in range(seats if is_full else 2):
        table = bartered_at(point, seats)
        before = table.position
        assert before.program.step == BARTERED_STEPS[point]
        table.evict(Seat(gone))
        assert table.position.work is None
        table.players = {seat: table.players[seat] for seat in table.position.roster}
        table.run()
        assert isinstance(table.duty, Closed)
        standing = table.position.standing
        assert standing is not None
        assert standing.places[-1] == (Seat(gone),)


def test_what_was_to_be_given_is_given_when_it_is_asked_for_again() -> None:
    """Under another moment it is another part; what the receiver has read is the same card."""
    table = bartered_at("give", 3)
    (first,) = table.contributions()
    position = table.position
    deck = without_seats(position.cards, [Seat(2)])
    again = replace(position, deck=deck, roster=deck.roster)
    table.state = Replay(entered(again, Step(again.rules, again.program.effects)))
    table.moment = replace(table.moment, parent=EntryId(hashed("evicted")))
    (second,) = table.contributions()
    assert second.payloads != first.payloads
    table.settle()
    assert table.position.board.at(hand(Seat(0)))[-1] == position.cards.next_slot
