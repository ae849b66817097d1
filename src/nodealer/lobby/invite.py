"""An invite: one line that says where a lobby is, whom to expect there, and the secret to enter.

    nodealer1adcfqiba…

The line is the word `nodealer`, the digit of the version, and the letters of base 32 over

    length of the content (2 bytes), content, checksum (4 bytes)

The content is CBOR: key of the host, lobby, secret, whether it is for spectators, addresses. Base
32 has no capitals that matter and no signs, so a line survives being read aloud, typed by hand,
broken by a mail program and marked by a double click; and a QR code holds it in its alphabet of 45
signs, which takes less room than the shorter text of base 64. The digit of the version cannot occur
behind the word, so the beginning of an invite is found in whatever is pasted around it.

Whoever reads a line is told what is wrong with it: that it is no invite, of another version, torn
(the length says how much is missing) or mistyped (the checksum). Nothing that is said about a line
repeats any of it, because the secret stands in it.
"""

from __future__ import annotations

from base64 import b32decode, b32encode
from dataclasses import dataclass, field
from typing import Final

from nodealer.crypto import KEY_BYTES, SECRET_BYTES, SharedSecret, VerifyKey
from nodealer.kernel import LocalError, PeerError, Reason, digest, encode
from nodealer.lobby.forms import ADDRESSES, LOBBY_BYTES
from nodealer.wire import (
    AnyField,
    Field,
    RecordCodec,
    boolean,
    decode,
    exact_bytes,
    mapped,
    optional,
)

CHECKSUM: Final = "nodealer/1/invite"

WORD: Final = "nodealer"
VERSION_DIGIT: Final = "1"

CONTENT_BYTES_MAX: Final = 1024
"""Several long addresses fit; and the line still fits the largest QR code."""

TEXT_CHARACTERS_MAX: Final = 8192
"""What is pasted around a line is small."""

_CHECKSUM_BYTES: Final = 4
_LENGTH_BYTES: Final = 2
_ALPHABET: Final = frozenset("abcdefghijklmnopqrstuvwxyz234567")
_DIGITS: Final = frozenset("0123456789")

_NOISE: Final = frozenset("\"'`<>|*_,;.:()[]{}“”„‘’«»‹›\u00ad\u200b\u200c\u200d\u2060\ufeff")
"""Quotes, brackets and signs that other programs put around or into a line, seen and unseen."""


@dataclass(frozen=True, slots=True)
class Invite:
    """The way to a lobby: where it is, whom to expect there, and the secret to be let in."""

    host: bytes
    """The key of the host: its peer, and whose signature stands under what is offered."""
    lobby: bytes
    secret: SharedSecret | None = field(repr=False)
    """None where the host has named whoever goes there; no line says so."""
    watches: bool
    """Whether it is for spectators; they have a secret of their own."""
    addresses: tuple[str, ...]

    def __str__(self) -> str:
        """Say for logs what this is, without the line."""
        return f"<invite to {self.lobby.hex()[:8]} of {self.host.hex()[:8]}>"


def _content_with(secret: AnyField) -> RecordCodec[Invite]:
    return RecordCodec(
        Invite,
        (
            Field("host", exact_bytes(KEY_BYTES)),
            Field("lobby", exact_bytes(LOBBY_BYTES)),
            secret,
            Field("watches", boolean()),
            Field("addresses", ADDRESSES),
        ),
    )


_SECRET: Final = mapped(exact_bytes(SECRET_BYTES), SharedSecret, SharedSecret.reveal)

CONTENT: Final = _content_with(Field("secret", _SECRET))
"""The content of a line, which has a secret."""

KNOWN_WAY: Final = _content_with(Field("secret", optional(_SECRET)))
"""The way to a lobby as it is stored, also that of a guest who was named."""


class TornInviteError(PeerError):
    """An invite of which letters are missing: more of it may follow."""


def write_invite(invite: Invite) -> str:
    """Return the line."""
    if invite.secret is None:
        raise LocalError(Reason.LOCAL_ARGUMENT, "who is named has no invite to pass on")
    content = encode(CONTENT.dump(invite))
    if len(content) > CONTENT_BYTES_MAX:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"an invite of {len(content)} bytes: too many")
    body = len(content).to_bytes(_LENGTH_BYTES, "big") + content
    letters = b32encode(body + _checksum(body)).decode().rstrip("=").lower()
    return WORD + VERSION_DIGIT + letters


