"""The page's table of classes, held against what the judge does with every reason there is."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from nodealer.kernel import PeerError, Reason
from nodealer.verify import Check, Transcript
from tests.verify.forging import entry_at, report_on, story
from tests.verify.test_page import PAGE, rows

OF_PEERS = [reason for reason in Reason if not reason.slug.startswith("local/")]


@cache
def table() -> tuple[tuple[list[str], str, str], ...]:
    """Return the rows of the page: reasons, class of a contribution, class of a content."""
    found = rows(PAGE, "### Which class a refusal belongs to")
    return tuple(
        (re.findall(r"`([^`]+)`", cells[0]), cells[1].strip("`"), cells[2].strip("`"))
        for cells in found
    )


def classes_of(slug: str) -> tuple[str, str]:
    """Return what the page says of a reason."""
    *named, rest = table()
    for reasons, of_contribution, of_content in named:
        if slug in reasons or f"{slug.partition('/')[0]}/…" in reasons:
            return of_contribution, of_content
    assert rest[0] == []
    return rest[1], rest[2]


def test_the_table_names_reasons_that_there_are() -> None:
    slugs = {reason.slug for reason in Reason} | {
        f"{reason.slug.split('/')[0]}/…" for reason in Reason
    }
    assert not {one for reasons, _, _ in table() for one in reasons} - slugs


def first_entry() -> Transcript:
    return replace(story(), entries=(entry_at(1),), open=(), evidence=())


@pytest.mark.parametrize("reason", OF_PEERS, ids=lambda reason: reason.slug)
def test_a_refusal_fails_the_class_of_the_page(
    reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PeerError(reason)

    of_contribution, of_content = classes_of(reason.slug)
    with monkeypatch.context() as patch:
        patch.setattr("nodealer.verify.walk.judge_contribution", refuse)
        failure = report_on(first_entry()).failure
        assert failure is not None
        assert failure.check.value == of_contribution
    monkeypatch.setattr("nodealer.verify.walk.follow", refuse)
    failure = report_on(first_entry()).failure
    assert failure is not None
    assert failure.check.value == of_content


@pytest.mark.parametrize("reason", OF_PEERS, ids=lambda reason: reason.slug)
def test_a_charter_that_is_refused_fails_identity_but_for_proofs(
    reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PeerError(reason)

    monkeypatch.setattr("nodealer.verify.judge.check_charter", refuse)
    is_proof = reason.slug.startswith("proof/")
    assert report_on(first_entry()).check is (Check.CRYPTOGRAPHY if is_proof else Check.IDENTITY)
