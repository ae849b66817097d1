"""The things that `nodealer integrate` puts into somebody's home, and what of it is not its own."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from nodealer.cli.completion import bash, fish, zsh
from nodealer.cli.described import described
from nodealer.cli.man_page import man_page
from nodealer.cli.network_packages import STARTER
from nodealer.games import registry

MARK: Final = "made by `nodealer integrate`"
_MARK_WITHIN: Final = 200


@dataclass(frozen=True, slots=True)
class IntegratedFile:
    """A file of ours in somebody's home, and what is in it."""

    path: Path
    text: str
    is_program: ClassVar[bool] = False

    def is_strange(self) -> bool:
        """Say whether something of somebody else is there."""
        if not os.path.lexists(self.path):
            return False
        try:
            return MARK not in self.path.read_text(encoding="utf-8")[:_MARK_WITHIN]
        except (OSError, ValueError):
            return True

    def put(self) -> None:
        """Write it."""
        self.path.write_text(self.text, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class IntegratedLink:
    """The link to a directory of sources."""

    path: Path
    target: str
    is_program: ClassVar[bool] = True

    def is_strange(self) -> bool:
        """Say whether something of somebody else is there."""
        is_there = os.path.lexists(self.path)
        return is_there and not (
            self.path.is_symlink() and str(self.path.readlink()) == self.target
        )

    def put(self) -> None:
        """Make it."""
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(self.target)


def integrated_things(
    parser: argparse.ArgumentParser, environment: Mapping[str, str], home: Path
) -> Iterator[IntegratedFile | IntegratedLink]:
    """Yield all that is to be there."""
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    commands, games = tuple(described(parser)), registry.game_ids()
    shells: dict[Path, Callable[..., str]] = {
        data / "bash-completion" / "completions" / "nodealer": bash,
        data / "zsh" / "site-functions" / "_nodealer": zsh,
        config / "fish" / "completions" / "nodealer.fish": fish,
    }
    for path, shell in shells.items():
        yield IntegratedFile(path, shell(commands, games))
    yield IntegratedFile(data / "man" / "man1" / "nodealer.1", man_page(commands))
    if starter := environment.get(STARTER):
        yield IntegratedLink(home / ".local" / "bin" / "nodealer", starter)
