"""Seats are left out at every height of a game: what is kept, what is retired, who owes what then.

The rules of it stand in specs/games/macaua.md, "When a seat leaves"; that the table does to cards
what the rules ask for is shown beside it, by comparison with the plain dealer (`test_carrying`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.deck import PUBLIC
from nodealer.games.macaua.cards import DECK
from nodealer.games.macaua.state import Phase, State
from nodealer.kernel import PeerError, Reason, Seat
from nodealer.ledger import Closed
from nodealer.table import Position
from tests.support.rehearsal import Rehearsal, rehearsal
from tests.table.points import at

SAMPLE_EVERY = 19
"""In the ordinary run every so many heights of a game are tried, with the full switch all."""


def rules_of(position: Position) -> State:
    assert isinstance(position.rules, State)
    return position.rules


def every_height(seats: int, policy: str, *, is_full: bool) -> Iterator[tuple[Rehearsal, Seat]]:
    """Yield copies of a game at its heights, each with a seat that is to be left out."""
    made = rehearsal(seats, policy=policy, salt=("evictions", seats))
    number = 0
    while not isinstance(made.duty, Closed):
        for seat in made.position.roster:
            number += 1
            if is_full or number % SAMPLE_EVERY == 0:
                yield made.fork(), seat
        made.step()
    for seat in made.position.roster:
        yield made.fork(), seat


def sizes(position: Position) -> dict[Seat, int]:
    """Return how many cards each seat has, or is to have once the deal under way is done."""
    planned = dict(rules_of(position).hands)
    return planned or {seat: len(position.board.at(hand(seat))) for seat in position.roster}


@pytest.mark.parametrize("policy", ["redeal", "void"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_is_left_out(seats: int, policy: str, is_full: bool) -> None:
    tried = 0
    for table, gone in every_height(seats, policy, is_full=is_full):
        before = table.position
        table.evict(gone)
        after = table.position
        assert after.roster == tuple(seat for seat in before.roster if seat != gone)
        if before.standing is not None:
            require_only_the_roster_changed(before, after)
        elif len(after.roster) == 1:
            require_the_last_one_wins(table, gone)
        else:
            require_a_new_epoch(table, before, policy)
        tried += 1
    assert tried > seats


def require_only_the_roster_changed(before: Position, after: Position) -> None:
    assert after.standing == before.standing
    assert after.rules == before.rules
    assert after.board == before.board
    assert after.is_closed == before.is_closed
    assert after.events == ()


def require_the_last_one_wins(table: Rehearsal, gone: Seat) -> None:
    standing = table.position.standing
    assert standing is not None
    assert standing.places == (table.position.roster, (gone,))
    (close,) = table.owed
    assert (close.kind, close.seats) == ("close", ())
    table.settle()
    assert isinstance(table.duty, Closed)


def require_a_new_epoch(table: Rehearsal, before: Position, policy: str) -> None:
    position = table.position
    assert position.program.step == "keys"
    assert position.work is None
    assert all(part.seats == position.roster for part in table.owed)
    coins = {"keys"} if rules_of(position).turn is not None else {"keys", "commit"}
    assert {part.kind for part in table.owed} == coins
    is_begun = bool(before.board.at(DISCARD)) and before.board.at(DISCARD)[-1] in before.board.faces
    is_kept = policy == "redeal" and is_begun
    planned = sizes(before) if is_kept else dict.fromkeys(before.roster, 5)
    facts = rules_of(position)
    assert sizes(position) == {seat: planned[seat] for seat in position.roster}
    numbers = 0 if before.deck is None else before.deck.next_slot
    epoch = None if before.deck is None else before.deck.epoch
    table.until_turn()
    after = table.position
    require_sound(after, first_new=numbers, kept=before if is_kept else None)
    assert after.deck is not None
    assert after.deck.epoch != epoch
    assert after.deck.roster == after.roster
    if is_kept and after.standing is None and not facts.drawing:
        require_turn_passed_on(rules_of(before), rules_of(after), after.roster)


def require_sound(position: Position, first_new: int, kept: Position | None) -> None:
    """All cards are there once; old slots are gone but for what lies open on the discards."""
    deck = position.deck
    assert deck is not None
    lying = [slot for slots in position.board.layout.zones.values() for slot in slots]
    assert sorted(lying) == sorted(deck.slots)
    assert len(lying) == len(DECK.faces)
    old = {slot for slot in lying if slot < first_new}
    assert old == (set(kept.board.at(DISCARD)) if kept else set())
    assert position.board.faces.keys() >= old
    for seat in position.roster:
        for slot in position.board.at(hand(seat)):
            assert deck.slots[slot].audience == {seat}
            assert set(deck.slots[slot].layers) == {seat}
    for slot in position.board.at(STOCK):
        assert not deck.slots[slot].audience
        assert set(deck.slots[slot].layers) == set(position.roster)


def require_turn_passed_on(before: State, after: State, roster: tuple[Seat, ...]) -> None:
    if before.phase not in (Phase.TURN, Phase.CHALLENGE, Phase.SKIP):
        return
    assert before.turn is not None
    first = before.seats.index(before.turn)
    order = before.seats[first:] + before.seats[:first]
    wanted = next(seat for seat in order if seat in roster)
    assert after.turn == wanted
    assert after.suit == before.suit
    lapses = before.turn not in roster and wanted == before.challenger
    assert after.challenge == (0 if lapses else before.challenge)


def test_who_is_left_out_owes_and_sees_nothing_more() -> None:
    table = at("next turn")
    player = table.players[Seat(2)]
    assert player.notebook(table.position)
    table.evict(Seat(2))
    assert not player.notebook(table.position)
    table.until_turn()
    assert not player.notebook(table.position)
    view = table.position.view(Seat(2), player.notebook(table.position))
    hidden = [card.face for zone in view.zones if zone.name != "discard" for card in zone.cards]
    assert hidden
    assert set(hidden) == {None}


def test_a_seat_that_is_out_is_not_among_the_seats_of_the_game() -> None:
    table = at("turn")
    table.evict(Seat(1))
    table.until_turn()
    assert table.view(Seat(0)).seats == (0, 2)
    assert not table.position.board.at(hand(Seat(1)))


def test_nothing_of_the_leaver_is_needed_afterwards() -> None:
    for name in ("keys", "shuffle", "mask", "deal", "turn", "draw"):
        table = at(name)
        table.evict(Seat(0))
        del table.players
        table.players = {seat: at(name).players[seat] for seat in (Seat(1), Seat(2))}
        table.run()
        assert isinstance(table.duty, Closed)
        standing = table.position.standing
        assert standing is not None
        assert standing.places[-1] == (Seat(0),)


def test_several_seats_leave_one_after_the_other_and_at_once() -> None:
    for out in combinations(map(Seat, range(4)), 2):
        together, apart = rehearsal(4, salt="several"), rehearsal(4, salt="several")
        for table in (together, apart):
            table.until_turn()
        together.evict(*out)
        for seat in out:
            apart.evict(seat)
        assert together.position.roster == apart.position.roster
        for table in (together, apart):
            table.run()
            assert isinstance(table.duty, Closed)


def test_the_state_after_an_eviction_depends_on_the_seats_alone() -> None:
    one, other = at("draw"), at("draw")
    other.moment = at("turn").moment
    one.evict(Seat(1))
    other.evict(Seat(1))
    assert one.state.digest() == other.state.digest()


def test_what_was_released_for_a_step_that_is_undone_concerns_no_card_in_play() -> None:
    """Who saw a card because releases arrived early sees no card that is played with afterwards."""
    table = at("draw")
    drawn = table.position.board.at(hand(table_drawer(table)))[-1]
    table.evict(next(seat for seat in table.owing()))
    table.until_turn()
    deck = table.position.deck
    assert deck is not None
    assert drawn not in deck.slots


def table_drawer(table: Rehearsal) -> Seat:
    (drawer,) = set(table.position.roster) - set(table.owing())
    return drawer


# The coin for the first turn.


def test_a_commitment_that_is_not_in_the_chain_stays_bound() -> None:
    table = at("keys")
    before = {seat: table.given(seat).payloads[1] for seat in table.owing()}
    table.evict(Seat(2))
    for seat in table.owing():
        label, commitment = table.given(seat).payloads[1]
        assert (label, commitment) == before[seat]


@pytest.mark.parametrize("name", ["shuffle", "mask"])
def test_a_commitment_in_the_chain_is_made_anew_after_an_eviction(name: str) -> None:
    """The coin has another label then: nobody opens what it could have seen the others open."""
    table = at(name)
    made = table.position.program.committed
    assert made is not None
    old = dict(made.commitments)
    table.evict(Seat(2))
    assert table.position.program.committed is None
    for seat in table.owing():
        label, commitment = table.given(seat).payloads[1]
        assert label != made.label
        assert commitment != old[seat]
    table.until_turn()


def test_an_opening_of_an_earlier_coin_is_refused() -> None:
    table = at("mask")
    stale = table.given(Seat(0)).payloads[1][1]
    table.evict(Seat(2))
    table.settle()
    table.settle()
    given = table.given(Seat(0))
    (masked, (label, fresh)) = given.payloads
    assert fresh != stale
    with pytest.raises(PeerError) as refused:
        table.state.check(table.moment, Seat(0), (masked, (label, stale)), ())
    assert refused.value.reason is Reason.COMMIT_MISMATCH


# Playing again.


def test_another_game_begins_with_nothing_of_the_last() -> None:
    table = at("closed")
    deck = table.position.deck
    assert deck is not None
    numbers, epoch = deck.next_slot, deck.epoch
    table.again()
    assert table.position.board.layout.zones == {}
    assert table.position.standing is None
    assert table.position.program.step == "keys"
    assert not table.view(Seat(0)).zones
    table.until_turn()
    after = table.position.deck
    assert after is not None
    assert after.epoch != epoch
    assert min(after.slots) == numbers
    assert table.position.games == 2
    table.run()
    assert isinstance(table.duty, Closed)


@pytest.mark.parametrize("entries", [0, 1, 2, 3, 4, 9])
def test_a_seat_leaves_at_the_beginning_of_the_second_game(entries: int) -> None:
    """What lay open in the first game is no reason to keep anything in the second."""
    table = at("closed")
    deck = table.position.deck
    assert deck is not None
    numbers = deck.next_slot
    table.again()
    table.run(entries)
    table.evict(Seat(1))
    table.until_turn()
    after = table.position.deck
    assert after is not None
    assert min(after.slots) >= numbers
    assert len(after.slots) == len(DECK.faces)
    table.run()
    assert isinstance(table.duty, Closed)


def test_those_who_are_left_play_again() -> None:
    table = at("closed")
    table.evict(Seat(0))
    assert isinstance(table.duty, Closed)
    table.again()
    assert table.position.roster == (1, 2)
    assert rules_of(table.position).left == ()
    table.run()
    standing = table.position.standing
    assert standing is not None
    assert {seat for place in standing.places for seat in place} == {1, 2}


def test_slot_numbers_are_never_used_twice() -> None:
    table = rehearsal(3, salt="numbers")
    seen: dict[int, object] = {}
    evictions = {4: Seat(2), 30: Seat(0)}
    games = 0
    while games < 2:
        if isinstance(table.duty, Closed):
            games += 1
            if games == 2 or len(table.position.roster) < 2:
                break
            table.again()
        if (gone := evictions.pop(table.moment.height, None)) in table.position.roster and (
            len(table.position.roster) > 2
        ):
            assert gone is not None
            table.evict(gone)
        table.step()
        deck = table.position.deck
        for number, slot in deck.slots.items() if deck else ():
            assert seen.setdefault(number, slot.E) == slot.E
    assert seen


def test_public_cards_stay_public_through_a_redeal() -> None:
    table = at("next turn")
    faces = dict(table.position.board.faces)
    table.evict(Seat(1))
    table.until_turn()
    deck = table.position.deck
    assert deck is not None
    for slot, face in faces.items():
        assert table.position.board.faces[slot] == face
        assert PUBLIC in deck.slots[slot].audience
