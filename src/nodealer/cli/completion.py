"""Completion for bash, zsh and fish, made out of the parsers.

All three work alike: the words so far that choose commands are the route; where the word before is
an option that takes a value, that value is offered, else what may follow the route. Nothing is
started when somebody types, so completion costs no time.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodealer.cli.described import GAME, DescribedCommand, DescribedValue

MADE_BY: Final = "made by `nodealer integrate`, which takes it away again with --remove"


@dataclass(frozen=True, slots=True)
class CompletionOffer:
    """The words that may stand at a place, each with what it is; and whether a file may."""

    words: tuple[tuple[str, str], ...]
    is_file: bool = False


def bash(commands: Sequence[DescribedCommand], games: Sequence[str]) -> str:
    """Return the completion of bash."""
    offers = {
        place: (" ".join(word for word, _ in offer.words), offer.is_file)
        for place, offer in _offers(commands, games).items()
    }
    cases = [
        f"        {shlex.quote(place)}) offered={shlex.quote(words)}{' files=yes' * is_file} ;;"
        for place, (words, is_file) in offers.items()
    ]
    return "\n".join(
        [
            f"# bash completion of nodealer, {MADE_BY}",
            "_nodealer() {",
            "    local word route='' offered='' files='' index",
            "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}",
            "    for ((index = 1; index < COMP_CWORD; index++)); do",
            "        word=${COMP_WORDS[index]}",
            f'        case "$route $word" in {_routes(commands)}) route="$route $word" ;; esac',
            "    done",
            '    case "$before" in -*) before="$route $before" ;; *) before=$route ;; esac',
            f'    case "$before" in {_taking(commands)}) ;; *) before=$route ;; esac',
            '    case "$before" in',
            *cases,
            "    esac",
            "    local IFS=$' \\n'",
            '    COMPREPLY=($(compgen -W "$offered" -- "$current"))',
            '    if [ -n "$files" ]; then',
            "        compopt -o filenames 2>/dev/null",
            "        IFS=$'\\n'",
            '        COMPREPLY+=($(compgen -f -- "$current"))',
            "    fi",
            "}",
            "complete -F _nodealer nodealer",
            "",
        ]
    )


def zsh(commands: Sequence[DescribedCommand], games: Sequence[str]) -> str:
    """Return the completion of zsh."""
    cases = []
    for place, offer in _offers(commands, games).items():
        named = " ".join(
            shlex.quote(f"{word}:{text}" if text else word) for word, text in offer.words
        )
        cases.append(
            f"    {shlex.quote(place)}) offered=({named}){' files=yes' * offer.is_file} ;;"
        )
    return "\n".join(
        [
            "#compdef nodealer",
            f"# zsh completion of nodealer, {MADE_BY}",
            "local word route='' before=${words[CURRENT - 1]} files=''",
            "local -a offered",
            'for word in "${(@)words[2,CURRENT - 1]}"; do',
            f'    case "$route $word" in {_routes(commands)}) route="$route $word" ;; esac',
            "done",
            'case "$before" in -*) before="$route $before" ;; *) before=$route ;; esac',
            f'case "$before" in {_taking(commands)}) ;; *) before=$route ;; esac',
            'case "$before" in',
            *cases,
            "esac",
            "local -a plain=(${offered:#-*}) dashed=(${(M)offered:#-*})",
            "(( $#plain )) && _describe 'word' plain",
            "[[ $PREFIX == -* ]] && (( $#dashed )) && _describe -o 'option' dashed",
            "[[ -n $files ]] && _files",
            "return 0",
            "",
        ]
    )


def fish(commands: Sequence[DescribedCommand], games: Sequence[str]) -> str:
    """Return the completion of fish."""
    lines = [f"# fish completion of nodealer, {MADE_BY}", "complete -c nodealer -f"]
    for one in commands:
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in one.words)
        here = f"complete -c nodealer -n {shlex.quote(seen or '__fish_use_subcommand')}"
        for word, text in one.children:
            is_free = f"; and not __fish_seen_subcommand_from {' '.join(dict(one.children))}"
            at = f"complete -c nodealer -n {shlex.quote(seen + is_free)}" if seen else here
            lines.append(f"{at} -a {word} -d {shlex.quote(text)}")
        for value in one.values:
            offer = _offer_of(value, games)
            words = shlex.quote(" ".join(word for word, _ in offer.words))
            lines.append(f"{here}{' -F' * offer.is_file} -a {words}")
        lines.extend(f"{here} {_fish_option(option, games)}" for option in one.options)
    return "\n".join([*lines, ""])


def _fish_option(option: DescribedValue, games: Sequence[str]) -> str:
    flags = [f"-l {one[2:]}" if one.startswith("--") else f"-s {one[1:]}" for one in option.flags]
    text = f"-d {shlex.quote(option.text)}"
    if option.metavar is None:
        return " ".join([*flags, text])
    offer = _offer_of(option, games)
    words = shlex.quote(" ".join(word for word, _ in offer.words))
    return " ".join([*flags, "-r -F" if offer.is_file else "-x", "-a", words, text])


def _offers(
    commands: Iterable[DescribedCommand], games: Sequence[str]
) -> Mapping[str, CompletionOffer]:
    """Return what may stand behind each route, and behind each option that takes a value."""
    found = {}
    for one in commands:
        route = "".join(f" {word}" for word in one.words)
        values = [_offer_of(value, games) for value in one.values]
        options = tuple((flag, option.text) for option in one.options for flag in option.flags)
        words = (*one.children, *(word for offer in values for word in offer.words), *options)
        found[route] = CompletionOffer(words, any(offer.is_file for offer in values))
        for option in one.options:
            if option.metavar is not None:
                found |= {f"{route} {flag}": _offer_of(option, games) for flag in option.flags}
    return found


def _offer_of(value: DescribedValue, games: Sequence[str]) -> CompletionOffer:
    known = games if value.metavar == GAME else value.choices
    return CompletionOffer(tuple((word, "") for word in known), value.is_file)


def _routes(commands: Iterable[DescribedCommand]) -> str:
    """Return all words that choose a command, as a pattern of a shell."""
    return _pattern("".join(f" {word}" for word in one.words) for one in commands if one.words)


def _taking(commands: Iterable[DescribedCommand]) -> str:
    """Return all options that take a value, each behind its route, as a pattern of a shell."""
    return _pattern(
        "".join(f" {word}" for word in (*one.words, flag))
        for one in commands
        for option in one.options
        if option.metavar is not None
        for flag in option.flags
    )


def _pattern(texts: Iterable[str]) -> str:
    return "|".join(map(shlex.quote, texts))
