"""The places where a machine keeps what belongs to its player.

    config     what the player has chosen
    data       identities, journals and friends: what must not be lost
    state      marks of journals, and of this machine: what must not travel with the data

The three follow the XDG base directories. `NODEALER_HOME` puts all of them under one directory, for
tests and for several players on one machine. Data and state are apart on purpose: a copy of the
data that comes back without its state, or into another state, is recognised (`old_copies`).

A profile is one identity with all that belongs to it; most players have one.

    data/profiles/NAME/identity.key    the key
    data/profiles/NAME/friends         known keys
    data/profiles/NAME/tables/         one journal for each table
    state/machine                      the mark of this machine
    state/profiles/NAME/               the marks of the journals, and the way to the player's page
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodealer.kernel import TableId
from nodealer.store.files import make_directory
from nodealer.store.trouble import StoreError, Trouble

HOME_VARIABLE: Final = "NODEALER_HOME"
USUAL_PROFILE: Final = "default"
JOURNAL_SUFFIX: Final = ".journal"

_PROFILE_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_TABLE_NAME: Final = re.compile(r"[0-9a-f]{64}")

_XDG: Final = (
    ("config", "XDG_CONFIG_HOME", ".config"),
    ("data", "XDG_DATA_HOME", ".local/share"),
    ("state", "XDG_STATE_HOME", ".local/state"),
)


@dataclass(frozen=True, slots=True)
class Directories:
    """The three directories."""

    config: Path
    data: Path
    state: Path

    @property
    def machine(self) -> Path:
        """The mark of this machine."""
        return self.state / "machine"

    def profile(self, name: str = USUAL_PROFILE) -> Profile:
        """Return the places of a profile, whether it exists or not."""
        if not _PROFILE_NAME.fullmatch(name):
            raise StoreError(Trouble.NAME, repr(name))
        return Profile(self, name)


@dataclass(frozen=True, slots=True)
class Profile:
    """The places of one identity."""

    places: Directories
    name: str

    @property
    def home(self) -> Path:
        """The directory of everything that must not be lost."""
        return self.places.data / "profiles" / self.name

    @property
    def key(self) -> Path:
        """The file of the identity."""
        return self.home / "identity.key"

    @property
    def friends(self) -> Path:
        """The book of known keys."""
        return self.home / "friends"

    @property
    def tables(self) -> Path:
        """The directory of the journals."""
        return self.home / "tables"

    @property
    def marks(self) -> Path:
        """The directory of what must not travel with the journals."""
        return self.places.state / "profiles" / self.name

    @property
    def page(self) -> Path:
        """The port and the token of the player's page."""
        return self.marks / "page"

    @property
    def page_link(self) -> Path:
        """The file by way of which a browser is sent to the page."""
        return self.marks / "page.html"

    @property
    def standings(self) -> Path:
        """The notes on how the tables stand."""
        return self.marks / "standings"

    def make(self) -> None:
        """Make all directories."""
        for path in (self.home, self.tables, self.marks, self.places.config):
            make_directory(path)

    def journal(self, table: TableId) -> Path:
        """Return the file of the journal of a table."""
        return self.tables / f"{table.hex()}{JOURNAL_SUFFIX}"

    def mark(self, table: TableId) -> Path:
        """Return the file of the mark of a journal."""
        return self.marks / f"{table.hex()}.mark"

    def journals(self) -> tuple[Path, ...]:
        """Return the journals that are there, in the order of their tables."""
        found = self.tables.glob(f"*{JOURNAL_SUFFIX}")
        return tuple(sorted(path for path in found if _TABLE_NAME.fullmatch(path.stem)))


def places_of(environment: Mapping[str, str]) -> Directories:
    """Return the directories that an environment names.

    What is no absolute path is passed over, as the XDG specification wants it.
    """
    if whole := _absolute(environment, HOME_VARIABLE):
        return Directories(whole / "config", whole / "data", whole / "state")
    found = {}
    for kind, variable, usual in _XDG:
        base = _absolute(environment, variable)
        if base is None:
            home = _absolute(environment, "HOME")
            if home is None:
                raise StoreError(Trouble.NOWHERE, kind)
            base = home / usual
        found[kind] = base / "nodealer"
    return Directories(**found)


def _absolute(environment: Mapping[str, str], name: str) -> Path | None:
    path = Path(environment.get(name, ""))
    return path if path.is_absolute() else None
