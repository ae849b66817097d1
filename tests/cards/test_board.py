"""Boards: where slots lie and which faces are open, nothing else."""

from __future__ import annotations

import pytest

from nodealer.cards import DISCARD, STOCK, Board, Layout, hand
from nodealer.kernel import LocalError, Reason, Seat, SlotId

A, B, C = map(SlotId, range(3))
P = Seat(0)


def board() -> Board:
    return Board(Layout().placed([A, B, C], STOCK)).opened({B: "QH"})


def test_faces_are_those_that_are_open() -> None:
    assert board().face(B) == "QH"
    with pytest.raises(LocalError) as refused:
        board().face(A)
    assert refused.value.reason is Reason.DECK_FACE_UNKNOWN


def test_slots_move_from_wherever_they_lie_in_the_order_named() -> None:
    moved = board().moved([C], hand(P)).moved([B, C], DISCARD)
    assert (moved.at(STOCK), moved.at(hand(P)), moved.at(DISCARD)) == ((A,), (), (B, C))
    assert moved.opened({C: "2S"}).faces_at(DISCARD) == ("QH", "2S")
    assert board().at(STOCK) == (A, B, C)


def test_retired_slots_leave_with_their_faces() -> None:
    left = board().without([B])
    assert left.at(STOCK) == (A, C)
    assert B not in left.faces
    assert board().without([]) == board()


def test_new_slots_lie_behind_the_others_and_nowhere_twice() -> None:
    assert board().placed([SlotId(7)], STOCK).at(STOCK) == (A, B, C, 7)
    with pytest.raises(LocalError) as refused:
        board().placed([A], DISCARD)
    assert refused.value.reason is Reason.DECK_SLOT_TWICE


def test_opening_a_face_leaves_the_older_board_as_it_was() -> None:
    before = board()
    before.opened({A: "AS"})
    assert set(before.faces) == {B}
    with pytest.raises(TypeError):
        before.faces[A] = "AS"  # type: ignore[index]
