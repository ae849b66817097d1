"""The transcript: no two different histories give one challenge, and looking changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto import SECP256K1, Group, Point, ProofTranscript, toy_group
from nodealer.kernel import Reason, frame
from tests.crypto.tools import G, our_mistake

O = SECP256K1.identity  # noqa: E741 - the letter that the specs use

History = Callable[[ProofTranscript], object]


def after(*steps: History, context: bytes = b"", group: Group = SECP256K1) -> ProofTranscript:
    transcript = ProofTranscript(group, context)
    for step in steps:
        step(transcript)
    return transcript


def absorbing(label: str, *items: bytes | int | str | list[int]) -> History:
    return lambda transcript: transcript.absorb(label, *items)


def points(label: str, *items: Point) -> History:
    return lambda transcript: transcript.absorb_points(label, items)


def challenge(label: str = "challenge") -> History:
    return lambda transcript: transcript.challenge(label)


def weights(label: str, count: int) -> History:
    return lambda transcript: transcript.weights(label, count)


def test_a_transcript_is_what_the_description_says() -> None:
    hashed = frame("nodealer/1/transcript", "secp256k1", b"where")
    transcript = ProofTranscript(SECP256K1, b"where")
    assert transcript.digest() == sha256(hashed).digest()
    transcript.absorb("label", 5, b"bytes")
    transcript.absorb_points("points", [G, O])
    hashed += frame("label", 5, b"bytes") + frame("points", G.encode() + b"\0")
    assert transcript.digest() == sha256(hashed).digest()
    drawn = transcript.weights("w", 3)
    hashed += frame("w", 3)
    root = sha256(hashed).digest()
    expected = [sha256(root + frame(index)).digest()[:16] for index in range(3)]
    assert drawn == [SECP256K1.short_scalar(data) for data in expected]
    assert transcript.challenge("c") == sha256(hashed + frame("c")).digest()[:16]


HISTORIES: list[tuple[History, ...]] = [
    (),
    (absorbing(""),),
    (absorbing("a"),),
    (absorbing("a"), absorbing("a")),
    (absorbing("a", "a"),),
    (absorbing("ab"),),
    (absorbing("a"), absorbing("b")),
    (absorbing("b"), absorbing("a")),
    (absorbing("a", "b"),),
    (absorbing("a", b"b"),),
    (absorbing("a", b""),),
    (absorbing("a", b"", b""),),
    (absorbing("a", 0),),
    (absorbing("a", 1), absorbing("b", 2)),
    (absorbing("a", 12),),
    (absorbing("a", 1, 2),),
    (absorbing("a", [1, 2]),),
    (absorbing("a", [1], [2]),),
    (absorbing("a", b"\x81\x61b"),),
    (absorbing("a", b"\x81\x61", b"b"),),
    (absorbing("a", 1, 2), absorbing("a", 3)),
    (absorbing("a", 1), absorbing("a", 2, 3)),
    (points("P"),),
    (points("P", O),),
    (points("P", O, O),),
    (points("P", G),),
    (points("P", G, O),),
    (points("P", O, G),),
    (points("P", G, G),),
    (points("P", G), points("P", G)),
    (points("P", G, -G),),
    (points("P", -G, G),),
    (points("Q", G),),
    (points("P", 2 * G),),
    (points("P", G), points("P")),
    (points("P"), points("P", G)),
    (challenge("c"),),
    (challenge("c"), challenge("c")),
    (weights("w", 0),),
    (weights("w", 1),),
    (weights("w", 2),),
    (weights("w", 1), weights("w", 1)),
    (weights("w", 2), challenge("c")),
]


def test_different_histories_never_meet() -> None:
    digests = [after(*history).digest() for history in HISTORIES]
    assert len(set(digests)) == len(HISTORIES)
    challenges = {after(*history).challenge("challenge") for history in HISTORIES}
    assert len(challenges) == len(HISTORIES)
    drawn = {tuple(after(*history).weights("w", 2)) for history in HISTORIES}
    assert len(drawn) == len(HISTORIES)


@pytest.mark.parametrize("length", range(5))
def test_lists_of_points_with_and_without_the_identity_are_unambiguous(length: int) -> None:
    """All lists of four kinds of points, up to this length, absorb different bytes."""
    kinds = (O, G, -G, 2 * G)
    lists = [row for size in range(length + 1) for row in product(kinds, repeat=size)]
    digests = {after(points("P", *row)).digest() for row in lists}
    assert len(digests) == len(lists)


def test_toy_points_that_look_alike_belong_to_different_transcripts() -> None:
    contexts = (b"", b"\0", b"a")
    groups = (SECP256K1, toy_group(7), toy_group(13), toy_group(19))
    digests = {
        after(context=context, group=group).digest() for context, group in product(contexts, groups)
    }
    assert len(digests) == 12


@given(
    st.lists(st.tuples(st.text(max_size=3), st.binary(max_size=3)), max_size=3),
    st.lists(st.tuples(st.text(max_size=3), st.binary(max_size=3)), max_size=3),
)
def test_equal_transcripts_have_equal_histories(
    one: list[tuple[str, bytes]], other: list[tuple[str, bytes]]
) -> None:
    digests = [
        after(*(absorbing(label, item) for label, item in history)).digest()
        for history in (one, other)
    ]
    assert (digests[0] == digests[1]) == (one == other)


def test_asking_for_the_digest_changes_nothing() -> None:
    quiet, watched = after(absorbing("a", 1)), after(absorbing("a", 1))
    assert watched.digest() == watched.digest()
    for transcript in (quiet, watched):
        transcript.absorb("b", 2)
    watched.digest()
    assert watched.challenge("c") == quiet.challenge("c")
    assert watched.digest() == quiet.digest()


def test_a_challenge_becomes_part_of_the_history() -> None:
    transcript = after(absorbing("a", 1))
    drawn = [transcript.challenge("c") for _ in range(4)]
    assert len(set(drawn)) == 4
    assert all(len(data) == 16 for data in drawn)
    assert after(absorbing("a", 1)).challenge("c") == drawn[0]
    assert after(absorbing("a", 1)).challenge("d") != drawn[0]


def test_weights_depend_on_everything_before_them_and_on_their_number() -> None:
    rows = [
        tuple(after(*history).weights(label, count))
        for history in ((), (absorbing("a", 1),), (points("P", G),))
        for label in ("u", "w")
        for count in (1, 2, 5)
    ]
    for one, other in combinations(rows, 2):
        assert not set(one) & set(other)
    assert [len(row) for row in rows] == [1, 2, 5] * 6
    assert after().weights("u", 0) == []
    assert len(set(after().weights("u", 300))) == 300


def test_what_cannot_be_framed_is_not_absorbed() -> None:
    for value in (1 << 64, 1.5, {1: 2}, "\ud800"):
        transcript = after(absorbing("a", 1))
        with our_mistake(Reason.LOCAL_UNFRAMABLE):
            transcript.absorb("label", value)  # type: ignore[arg-type]  # what the test is about
        assert transcript.digest() == after(absorbing("a", 1)).digest()
