"""Every test vector of the specs, run against this implementation from its JSON alone.

The vectors are generated from the code, but what they expect is named by hand; here the code has to
agree. That the runner would notice a wrong vector is shown with vectors that are made wrong.
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from nodealer.kernel import Reason
from scripts import gen_vectors
from tests.vectors.runner import Mismatch, run
from tests.vectors.runner.case import MEMBERS, RUNS
from tests.vectors.runner.reading import merged
from tests.vectors.runner.steps import STEPS

FOLDER = Path(__file__).resolve().parents[2] / "specs" / "vectors"
PATHS = sorted(FOLDER.rglob("*.json"))

BYTES_MAX = 1_500_000
"""Of all vectors together."""

WITHOUT_VECTOR = {
    Reason.DECK_UNDECODABLE: "verified releases always open to a face: only a program that"
    " contradicts itself comes here",
    Reason.RULES_ILLEGAL: "no deck is needed to judge it: rules are tried on positions with open"
    " cards, in tests/games",
    **{
        reason: "a ledger's whole state is needed to judge it: tests/ledger shows each"
        for reason in Reason
        if reason.slug.startswith("ledger/")
    },
    **{
        reason: "a link's whole state is needed to judge it: tests/node shows each"
        for reason in Reason
        if reason.slug.startswith("link/")
    },
    **{
        reason: "what was heard before is needed to judge it: tests/node/test_chat.py shows each"
        for reason in Reason
        if reason.slug.startswith("chat/")
    },
    Reason.TABLE_CHARTER: "a charter is read by the table, whose examples are in tests/table",
    Reason.TABLE_RULES: "a charter is read by the table, whose examples are in tests/table",
    **{
        reason: "a whole lobby is needed to judge it: tests/lobby shows each"
        for reason in Reason
        if reason.slug.startswith("lobby/")
    },
}
"""Reasons that no message and no question can cause, each with why."""

SLOW = ("deck/conversation", "deck/refusal")


def name_of(path: Path) -> str:
    """Return the name by which people know a vector."""
    return path.relative_to(FOLDER).with_suffix("").as_posix()


def vector_at(path: Path) -> dict[str, Any]:
    """Return the vector in a file."""
    vector: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return vector


VECTORS = {name_of(path): vector_at(path) for path in PATHS}
POSITIVE = {name: vector for name, vector in VECTORS.items() if vector["expect"] == "ok"}
NEGATIVE = {name: vector for name, vector in VECTORS.items() if vector["expect"] != "ok"}


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_the_code_does_what_the_vector_says(path: Path) -> None:
    run(vector_at(path))


def test_a_vector_has_the_form_of_the_format_page() -> None:
    for name, vector in VECTORS.items():
        assert tuple(vector) in {MEMBERS, MEMBERS[:-1]}, name
        assert (vector["expect"] != "ok") == ("refused" in name.split("/")), name
        assert vector["expect"] == "ok" or "then" not in vector, name


def test_every_reason_is_expected_by_a_vector() -> None:
    expected = {vector["expect"] for vector in NEGATIVE.values()}
    wanted = {reason for reason in Reason if not reason.slug.startswith("local/")}
    assert wanted - {Reason(slug) for slug in expected} == set(WITHOUT_VECTOR)


def test_every_kind_of_vector_and_of_step_is_used() -> None:
    assert {vector["run"] for vector in VECTORS.values()} == set(RUNS)
    steps = [step for vector in POSITIVE.values() for step in vector["given"].get("steps", [])]
    # Looking is no step of a table; it occurs in refusals.
    assert {step["do"] for step in steps if "do" in step} == set(STEPS) - {"see"}


def test_the_format_page_names_every_function_and_step() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([^`\n]+)`", page))
    assert not {*RUNS, *STEPS} - named


def test_the_vectors_stay_small() -> None:
    assert sum(path.stat().st_size for path in PATHS) <= BYTES_MAX


def is_noticed(vector: dict[str, Any]) -> bool:
    """Say whether a vector that is wrong fails."""
    try:
        run(vector)
    except Mismatch:
        return True
    return False


def test_a_wrong_expectation_is_noticed() -> None:
    wrong = {
        name: {**one, "expect": "proof/key" if one["expect"] != "proof/key" else "ok"}
        for name, one in VECTORS.items()
        if one["run"] not in SLOW
    }
    assert wrong
    assert not [name for name, one in wrong.items() if not is_noticed(one)]


def test_a_wrong_result_is_noticed() -> None:
    wrong = {
        name: {**one, "then": {**one["then"], "more": 1}}
        for name, one in POSITIVE.items()
        if "then" in one
    }
    assert wrong
    assert not [name for name, one in wrong.items() if not is_noticed(one)]


@pytest.mark.parametrize("expect", ["ok", "proof/seal"])
def test_a_wrong_expectation_of_a_refusal_is_noticed(expect: str) -> None:
    with pytest.raises(Mismatch, match="found deck/wrong-key"):
        run({**VECTORS["deck/refused/releases/wrong-key"], "expect": expect})


def test_a_refusal_that_is_none_is_noticed() -> None:
    vector = copy.deepcopy(VECTORS["deck/refused/releases/wrong-key"])
    vector["given"]["change"] = {}
    with pytest.raises(Mismatch, match="found ok"):
        run(vector)


@pytest.mark.parametrize(
    "index", range(len(VECTORS["deck/conversations/two-seats"]["given"]["steps"]))
)
def test_a_wrong_fact_of_a_conversation_is_noticed(index: int) -> None:
    vector = copy.deepcopy(VECTORS["deck/conversations/two-seats"])
    vector["given"]["steps"][index]["then"]["next_slot"] = 77
    with pytest.raises(AssertionError, match="instead of"):
        run(vector)


def test_a_wrong_gift_of_a_step_is_noticed() -> None:
    vector = copy.deepcopy(VECTORS["deck/conversations/two-seats"])
    (toss,) = (step for step in vector["given"]["steps"] if step["do"] == "coin")
    toss["gives"]["drawn"] += 1
    with pytest.raises(AssertionError, match="coin gives"):
        run(vector)


def test_an_unknown_member_is_noticed() -> None:
    with pytest.raises(Mismatch, match="unknown"):
        run({**VECTORS["cbor/zero"], "expects": "ok"})


def test_merge_patches_follow_their_rfc() -> None:
    before = {"a": {"b": 1, "c": [1]}, "d": "e"}
    assert merged(before, {"a": {"b": None, "c": [2]}, "f": {"g": None}}) == {
        "a": {"c": [2]},
        "d": "e",
        "f": {},
    }
    assert before == {"a": {"b": 1, "c": [1]}, "d": "e"}


def test_the_generator_gives_the_same_bytes_again_and_notices_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = gen_vectors.generated()
    monkeypatch.setattr(gen_vectors, "generated", lambda: files)
    assert gen_vectors.main(["--into", str(tmp_path)]) == 0
    assert {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*.json")
    } == {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in PATHS}
    (tmp_path / "cbor" / "zero.json").write_text("{}\n")
    (tmp_path / "cbor" / "bytes.json").unlink()
    (tmp_path / "more.json").write_text("{}\n")
    capsys.readouterr()
    assert gen_vectors.main(["--check", "--into", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "missing: cbor/bytes.json",
        "extra: more.json",
        "differs: cbor/zero.json",
    ]
