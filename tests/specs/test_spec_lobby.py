"""The page of the lobby says what is hashed, proven and signed: made here once more from it.

Nothing of the lobby's own code goes into it but the bytes of real messages.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Any

import cbor2
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from nodealer.lobby import messages as m
from nodealer.lobby import write, write_invite
from nodealer.lobby.admitting import BANNED_MAX
from nodealer.lobby.comparing import DRAWINGS_MAX
from nodealer.lobby.forms import NUMBER_MAX, SAID_CHARACTERS_MAX, WATCHERS_MAX
from nodealer.lobby.host import ENTRIES_MAX, NAMED_MAX
from nodealer.lobby.host_draft import TURNS_MAX
from nodealer.lobby.invite import CONTENT_BYTES_MAX, TEXT_CHARACTERS_MAX
from nodealer.lobby.messages import LOBBY_MESSAGE_BYTES_MAX
from nodealer.lobby.qr import modules
from nodealer.lobby.sayings import (
    AT_ONCE,
    EVERY_TICKS,
    KEPT_MAX,
    KEPT_OF_KEY_MAX,
    LISTENING,
    SPEAKERS_MAX,
)
from nodealer.node.asked_friends import LOBBIES_MAX
from nodealer.store.wordlist import WORDS
from tests.lobby.test_invite import RELAYED
from tests.lobby.test_messages import conversation
from tests.lobby.world import ADDRESS, HOST, accepted, key_of
from tests.specs.pages import SPECS

PAGE = (SPECS / "10-lobby.md").read_text(encoding="utf-8")


def frame(*items: object) -> bytes:
    return cbor2.dumps(list(items), canonical=True)


def H(*items: object) -> bytes:
    return hashlib.sha256(frame(*items)).digest()


def require_signed(key: bytes, domain: str, body: list[object], signature: bytes) -> None:
    Ed25519PublicKey.from_public_bytes(key).verify(signature, frame(domain, body))


def fields(message: m.LobbyMessage) -> list[Any]:
    """Return a message as an array without its version and kind."""
    whole: list[Any] = list(cbor2.loads(write(message)))
    return whole[2:]


def test_proof_and_signature_of_a_join() -> None:
    world = accepted("ben")
    (join,) = [message for _, _, message in world.sent if isinstance(message, m.Join)]
    lobby, key, watches, name, is_program, program, proof, signature = fields(join)
    host, link, secret = key_of(HOST), world.links["ben"], world.host.keys.play.reveal()
    value = frame("nodealer/1/invited", [lobby, host, key, link, watches])
    assert proof == hmac.new(secret, value, hashlib.sha256).digest()
    body = [lobby, host, key, link, watches, name, is_program, program, proof]
    require_signed(key, "nodealer/2/join", body, signature)
    with pytest.raises(InvalidSignature):
        require_signed(key, "nodealer/2/offer", body, signature)


def test_signature_and_terms_of_an_offer_and_what_an_answer_signs() -> None:
    world = accepted("ben", "cleo", programs={"ben"})
    offer, host = world.host.offer, key_of(HOST)
    lobby, number, game, version, options, clock, policy, seats, signature = fields(offer)
    body = [lobby, number, game, version, options, clock, policy, seats]
    require_signed(host, "nodealer/2/offer", body, signature)
    keys, names = [key for key, _, _ in seats], [name for _, name, _ in seats]
    drawn = H("nodealer/1/lobby", lobby, host, number)
    terms = H("nodealer/1/terms", drawn, game, version, options, names, keys, clock, policy)
    _, _, answers = fields(world.host.complete)
    for seat, (sealing, signed) in enumerate(answers):
        said = [lobby, number, terms, seat, sealing, seats[seat][2]]
        require_signed(keys[seat], "nodealer/2/answer", said, signed)
    answer = next(one for _, _, one in world.sent if isinstance(one, m.Answer))
    assert fields(answer)[:5] == [lobby, number, terms, 1, answers[1][0]]


def test_signature_of_a_line() -> None:
    sent = [one for _, _, one in conversation().sent if isinstance(one, m.LobbyLine)]
    assert sent
    for line in sent:
        lobby, key, name, number, text, signature = fields(line)
        require_signed(key, "nodealer/2/said", [lobby, key, name, number, text], signature)


def test_pledges_and_words_of_a_drawing() -> None:
    world = accepted("ben", "cleo")
    drawings = [one for _, to, one in world.sent if isinstance(one, m.WordDrawing) and to == "ben"]
    lobby, number, pledges, nonces = fields(drawings[-1])
    names = (HOST, "ben", "cleo")
    for seat, name in enumerate(names):
        assert pledges[seat] == H(
            "nodealer/2/pledge", lobby, number, seat, key_of(name), nonces[seat]
        )
    people = [[key_of(name), name] for name in names]
    both = H("nodealer/2/compared", lobby, key_of(HOST), people, pledges, nonces)[:2]
    assert both == world.host.drawn.words == world.guest("ben").drawn.words
    assert "of 256 each" in PAGE
    assert len(WORDS) == 256


def test_signature_of_an_address_record() -> None:
    sent = [one for _, _, one in conversation().sent if isinstance(one, m.AddressRecord)]
    for record in sent:
        key, number, addresses, signature = fields(record)
        require_signed(key, "nodealer/1/address", [key, number, addresses], signature)


def test_the_line_of_an_invite() -> None:
    world = accepted("ben")
    invite = world.host.invite(("/ip4/192.168.178.20/tcp/40123",))
    line = write_invite(invite)
    letters = line.removeprefix("nodealer1").upper()
    data = base64.b32decode(letters + "=" * (-len(letters) % 8))
    length, content, checksum = data[:2], data[2:-4], data[-4:]
    assert int.from_bytes(length, "big") == len(content)
    assert checksum == H("nodealer/1/invite", length + content)[:4]
    secret = world.host.keys.play.reveal()
    assert cbor2.loads(content) == [
        key_of(HOST),
        world.host.keys.lobby,
        secret,
        False,
        ["/ip4/192.168.178.20/tcp/40123"],
    ]


def test_what_the_letters_of_an_invite_are() -> None:
    address = "/ip4/10.0.0.57/tcp/26253"
    line = write_invite(accepted("ben").host.invite((address,)))
    assert f"Of the {len(line)} letters of an invite with one address such as `{address}`" in PAGE
    carried = len(base64.b32decode(line[9:].upper() + "=" * (-len(line[9:]) % 8)))
    assert f"others carry {carried} bytes" in PAGE
    parts = [int(one) for one in re.findall(r"^\| (\d+) \| [a-z]", PAGE, re.MULTILINE)]
    assert sum(parts) == carried
    assert len(address) in parts


@pytest.mark.parametrize(
    ("name", "addresses"),
    [
        ("none", ()),
        ("`/ip4/192.168.178.20/tcp/40123`", ("/ip4/192.168.178.20/tcp/40123",)),
        (
            "one of IPv4, one of IPv6",
            (ADDRESS, "/ip6/2001:db8:1234:5678:9abc:def0:1234:5678/tcp/40123"),
        ),
        ("one through a relay", (RELAYED,)),
    ],
)
def test_how_long_an_invite_is(name: str, addresses: tuple[str, ...]) -> None:
    invite = accepted("ben").host.invite(addresses)
    side = len(modules(invite, 0))
    assert f"| {name} | {len(write_invite(invite))} | {side} × {side} |" in PAGE


def test_the_bounds_are_those_of_the_page() -> None:
    for said in (
        f"| message | {LOBBY_MESSAGE_BYTES_MAX:,} bytes |",
        f"| spectators | {WATCHERS_MAX} |",
        f"| turns | {TURNS_MAX} for each key",
        f"| entries | {ENTRIES_MAX}, from",
        (
            f"| lines | {SAID_CHARACTERS_MAX} characters; {AT_ONCE} at once and then one every"
            f" {EVERY_TICKS // 1000} s of each key; {KEPT_MAX} kept,"
            f" {KEPT_OF_KEY_MAX} of each key |"
        ),
        (
            f"said no more than {LISTENING.at_once} lines at once and then\n"
            f"{1000 // LISTENING.each} a second"
        ),
        f"are remembered of {SPEAKERS_MAX} keys",
        f"| friends who are named | {NAMED_MAX} |",
        f"and may be {NAMED_MAX}.",
        f"of each friend {LOBBIES_MAX} lobbies",
        f"| drawings | {DRAWINGS_MAX} for each seat",
        f"fewer than {DRAWINGS_MAX} in this lobby",
        f"{2 * DRAWINGS_MAX} guesses in the two lobbies",
        f"| removed | {BANNED_MAX} |",
        f"at most {CONTENT_BYTES_MAX:,} bytes; length",
        f"of at most {TEXT_CHARACTERS_MAX:,} characters",
    ):
        assert said in PAGE
    assert NUMBER_MAX == 2**32
