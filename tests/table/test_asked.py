"""Choices, verdicts and notices as parts of joint steps: who owes them, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from nodealer.cards import STOCK, Zone, hand
from nodealer.deck import EqualPart, NotEqualPart, deck_messages, see
from nodealer.games.api import Choice, Step
from nodealer.games.effects import Acks, Choose, Compare, Effect, Move, Show
from nodealer.kernel import Bug, EntryId, Height, PeerError, Reason, Seat, SlotId
from nodealer.ledger import Moment, Owed
from nodealer.table import ChosenSlot, Replay
from nodealer.table.actions import CHOSEN
from nodealer.table.carrying import entered
from tests.games.pairs import TRICK, pair
from tests.support.circle import hashed
from tests.support.rehearsal import Rehearsal, choice_in
from tests.table.points import ASKED, asked_at

SIZES = (2, 3, 4)


def only(table: Rehearsal) -> Owed:
    (part,) = table.owed
    return part


def found(table: Rehearsal, seat: Seat, data: bytes, moment: Moment | None = None) -> Reason | None:
    """Return why a payload of a seat is refused."""
    label = table.label(only(table))
    try:
        table.state.check(moment or table.moment, seat, ((label, data),), ())
    except PeerError as refused:
        return refused.reason
    return None


def payload(table: Rehearsal, seat: Seat) -> bytes:
    ((_, data),) = table.given(seat).payloads
    return data


@pytest.mark.parametrize("seats", SIZES)
@pytest.mark.parametrize("point", ASKED)
def test_a_step_is_due_and_honest_seats_carry_it_out(point: str, seats: int) -> None:
    table, again = asked_at(point, seats), asked_at(point, seats)
    part = only(table)
    assert part.kind == {"show": "release"}.get(point, point)
    assert part.binding == part.decided == (point == "choose")
    assert part.purpose == ("card" if point == "choose" else "")
    assert not part.chained
    assert table.contributions() == again.contributions()
    table.settle()


# Choices.


def test_all_who_are_asked_owe_a_choice_and_only_its_effect_knows_the_order() -> None:
    table = asked_at("choose")
    assert only(table).seats == (0, 1, 2)
    asking = table.position.program.under_way(Choose)
    turned = replace(asking, zones=asking.zones[::-1])
    effects = (turned, *table.position.program.effects[1:])
    table.state = Replay(
        replace(table.position, program=replace(table.position.program, effects=effects))
    )
    assert only(table).seats == (0, 1, 2)
    made = table.contributions()
    chosen = {one.seat: choice_in(one.payloads) for one in made}
    after = table.state.settle(table.moment, made).position
    # The rules have taken them in the order of the zones.
    assert [slot for _, slot in after.rules.chosen] == [chosen[Seat(seat)] for seat in (2, 1, 0)]  # type: ignore[attr-defined]


def test_a_choice_opens_nothing_and_the_show_behind_it_opens_all() -> None:
    table = asked_at("choose")
    chosen = [choice_in(one.payloads) for one in table.contributions()]
    table.settle()
    assert not table.position.board.faces.keys() & set(chosen)
    assert table.position.board.at(TRICK) == tuple(chosen)
    assert table.owing() == (0, 1, 2)
    table.settle()
    assert table.position.board.faces.keys() >= set(chosen)


CHOICES: dict[str, tuple[Callable[[Rehearsal], bytes], Reason]] = {
    "a card of another hand": (
        lambda table: CHOSEN.write(ChosenSlot(table.position.board.at(hand(Seat(1)))[0])),
        Reason.RULES_ILLEGAL,
    ),
    "an own card of another zone": (
        lambda table: CHOSEN.write(ChosenSlot(table.position.board.at(pair(Seat(0)))[0])),
        Reason.RULES_ILLEGAL,
    ),
    "a card of the stock": (
        lambda table: CHOSEN.write(ChosenSlot(table.position.board.at(STOCK)[0])),
        Reason.RULES_ILLEGAL,
    ),
    "a card that is not there": (
        lambda _: CHOSEN.write(ChosenSlot(SlotId(999))),
        Reason.RULES_ILLEGAL,
    ),
    "no choice": (lambda _: b"\x83\x01\x00\x00", Reason.ENCODING_SHAPE),
    "nothing": (lambda _: b"", Reason.ENCODING_TRUNCATED),
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_bad_choice_is_refused(name: str) -> None:
    make, reason = CHOICES[name]
    table = asked_at("choose")
    assert found(table, Seat(0), make(table)) is reason
    assert found(table, Seat(0), payload(table, Seat(0))) is None


def test_a_choice_is_refused_by_the_very_rule_of_the_dealer() -> None:
    table = asked_at("choose")
    for seat in table.owing():
        legal = {action.slots("card")[0] for action in table.setting.game.legal(table.view(seat))}
        for slot in range(60):
            reason = found(table, seat, CHOSEN.write(ChosenSlot(SlotId(slot))))
            assert reason is (None if slot in legal else Reason.RULES_ILLEGAL)


def test_a_position_speaks_of_a_choice_and_not_of_what_was_chosen() -> None:
    table = asked_at("choose")
    everybody = (Seat(0), Seat(1), Seat(2))
    assert table.position.view().duty == Choice("card", "lay", everybody, everybody)
    owing = (Seat(0), Seat(2))
    assert table.position.choice({Seat(1): SlotId(3)}) == Choice("card", "lay", everybody, owing)
    assert asked_at("acks").position.choice() is None
    assert asked_at("acks").position.view().duty is None


# Verdicts.


def compared(table: Rehearsal) -> tuple[SlotId, ...]:
    return table.position.program.under_way(Compare).slots


@pytest.mark.parametrize("seats", SIZES)
def test_the_lowest_of_those_that_see_the_cards_owes_the_verdict(seats: int) -> None:
    table = asked_at("verdict", seats)
    (prover,) = only(table).seats
    (owner,) = {
        zone.seat
        for zone, slots in table.position.board.layout.zones.items()
        if set(slots) >= set(compared(table))
    }
    assert prover == min(set(table.position.roster) - {owner})


def test_a_verdict_is_what_all_keys_together_say() -> None:
    told = set()
    for number in range(8):
        table = asked_at("verdict", 3, ("verdicts", number))
        (prover,) = only(table).seats
        deck, ring = table.position.deck, table.players[prover].keyring
        assert deck is not None
        faces = {see(deck, ring, slot) for slot in compared(table)}
        part = deck_messages(ring.group).read_any(payload(table, prover))
        is_equal = len(faces) == 1
        assert isinstance(part, EqualPart if is_equal else NotEqualPart)
        table.settle()
        assert table.position.program.results[-1] is is_equal
        told.add(is_equal)
    assert told == {True, False}


def verdict_of(kind: type, seats: int = 3) -> tuple[Rehearsal, Seat, bytes]:
    """Return a table at which a verdict of this kind is due, and the honest part."""
    for number in range(20):
        table = asked_at("verdict", seats, ("verdicts", number))
        (prover,) = only(table).seats
        data = payload(table, prover)
        if isinstance(deck_messages(table.setting.group).read_any(data), kind):
            return table, prover, data
    raise AssertionError("there is one of both kinds")


def test_the_contrary_of_a_verdict_is_refused() -> None:
    table, prover, data = verdict_of(EqualPart)
    messages = deck_messages(table.setting.group)
    equal = messages.read(data, EqualPart)
    lie = NotEqualPart(table.setting.group.generator, 0, equal.proof)
    assert found(table, prover, messages.write(lie)) in (
        Reason.PROOF_NOT_EQUAL,
        Reason.PROOF_LENGTH,
    )
    table, prover, data = verdict_of(NotEqualPart)
    unequal = messages.read(data, NotEqualPart)
    lies = (EqualPart(unequal.proof), EqualPart(equal.proof))
    for one in lies:
        reason = found(table, prover, messages.write(one))
        assert reason in (Reason.PROOF_EQUAL, Reason.PROOF_LENGTH)


def test_no_other_message_is_a_verdict() -> None:
    table, prover, _ = verdict_of(EqualPart)
    release = payload(asked_at("show"), Seat(0))
    assert found(table, prover, release) is Reason.ENCODING_KIND
    assert found(table, prover, CHOSEN.write(ChosenSlot(SlotId(1)))) is Reason.ENCODING_KIND
    assert found(table, prover, b"") is Reason.ENCODING_TRUNCATED


@pytest.mark.parametrize("kind", [EqualPart, NotEqualPart])
def test_a_verdict_holds_at_its_moment_alone(kind: type) -> None:
    table, prover, data = verdict_of(kind)
    moment = table.moment
    others = (
        replace(moment, height=Height(moment.height + 1)),
        replace(moment, parent=EntryId(hashed("another"))),
    )
    assert found(table, prover, data) is None
    for other in others:
        assert found(table, prover, data, other) in (Reason.PROOF_EQUAL, Reason.PROOF_NOT_EQUAL)


@pytest.mark.parametrize("alike", [True, False])
def test_open_cards_are_compared_by_the_lowest_seat(alike: bool) -> None:
    table = asked_at("guess", 3, "open cards")
    stock = table.position.board.at(STOCK)
    first, *rest = stock
    other = next(slot for slot in rest if (face(table, slot) == face(table, first)) == alike)
    effects = (Show((first, other)), Compare((first, other)), Acks())
    table.state = Replay(entered(table.position, Step(table.position.rules, effects)))
    table.settle()
    assert table.position.board.faces.keys() >= {first, other}
    assert only(table).seats == (0,)
    table.settle()
    assert table.position.program.results[-1] is alike


def face(table: Rehearsal, number: SlotId) -> str:
    """Return what all keyrings together find on a slot."""
    deck = table.position.deck
    assert deck is not None
    slot = deck.slots[number]
    N = slot.N
    for seat, layer in slot.layers.items():
        N = N - table.players[seat].keyring.layer_secret(layer) * slot.E
    return deck.faces.name(N)


def test_a_card_that_is_open_and_one_that_is_not_are_compared() -> None:
    table = asked_at("choose", 3, "mixed")
    board = table.position.board
    mine = board.at(hand(Seat(1)))
    opened = entered(table.position, Step(table.position.rules, (Show(mine[:1]), Compare(mine))))
    table.state = Replay(opened)
    table.settle()
    assert only(table).seats == (1,)
    table.contributions()


# What is a bug of the rules.


def bugs(effect: Effect, point: str = "guess") -> None:
    table = asked_at(point)
    with pytest.raises(Bug):
        entered(table.position, Step(table.position.rules, (effect,)))


def test_cards_that_nobody_sees_are_not_compared() -> None:
    board = asked_at("guess").position.board
    bugs(Compare(board.at(STOCK)[:2]))
    bugs(Compare((board.at(hand(Seat(0)))[0], board.at(hand(Seat(1)))[0])))
    bugs(Compare(board.at(hand(Seat(0)))[:1]))
    bugs(Compare((SlotId(500), SlotId(501))))


def test_nobody_chooses_from_cards_that_others_know_or_nobody() -> None:
    bugs(Choose("card", "lay", (pair(Seat(0)),)))
    bugs(Choose("card", "lay", (STOCK,)))
    bugs(Choose("card", "lay", (Zone("hand", Seat(7)),)))
    bugs(Choose("card", "lay", (hand(Seat(0)), hand(Seat(0)))))
    bugs(Choose("card", "lay", ()))
    bugs(Choose("card", "lay", (Zone("stock", Seat(0)),)))


def test_notices_need_no_cards() -> None:
    table = asked_at("guess")
    position = entered(table.position, Step(table.position.rules, (Acks(), Move((), STOCK))))
    assert [part.kind for part in Replay(position).due().parts] == ["acks"]  # type: ignore[union-attr]
