"""An error says whose fault it is, why, and what exactly was found; and survives being copied."""

import copy
import pickle

import pytest

from nodealer.kernel import Bug, LocalError, NodealerError, PeerError, Reason

CLASSES: list[type[NodealerError]] = [LocalError, PeerError, Bug]


@pytest.mark.parametrize("error_class", CLASSES)
def test_an_error_carries_its_reason_and_detail(error_class: type[NodealerError]) -> None:
    error = error_class(Reason.DECK_SEAT, "seat 4")
    assert error.reason is Reason.DECK_SEAT
    assert error.slug == "deck/seat"
    assert error.detail == "seat 4"
    assert str(error) == "deck/seat: this seat owes nothing here (seat 4)"


def test_an_error_without_detail_leaves_out_the_brackets() -> None:
    assert str(PeerError(Reason.DECK_SEAT)) == "deck/seat: this seat owes nothing here"


@pytest.mark.parametrize("error_class", CLASSES)
def test_no_error_is_caught_as_another(error_class: type[NodealerError]) -> None:
    caught_by = set(CLASSES) & set(error_class.__mro__)
    assert caught_by == {error_class}
    assert NodealerError in error_class.__mro__


@pytest.mark.parametrize("error_class", CLASSES)
def test_a_copied_error_is_the_same_error(error_class: type[NodealerError]) -> None:
    error = error_class(Reason.DECK_SEAT, "seat 4")
    for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(other) is error_class
        assert (other.reason, other.detail) == (error.reason, error.detail)
