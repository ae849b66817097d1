"""Nobody honest is named, whatever a forger makes of what was signed, and nothing forged passes.

What a failing test prints is recipes. To see one again, in words and as a report:

    hand = Recipe("macaua", None, ("moved-votes",), 149).carry_out(OPERATIONS)
    print(hand.told, look_at(hand))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import pytest

from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import AuthoredStep, DueStep, Entry, EvictStep
from nodealer.ledger.objects import Keep
from nodealer.table import read_action
from nodealer.table.actions import Acted
from nodealer.verify import Verdict
from tests.verify.forger.drawing import OPERATIONS, drawn
from tests.verify.forger.forgery import Hand, Nothing, Recipe
from tests.verify.forger.histories import history
from tests.verify.forger.known import History
from tests.verify.forger.lied import LIED
from tests.verify.forger.oracle import ACCEPTED, look_at
from tests.verify.forger.pieces import pieces
from tests.verify.forger.predictions import BY_A_SEAT, BY_STRANGERS, Kind
from tests.verify.forger.scenes import SCENES, WAITING
from tests.verify.forger.tricks import TRICKS, twice_under_one_label

SHORT = ("small", "macaua", "66-v2", "take5")
"""The histories of the ordinary run."""


def scenes(*, is_full: bool) -> Sequence[str]:
    """Return the histories of a run."""
    return tuple(SCENES) if is_full else SHORT


# What the histories are.


def features(made: History) -> Iterator[str]:
    """Yield what a history holds."""
    known = pieces(made.name)
    is_closed = False
    for file in made.files:
        yield from ("open",) if file.open else ()
        before: Entry | None = None
        for entry in file.entries:
            yield from _features_of(entry, before)
            before = entry
        last = file.entries[-1].content.step if file.entries else None
        is_closed = isinstance(last, DueStep) and [part.kind for part in last.parts] == ["close"]
        yield "finished" if is_closed else "unfinished"
    yield from ("left",) if known.leaves else ()
    chosen: dict[tuple[Seat, bytes], set[bytes]] = {}
    for one in known.contributions:
        for label, _ in one.payloads:
            chosen.setdefault((one.seat, label), set()).add(one.parent)
    again = [label for (_, label), parents in chosen.items() if len(parents) > 1]
    yield from ("chosen again",) if any(b"choose" in label for label in again) else ()
    hand = Hand(made, None, Chance("features"), made.files[0])
    yield from ("keys again",) if any(twice_under_one_label(hand)) else ()


def _features_of(entry: Entry, before: Entry | None) -> Iterator[str]:
    step = entry.content.step
    if any(isinstance(vote.choice, Keep) for vote in entry.certificate.votes):
        yield "kept"
    match step:
        case EvictStep():
            yield "evicted"
        case DueStep(parts):
            yield from (part.kind for part in parts)
            is_first = before is not None and isinstance(before.content.step, DueStep)
            if any(part.kind == "shuffle" for part in parts) and not is_first:
                yield "reshuffled"
        case AuthoredStep(action=data):
            action = read_action(data)
            yield action.action.kind if isinstance(action, Acted) else "again"


HELD = {
    "small": {"kept", "evicted", "left", "again", "open", "finished", "unfinished"},
    "macaua": {"evicted", "left", "keys again", "commit", "finished", "unfinished", "play"},
    "macaua-alone": {"kept", "evicted", "left", "keys again", "open"},
    "macaua-reshuffled": {"reshuffled", "draw"},
    "66-v1": {"peek-own-card", "release", "left", "evicted", "acks"},
    "66-v2": {"verdict", "show-cards"},
    "66-void": {"evicted", "left", "start-game"},
    "take5": {"choose", "chosen again", "evicted", "left", "finished", "unfinished", "take"},
    "take5-void": {"choose", "evicted", "left", "finished"},
    "papas": {"restack", "give", "return", "claim", "ask", "answer", "evicted", "left"},
}


def test_every_history_holds_what_it_is_for(is_full: bool) -> None:
    assert set(HELD) == set(SCENES)
    for name in scenes(is_full=is_full):
        assert HELD[name] <= set(features(history(name))), name


@pytest.mark.parametrize("name", SHORT)
def test_honest_files_are_accepted_and_name_nobody(name: str) -> None:
    made = history(name)
    for file in made.files:
        outcome = look_at(Hand(made, None, Chance(name), file))
        assert outcome is not None
        assert outcome.report is not None
        assert not outcome.wrong
        assert outcome.report.verdict in ACCEPTED - {Verdict.UNCHECKED}
        assert outcome.report.culprit is None


# Forgeries by chance.


def require_innocence(recipes: Iterable[Recipe], least: int) -> None:
    """Carry out forgeries; require that there is something wrong with none of them."""
    found: list[str] = []
    count = 0
    for recipe in recipes:
        try:
            hand = recipe.carry_out(OPERATIONS)
        except Nothing:
            continue
        outcome = look_at(hand)
        if outcome is not None:
            count += 1
            found.extend(f"{recipe}: {hand.told}: {line}" for line in outcome.wrong)
    assert not found, "\n".join(found[:10])
    assert count >= least


def test_a_stranger_has_nobody_named_and_nothing_accepted(is_full: bool) -> None:
    names, most = scenes(is_full=is_full), 3600 if is_full else 48
    require_innocence((drawn(number, names, None) for number in range(most)), most * 3 // 4)


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_has_nobody_named_but_itself(seat: int, is_full: bool) -> None:
    waiting = [name for name in WAITING if f"-waits-for-{seat}-" in name]
    if not is_full:
        waiting = [name for name in waiting if name.startswith("small")][1:3]
    names, most = (*scenes(is_full=is_full), *waiting), 1600 if is_full else 10
    require_innocence((drawn(number, names, seat) for number in range(most)), most // 2)


def test_a_liar_has_nobody_named_but_itself(is_full: bool) -> None:
    names, most = (list(LIED), 40) if is_full else (list(LIED)[:1], 6)
    recipes = [
        drawn(number, [name], history(name).liar) for name in names for number in range(most)
    ]
    require_innocence(recipes, len(recipes) // 2)


# Forgeries with a purpose.

ALONE = (("macaua", 0), ("macaua-alone", 2))
"""Where one seat is left alone, and which."""


@pytest.mark.parametrize("trick", TRICKS)
def test_no_trick_of_a_stranger_names_anybody(trick: str, is_full: bool) -> None:
    names, most = (tuple(SCENES), 40) if is_full else (("small", "macaua"), 4)
    recipes = (Recipe(name, None, (trick,), seed) for name in names for seed in range(most))
    require_innocence(recipes, most // 2)


@pytest.mark.parametrize(("name", "seat"), ALONE)
def test_a_seat_that_is_alone_has_nobody_else_named(name: str, seat: int, is_full: bool) -> None:
    most = 100 if is_full else 20
    recipes = (Recipe(name, seat, ("go-on-alone",), seed) for seed in range(most))
    require_innocence(recipes, most // 20)


# Forgeries of known kinds.


def require_prediction(kind: Kind, made: History, key: Seat | None, seed: int) -> bool:
    """Require that a kind of forgery ends as predicted; say whether it could be done."""
    chance = Chance("kind", made.name, seed)
    hand = Hand(made, key, chance, chance.pick([file for file in made.files if file.entries]))
    try:
        height = kind.make(hand)
    except Nothing:
        return False
    outcome = look_at(hand)
    assert outcome is not None
    assert outcome.report is not None
    assert not outcome.wrong
    report = outcome.report
    assert report.culprit == (key if kind.names else None), report.failures
    if not kind.classes:
        assert report.verdict in ACCEPTED
        return True
    assert report.check is not None
    assert (report.check.value in kind.classes, report.height) == (True, height), report.failures
    return True


def require_predictions(
    kind: Kind, keys: Sequence[Seat | None], most: int, *, is_full: bool
) -> None:
    """Require that so many forgeries of a kind end as predicted in each history, if it has any."""
    count = 0
    for name in scenes(is_full=is_full):
        made = history(name)
        for key in keys:
            if key is None or key < len(made.charter.keys):
                done = (require_prediction(kind, made, key, seed) for seed in range(4 * most))
                count += len(list(islice(filter(None, done), most)))
        if count and not is_full:
            return
    assert count


@pytest.mark.parametrize("kind", BY_STRANGERS)
def test_what_a_stranger_forges_is_refused_as_the_pages_say(kind: str, is_full: bool) -> None:
    require_predictions(BY_STRANGERS[kind], [None], 10 if is_full else 1, is_full=is_full)


@pytest.mark.parametrize("kind", BY_A_SEAT)
def test_what_a_seat_forges_names_it(kind: str, is_full: bool) -> None:
    keys = [Seat(number) for number in range(3 if is_full else 1)]
    require_predictions(BY_A_SEAT[kind], keys, 4 if is_full else 1, is_full=is_full)
