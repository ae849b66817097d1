"""What a player has to do is asked until the table has the answer, and again if that is void."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from nodealer.games.seeds import ClientMessage, ClientRefused, Fault
from nodealer.kernel import Seat
from nodealer.seat.conversation import Conversation, Numbered, restored
from tests.seat.plainly import Message
from tests.seat.spoken import PROTOCOLS
from tests.seat.test_conversation import on_turn, started

A = Seat(0)


class Asked:
    """A client that was asked for something, and has heard and acknowledged that."""

    def __init__(self, protocol: str) -> None:
        self.table = started(protocol)
        self.seat = A if protocol == "take5" else on_turn(self.table)
        before = self.table.conversations[self.seat]
        assert before.asked is not None
        self.line = before.refusal(ClientRefused(Fault.MALFORMED, ""))[-1]
        self.answered, lines = before.acted(before.asked_number).awaited(is_awaited=False)
        assert lines == ()

    def say(self, conversation: Conversation, message: Message) -> tuple[Conversation, list[str]]:
        """Say something; return the types of the answers, or their codes."""
        table = self.table
        view, legal = table.dealer.view(self.seat), table.dealer.legal(self.seat)
        after, reply = conversation.heard(json.dumps(message), view, legal, table.players)
        return after, [line if line == self.line else _word(line) for line in reply.lines]


def _word(line: str) -> str:
    message = json.loads(line)
    told = message.get("data", message)
    return str(told["code"] if "code" in told else message["type"])


NONSENSE = {"type": "NoSuchThing"}
GREETING = {"type": "register_request", "data": None}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_who_has_answered_is_not_asked_again(protocol: str) -> None:
    asked = Asked(protocol)
    assert asked.say(asked.answered, NONSENSE)[1] == ["unknown-message"]
    back, lines = asked.answered.linked()
    assert lines == ()
    if protocol == "take5":
        assert asked.say(back, GREETING)[1] == ["register_response"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_answer_that_is_void_has_to_be_given_again(protocol: str) -> None:
    asked = Asked(protocol)
    void, lines = asked.answered.awaited(is_awaited=True)
    assert lines == (asked.line,)
    assert void.awaited(is_awaited=True) == (void, ())  # once is enough
    assert asked.say(void, NONSENSE)[1] == ["unknown-message", asked.line]
    back, lines = void.linked()
    assert asked.line in (*lines, *asked.say(back, GREETING)[1])


@pytest.mark.parametrize("protocol", ["66-v1", "66-v2"])
def test_what_has_to_be_answered_again_waits_for_acks(protocol: str) -> None:
    asked = Asked(protocol)
    number = asked.answered.next_number
    news = Numbered(number, ClientMessage("News"))
    told = replace(asked.answered, pending=(news,), next_number=number + 1)
    told, lines = told.flushed()
    assert [_word(line) for line in lines] == ["News"]
    told, lines = told.awaited(is_awaited=True)
    assert lines == ()
    heard, words = asked.say(told, {"type": "Ack", "id": number})
    assert words == []
    assert heard.awaited(is_awaited=True)[1] == (asked.line,)


def test_a_table_that_asks_for_something_new_asks_for_nothing_twice() -> None:
    asked = Asked("66-v1")
    another = Numbered(asked.answered.next_number, ClientMessage("YourTurn", asks=True))
    new = replace(asked.answered, asked=another)
    assert new.awaited(is_awaited=True)[1] == ()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_program_that_dies_between_ack_and_answer_asks_again(protocol: str) -> None:
    asked = Asked(protocol)
    lost = restored(asked.table.protocol, asked.table.conversations[asked.seat].note())
    assert lost.asked is not None
    assert lost.awaited(is_awaited=True)[1] == ()  # nobody is there
    back, lines = lost.linked()
    assert asked.line in (*lines, *asked.say(back, GREETING)[1])
