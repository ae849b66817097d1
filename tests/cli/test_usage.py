"""A wrong command line is answered with what is wrong with it and exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import nodealer, run_stand_in

DECK = ["bench", "deck"]

WRONG = [
    (["--no-such-option"], "--no-such-option"),
    (["no-such-command"], "no-such-command"),
    (["bench", "hand"], "hand"),
    ([*DECK, "--cards", "9"], "--cards: '9' is not a whole number from 10 to 210"),
    ([*DECK, "--cards", "211"], "--cards: '211' is not a whole number from 10 to 210"),
    ([*DECK, "--cards", "5" * 5000], "is not a whole number from 10 to 210"),
    ([*DECK, "--cards", "-52"], "--cards"),
    ([*DECK, "--cards", "52.0"], "--cards: '52.0' is not a whole number"),
    ([*DECK, "--cards", "५२"], "--cards: '५२' is not a whole number"),
    ([*DECK, "--cards", ""], "--cards: '' is not a whole number"),
    ([*DECK, "--cards"], "--cards: expected one argument"),
    ([*DECK, "--seats", "1"], "--seats: '1' is not a whole number from 2 to 10"),
    ([*DECK, "--seats", "11"], "--seats: '11' is not a whole number from 2 to 10"),
    ([*DECK, "--card", "52"], "--card"),  # abbreviations would break when options are added
    ([*DECK, "more"], "more"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_a_wrong_command_line(arguments: list[str], words: str) -> None:
    done = nodealer(*arguments)
    assert done.returncode == 2
    assert not done.stdout
    assert words in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        ([], {"cards": 52, "seats": 4, "json": False}),
        (["--cards", "10", "--seats", "2", "--json"], {"cards": 10, "seats": 2, "json": True}),
        (["--cards", "210", "--seats", "10"], {"cards": 210, "seats": 10, "json": False}),
    ],
)
def test_the_command_gets_what_was_asked_for(
    arguments: list[str], values: dict[str, object]
) -> None:
    source = (
        "import json\n"
        "def run(args):\n"
        "    print(json.dumps({k: getattr(args, k) for k in ('cards', 'seats', 'json')}))\n"
        "    return 0\n"
    )
    done = run_stand_in(source, *arguments)
    assert json.loads(done.stdout) == values


@pytest.mark.parametrize("arguments", [[], ["bench"], ["move"]])
def test_who_chooses_nothing_is_told_what_there_is(arguments: list[str]) -> None:
    done = nodealer(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == nodealer(*arguments, "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "first", "second"),
    [
        (["play"], "say what to play: 66, macaua, papas, take5 (local/argument)", "play --help"),
        (
            ["play", "macau"],
            "there is no game 'macau', perhaps macaua; there are 66, macaua",
            "--help",
        ),
        (
            ["play", "macaua", "--option", "x=1"],
            "Macaua has no option 'x'; it has call, ",
            "--help",
        ),
        (["play", "macaua", "--option", "call=2"], "call is yes or no, not '2'", "--help"),
        (["play", "macaua", "--policy", "x"], "Macaua has no policy 'x'; there are ", "--help"),
        (["play", "papas", "--bots", "9"], "Papas is for ", "--help"),
        (["host", "chess"], "there is no game 'chess'; there are 66, macaua", "host --help"),
        (["rules", "chess"], "there is no game 'chess'; there are 66, macaua", "rules --help"),
        (["host", "macaua", "--listen", "xx"], "xx is no such address: ", "host --help"),
        (["move", "import", "no-such-file"], "no-such-file: there is no such file", "see what"),
        (["watch", "xx"], "lobby/invite: the text is no invite", "Copy the whole line once more"),
    ],
)
def test_what_there_is_not_is_answered_with_what_there_is(
    arguments: list[str], first: str, second: str, tmp_path: Path
) -> None:
    done = nodealer(*arguments, NODEALER_HOME=str(tmp_path / "home"))
    said, advice = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert said.startswith(f"nodealer: {first}")
    assert second in advice
    assert not (tmp_path / "home").exists(), "nothing was changed, as it says"
