"""Bad parts: each field of each kind of part changed, each part taken to another place.

Every refusal must name exactly its reason, and the deck must be as it was. The parts come from
`tests.support.parts`, the changes from `tests.support.mutation`. Bytes that are no part at all are
refused before the deck sees them; that is tested with the messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from nodealer.cards import hand
from nodealer.crypto import Proof
from nodealer.deck import (
    EqualPart,
    NotEqualPart,
    OpenKey,
    OpenShare,
    ReleasePart,
    ViewedFace,
    check_equal,
    check_not_equal,
    check_reveal,
    make_equal,
    make_not_equal,
    without_seats,
)
from nodealer.kernel import EntryId, EpochId, Height, PeerError, Reason, Seat, TableId
from tests.support.fleet import hashed
from tests.support.mutation import Change, changes
from tests.support.parts import Example, examples
from tests.support.tables import table

EXAMPLES = {example.name: example for example in examples()}
EVERY = pytest.mark.parametrize("name", EXAMPLES)
BOUND = pytest.mark.parametrize("name", [name for name, one in EXAMPLES.items() if one.bound])


def reason_of(example: Example, attempt: Callable[[], object]) -> Reason:
    """Return why an attempt is refused, after seeing that the deck is as it was."""
    deck = example.deck
    before = replace(deck)
    with pytest.raises(PeerError) as refusal:
        attempt()
    assert example.deck is deck
    assert deck == before
    return refusal.value.reason


def expected(example: Example, change: Change) -> Reason:
    """Return the reason that a change must be refused with."""
    if change.kind == "length":
        if change.path.endswith(".challenge"):
            return Reason.GROUP_CHALLENGE_LENGTH
        if change.path.endswith(".responses") or ".branches" in change.path:
            return Reason.PROOF_LENGTH
        return example.lengths.get(change.path, Reason.DECK_COUNT)
    starts = [start for start in example.values if change.path.startswith(start)]
    return example.values[starts[0]] if starts else example.reason


@EVERY
def test_the_example_itself_is_accepted(name: str) -> None:
    example = EXAMPLES[name]
    example.check(example.deck, example.at, example.seat, example.part)


@EVERY
def test_every_change_of_a_field_is_refused_with_its_reason(name: str) -> None:
    example = EXAMPLES[name]
    made = list(changes(example.deck.group, example.part))
    assert made
    for change in made:

        def attempt(part: object = change.part) -> object:
            return example.check(example.deck, example.at, example.seat, part)

        assert reason_of(example, attempt) is expected(example, change), (change.path, change.kind)


@BOUND
@pytest.mark.parametrize("place", ["table", "height", "parent", "step"])
def test_a_part_from_another_moment_is_refused(name: str, place: str) -> None:
    example = EXAMPLES[name]
    elsewhere = {
        "table": replace(example.at, table=TableId(hashed("other table"))),
        "height": replace(example.at, height=Height(example.at.height + 1)),
        "parent": replace(example.at, parent=EntryId(hashed("other parent"))),
        "step": replace(example.at, step=b"other step"),
    }[place]
    found = reason_of(
        example, lambda: example.check(example.deck, elsewhere, example.seat, example.part)
    )
    assert found is example.values.get(".inward", example.reason)


@BOUND
def test_a_part_from_another_epoch_is_refused(name: str) -> None:
    example = EXAMPLES[name]
    other = replace(example.deck, epoch=EpochId(hashed("other epoch")))
    found = reason_of(example, lambda: example.check(other, example.at, example.seat, example.part))
    assert found is example.values.get(".inward", example.reason)


OTHER_SEATS = {
    "key": Reason.PROOF_KEY,
    "mask": Reason.PROOF_MASK,
    "open key": Reason.DECK_WRONG_KEY,
    "reveal by key": Reason.DECK_NOT_VIEWER,
    "reveal by share": Reason.DECK_NOT_VIEWER,
    "reveal by view": Reason.DECK_NOT_VIEWER,
    "reveal by own view": Reason.DECK_NOT_VIEWER,
    "restack": Reason.DECK_ZONE,
    "transfer": Reason.DECK_NOT_SOLE,
    "face": Reason.DECK_NOT_SOLE,
    "member": Reason.DECK_NOT_SOLE,
    "absent": Reason.DECK_ZONE,
    "equal": Reason.DECK_NOT_VIEWER,
    "not equal": Reason.DECK_NOT_VIEWER,
}


@EVERY
def test_a_part_of_another_seat_is_refused(name: str) -> None:
    """Seat 2 (or 0, where 2 made it) shows the part as its own."""
    example = EXAMPLES[name]
    thief = Seat(0) if example.seat == Seat(2) else Seat(2)
    found = reason_of(example, lambda: example.check(example.deck, example.at, thief, example.part))
    assert found is OTHER_SEATS.get(name, Reason.DECK_SEAT)


@EVERY
@pytest.mark.parametrize("stranger", [-1, 9, 99])
def test_a_part_of_nobody_at_the_table_is_refused(name: str, stranger: int) -> None:
    example = EXAMPLES[name]
    found = reason_of(
        example, lambda: example.check(example.deck, example.at, Seat(stranger), example.part)
    )
    wanted = {Reason.DECK_SEAT}
    if name.endswith("equal"):
        wanted.add(Reason.DECK_NOT_VIEWER)
    assert found in wanted


@EVERY
def test_a_part_at_another_stage_is_refused(name: str) -> None:
    """A deck whose keys are due takes no part but keys, and a deck in use takes no keys."""
    example = EXAMPLES[name]
    other = EXAMPLES["restack" if name == "key" else "key"].deck
    found = reason_of(example, lambda: example.check(other, example.at, example.seat, example.part))
    assert found is Reason.DECK_STAGE


RELEASES = {
    "open key": OpenKey(5),
    "open share": EXAMPLES["open share"].part.items[0],  # type: ignore[attr-defined]
    "seal": EXAMPLES["seal"].part.items[0],  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("due", RELEASES)
@pytest.mark.parametrize("sent", RELEASES)
def test_a_release_of_another_form_is_refused(due: str, sent: str) -> None:
    example = EXAMPLES[due]
    assert isinstance(example.part, ReleasePart)
    items = (RELEASES[sent], *example.part.items[1:])
    part = example.part if due == sent else ReleasePart(items)

    def attempt() -> object:
        return example.check(example.deck, example.at, example.seat, part)

    if due == sent:
        attempt()
    else:
        assert reason_of(example, attempt) is Reason.DECK_RELEASE_FORM


@pytest.mark.parametrize("name", ["reveal by key", "reveal by share", "reveal by view"])
@pytest.mark.parametrize("form", [OpenKey, OpenShare, ViewedFace])
def test_a_reveal_of_another_form_is_refused(name: str, form: type) -> None:
    example = EXAMPLES[name]
    proof = Proof(bytes(16), (1,))
    forms = {
        OpenKey: OpenKey(5),
        OpenShare: OpenShare(example.deck.group.generator, proof),
        ViewedFace: ViewedFace("7", proof),
    }
    if isinstance(example.part, form):
        return
    found = reason_of(
        example, lambda: example.check(example.deck, example.at, example.seat, forms[form])
    )
    assert found is Reason.DECK_RELEASE_FORM


def test_a_view_of_another_face_is_refused() -> None:
    example = EXAMPLES["reveal by view"]
    assert isinstance(example.part, ViewedFace)
    for face in example.deck.composition.distinct:
        part = replace(example.part, face=face)
        if part != example.part:
            attempt = partial(example.check, example.deck, example.at, example.seat, part)
            assert reason_of(example, attempt) is Reason.PROOF_VIEW_FACE


def test_a_try_out_of_range_is_refused() -> None:
    example = EXAMPLES["not equal"]
    for tries in (-1, 256):
        assert isinstance(example.part, NotEqualPart)
        part = replace(example.part, tries=tries)
        attempt = partial(example.check, example.deck, example.at, example.seat, part)
        assert reason_of(example, attempt) is Reason.PROOF_NOT_EQUAL


@pytest.mark.parametrize("stranger", [-1, 3, 99])
def test_a_verdict_on_public_cards_of_nobody_at_the_table_is_refused(stranger: int) -> None:
    made = table(3)
    numbers = made.deal(Seat(0), 2)
    for number in numbers:
        made.reveal(Seat(0), number)
    at, ring = made.moment("verdict"), made.rings[Seat(0)]
    if len({made.deck.slot(number).face for number in numbers}) == 1:
        equal = make_equal(made.deck, ring, at, numbers)
        with pytest.raises(PeerError, match="deck/seat"):
            check_equal(made.deck, at, Seat(stranger), numbers, equal)
    else:
        differ = make_not_equal(made.deck, ring, at, numbers)
        with pytest.raises(PeerError, match="deck/seat"):
            check_not_equal(made.deck, at, Seat(stranger), numbers, differ)


@pytest.mark.parametrize("name", ["reveal by view", "equal", "not equal"])
def test_what_a_giver_says_about_a_card_it_gave_away_is_refused(name: str) -> None:
    """It is in the audience, but no layer is sealed to it: its fault, and no error of ours."""
    made = table(3)
    own, given = made.deal(Seat(0), 2)
    made.transfer(Seat(0), [given], Seat(1))
    (received,) = made.deck.layout.at(hand(Seat(1)))
    part = EXAMPLES[name].part
    at, giver = made.moment("play"), Seat(0)

    def attempt() -> None:
        match part:
            case ViewedFace():
                check_reveal(made.deck, at, giver, received, part)
            case EqualPart():
                check_equal(made.deck, at, giver, [own, received], part)
            case NotEqualPart():
                check_not_equal(made.deck, at, giver, [own, received], part)
            case _:
                raise AssertionError(name)

    with pytest.raises(PeerError) as refusal:
        attempt()
    assert refusal.value.reason is Reason.DECK_NOT_VIEWER


def test_a_seat_that_left_says_nothing_more() -> None:
    example = EXAMPLES["equal"]
    deck = without_seats(example.deck, [example.seat])
    with pytest.raises(PeerError) as refusal:
        example.check(deck, example.at, example.seat, example.part)
    assert refusal.value.reason is Reason.DECK_SEAT
