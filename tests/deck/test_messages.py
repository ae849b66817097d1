"""The parts of the deck as bytes: what is no part is not written, what is another kind not read."""

from __future__ import annotations

from typing import cast

import pytest

from nodealer.crypto import SECP256K1
from nodealer.deck import (
    CommitPart,
    OpenKey,
    OpenPart,
    ReleasePart,
    deck_messages,
)
from nodealer.kernel import LocalError, PeerError, Reason
from tests.support.tables import table

MESSAGES = deck_messages(SECP256K1)


def test_every_part_that_was_sent_reads_back() -> None:
    made = table(3)
    made.deal(made.deck.roster[0], 2)
    for _, _, _, part in made.sent:
        assert MESSAGES.read_any(MESSAGES.write(part)) == part
        assert MESSAGES.read(MESSAGES.write(part), type(part)) == part
    assert made.sent


@pytest.mark.parametrize("thing", [None, 5, b"bytes", object()])
def test_what_is_no_part_is_not_written(thing: object) -> None:
    with pytest.raises(LocalError) as refused:
        MESSAGES.write(thing)
    assert refused.value.reason is Reason.LOCAL_ARGUMENT


def test_an_item_that_is_no_release_is_not_written() -> None:
    item = cast("OpenKey", CommitPart(bytes(32)))
    with pytest.raises(LocalError) as refused:
        MESSAGES.write(ReleasePart((item,)))
    assert refused.value.reason is Reason.LOCAL_ARGUMENT


def test_a_message_of_another_kind_is_refused() -> None:
    data = MESSAGES.write(CommitPart(bytes(32)))
    with pytest.raises(PeerError) as refused:
        MESSAGES.read(data, OpenPart)
    assert refused.value.reason is Reason.ENCODING_KIND


def test_releases_that_are_none_are_not_read() -> None:
    good = MESSAGES.write(ReleasePart((OpenKey(7),)))
    assert MESSAGES.read(good, ReleasePart) == ReleasePart((OpenKey(7),))
    for word in (b"kez", b"KEY"):
        with pytest.raises(PeerError) as refused:
            MESSAGES.read(good.replace(b"key", word), ReleasePart)
        assert refused.value.reason is Reason.ENCODING_SHAPE


def test_all_kinds_have_a_name_of_their_own() -> None:
    assert len(set(MESSAGES.kinds)) == len(MESSAGES.kinds) == 16
