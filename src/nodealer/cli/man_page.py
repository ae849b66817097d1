"""The manual page, made out of the parsers: every command with what its help says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nodealer import __version__
from nodealer.cli.completion import MADE_BY
from nodealer.cli.described import DescribedCommand, DescribedValue

SUMMARY = "card games with no dealer and no server"


def man_page(commands: Sequence[DescribedCommand]) -> str:
    """Return the source of the page."""
    whole, *others = commands
    lines = [
        f'.\\" {MADE_BY}',
        f'.TH NODEALER 1 "" "nodealer {__version__}" "User Commands"',
        ".SH NAME",
        f"nodealer \\- {_text(SUMMARY)}",
        ".SH SYNOPSIS",
        ".B nodealer",
        ".I COMMAND",
        "[\\fIOPTION\\fR ...]",
        ".SH DESCRIPTION",
        *_as_it_is(whole.description),
        ".SH COMMANDS",
    ]
    for one in others:
        lines += [f".SS {_text(' '.join(('nodealer', *one.words)))}", *_command(one)]
    lines += [".SH EXIT STATUS", *_as_it_is(whole.epilog)]
    return "\n".join([*lines, ""])


def _command(one: DescribedCommand) -> Iterator[str]:
    yield from _as_it_is(one.description or one.text)
    for value in (*one.values, *one.options):
        yield ".TP"
        yield _heading(value)
        yield _text(value.text)
    yield from _as_it_is(one.epilog)


def _heading(value: DescribedValue) -> str:
    flags = ", ".join(f"\\fB{_text(flag)}\\fR" for flag in value.flags)
    metavar = "" if value.metavar is None else f"\\fI{_text(value.metavar)}\\fR"
    return " ".join(filter(None, (flags, metavar)))


def _as_it_is(text: str) -> Iterator[str]:
    """Yield lines that are not filled: examples stand below each other."""
    if text:
        yield ".PP"
        yield ".nf"
        yield from map(_text, text.rstrip("\n").splitlines())
        yield ".fi"


def _text(text: str) -> str:
    """Return a line in which nothing is taken for a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
