"""The pages of the protocols have the tables of the code, and the codes of all errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from nodealer.cli.seat import PROTOCOLS as OFFERED
from nodealer.seat import sixty_six_v1, sixty_six_v2, take5
from nodealer.seat.protocols import PROTOCOLS
from nodealer.seat.requests import Request
from nodealer.seat.rows import Row
from nodealer.seat.saying import Fault
from tests.tidy.project import ROOT

PAGES = ROOT / "specs" / "protocols"


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def told(rows: Iterable[Row]) -> list[str]:
    return [
        f"| `{row.moment}` | {row.to.value} | `{row.name}` | {listed(row.fields)}"
        f" | {'yes' if row.asks else ''} |"
        for row in rows
    ]


def asked(requests: Mapping[str, Request]) -> list[str]:
    return [
        f"| `{name}` | {listed(request.fields)} | {listed(request.kinds)} |"
        for name, request in requests.items()
    ]


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("66-v1", [*told(sixty_six_v1.ROWS), *asked(sixty_six_v1.REQUESTS)]),
        ("66-v2", [*told(sixty_six_v2.ROWS), *asked(sixty_six_v2.REQUESTS)]),
        (
            "take5",
            [f"| `{a}` | {b} | {c} |" for a, b, c in (*take5.MESSAGES, *take5.REQUESTS)],
        ),
        ("README", [f"| `{fault.value}` |" for fault in Fault]),
        ("README", [f"| [`{name}`]({name}.md) |" for name in PROTOCOLS]),
    ],
    ids=range(5),
)
def test_a_page_has_the_tables_of_the_code(page: str, lines: list[str]) -> None:
    text = (PAGES / f"{page}.md").read_text()
    assert [line for line in lines if line not in text] == []
    messages = [line for line in text.splitlines() if line.startswith("| `") and "| – |" in line]
    assert page == "README" or all(line in lines for line in messages)


def test_the_command_offers_all_protocols() -> None:
    assert set(OFFERED) == set(PROTOCOLS)
