"""A wrong command line is answered with what is wrong with it and exit code 2."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import nodealer, run_stand_in

DECK = ["bench", "deck"]

WRONG = [
    ([], "required: COMMAND"),
    (["no-such-command"], "no-such-command"),
    (["bench"], "required: SUBJECT"),
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
