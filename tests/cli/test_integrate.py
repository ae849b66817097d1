"""Completion, manual page and link: put in place, of use, and taken away again."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

import pytest

from nodealer.cli import integrate
from nodealer.cli.described import described
from nodealer.cli.main import COMMANDS, parser
from nodealer.cli.network_packages import STARTER

BASH = Path("share/bash-completion/completions/nodealer")
ZSH = Path("share/zsh/site-functions/_nodealer")
FISH = Path("config/fish/completions/nodealer.fish")
PAGE = Path("share/man/man1/nodealer.1")
LINK = Path("home/.local/bin/nodealer")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv(STARTER, str(tmp_path / "sources" / "scripts" / "nodealer"))
    return tmp_path


def program_at(name: str) -> str:
    """Return where a program of the system is."""
    found = shutil.which(name)
    assert found is not None, f"{name} is not installed"
    return found


def integrated(*, remove: bool = False) -> int:
    return integrate.run(argparse.Namespace(remove=remove, helped=parser()))


def files(place: Path) -> set[Path]:
    return {
        path.relative_to(place) for path in place.rglob("*") if path.is_symlink() or path.is_file()
    }


def test_what_is_put_in_place_is_taken_away_again(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert integrated() == 0
    assert files(place) == {BASH, ZSH, FISH, PAGE, LINK}
    assert str((place / LINK).readlink()) == str(place / "sources/scripts/nodealer")
    told = capsys.readouterr().out
    assert f"fpath+=({place / ZSH.parent})" in told
    assert f"{place / LINK.parent} is not on your PATH" in told
    assert integrated() == 0, "it may be done twice"
    assert integrated(remove=True) == 0
    assert files(place) == set()
    assert integrated(remove=True) == 0
    assert capsys.readouterr().out.endswith("there was nothing to take away\n")


def test_who_has_installed_it_gets_no_link(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STARTER)
    assert integrated() == 0
    assert files(place) == {BASH, ZSH, FISH, PAGE}


@pytest.mark.parametrize("where", [BASH, LINK])
@pytest.mark.parametrize("what", [b"of somebody else", b"\xff\xfe"])
@pytest.mark.parametrize("remove", [False, True])
def test_what_somebody_else_has_put_there_stays(
    where: Path,
    what: bytes,
    remove: bool,
    place: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (place / where).parent.mkdir(parents=True)
    (place / where).write_bytes(what)
    assert integrated(remove=remove) == 1
    assert (place / where).read_bytes() == what
    assert f"{place / where} is none of ours" in capsys.readouterr().err


def test_a_link_to_other_sources_stays(place: Path) -> None:
    (place / LINK).parent.mkdir(parents=True)
    (place / LINK).symlink_to("/elsewhere/scripts/nodealer")
    assert integrated() == 1
    assert str((place / LINK).readlink()) == "/elsewhere/scripts/nodealer"


TYPED = [
    (["nodealer", "pl"], {"play"}),
    (["nodealer", "play", ""], {"66", "macaua", "papas", "take5", "--bots", "--clock"}),
    (["nodealer", "play", "--clock", ""], {"brisk", "calm", "letters"}),
    (["nodealer", "play", "--name", ""], set()),
    (["nodealer", "bench", "d"], {"deck"}),
    (["nodealer", "bench", "deck", "--ca"], {"--cards"}),
    (["nodealer", "move", "ex"], {"export"}),
    (["nodealer", "move", "export", "--secured-by", "/et"], {"/etc"}),
    (["nodealer", "verify", "/et"], {"/etc"}),
    (["nodealer", "seat", "--name", "x", "--prot"], {"--protocol"}),
]


@pytest.mark.parametrize(("words", "offered"), TYPED)
def test_bash_offers_what_may_follow(place: Path, words: list[str], offered: set[str]) -> None:
    integrated()
    program = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nodealer;'
        ' printf "%s\\n" "${COMPREPLY[@]}"'
    )
    command = [program_at("bash"), "--norc", "-c", program, "bash", str(place / BASH), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = set(filter(None, done.stdout.splitlines()))
    assert found >= offered
    assert found == offered or words[-1] == ""
    assert found or not offered


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(("words", "offered"), TYPED[:4])
def test_fish_offers_what_may_follow(place: Path, words: list[str], offered: set[str]) -> None:
    integrated()
    program = f"source {place / FISH}; complete -C '{' '.join(words)}'"
    done = subprocess.run(
        [program_at("fish"), "--no-config", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=place,
    )
    found = {line.partition("\t")[0] for line in done.stdout.splitlines()}
    if words[-2].startswith("-"):
        assert found == offered
    else:
        assert found >= {word for word in offered if not word.startswith("-")}


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_can_read_it(place: Path) -> None:
    integrated()
    done = subprocess.run(
        [program_at("zsh"), "-fn", str(place / ZSH)], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_page_tells_every_command_and_option(place: Path) -> None:
    integrated()
    page = (place / PAGE).read_text(encoding="utf-8").replace("\\-", "-")
    commands = list(described(parser()))
    assert {one.words[0] for one in commands if one.words} == {
        command.__name__.rpartition(".")[2].replace("_", "-") for command in COMMANDS
    }
    for one in commands[1:]:
        assert f".SS nodealer {' '.join(one.words)}\n" in page
        for option in one.options:
            assert f"\\fB{option.flags[-1]}\\fR" in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_page_can_be_set(place: Path) -> None:
    integrated()
    done = subprocess.run(
        [program_at("groff"), "-man", "-Tutf8", "-ww", str(place / PAGE)],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"countersigned" in done.stdout
