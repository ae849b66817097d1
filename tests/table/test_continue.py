"""Seats are left out of a game that goes on with the cards as they lie, at every height of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from nodealer.cards import STOCK, hand
from nodealer.deck import PUBLIC, Stage
from nodealer.games.api import Step
from nodealer.games.choosing import require_repeatable
from nodealer.games.dealer import deal
from nodealer.games.effects import (
    Acks,
    Choose,
    Coin,
    Compare,
    Effect,
    Move,
    NewDeck,
    Reshuffle,
    Show,
)
from nodealer.games.registry import resolve
from nodealer.kernel import Bug, Seat, SlotId
from nodealer.kernel.chance import Chance
from nodealer.ledger import Closed
from nodealer.table import Position, Replay
from nodealer.table.carrying import entered
from tests.games.pairs import DECK, PAIRS, SMALL_PAIRS, TRICK, Pairs, Phase, State, pair
from tests.support.rehearsal import Rehearsal, rehearsal
from tests.table.points import asked_at
from tests.table.test_carrying import play
from tests.table.twin import Twin

POLICIES = ("continue", "void")


def rules_of(position: Position) -> State:
    assert isinstance(position.rules, State)
    return position.rules


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_goes_as_with_a_dealer(seats: int) -> None:
    twin = Twin(rehearsal(seats, PAIRS, salt="plain"))
    play(twin, 1000, Chance(seats))
    assert isinstance(twin.table.duty, Closed)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seed", range(5))
def test_it_does_so_when_seats_leave(policy: str, seed: int, is_full: bool) -> None:
    for number in range(40 if is_full else 1):
        salt = ("leaving", seed, number)
        made = rehearsal(2 + seed, PAIRS, policy=policy, options={"cards": 3}, salt=salt)
        twin = Twin(made)
        play(twin, 2000, Chance("leaving", seed, number), leaving_percent=9)
        assert isinstance(made.duty, Closed)


def every_height(seats: int, policy: str, *, is_full: bool) -> Iterator[tuple[Rehearsal, Seat]]:
    """Yield copies of a game at all its heights, each with a seat that is to be left out."""
    made = rehearsal(seats, SMALL_PAIRS, policy=policy, salt=("every height", seats))
    while not isinstance(made.duty, Closed):
        roster = made.position.roster
        for seat in roster if is_full else (roster[made.moment.height % len(roster)],):
            yield made.fork(), seat
        made.step()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_is_left_out_and_nothing_of_it_is_needed(
    seats: int, policy: str, is_full: bool
) -> None:
    seen = set()
    for table, gone in every_height(seats, policy, is_full=is_full):
        before = table.position
        seen.add(before.program.step)
        table.evict(gone)
        after = table.position
        assert after.roster == tuple(seat for seat in before.roster if seat != gone)
        if after.deck is not None:
            assert after.deck.roster == after.roster or before.standing is not None
        if policy == "continue" and rules_of(before).phase is not Phase.DEALING:
            require_the_cards_stay(before, after)
        table.players = {seat: table.players[seat] for seat in after.roster}
        table.run()
        assert isinstance(table.duty, Closed)
        standing = table.position.standing
        assert standing is not None
        assert before.standing is not None or standing.places[-1] == (gone,)
    assert {"choose", "release", "verdict", "acks"} <= seen


def require_the_cards_stay(before: Position, after: Position) -> None:
    assert before.deck is not None
    assert after.deck is not None
    assert after.deck.epoch == before.deck.epoch
    assert set(after.deck.slots) == set(before.deck.slots)
    for number, slot in before.deck.slots.items():
        assert after.deck.slots[number].audience >= slot.audience
        assert after.deck.slots[number].E == slot.E
    assert after.board.faces == before.board.faces


# A choice.


def test_the_label_of_a_choice_outlasts_an_eviction_and_binds() -> None:
    table = asked_at("choose")
    before = {one.seat: one.payloads for one in table.contributions()}
    for one in table.contributions():
        for label, data in one.payloads:
            table.bound[one.seat, label] = data
    table.evict(Seat(1))
    assert table.owing() == (0, 2)
    for one in table.contributions():
        assert one.payloads == before[one.seat]
    table.settle()
    assert [seat for seat, _ in rules_of(table.position).chosen] == [0, 2]


def test_a_choice_in_the_history_stands() -> None:
    table = asked_at("show")
    chosen = rules_of(table.position).chosen
    table.evict(Seat(1))
    kept = tuple(entry for entry in chosen if entry[0] != 1)
    assert rules_of(table.position).chosen == kept
    assert table.position.program.neighbours(Show) == (Show(tuple(slot for _, slot in kept)),)
    assert table.owing() == (0, 2)
    table.settle()
    faces = table.position.board.faces
    assert [slot in faces for _, slot in chosen] == [True, False, True]
    (unseen,) = (slot for seat, slot in chosen if seat == 1)
    assert unseen in table.position.board.at(TRICK)


def test_who_has_to_guess_is_gone_and_the_next_round_begins() -> None:
    table = asked_at("guess")
    winner = rules_of(table.position).winner
    assert winner is not None
    table.evict(winner)
    assert table.position.program.step == "choose"
    assert not table.position.board.at(TRICK)


# A verdict.


def test_another_proves_the_verdict_when_the_first_is_gone() -> None:
    table = asked_at("verdict", 4)
    slots, owner = table.position.program.under_way(Compare).slots, rules_of(table.position).winner
    left = list(table.position.roster)
    provers = []
    while len(left) > 2:
        (prover,) = table.owing()
        provers.append(prover)
        assert prover == min(set(left) - {owner})
        table.evict(prover)
        left.remove(prover)
        assert table.position.program.under_way(Compare).slots == slots
    (prover,) = table.owing()
    assert prover not in (*provers, owner)
    table.settle()
    assert isinstance(table.position.program.results[0], bool)


def test_its_owner_is_gone_and_nothing_is_compared() -> None:
    for point in ("verdict", "acks"):
        table = asked_at(point)
        owner = rules_of(table.position).winner
        assert owner is not None
        table.evict(owner)
        assert table.position.program.step == "choose"


def test_the_notice_is_asked_for_again_with_the_verdict() -> None:
    table = asked_at("acks")
    owner = rules_of(table.position).winner
    table.evict(next(seat for seat in table.position.roster if seat != owner))
    assert [part.kind for part in table.owed] == ["verdict"]
    table.settle()
    assert [part.kind for part in table.owed] == ["acks"]


# Releases that are broken off.


def broken_off() -> Rehearsal:
    """Return a table at which the opening of the chosen cards was broken off, and asked again."""
    table = asked_at("show")
    table.evict(Seat(1))
    return table


def test_what_was_granted_stays_granted_though_nobody_opens_it() -> None:
    asked = asked_at("show").position
    chosen = dict(rules_of(asked).chosen)
    deck = broken_off().position.deck
    assert deck is not None
    assert deck.stage is Stage.RELEASE
    assert set(deck.owed) == {chosen[Seat(0)], chosen[Seat(2)]}
    for slot in chosen.values():
        assert PUBLIC in deck.slots[slot].audience
        assert deck.slots[slot].face is None


def test_the_players_see_what_they_saw_before() -> None:
    asked, table = asked_at("show"), broken_off()
    for seat in (Seat(0), Seat(2)):
        before = asked.players[seat].notebook(asked.position)
        assert table.players[seat].notebook(table.position) == before


def test_an_opening_that_is_broken_off_twice_is_asked_for_a_third_time() -> None:
    table = asked_at("show", 4)
    table.evict(Seat(1))
    table.evict(Seat(2))
    table.settle()
    chosen = dict(rules_of(table.position).chosen)
    assert set(chosen) == {0, 3}
    assert table.position.board.faces.keys() >= set(chosen.values())


def asks(table: Rehearsal, *effects: Effect) -> Position:
    return entered(table.position, Step(table.position.rules, effects))


def test_layers_of_those_who_have_left_are_a_bug_of_the_rules_to_ask_for() -> None:
    table = asked_at("guess")
    gone = next(seat for seat in table.position.roster if seat != rules_of(table.position).winner)
    hers = table.position.board.at(hand(gone))
    known = table.position.board.at(hand(table.position.roster[0]))
    asks(table, Show(hers))
    table.evict(gone)
    stock = table.position.board.at(STOCK)
    for effect in (
        Show(stock[:1]),
        Show(stock[:1], (Seat(0),)),
        Show(hers),
        Reshuffle(known, STOCK),
    ):
        with pytest.raises(Bug):
            asks(table, effect)
    asks(table, Move(hers, STOCK), NewDeck(DECK, STOCK))
    asks(table, Coin("still", 6))


def test_a_card_that_a_leaver_alone_has_seen_is_compared_by_nobody() -> None:
    table = asked_at("guess", 3, "alone")
    mine = table.position.board.at(hand(Seat(1)))
    asks(table, Compare((*mine, *table.position.board.at(pair(Seat(0))))))
    table.evict(Seat(1))
    with pytest.raises(Bug):
        asks(table, Compare((*mine, *table.position.board.at(pair(Seat(0))))))


@pytest.mark.parametrize("is_opened", [True, False])
def test_cards_that_were_to_be_shown_to_some_are_shown_by_asking_once_more(is_opened: bool) -> None:
    table = asked_at("guess", 4)
    winner = rules_of(table.position).winner
    first, second, gone = (seat for seat in table.position.roster if seat != winner)
    slots = table.position.board.at(hand(first))
    asked = asks(table, Show(slots, (second,)))
    assert asked.deck is not None
    table.state = Replay(asked)
    before = table.contributions()
    table.evict(gone)
    deck = table.position.deck
    assert deck is not None
    for slot in slots:
        assert deck.slots[slot].audience == {first, second}
        assert deck.slots[slot].closed == {first: {first}}
    assert not set(slots) & set(table.players[second].notebook(table.position))
    show = Show(slots) if is_opened else Show(slots, (second,))
    alike = Compare((*slots, table.position.board.at(pair(first))[0]))
    again = asks(table, show, alike, Acks())
    table.state = Replay(again)
    assert table.owing() == (first,)
    assert table.contributions() != before
    table.settle()
    assert set(slots) <= set(table.players[second].notebook(table.position)) or is_opened
    assert (set(slots) <= set(table.position.board.faces)) == is_opened


def test_a_card_that_was_to_be_opened_is_no_envelope_any_more() -> None:
    table = asked_at("guess", 4)
    winner = rules_of(table.position).winner
    first, gone, *_ = (seat for seat in table.position.roster if seat != winner)
    asks(table, Choose("other", "lay", (hand(first),)))
    table.state = Replay(asks(table, Show(table.position.board.at(hand(first)))))
    table.evict(gone)
    with pytest.raises(Bug):
        asks(table, Choose("other", "lay", (hand(first),)))


# What was chosen can be chosen again.


class Fickle(Pairs):
    """The game, but who is asked again is asked for something else."""

    def ask(self, state: State) -> Step[State]:
        """Let everybody choose; after somebody has left, without the first card of all."""
        step = super().ask(state)
        if not state.left:
            return step
        return replace(step, effects=(Move((SlotId(2),), TRICK), *step.effects))


def test_nobody_is_asked_again_without_the_card_that_it_may_have_chosen() -> None:
    made = rehearsal(3, Fickle(), salt="fickle")
    made.run(4)
    assert SlotId(2) in made.position.board.at(hand(Seat(0)))
    assert made.position.program.step == "choose"
    with pytest.raises(Bug, match="chosen again"):
        made.evict(Seat(1))
    made.evict(Seat(0))


def test_nor_does_the_dealer_ask_so() -> None:
    options = resolve(PAIRS, 3, {})
    fickle = deal(Fickle(), [Seat(seat) for seat in range(3)], options, Chance("fickle"))
    assert fickle.is_asking
    with pytest.raises(Bug, match="chosen again"):
        fickle.fork(Chance("twin")).leave([Seat(1)], "continue")
    fickle.leave([Seat(0)], "continue")


def test_only_the_same_question_must_offer_the_same_cards() -> None:
    board = asked_at("choose").position.board
    after = board.moved(board.at(hand(Seat(0)))[:1], TRICK)
    zones = (hand(Seat(0)), hand(Seat(1)))
    asking = Choose("card", "lay", zones)
    require_repeatable(asking, asking, board, board)
    for other in (Choose("another", "lay", zones), Show(()), None):
        require_repeatable(asking, other, board, after)
        require_repeatable(other, asking, board, after)
    require_repeatable(asking, Choose("card", "lay", zones[1:]), board, after)
    require_repeatable(Choose("card", "lay", zones[1:]), asking, board, after)
    with pytest.raises(Bug):
        require_repeatable(asking, asking, board, after)
