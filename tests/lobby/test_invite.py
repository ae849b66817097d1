"""The line of an invite: what it takes, what it survives, and what is said about a bad one."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto.shared_secret import SharedSecret
from nodealer.kernel import LocalError, PeerError, Reason, digest, encode
from nodealer.lobby.invite import Invite, join_command, read_invite, write_invite
from tests.lobby.world import ADDRESS, key_of
from tests.support.circle import hashed

SECRET = hashed("a secret")[:16]
INVITE = Invite(key_of("ana"), hashed("lobby")[:16], SharedSecret(SECRET), False, (ADDRESS,))
LINE = write_invite(INVITE)
HEAD = "nodealer1"

RELAYED = "/ip4/203.0.113.9/tcp/4001/p2p/12D3KooW" + 44 * "x" + "/p2p-circuit"


def said_of(text: str) -> str:
    with pytest.raises(PeerError) as refused:
        read_invite(text)
    assert refused.value.reason is Reason.LOBBY_INVITE
    said = str(refused.value)
    assert text[len(HEAD) : len(HEAD) + 12] not in said or len(text) < 24, "nothing is repeated"
    return said


def test_what_is_written_is_read() -> None:
    assert read_invite(LINE) == INVITE
    assert join_command(INVITE) == f"nodealer join {LINE}"


@pytest.mark.parametrize(
    ("addresses", "length"),
    [
        ((), 133),
        ((ADDRESS,), 171),
        (("/ip4/192.168.178.20/tcp/40123",), 182),
        ((ADDRESS, "/ip6/2001:db8:1234:5678:9abc:def0:1234:5678/tcp/40123"), 259),
        ((RELAYED,), 286),
    ],
)
def test_how_long_a_line_is(addresses: tuple[str, ...], length: int) -> None:
    assert len(write_invite(replace(INVITE, addresses=addresses))) == length


PASTED = {
    "as it is": LINE,
    "in capitals": LINE.upper(),
    "with spaces around": f"  {LINE}\t\n",
    "in quotes": f'"{LINE}"',
    "in other quotes": f"„{LINE}“",
    "in angle brackets": f"<{LINE}>.",
    "as code": f"```\n{LINE}\n```",
    "with its command": f"$ nodealer join {LINE}",
    "broken into lines": "\n".join(LINE[at : at + 60] for at in range(0, len(LINE), 60)),
    "broken by carriage returns": "\r\n".join(LINE[at : at + 7] for at in range(0, len(LINE), 7)),
    "cited in a mail": "> " + "\n> ".join(LINE[at : at + 60] for at in range(0, len(LINE), 60)),
    "with signs that nobody sees": f"\ufeff{LINE[:50]}\u200b{LINE[50:]}",
    "spaced": " ".join(LINE),
}


@pytest.mark.parametrize("case", PASTED)
def test_what_happens_to_a_pasted_line_does_no_harm(case: str) -> None:
    assert read_invite(PASTED[case]) == INVITE


def test_a_line_that_is_torn_says_how_much_is_missing() -> None:
    for cut in range(1, len(LINE) - len(HEAD)):
        assert "torn" in said_of(LINE[:-cut])
    assert ": 5 letters are missing" in said_of(LINE[:-5])
    assert "is torn: 0 letters are left" in said_of(HEAD)


def test_a_line_without_its_beginning_is_no_invite() -> None:
    for cut in range(1, len(HEAD)):
        assert "an invite begins with nodealer1" in said_of(LINE[cut:])
    for text in ("", "hello", "https://example.org/#join"):
        assert "begins with" in said_of(text)


def test_every_single_wrong_letter_is_noticed() -> None:
    for place in range(len(HEAD), len(LINE)):
        other = "b" if LINE[place] == "a" else "a"
        assert "mistyped" in said_of(LINE[:place] + other + LINE[place + 1 :])
        swapped = LINE[:place] + LINE[place + 1 : place + 2] + LINE[place] + LINE[place + 2 :]
        if swapped != LINE:
            assert "mistyped" in said_of(swapped)


def test_letters_that_do_not_occur_are_named_by_their_place() -> None:
    for wrong in "0189é/":
        text = LINE[:20] + wrong + LINE[21:]
        assert "sign 12 behind the 1 is none of a to z and 2 to 7" in said_of(text)


def test_something_behind_it_is_noticed() -> None:
    assert "3 letters too many" in said_of(LINE + " abc")


def test_another_version_is_told_from_nonsense() -> None:
    for digit in "0236789":
        said = said_of("nodealer" + digit + LINE[len(HEAD) :])
        assert f"version {digit}, and this program reads version 1" in said
    assert "the 1 behind nodealer is missing" in said_of("nodealer" + LINE[len(HEAD) :])
    assert "the 1 behind nodealer is missing" in said_of("nodealer")


def test_a_huge_text_is_not_looked_at() -> None:
    assert "too many" in said_of(" " * 10_000)
    assert "mistyped near its beginning" in said_of(HEAD + "7" * 40)


def line_of(content: bytes) -> str:
    """Return a line whose checksum fits."""
    body = len(content).to_bytes(2, "big") + content
    data = body + digest("nodealer/1/invite", body)[:4]
    return HEAD + b32encode(data).decode().rstrip("=").lower()


GOOD = (INVITE.host, INVITE.lobby, SECRET, False, (ADDRESS,))


def test_the_form_is_what_the_page_says() -> None:
    assert line_of(encode(GOOD)) == LINE


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        encode(GOOD[:4]),
        encode((bytes(32), *GOOD[1:])),
        encode((GOOD[0][:31], *GOOD[1:])),
        encode((*GOOD[:1], b"short", *GOOD[2:])),
        encode((*GOOD[:2], b"short", *GOOD[3:])),
        encode((*GOOD[:3], 1, GOOD[4])),
        encode((*GOOD[:4], ("no stroke",))),
        encode((*GOOD[:4], ("/with a space",))),
        encode((*GOOD[:4], ("/with\x1bescape",))),
        encode((*GOOD[:4], ("/é",))),
        encode((*GOOD[:4], ("/a" * 300,))),
        encode((*GOOD[:4], ("/a",) * 9)),
        encode(GOOD) + b"\0",
    ],
)
def test_what_no_nodealer_has_written_is_refused(content: bytes) -> None:
    assert "not made by nodealer" in said_of(line_of(content))


def test_a_line_has_one_form() -> None:
    # The last letter has bits to spare; they are zero.
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    last = letters.index(LINE[-1])
    assert "mistyped" in said_of(LINE[:-1] + letters[last ^ 1])


@pytest.mark.parametrize("addresses", [("/a" * 250,) * 8, ("/" + "a" * 500,) * 3])
def test_too_many_addresses_are_our_own_mistake(addresses: tuple[str, ...]) -> None:
    with pytest.raises(LocalError, match="too many"):
        write_invite(replace(INVITE, addresses=addresses))


def test_addresses_that_are_none_are_our_own_mistake() -> None:
    with pytest.raises(LocalError, match="begins with a stroke"):
        write_invite(replace(INVITE, addresses=("somewhere",)))


def test_the_secret_is_not_shown() -> None:
    for text in (repr(INVITE), str(INVITE), f"{INVITE}"):
        assert LINE not in text
        assert SECRET.hex() not in text
        assert repr(SECRET)[2:-1] not in text


@given(
    st.binary(min_size=16, max_size=16),
    st.booleans(),
    st.lists(
        st.sampled_from(["/ip4/192.0.2.1/tcp/1", "/dns4/example.org/tcp/4001", RELAYED]), max_size=6
    ),
)
def test_every_invite_comes_back(secret: bytes, watches: bool, addresses: list[str]) -> None:
    invite = Invite(INVITE.host, secret[::-1], SharedSecret(secret), watches, tuple(addresses))
    assert read_invite(write_invite(invite)) == invite


@given(st.text(max_size=30), st.integers(0, len(LINE)))
def test_any_text_is_read_or_refused(text: str, place: int) -> None:
    for one in (text, HEAD + text, LINE[:place] + text + LINE[place:]):
        assert outcome_of(one) in (INVITE, Reason.LOBBY_INVITE)


def outcome_of(text: str) -> object:
    try:
        return read_invite(text)
    except PeerError as refused:
        return refused.reason
