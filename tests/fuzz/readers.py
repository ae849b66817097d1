"""The readers of what others have sent: what each is given, and good inputs to begin with.

The good inputs are real: the messages of a table with every kind of entry, of a lobby with every
kind of message, of two ends of a link. A reader does with what it has read what its caller does
next, as far as that needs no network.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from nodealer.crypto import SECP256K1
from nodealer.deck.part_bytes import deck_messages
from nodealer.dialogue.wishes import WishError, read_wish
from nodealer.games.seeds import ClientRefused as NotSaid
from nodealer.kernel import Seat
from nodealer.ledger import AuthoredStep, Ledger, LedgerMessage, read, write
from nodealer.lobby import ASK, INVITED, MayICome, YouMayCome, read_asking, read_invite
from nodealer.lobby import messages as lobby_messages
from nodealer.lobby import write as write_lobby
from nodealer.node import chat, envelopes
from nodealer.node.transport.addresses import parse
from nodealer.node.transport.carrier import BrokenRuleError
from nodealer.node.transport.frames import Deframer, RunId, read_frame
from nodealer.node.transport.relay_words import hop_word
from nodealer.node.transport.session import LinkSession
from nodealer.seat.json_text import read_request
from nodealer.table import check_charter, read_action
from nodealer.verify import Transcript, read_transcript
from nodealer.wire import decode, split
from tests.lobby.test_invite import LINE as INVITE
from tests.lobby.test_messages import SAMPLES
from tests.node.pair import FOLLOWER, LEADER, Pair
from tests.node.test_chat import ANA, CHARTER, line_of
from tests.verify.stage import whole_story

Reader = Callable[[bytes], object]

QUESTIONS = (
    ASK.write(MayICome()),
    INVITED.write(YouMayCome(bytes(range(16)), "Ana", "macaua")),
)

WISHES = (
    b'{"n":1,"do":"follow"}',
    b'{"n":1,"do":"follow","mark":"k7q2","log":[2,0],"chat":null}',
    b'{"n":2,"do":"pick","height":4,"card":1}',
    b'{"n":3,"do":"say","text":"hello"}',
    b'{"n":4,"do":"mute","seat":1}',
    b'{"n":5,"do":"leave","sure":true}',
    b'{"n":6,"do":"piece","data":"AAEC"}',
)


@dataclass(frozen=True, slots=True)
class Target:
    """A reader, the good inputs that others are made of, and what else than a refusal it may say.

    `share` is how many of a thousand inputs it is given.
    """

    name: str
    read: Reader
    good: Callable[[], tuple[bytes, ...]]
    share: int
    refusals: tuple[type[Exception], ...] = ()


# Good inputs.


@cache
def _story() -> Transcript:
    return read_transcript(whole_story().record())


@cache
def _ledger_messages() -> tuple[bytes, ...]:
    """Return all that the seats of the story still send to who has nothing, and its entries."""
    table = whole_story().tables[Seat(0)]
    _, ready = table.tell()
    messages: list[LedgerMessage] = [out.message for out in ready.send]
    messages.extend((*_story().entries, *_story().open))
    return tuple(write(message) for message in messages)


@cache
def _payloads() -> tuple[bytes, ...]:
    given = [one for entry in _story().entries for one in entry.contributions]
    return tuple(payload for one in given for _, payload in one.payloads)


def _actions() -> tuple[bytes, ...]:
    steps = [entry.content.step for entry in _story().entries]
    return tuple(step.action for step in steps if isinstance(step, AuthoredStep))


def _sent_over_a_link() -> tuple[bytes, ...]:
    """Return what one end of a link writes, from its hello on."""
    found = []
    for sizes in ((1,), (40, 2000, 3), (1,) * 30):
        pair = Pair()
        wire = pair.open()
        for size in sizes:
            pair.send(LEADER, bytes(size))
        found.append(bytes(wire.waiting[FOLLOWER]))
    return tuple(found)


def _envelopes() -> tuple[bytes, ...]:
    table = CHARTER.table
    heads = (envelopes.ForTable(table), envelopes.ForChat(table), envelopes.ForAddress(table))
    plain = (envelopes.Absent(table), envelopes.Follow(table, _story().entries[3].content.height))
    return (
        *(envelopes.write_envelope(head, b"letter") for head in heads),
        *(envelopes.write_envelope(head) for head in plain),
        envelopes.write_envelope(envelopes.ForLobby(bytes(16)), b"letter"),
    )


def _words_at_a_relay() -> tuple[bytes, ...]:
    peer = b"\x0a\x26" + bytes(38)
    return (b"\x08\x00", b"\x08\x01\x12" + bytes([len(peer)]) + peer, b"\x08\x02\x28\x64")


def _lines() -> tuple[bytes, ...]:
    return tuple(chat.LINE.write(line_of(ANA, number, "good card")) for number in range(1, 4))


# Readers.


def _read_values(data: bytes) -> None:
    for one in split(data):
        decode(one)


def _receive(data: bytes) -> None:
    """Let a ledger that stands in the middle of the story take a message in."""
    _standing().receive(read(data), Seat(1))


@cache
def _standing() -> Ledger:
    return whole_story().tables[Seat(0)].ledger


def _read_record(data: bytes) -> None:
    check_charter(read_transcript(data).charter)


def _take_frames(data: bytes) -> None:
    for body in Deframer().feed(data):
        read_frame(body)


def _meet(data: bytes) -> None:
    """Let an end of a link hear this from the other, and answer."""
    session = LinkSession(RunId(bytes(16)), leads=False, now=0)
    number = session.attach(0)
    session.bytes_in(number, data, 1)
    while session.take(2) is not None:
        pass
    session.outgoing(number, 3)
    session.tick(10**7)


def _hear(data: bytes) -> None:
    at = chat.chat_of(CHARTER)
    for line in chat.read_lines(data):
        at = chat.heard(at, line, 0)


def _as_text(read_text: Callable[[str], object]) -> Reader:
    return lambda data: read_text(data.decode("utf-8", errors="replace"))


TARGETS: tuple[Target, ...] = (
    Target("values", _read_values, lambda: (*_ledger_messages()[:40], *_lines()), 100),
    Target("parts", deck_messages(SECP256K1).read_any, _payloads, 60),
    Target("actions", read_action, _actions, 100),
    Target("letters", read, _ledger_messages, 100),
    Target("ledger", _receive, _ledger_messages, 40),
    Target("records", _read_record, lambda: (whole_story().record(),), 5),
    Target("lobby", lobby_messages.read, lambda: tuple(map(write_lobby, SAMPLES)), 100),
    Target("questions", read_asking, lambda: QUESTIONS, 40),
    Target("envelopes", envelopes.read_envelope, _envelopes, 100),
    Target("relays", hop_word, _words_at_a_relay, 10, (BrokenRuleError,)),
    Target("frames", _take_frames, _sent_over_a_link, 75),
    Target("links", _meet, _sent_over_a_link, 50),
    Target("lines", _hear, _lines, 50),
    Target("invites", _as_text(read_invite), lambda: (INVITE.encode(),), 60),
    Target(
        "addresses",
        _as_text(parse),
        lambda: (b"/ip4/192.0.2.7/tcp/4001", b"/ip6/::1/tcp/1", b"/dns/a.example/tcp/65535"),
        40,
    ),
    Target(
        "requests",
        _as_text(read_request),
        lambda: (b'{"type": "play", "card": 3, "id": 1}', b'{"type": "draw", "cards": [1, 2]}'),
        20,
        (NotSaid,),
    ),
    Target("wishes", _as_text(read_wish), lambda: WISHES, 90, (WishError,)),
)
"""Shares follow how much is read of strangers, and how quickly: a thousand in all."""
