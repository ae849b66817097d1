"""Plain values by name: what games act with, in the one form that everybody reads."""

from __future__ import annotations

from typing import Any

import pytest

from nodealer.kernel import LocalError, PeerError, Reason
from nodealer.table.plain import NAMED_VALUES

GOOD = (("call", True), ("cards", (3, 1)), ("suit", None))

UNPAIRED: tuple[Any, ...] = ((("call", True, 1),), (("call",),))

BAD: tuple[Any, ...] = (
    (["call", True],),
    ("ab",),
    ((b"call", True),),
    (("x" * 1000, True),),
    (("call", b"1"),),
    (("call", 1 << 63),),
)


def test_names_and_values_are_read_as_they_were_written() -> None:
    assert NAMED_VALUES.load(NAMED_VALUES.dump(GOOD)) == GOOD


@pytest.mark.parametrize("place", range(len(BAD) + len(UNPAIRED)))
def test_what_is_no_name_with_a_plain_value_is_not_read(place: int) -> None:
    with pytest.raises(PeerError) as refused:
        NAMED_VALUES.load((*BAD, *UNPAIRED)[place])
    assert refused.value.reason is Reason.ENCODING_SHAPE


@pytest.mark.parametrize("place", range(len(BAD)))
def test_what_is_no_name_with_a_plain_value_is_not_written(place: int) -> None:
    with pytest.raises(LocalError):
        NAMED_VALUES.dump(BAD[place])


@pytest.mark.parametrize("names", [("b", "a"), ("a", "a")])
def test_names_ascend_each_once(names: tuple[str, str]) -> None:
    with pytest.raises(PeerError):
        NAMED_VALUES.load(tuple((name, 1) for name in names))
