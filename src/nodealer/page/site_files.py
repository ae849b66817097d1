"""The files of the page: a table that is made at the start, and nothing else.

What is asked for is looked up in the table as it was asked, byte by byte. No path is put together,
so none can lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "css": "text/css; charset=utf-8",
        "html": "text/html; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "svg": "image/svg+xml",
    }
)
"""Names of files by their end; a file that ends otherwise is not served."""

FIRST: Final = "/index.html"


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file of the page."""

    type: str
    body: bytes = field(repr=False)


def site_files(folder: Traversable | None = None) -> Mapping[str, SiteFile]:
    """Return the files of the page, or of another folder, by what is asked for."""
    found = dict(_files_in(folder or files("nodealer.page").joinpath("site"), "/"))
    found["/"] = found[FIRST]
    return MappingProxyType(found)


def _files_in(folder: Traversable, path: str) -> Iterator[tuple[str, SiteFile]]:
    for one in folder.iterdir():
        if one.is_dir():
            yield from _files_in(one, f"{path}{one.name}/")
        elif kind := TYPES.get(one.name.rpartition(".")[2]):
            yield f"{path}{one.name}", SiteFile(kind, one.read_bytes())
