"""The table of reasons is the enumeration, slug by slug and in its order."""

from __future__ import annotations

import re

from nodealer.kernel import Reason
from nodealer.ledger import KINDS
from nodealer.lobby import ASK, INVITED
from nodealer.lobby import KINDS as LOBBY_KINDS
from nodealer.table.actions import ACTED, AGAIN, ANSWERED, CHOSEN, HELD
from nodealer.table.charter import FOUNDING
from tests.specs.pages import SPECS

ROW = re.compile(r"^\| `(?P<slug>[a-z]+/[a-z-]+)` \| (?P<meaning>[^|]*) \| (?P<where>[^|]*) \|$")


def rows() -> list[tuple[str, str, str]]:
    lines = (SPECS / "reasons.md").read_text().splitlines()
    return [
        (row["slug"], row["meaning"], row["where"]) for line in lines if (row := ROW.match(line))
    ]


def test_the_table_is_the_enumeration() -> None:
    table = [(slug, meaning) for slug, meaning, _ in rows()]
    assert table == [(reason.slug, reason.meaning) for reason in Reason]


def test_every_row_says_where_it_is_raised() -> None:
    assert all(where for _, _, where in rows())


def test_pages_give_no_other_reason() -> None:
    groups = {reason.slug.partition("/")[0] for reason in Reason}
    kinds = {*KINDS, "ledger/certificate", "ledger/evidence"}
    kinds |= {schema.kind for schema in (FOUNDING, ACTED, AGAIN, HELD, ANSWERED, CHOSEN)}
    kinds |= {*LOBBY_KINDS, "lobby/host-record", "lobby/guest-record"}
    kinds |= {ASK.kind, INVITED.kind}
    slug = re.compile(rf"[`\"]((?:{'|'.join(groups - {'deck'})})/[a-z-]+)[`\"]")
    named = {found for page in SPECS.glob("*.md") for found in slug.findall(page.read_text())}
    assert named - kinds <= {reason.slug for reason in Reason}