def read_invite(text: str) -> Invite:
    """Return the invite in a text that somebody has pasted, or raise `PeerError`."""
    letters = _letters(_compact(text))
    body = _body(letters)
    return _content(body[_LENGTH_BYTES:])


def join_command(invite: Invite) -> str:
    """Return the command for the other side; without its last word it asks for the line."""
    return f"nodealer join {write_invite(invite)}"


def _compact(text: str) -> str:
    """Return a text without what gets into it when it is copied."""
    if len(text) > TEXT_CHARACTERS_MAX:
        raise _refused(f"{len(text)} characters are too many for an invite")
    return "".join(text.split()).translate(dict.fromkeys(map(ord, _NOISE))).lower()


def _letters(compact: str) -> str:
    """Return what stands behind the word and the version."""
    place = compact.rfind(WORD + VERSION_DIGIT)
    if place >= 0:
        letters = compact[place + len(WORD) + 1 :]
        _require_letters(letters)
        return letters
    _, found, rest = compact.rpartition(WORD)
    if not found:
        raise _refused(f"an invite begins with {WORD}{VERSION_DIGIT}")
    if rest and rest[0] in _DIGITS:
        raise _refused(
            f"an invite of version {rest[0]}, and this program reads version {VERSION_DIGIT}:"
            " both sides need the same version of nodealer"
        )
    raise _refused(f"the {VERSION_DIGIT} behind {WORD} is missing")


def _require_letters(letters: str) -> None:
    wrong = [place for place, letter in enumerate(letters, 1) if letter not in _ALPHABET]
    if wrong:
        detail = f"sign {wrong[0]} behind the {VERSION_DIGIT} is none of a to z and 2 to 7"
        raise _refused(f"{detail}: it is mistyped")


def _body(letters: str) -> bytes:
    """Return length and content, once the line is known to be whole."""
    shortest = _letters_of(0)
    if len(letters) < shortest:
        raise _torn(f"it is torn: {len(letters)} letters are left behind the {VERSION_DIGIT}")
    stated = int.from_bytes(_decoded(letters[:8])[:_LENGTH_BYTES], "big")
    if stated > CONTENT_BYTES_MAX:
        raise _refused("it is mistyped near its beginning")
    missing = _letters_of(stated) - len(letters)
    if missing > 0:
        raise _torn(f"it is torn, or mistyped near its beginning: {missing} letters are missing")
    if missing < 0:
        raise _refused(f"{-missing} letters too many: something follows it, or it is mistyped")
    data = _decoded(letters)
    body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    if _checksum(body) != checksum or _encoded(data) != letters:
        raise _refused("it is mistyped: its letters do not fit its checksum")
    return body


def _content(content: bytes) -> Invite:
    # The checksum fits, so whoever wrote it meant it: another program, or somebody malicious.
    try:
        invite = CONTENT.load(decode(content))
        VerifyKey(invite.host)
    except PeerError as error:
        raise _refused(f"it was not made by nodealer: {error.slug}") from error
    return invite


def _letters_of(content_bytes: int) -> int:
    """Return how many letters a content of so many bytes takes."""
    whole = _LENGTH_BYTES + content_bytes + _CHECKSUM_BYTES
    return -(-8 * whole // 5)


def _encoded(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()


def _decoded(letters: str) -> bytes:
    """Return the bytes of letters; what is left of the last one is dropped."""
    whole = len(letters) * 5 // 8
    padded = letters + "a" * (-len(letters) % 8)
    return b32decode(padded.upper())[:whole]


def _checksum(body: bytes) -> bytes:
    return digest(CHECKSUM, body)[:_CHECKSUM_BYTES]


def _torn(detail: str) -> TornInviteError:
    return TornInviteError(Reason.LOBBY_INVITE, detail)


def _refused(detail: str) -> PeerError:
    return PeerError(Reason.LOBBY_INVITE, detail)
