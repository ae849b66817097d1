"""Envelopes: whose letter it is, read from whatever a peer sends."""

from __future__ import annotations

import pytest
from pycddl import Schema  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import Height, LocalError, PeerError, TableId
from nodealer.kernel.limits import MESSAGE_BYTES_MAX
from nodealer.lobby.forms import LOBBY_BYTES
from nodealer.node.envelopes import (
    HEAD_BYTES_MAX,
    KINDS,
    LETTERED,
    Absent,
    EnvelopeHead,
    Follow,
    ForAddress,
    ForChat,
    ForLobby,
    ForTable,
    read_envelope,
    write_envelope,
)
from tests.specs.pages import SPECS

TABLE = TableId(bytes(range(32)))

HEADS: tuple[EnvelopeHead, ...] = (
    ForTable(TABLE),
    ForChat(TABLE),
    ForLobby(bytes(LOBBY_BYTES)),
    ForAddress(TABLE),
    Absent(TABLE),
    Follow(TABLE, Height(2**32)),
)

LETTER = b"\x83\x01\x02\x03"


def letter_for(head: EnvelopeHead) -> bytes:
    return LETTER if isinstance(head, LETTERED) else b""


@pytest.mark.parametrize("head", HEADS)
def test_what_was_written_is_read(head: EnvelopeHead) -> None:
    data = write_envelope(head, letter_for(head))
    assert read_envelope(data) == (head, letter_for(head))
    assert len(data) - len(letter_for(head)) <= HEAD_BYTES_MAX


@pytest.mark.parametrize("head", HEADS)
def test_heads_are_what_the_page_says(head: EnvelopeHead) -> None:
    text = (SPECS / "node.cddl").read_text(encoding="utf-8")
    schema = Schema(f"envelope = node-head\n{text}")
    data = write_envelope(head, letter_for(head))
    schema.validate_cbor(data[: len(data) - len(letter_for(head))])


def test_every_kind_is_on_the_page() -> None:
    page = (SPECS / "08-node.md").read_text(encoding="utf-8")
    assert all(f"| `{kind}` |" in page for kind in KINDS)
    assert len(KINDS) == len(HEADS)


@pytest.mark.parametrize("head", HEADS)
def test_a_letter_too_many_or_too_few_is_nobodys(head: EnvelopeHead) -> None:
    has_letter = isinstance(head, LETTERED)
    with pytest.raises(LocalError):
        write_envelope(head, b"" if has_letter else LETTER)
    whole = write_envelope(head, letter_for(head))
    wrong = whole[: -len(LETTER)] if has_letter else whole + LETTER
    with pytest.raises(PeerError, match="truncated" if has_letter else "trailing"):
        read_envelope(wrong)


def test_a_letter_has_a_bound() -> None:
    with pytest.raises(LocalError):
        write_envelope(ForTable(TABLE), bytes(MESSAGE_BYTES_MAX + 1))


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", b"\x83\x01", bytes(HEAD_BYTES_MAX * 2), b"\x82\x01\x6anode/other" + LETTER],
)
def test_anything_else_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(PeerError):
        read_envelope(data)
