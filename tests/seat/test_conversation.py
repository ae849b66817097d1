"""A confused client is refused, and changes nothing; what is not acknowledged comes again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nodealer.games.registry import game, resolve, seed_protocol
from nodealer.games.seeds import ClientMessage, ClientRefused, ClientRequest
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.request_forms import _numbers_in
from nodealer.kernel import LocalError, Seat
from nodealer.seat.conversation import Conversation, Numbered
from nodealer.seat.json_text import SAID_BYTES_MAX, read_request
from tests.seat.plainly import PlainTable, Sent
from tests.seat.playing import Game
from tests.seat.spoken import PROTOCOLS

A, B, C = Seat(0), Seat(1), Seat(2)
Message = dict[str, Any]


def started(protocol: str, seats: int = 3, seed: str | int = "said") -> PlainTable:
    """Return a table of 66 at its first turn, or of 6 nimmt! at its first choice."""
    table = PlainTable(protocol, seats, seed)
    if protocol == "take5":
        for seat in table.dealer.seats:
            table.say(seat, {"type": "register_request", "data": None})
    else:
        table.say(A, {"type": "StartGame"})
    settle(table)
    return table


def settle(table: PlainTable, *, but: Seat | None = None) -> None:
    """Go on, with all clients acknowledging everything but one."""
    while True:
        waiting = [sent for sent in table.sent if sent.to != but and "id" in sent.message]
        table.sent = [sent for sent in table.sent if sent not in waiting]
        for sent in waiting:
            table.say(sent.to, {"type": "Ack", "id": sent.message["id"]})
        if not waiting and not table.go_on():
            return


def on_turn(table: PlainTable) -> Seat:
    active = table.dealer.view().facts["active"]
    assert isinstance(active, int)
    return Seat(active)


def refused(table: PlainTable, seat: Seat, text: str) -> tuple[str, list[Message]]:
    """Say something that is refused: return the code, and what is sent after the error."""
    before = (table.dealer.state, table.dealer.board, dict(table.conversations), len(table.acted))
    table.sent.clear()
    table.say_text(seat, text)
    after = (table.dealer.state, table.dealer.board, dict(table.conversations), len(table.acted))
    assert before == after
    error, *again = [sent.message for sent in table.sent if sent.to == seat]
    assert all(sent.to == seat for sent in table.sent)
    assert error["type"] == table.protocol.error
    told = error if table.protocol.is_flat else error["data"]
    assert told["message"]
    return told["code"], again


ANYTHING = [
    ("", "malformed"),
    ("{", "malformed"),
    ("[]", "malformed"),
    ("7", "malformed"),
    ("null", "malformed"),
    ('{"type": 7}', "malformed"),
    ('{"data": null}', "malformed"),
    ('{"type": "a", "type": "a"}', "malformed"),
    ('{"type": "a", "x": NaN}', "malformed"),
    ("\ufffd\x00", "malformed"),
    ("[" * 4000, "malformed"),
    ('{"type": "x' + "y" * SAID_BYTES_MAX + '"}', "too-long"),
    (" " * (SAID_BYTES_MAX + 1), "too-long"),
    ('{"type": "NoSuchThing"}', "unknown-message"),
]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("text", "code"), ANYTHING, ids=range(len(ANYTHING)))
def test_what_is_no_message_is_refused_and_the_request_comes_again(
    protocol: str, text: str, code: str
) -> None:
    table = started(protocol)
    seat = A if protocol == "take5" else on_turn(table)
    found, again = refused(table, seat, text)
    assert found == code
    asked = {"take5": "play_request", "66-v1": "YourTurn", "66-v2": "BoardUpdated"}[protocol]
    assert [message["type"] for message in again] == [asked]


WRONG_66 = [
    ({"type": "TakeCardFromDeck", "cardIndex": 0}, "wrong-fields"),
    ({"type": "ReplaceCardByDiscarded"}, "wrong-fields"),
    ({"type": "ReplaceCardByDiscarded", "cardIndex": "0"}, "wrong-fields"),
    ({"type": "ReplaceCardByDiscarded", "cardIndex": True}, "wrong-fields"),
    ({"type": "ReplaceCardByDiscarded", "cardIndex": 0}, "not-allowed"),  # nothing is discarded
    ({"type": "ReplaceCardByDiscarded", "cardIndex": 4}, "not-allowed"),
    ({"type": "ReplaceCardByDiscarded", "cardIndex": -1}, "not-allowed"),
    ({"type": "ShowCards", "cardIndexes": 3}, "wrong-fields"),
    ({"type": "ShowCards", "cardIndexes": [0, 0]}, "wrong-fields"),
    ({"type": "ShowCards", "cardIndexes": [0, 1.0]}, "wrong-fields"),
    ({"type": "ShowCards", "cardIndexes": [0]}, "not-allowed"),
    ({"type": "ShowCards", "cardIndexes": [0, 9]}, "not-allowed"),
    ({"type": "Discard"}, "not-now"),
    ({"type": "StartGame"}, "not-now"),
    ({"type": "PeekOwnCard", "cardIndex": 0}, "not-now"),
    ({"type": "Ack", "id": 99}, "not-now"),
    ({"type": "Ack", "id": 0}, "not-now"),
    ({"type": "Ack", "id": "1"}, "wrong-fields"),
    ({"type": "Ack", "ids": 1}, "wrong-fields"),
]


@pytest.mark.parametrize(("message", "code"), WRONG_66)
def test_wrong_requests_in_66(message: Message, code: str) -> None:
    table = started("66-v1")
    found, again = refused(table, on_turn(table), json.dumps(message))
    assert found == code
    assert again[0]["type"] == "YourTurn"


@pytest.mark.parametrize("protocol", ["66-v1", "66-v2"])
def test_who_has_not_the_turn_is_refused(protocol: str) -> None:
    table = started(protocol)
    other = next(seat for seat in table.dealer.seats if seat != on_turn(table))
    assert refused(table, other, '{"type": "TakeCardFromDeck"}') == ("not-now", [])


@pytest.mark.parametrize(
    ("player", "card", "code"),
    [(0, 0, "not-allowed"), (7, 0, "not-allowed"), (1, 9, "not-allowed"), ("1", 0, "wrong-fields")],
)
def test_anothers_card_is_another_players(player: object, card: int, code: str) -> None:
    message = {"type": "PeekAnothersCard", "playerIndex": player, "cardIndex": card}
    for seed in range(200):
        table = started("66-v2", seed=seed)
        if on_turn(table) != A:
            continue
        table.say(A, {"type": "TakeCardFromDeck"})
        settle(table)
        table.say(A, {"type": "Discard"})
        settle(table)
        if table.dealer.view().facts["phase"] == "DISCARDING_9_10":
            found, again = refused(table, A, json.dumps(message))
            assert found == code
            assert again[0]["actions"] == ["PickAnothersCard"]
            return
    raise AssertionError("no such card was ever taken")


WRONG_TAKE5 = [
    ({"type": "play_response"}, "wrong-fields"),
    ({"type": "play_response", "data": 7}, "wrong-fields"),
    ({"type": "play_response", "data": {"face": 1}}, "wrong-fields"),
    ({"type": "play_response", "data": {"face": "1", "bull": 1}}, "wrong-fields"),
    ({"type": "play_response", "data": {"face": 999, "bull": 1}}, "not-allowed"),
    ({"type": "choose_response", "data": "A"}, "not-now"),
    ({"type": "choose_response", "data": 1}, "wrong-fields"),
    ({"type": "register_request", "data": None}, "not-now"),
    ({"type": "register_request"}, "wrong-fields"),
    ({"type": "Ack"}, "unknown-message"),
]


@pytest.mark.parametrize(("message", "code"), WRONG_TAKE5)
def test_wrong_requests_in_6_nimmt(message: Message, code: str) -> None:
    table = started("take5")
    found, again = refused(table, A, json.dumps(message))
    assert found == code
    assert again[0]["type"] == "play_request"


def test_a_card_with_other_bull_heads_is_not_held() -> None:
    table = started("take5")
    card = next(sent.message["data"][0] for sent in table.sent if sent.message["type"] == "deal")
    wrong = {"type": "play_response", "data": {**card, "bull": card["bull"] + 1}}
    assert refused(table, A, json.dumps(wrong))[0] == "not-allowed"
    table.say(A, {"type": "play_response", "data": card})
    second = {"type": "play_response", "data": card}
    assert refused(table, A, json.dumps(second)) == ("not-now", [])


def test_a_stack_that_is_none_is_refused() -> None:
    game = Game("take5", 3, 1)
    while game.table.dealer.view().facts["phase"] != "awaiting-row-choice" or game.table.sent:
        sent = game.table.sent[0] if game.table.sent else None
        if sent is not None and sent.message["type"] == "choose_request":
            break
        assert game.step()
    (chooser,) = {sent.to for sent in game.table.sent if sent.message["type"] == "choose_request"}
    wrong = json.dumps({"type": "choose_response", "data": "E"})
    code, again = refused(game.table, chooser, wrong)
    assert code == "not-allowed"
    assert again[0]["type"] == "choose_request"


def test_a_client_of_6_nimmt_registers_first() -> None:
    table = PlainTable("take5", 2, "register")
    assert refused(table, A, '{"type": "play_response", "data": null}') == ("unregistered", [])
    assert refused(table, A, '{"type": "register_request", "data": {}}')[0] == "wrong-fields"


def test_nothing_goes_on_before_everything_is_acknowledged() -> None:
    table = started("66-v1")
    active = on_turn(table)
    late = next(seat for seat in table.dealer.seats if seat != active)
    table.say(active, {"type": "TakeCardFromDeck"})
    settle(table)
    table.say(active, {"type": "Discard"})
    settle(table, but=late)
    assert table.dealer.view().facts["phase"] == "DISCARDING"
    assert [sent.message["type"] for sent in table.sent if sent.to == late] == ["CardDiscarded"]
    # Who has the power, or the next turn, hears of it only when the others have been told.
    assert not [sent for sent in table.course[-1:] if sent.message["type"].startswith("Peeking")]
    code, again = refused(table, late, '{"type": "TakeCardFromDeck"}')
    assert code == "not-now"
    assert again[0]["type"] == "CardDiscarded"
    table.say(late, {"type": "Ack"})  # as the description writes it, without an id
    settle(table)
    assert table.dealer.view().facts["phase"] != "DISCARDING"


def test_a_request_before_the_ack_is_refused() -> None:
    table = PlainTable("66-v1", 2, "early")
    table.say(A, {"type": "StartGame"})
    while "YourTurn" not in [sent.message["type"] for sent in table.sent]:
        for sent in list(table.sent):
            table.sent.remove(sent)
            table.say(sent.to, {"type": "Ack", "id": sent.message["id"]})
        table.go_on()
    active = on_turn(table)
    code, again = refused(table, active, '{"type": "TakeCardFromDeck"}')
    assert code == "unacknowledged"
    assert [message["type"] for message in again] == ["YourTurn"]


def test_an_ack_once_more_is_no_matter() -> None:
    table = started("66-v1")
    for ack in ({"type": "Ack", "id": 1}, {"type": "Ack"}):  # clients of the description have no id
        table.sent.clear()
        table.say(on_turn(table), ack)
        assert table.sent == []


def test_an_ack_of_nothing_is_refused() -> None:
    table = PlainTable("66-v1", 3, "early")
    assert refused(table, A, '{"type": "Ack"}') == ("not-now", [])
    assert refused(table, A, '{"type": "Ack", "id": 1}') == ("not-now", [])


@pytest.mark.parametrize("is_restarted", [False, True])
@pytest.mark.parametrize("protocol", ["66-v1", "66-v2"])
def test_after_a_reconnect_everything_comes_that_is_not_acknowledged(
    protocol: str, *, is_restarted: bool
) -> None:
    whole, torn = Game(protocol, 3, "torn"), Game(protocol, 3, "torn")
    whole.play()
    for count in range(100_000):
        if count % 7 == 0:
            torn.table.cut(B)
            if is_restarted:
                torn.table.restart(B)
            else:
                torn.table.link(B)
        if not torn.step():
            break
    heard = [message["id"] for message in torn.clients[B].heard if "id" in message]
    assert sorted(set(heard)) == list(range(1, heard[-1] + 1))
    once = list({message["id"]: message for message in torn.clients[B].heard}.values())
    assert once == whole.clients[B].heard
    assert torn.clients[B].is_over


def test_a_client_of_6_nimmt_gets_again_what_came_after_its_last_answer() -> None:
    table = started("take5")
    told = [sent.message for sent in table.sent if sent.to == A]
    table.cut(A)
    table.restart(A)
    assert not [sent for sent in table.sent if sent.to == A]
    table.say(A, {"type": "register_request", "data": None})
    assert [sent.message for sent in table.sent if sent.to == A] == told
    card = told[1]["data"][0]
    table.say(A, {"type": "play_response", "data": card})
    table.cut(A)
    table.restart(A)
    table.say(A, {"type": "register_request", "data": None})
    again = [sent.message for sent in table.sent if sent.to == A]
    assert [message["type"] for message in again] == ["register_response"]


def test_what_somebody_else_has_answered_is_not_asked_again() -> None:
    asking = ClientMessage("play_request", {"data": {}}, asks=True)
    pending = (Numbered(1, ClientMessage("deal")), Numbered(2, asking))
    conversation = Conversation(PROTOCOLS["take5"], pending, pending[1], 3)
    table = started("take5", 2)
    for seed in range(20):
        table = started("take5", 2, seed)
        table.conversations[A] = conversation
        for seat in (A, B):
            zone = table.dealer.choosable(seat)
            legal = table.dealer.legal(seat)
            table.dealer.begin(seat, next(one for one in legal if one.slots("card") == zone[:1]))
        while not table.dealer.is_asking and table.dealer.underway:
            table.dealer.advance()
            table.tell()
        if table.dealer.is_asking:
            break
    asked = [one for one in table.conversations[A].pending if one.told.asks]
    assert len(asked) == 1
    assert asked != [pending[1]]


@pytest.mark.parametrize("protocol", ["66-v1", "66-v2"])
def test_when_a_seat_is_left_out_the_round_is_told_anew(protocol: str) -> None:
    table = started(protocol)
    table.sent.clear()
    table.leave([C])
    settle_and_keep = []
    while table.sent or table.go_on():
        for sent in list(table.sent):
            table.sent.remove(sent)
            settle_and_keep.append(sent)
            if "id" in sent.message:
                table.say(sent.to, {"type": "Ack", "id": sent.message["id"]})
    first = {"66-v1": "GameState", "66-v2": "BoardInitialized"}[protocol]
    mine = [sent.message for sent in settle_and_keep if sent.to == A]
    assert mine[0]["type"] == first
    assert mine[0]["handSizes"] == [4, 4, 0]
    assert not [sent for sent in settle_and_keep if sent.to == C]
    table.leave([B])
    last = [sent.message for sent in table.sent if sent.to == A][-1]
    assert last["type"] == {"66-v1": "GameFinished", "66-v2": "RoundFinished"}[protocol]
    assert last["totalScores"] == [0, 0, 0]
    assert last["scores"] == [None] * 3


def test_who_leaves_before_the_start_is_not_told_of() -> None:
    table = PlainTable("66-v1", 3, "early")
    table.leave([A])
    assert table.sent == []
    table.say(B, {"type": "StartGame"})
    settle(table)
    assert table.dealer.view().facts["round"] == 1


def test_when_a_seat_is_left_out_of_6_nimmt_the_others_play_on() -> None:
    table = started("take5")
    table.sent.clear()
    table.leave([C])
    assert table.sent == []  # the same cards are asked for
    for seat in (A, B):
        cards = table.dealer.view(seat).zone("hand", seat)
        face = int(str(cards[0].face))
        heads = table.dealer.view().facts["bulls"]
        assert isinstance(heads, tuple)
        card = {"face": face, "bull": heads[face - 1]}
        table.say(seat, {"type": "play_response", "data": card})
    table.go_on()
    table.go_on()
    played = next(sent.message for sent in table.sent if sent.message["type"] == "played")
    assert sorted(one["id"] for one in played["data"]) == [A, B]


def test_a_round_that_is_counted_is_told_again_when_its_starter_leaves() -> None:
    game = Game("66-v1", 3, 5)
    while game.table.dealer.view().facts["phase"] != "ROUND_FINISHED":
        assert game.step()
    starter = game.table.dealer.view().facts["starter"]
    assert isinstance(starter, int)
    while game.table.sent:
        game.step()
    game.table.leave([Seat(starter)])
    told: list[Sent] = []
    while game.table.sent or game.table.go_on():
        told += game.table.sent
        for sent in list(game.table.sent):
            game.table.sent.remove(sent)
            game.table.say(sent.to, {"type": "Ack", "id": sent.message["id"]})
    again = [sent.message for sent in told if sent.message["type"] == "RoundFinished"]
    assert again
    assert all(message["nextPlayerIndex"] != starter for message in again)


def test_a_protocol_that_is_not_the_tables_is_refused() -> None:
    options = resolve(game("66"), 2, {"variant": "v1"})
    assert seed_protocol(SIXTY_SIX, "66-v1", options) == PROTOCOLS["66-v1"]
    for name in ("66-v2", "take5"):
        with pytest.raises(LocalError, match=name):
            seed_protocol(SIXTY_SIX, name, options)
    with pytest.raises(LocalError, match="Macaua has no protocol 'take5'; it has none"):
        seed_protocol(game("macaua"), "take5", resolve(game("macaua"), 2, {}))


def test_no_number_of_strangers_stops_the_reader() -> None:
    with pytest.raises(ClientRefused, match="malformed"):
        read_request('{"type": "Ack", "id": ' + "9" * 4050 + "x}")
    assert _numbers_in(ClientRequest("ShowCards", {"n": [3, 1]}), "n") == (1, 3)


def test_protocols_of_66_do_not_greet() -> None:
    view = started("66-v1").dealer.view(A)
    assert not PROTOCOLS["66-v1"].greet(view, 3)
    assert not PROTOCOLS["66-v2"].greet(view, 3)
