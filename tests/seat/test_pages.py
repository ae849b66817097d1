"""The pages of the protocols have the tables of the code, and the codes of all errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from nodealer.games.seeds import Fault
from nodealer.games.sixty_six import seed_protocol_v1, seed_protocol_v2
from nodealer.games.sixty_six.message_rows import MessageRow
from nodealer.games.sixty_six.request_forms import RequestForm
from nodealer.games.take5 import seed_protocol
from tests.seat.spoken import PROTOCOLS
from tests.tidy.project import ROOT

PAGES = ROOT / "specs" / "games"


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def told(rows: Iterable[MessageRow]) -> list[str]:
    return [
        f"| `{row.incident}` | {row.to.value} | `{row.name}` | {listed(row.fields)}"
        f" | {'yes' if row.asks else ''} |"
        for row in rows
    ]


def asked(requests: Mapping[str, RequestForm]) -> list[str]:
    return [
        f"| `{name}` | {listed(request.fields)} | {listed(request.kinds)} |"
        for name, request in requests.items()
    ]


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("66-v1-protocol", [*told(seed_protocol_v1.ROWS), *asked(seed_protocol_v1.REQUESTS)]),
        ("66-v2-protocol", [*told(seed_protocol_v2.ROWS), *asked(seed_protocol_v2.REQUESTS)]),
        (
            "take5-protocol",
            [
                f"| `{a}` | {b} | {c} |"
                for a, b, c in (*seed_protocol.MESSAGES, *seed_protocol.REQUESTS)
            ],
        ),
        ("protocols", [f"| `{fault.value}` |" for fault in Fault]),
        ("protocols", [f"| [`{name}`]({name}-protocol.md) |" for name in PROTOCOLS]),
    ],
    ids=range(5),
)
def test_a_page_has_the_tables_of_the_code(page: str, lines: list[str]) -> None:
    text = (PAGES / f"{page}.md").read_text()
    assert [line for line in lines if line not in text] == []
    messages = [line for line in text.splitlines() if line.startswith("| `") and "| – |" in line]
    assert page == "protocols" or all(line in lines for line in messages)
