"""Reasons are part of the protocol: each has a slug of its own and something to say to people."""

import re

import pytest

from nodealer.kernel import Reason


def test_no_two_reasons_share_a_slug() -> None:
    # Enum would make the second an alias of the first, and leave it out of the iteration.
    assert len(list(Reason)) == len(Reason.__members__)


@pytest.mark.parametrize("reason", list(Reason))
def test_a_reason_is_found_by_its_slug(reason: Reason) -> None:
    assert reason.value == reason.slug
    assert Reason(reason.slug) is reason


@pytest.mark.parametrize("reason", list(Reason))
def test_a_slug_is_the_name_of_the_reason_with_the_layer_in_front(reason: Reason) -> None:
    layer, _, what = reason.slug.partition("/")
    assert re.fullmatch(r"[a-z]+/[a-z]+(-[a-z]+)*", reason.slug)
    assert reason.name == f"{layer}_{what.replace('-', '_')}".upper()


def test_no_two_reasons_mean_the_same() -> None:
    meanings = [reason.meaning for reason in Reason]
    assert all(meanings)
    assert len(set(meanings)) == len(meanings)
