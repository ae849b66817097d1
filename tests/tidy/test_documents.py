"""Pages that lead nowhere, or that promise what the code does not know, are defects too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nodealer.kernel.reasons import Reason
from scripts.gen_pages import pages
from tests.tidy.project import ROOT, documents, relative

LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)#\s]+)?(?:#(?P<anchor>[^)\s]+))?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as the usual renderers form them."""
    titles = HEADING.findall(page.read_text())
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(page: Path) -> list[str]:
    """Return the links of a page that point at no file or heading of the project."""
    broken = []
    for link in LINK.finditer(CODE.sub("", page.read_text())):
        target, anchor = link["target"] or "", link["anchor"]
        if "://" in target or target.startswith("mailto:"):
            continue
        # GitHub serves its own pages beside the files; only those leave the project.
        if target.startswith("../../security/"):
            continue
        path = (page.parent / target) if target else page
        is_there = path.exists() and (not anchor or path.suffix != ".md" or anchor in anchors(path))
        if not is_there:
            broken.append(link[0])
    return broken


@pytest.mark.parametrize("page", documents(), ids=relative)
def test_links_lead_somewhere(page: Path) -> None:
    assert not broken_links(page)


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n[a](page.md) [b](#one) [c](gone.md) [d](#two) `[e](not.md)`\n")
    assert broken_links(page) == ["[c](gone.md)", "[d](#two)"]


FIRST = "./scripts/nodealer play macaua --bots 3"


@pytest.mark.parametrize("command", [FIRST, "./scripts/test"])
def test_the_readme_shows_the_two_commands(command: str) -> None:
    readme = (ROOT / "README.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert any(command in block.splitlines() for block in blocks)


def test_commands_in_pages_exist() -> None:
    named = {
        name
        for page in documents()
        for name in re.findall(r"\./(scripts/[\w./-]*\w)", page.read_text())
    }
    assert not {name for name in named if not (ROOT / name).exists()}


def test_every_reason_is_in_the_specs() -> None:
    page = (ROOT / "specs" / "reasons.md").read_text()
    assert not [reason.value for reason in Reason if f"`{reason.value}`" not in page]


def test_what_pages_say_of_the_code_is_what_it_says_of_itself() -> None:
    for page, text in pages().items():
        assert page.read_text(encoding="utf-8") == text, "run scripts/gen_pages.py"
