"""Authored actions: what is taken, and for which reason anything else is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from nodealer.cards import STOCK, hand
from nodealer.crypto import ProofTranscript, prove, relations
from nodealer.deck import (
    CommitPart,
    KeyPart,
    OpenKey,
    OpenShare,
    ProofMoment,
    ReleasePart,
    ViewedFace,
    deck_messages,
    make_reveal,
)
from nodealer.games.api import Action, Plain, action
from nodealer.kernel import LocalError, PeerError, Reason, Seat, SlotId, encode
from nodealer.ledger import Authored
from nodealer.table import Acted, Again, read_action
from nodealer.table.actions import ACTED, step_of
from tests.support.rehearsal import Rehearsal, rehearsal
from tests.table.points import at


def turn(name: str = "turn") -> tuple[Rehearsal, Seat]:
    table = at(name)
    assert isinstance(table.duty, Authored)
    return table, table.duty.seat


def playing() -> tuple[Rehearsal, Seat, Action]:
    """Return a turn in which a card can be played, and that play."""
    table, seat = turn()
    while True:
        legal = table.setting.game.legal(table.view(seat))
        plays = [chosen for chosen in legal if chosen.kind == "play"]
        if plays:
            return table, seat, plays[0]
        table.step()
        table.until_turn()
        assert isinstance(table.duty, Authored)
        seat = table.duty.seat


def written(table: Rehearsal, seat: Seat, chosen: Action) -> Acted:
    acted = read_action(table.players[seat].write(table.position, table.moment, chosen))
    assert isinstance(acted, Acted)
    return acted


def found(table: Rehearsal, seat: Seat, data: bytes) -> Reason | None:
    try:
        table.state.act(table.moment, seat, data)
    except PeerError as refused:
        return refused.reason
    return None


def said(
    kind: str, fields: Mapping[str, Plain] | None = None, openings: Sequence[bytes] = ()
) -> bytes:
    pairs = tuple(sorted((fields or {}).items()))
    return ACTED.write(Acted(kind, pairs, tuple(openings)))


def test_every_legal_action_is_taken() -> None:
    table, seat, _ = playing()
    for chosen in table.setting.game.legal(table.view(seat)):
        assert found(table, seat, ACTED.write(written(table, seat, chosen))) is None


def test_an_action_is_public_once_it_is_taken() -> None:
    table, seat, chosen = playing()
    slots = chosen.slots("cards")
    hidden = [slot for slot in slots if slot not in table.position.board.faces]
    assert hidden == list(slots)
    table.act(seat, chosen)
    assert set(slots) <= set(table.position.board.faces)


def test_a_seat_that_is_not_on_turn_does_nothing() -> None:
    table, seat, chosen = playing()
    acted = written(table, seat, chosen)
    for other in table.position.roster:
        if other != seat:
            assert found(table, other, ACTED.write(acted)) is Reason.RULES_ILLEGAL


def test_nobody_acts_while_effects_are_under_way_or_after_the_end() -> None:
    for name in ("keys", "shuffle", "mask", "deal", "draw", "close", "closed"):
        table = at(name)
        for seat in table.position.roster:
            assert found(table, seat, said("draw")) is Reason.RULES_ILLEGAL


BARE: list[tuple[bytes, Reason]] = [
    (said("fly"), Reason.RULES_ILLEGAL),
    (said(""), Reason.RULES_ILLEGAL),
    (said("take"), Reason.RULES_ILLEGAL),
    (said("pass"), Reason.RULES_ILLEGAL),
    (said("draw", {"cards": ()}), Reason.RULES_ILLEGAL),
    (said("draw", {"": None}), Reason.RULES_ILLEGAL),
    (said("draw", openings=(b"",)), Reason.DECK_COUNT),
    (said("play"), Reason.RULES_ILLEGAL),
    (said("play", {"cards": (), "macaua": False, "suit": None}), Reason.RULES_ILLEGAL),
    (said("play", {"cards": None, "macaua": False, "suit": None}), Reason.RULES_ILLEGAL),
]

CARDS: list[Plain] = [
    (-1,),
    (1 << 62,),
    (-(1 << 62),),
    (True,),
    (False, True),
    ("0",),
    (None,),
    ((0,),),
    0,
    "QH",
    True,
    tuple(range(250)),
]


@pytest.mark.parametrize(("data", "reason"), BARE)
def test_actions_that_open_nothing_are_judged_by_form_and_rules(
    data: bytes, reason: Reason
) -> None:
    table, seat = turn()
    assert found(table, seat, data) is reason


@pytest.mark.parametrize("cards", CARDS, ids=repr)
def test_cards_that_are_none_are_refused(cards: Plain) -> None:
    table, seat = turn()
    data = said("play", {"cards": cards, "macaua": False, "suit": None}, (b"",))
    assert found(table, seat, data) is Reason.RULES_ILLEGAL


def test_cards_that_are_not_the_seats_own_are_refused() -> None:
    table, seat, chosen = playing()
    openings = written(table, seat, chosen).openings
    other = next(s for s in table.position.roster if s != seat)
    board = table.position.board
    fields = dict(chosen.fields)
    for slots in (board.at(hand(other))[:1], board.at(STOCK)[:1], tuple(board.faces)[:1]):
        data = said("play", {**fields, "cards": slots}, openings)
        assert found(table, seat, data) is Reason.RULES_ILLEGAL
    twice = (*chosen.slots("cards"), *chosen.slots("cards"))
    data = said("play", {**fields, "cards": twice}, openings * 2)
    assert found(table, seat, data) is Reason.RULES_ILLEGAL


def test_as_many_openings_as_cards() -> None:
    table, seat, chosen = playing()
    acted = written(table, seat, chosen)
    for openings in ((), acted.openings * 2):
        data = ACTED.write(replace(acted, openings=openings))
        assert found(table, seat, data) is Reason.DECK_COUNT


def test_an_opening_opens_its_own_card() -> None:
    table, seat, chosen = playing()
    (slot,) = chosen.slots("cards")
    other = next(s for s in table.position.board.at(hand(seat)) if s != slot)
    foreign = opening_of(table, seat, other, chosen)
    acted = written(table, seat, chosen)
    data = ACTED.write(replace(acted, openings=(foreign,)))
    assert found(table, seat, data) is Reason.DECK_WRONG_KEY


def opening_of(table: Rehearsal, seat: Seat, slot: SlotId, chosen: Action) -> bytes:
    deck, keyring, moment = table.position.deck, table.players[seat].keyring, table.moment
    assert deck is not None
    site = ProofMoment(moment.table, moment.height, moment.parent, step_of(chosen))
    return deck_messages(deck.group).write(make_reveal(deck, keyring, site, slot))


def test_openings_of_another_form_are_refused() -> None:
    table, seat, chosen = playing()
    acted, group = written(table, seat, chosen), table.setting.group
    messages = deck_messages(group)
    X = group.times_generator(5)
    nonces = table.players[seat].keyring.nonces
    proof = prove(group, ProofTranscript(group, bytes(32)), relations.key(group, X), [5], nonces)
    junk = {
        b"": Reason.ENCODING_TRUNCATED,
        b"\xff": Reason.ENCODING_INDEFINITE,
        acted.openings[0] + b"\0": Reason.ENCODING_TRAILING,
        messages.write(CommitPart(bytes(32))): Reason.ENCODING_KIND,
        messages.write(KeyPart(X, proof)): Reason.ENCODING_KIND,
        messages.write(ReleasePart((OpenKey(5),))): Reason.ENCODING_KIND,
        messages.write(OpenKey(5)): Reason.DECK_WRONG_KEY,
        messages.write(OpenShare(X, proof)): Reason.DECK_RELEASE_FORM,
        messages.write(ViewedFace("QH", proof)): Reason.DECK_RELEASE_FORM,
    }
    for opening, reason in junk.items():
        data = ACTED.write(replace(acted, openings=(opening,)))
        assert found(table, seat, data) is reason


def test_a_face_cannot_be_claimed_for_another() -> None:
    """The face is what the opened layer leaves; an action has no place to name one."""
    table, seat, chosen = playing()
    after = table.fork()
    after.act(seat, chosen)
    for slot in chosen.slots("cards"):
        before = {card.slot: card.face for card in table.view(seat).zone("hand", seat)}
        assert after.position.board.faces[slot] == before[slot]


def test_the_rules_see_the_opened_faces() -> None:
    """A card that does not fit is opened and refused by the rules."""
    table, seat, _ = playing()
    view = table.view(seat)
    playable = {s for a in table.setting.game.legal(view) for s in a.slots("cards")}
    stuck = [card.slot for card in view.zone("hand", seat) if card.slot not in playable]
    tried = table
    while not stuck:
        tried.step()
        tried.until_turn()
        assert isinstance(tried.duty, Authored)
        seat = tried.duty.seat
        view = tried.view(seat)
        playable = {s for a in tried.setting.game.legal(view) for s in a.slots("cards")}
        stuck = [card.slot for card in view.zone("hand", seat) if card.slot not in playable]
    chosen = action("play", cards=(stuck[0],), macaua=False, suit=None)
    data = ACTED.write(Acted("play", chosen.fields, (opening_of(tried, seat, stuck[0], chosen),)))
    assert found(tried, seat, data) is Reason.RULES_ILLEGAL
    assert stuck[0] not in tried.position.board.faces


def test_nobody_opens_a_card_that_it_does_not_see() -> None:
    table, seat, chosen = playing()
    board = table.position.board
    other = next(s for s in table.position.roster if s != seat)
    hidden = action("play", cards=board.at(hand(other))[:1], macaua=False, suit=None)
    with pytest.raises(PeerError):
        table.players[seat].write(table.position, table.moment, hidden)
    with pytest.raises(LocalError):
        opening_of(table, seat, board.at(STOCK)[0], chosen)


def test_another_game_is_begun_after_the_close_by_those_who_are_left() -> None:
    for name in ("keys", "turn", "draw", "close"):
        table = at(name)
        assert found(table, Seat(0), encode((1, "table/again"))) is Reason.RULES_ILLEGAL
    closed = at("closed")
    assert isinstance(read_action(encode((1, "table/again"))), Again)
    assert found(closed, Seat(0), encode((1, "table/again"))) is None
    closed.evict(Seat(1), Seat(2))
    assert found(closed, Seat(0), encode((1, "table/again"))) is Reason.RULES_ILLEGAL


def test_proofs_inside_an_action_are_bound_to_it() -> None:
    """The step of the moment is the action without its openings: its kind and all its fields."""
    actions = [
        action("play", cards=(1,), macaua=False, suit=None),
        action("play", cards=(2,), macaua=False, suit=None),
        action("play", cards=(1,), macaua=True, suit=None),
        action("play", cards=(1,), macaua=False, suit="H"),
        action("lay", cards=(1,), macaua=False, suit=None),
    ]
    steps = [step_of(one) for one in actions]
    assert len(set(steps)) == len(steps)


def test_turns_follow_one_another() -> None:
    made = rehearsal(3, salt="turns")
    heights = []
    for _ in range(30):
        made.step()
        heights.append(made.moment.height)
    assert all(after == before + 1 for before, after in pairwise(heights))
