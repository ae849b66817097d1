"""The page of the store names the troubles, doubts, places and numbers that the program has."""

from __future__ import annotations

import re
from pathlib import Path

from nodealer.crypto.boxes import BLOCK_SIZE, COST_MAX, COST_MIN, PARALLEL, USUAL_COST
from nodealer.store.identity import KEY_FILE, PASSPHRASE_CHARACTERS_MIN
from nodealer.store.journal import NOTE_BYTES_MAX, NOTE_NAME_BYTES_MAX
from nodealer.store.layouts import JOURNAL
from nodealer.store.move_file import FRIEND, HEAD, NOTE, PROFILE
from nodealer.store.move_file import JOURNAL as MOVED_JOURNAL
from nodealer.store.old_copies import Doubt, Mark
from nodealer.store.places import places_of
from nodealer.store.trouble import Trouble
from nodealer.store.words import MARK_LENGTH, MARK_LETTERS, WORD_COUNT, WORDS_COST
from nodealer.wire import AnyField
from tests.specs.pages import SPECS

PAGE = (SPECS / "09-store.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())
ROW = re.compile(r"^\| `(store/[a-z-]+)` \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)


def names(fields: tuple[AnyField, ...]) -> list[str]:
    return [field.name for field in fields]


def test_the_table_of_troubles_is_the_enumeration() -> None:
    rows = ROW.findall(PAGE)
    told = [row for row in rows if row[0] in {trouble.value for trouble in Trouble}]
    assert told == [(trouble.value, trouble.meaning, trouble.advice) for trouble in Trouble]


def test_the_page_names_every_doubt() -> None:
    named = set(re.findall(r"`([A-Z]+)`", PAGE))
    assert {doubt.name for doubt in Doubt} <= named


def test_the_places_are_those_of_the_page() -> None:
    profile = places_of({"NODEALER_HOME": "/h"}).profile("NAME".lower())
    told = {
        profile.key: "data/`profiles/NAME/identity.key`",
        profile.friends: "data/`profiles/NAME/friends`",
        profile.places.machine: "state/`machine`",
    }
    for path, row in told.items():
        assert f"| {row} |" in PAGE
        place = row.replace("`", "").replace("NAME", "name")
        assert path == Path("/h") / place


def test_messages_have_the_fields_of_the_page() -> None:
    file = names(KEY_FILE.record.fields)
    assert file == ["format", "public", "retired", "cost", "salt", "nonce", "body", "check"]
    assert f'"store/identity", {", ".join(file).replace("public", "public key")}]' in PAGE
    assert f'"store/move", {", ".join(names(HEAD.record.fields))}]' in PAGE
    for schema in (PROFILE, MOVED_JOURNAL, NOTE, FRIEND):
        assert f"| `{schema.kind}` | {', '.join(names(schema.record.fields))} |" in PAGE


def test_the_columns_are_those_of_the_page() -> None:
    statements = " ".join(statement for step in JOURNAL.steps for statement in step)
    rows = re.findall(r"^\| `([a-z]+)` \| ([a-z, ]+) \|", PAGE, re.MULTILINE)
    assert len(rows) == statements.count("CREATE TABLE")
    for table, listed in rows:
        body = statements.partition(f"CREATE TABLE {table} ")[2].partition("CREATE")[0]
        columns = re.findall(r"(\w+) (?:INTEGER|TEXT|BLOB)", body)
        assert [name for name in columns if name != "one"] == listed.split(", ")


def test_the_numbers_are_those_of_the_page() -> None:
    assert f"r = {BLOCK_SIZE}, p = {PARALLEL}" in FLAT
    assert f"The usual cost is {USUAL_COST.log_n}:" in FLAT
    assert f"A reader takes {COST_MIN} to {COST_MAX}." in FLAT
    assert f"at least {PASSPHRASE_CHARACTERS_MIN} characters" in FLAT
    assert f"{JOURNAL.application:X}" in FLAT
    assert f"`user_version` the version, {JOURNAL.version} now" in FLAT
    assert f"at most {NOTE_NAME_BYTES_MAX} bytes and {NOTE_BYTES_MAX >> 10} KiB" in FLAT
    assert f"is {len(Mark(bytes(16), 1, bytes(32)).encode())} bytes" in FLAT
    assert f"N = 2^{WORDS_COST.log_n}, r = {BLOCK_SIZE}" in FLAT
    assert MARK_LETTERS in FLAT
    assert (MARK_LENGTH, WORD_COUNT) == (6, 6)
