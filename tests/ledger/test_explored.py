"""Every state of a small table over the real core, and each rule taken away.

The ordinary run visits the first states of each setting, takes a few walks, and finds the bad end
of every row. With the full sizes many more states are visited, and more walks taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from nodealer.ledger import DUTIES, Duties, rounds
from nodealer.ledger.messages import Voted, signed_of
from nodealer.ledger.objects import EvictStep
from nodealer.ledger.rounds import SILENCE_ROUND, STUBBORN_ROUND
from tests.ledger.explore.ends import LATE, Ends
from tests.ledger.explore.journal import Node, key_of, ones
from tests.ledger.explore.moves import State
from tests.ledger.explore.nodes import TWINS_MAX, restarted, sent_to
from tests.ledger.explore.rules import DIFFER, FORKED, NAMED, NAMING_ROWS, PAGE_ROWS, STUCK, Row
from tests.ledger.explore.setting import Setting
from tests.ledger.explore.visit import Outcome, Visit
from tests.ledger.explore.walk import Walks

WALKED = [(3, (1,)), (4, ()), (4, (0,)), (4, (1, 2)), (5, ()), (5, (0,)), (5, (0, 3))]

SEATINGS = ((0,), (1,), (2,))


@cache
def wholly_visited(setting: Setting, *, is_cut: bool) -> tuple[Visit, Outcome]:
    """Return a visit of all states, which more than one test looks at."""
    visit = Visit(setting, is_cut=is_cut)
    return visit, visit.run()


@pytest.mark.parametrize("byzantine", SEATINGS, ids=str)
def test_the_first_states_have_no_bad_end(byzantine: tuple[int, ...], is_full: bool) -> None:
    states = 20_000 if is_full else 60
    outcome = Visit(Setting(byzantine)).run(states)
    assert not outcome.bad, str(outcome.bad[0])
    assert outcome.states == states


ONE_HEIGHT = {0: (1968, 458), 1: (1787, 370), 2: (1787, 370)}
"""States with one Byzantine seat at one height, and those of them in which it is proven guilty."""

NO_PATIENCE = {0: (5016, 1544), 1: (5011, 1540), 2: (5011, 1540)}
"""The same for two heights, where no honest seat loses patience falsely."""


@pytest.mark.parametrize("byzantine", SEATINGS, ids=str)
def test_all_states_of_one_height_have_no_bad_end(
    byzantine: tuple[int, ...], is_full: bool
) -> None:
    is_whole = is_full or byzantine == (1,)
    setting = Setting(byzantine, script=("turn",))
    if is_whole:
        _, outcome = wholly_visited(setting, is_cut=True)
    else:
        outcome = Visit(setting, is_cut=True).run(150)
    assert not outcome.bad, str(outcome.bad[0])
    assert outcome.is_whole is is_whole
    if is_whole:
        assert (outcome.states, outcome.guilty) == ONE_HEIGHT[byzantine[0]]


@pytest.mark.parametrize("byzantine", SEATINGS, ids=str)
def test_all_states_without_false_patience_have_no_bad_end(
    byzantine: tuple[int, ...], is_full: bool
) -> None:
    visit = Visit(Setting(byzantine, free=0), is_cut=True)
    outcome = visit.run(None if is_full else 100)
    assert not outcome.bad, str(outcome.bad[0])
    assert outcome.is_whole is is_full
    if is_full:
        assert (outcome.states, outcome.guilty) == NO_PATIENCE[byzantine[0]]


ALONE = (Setting(names_only=True, script=("turn",)), Setting(names_only=True, free=0))
"""What the two tests above need for the states behind those in which somebody is guilty."""


NAMING = (replace(DUTIES, guard=lambda *_: True), replace(DUTIES, one_vote=lambda *_: True))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_no_seat_is_named_whatever_all_others_do(seat: int, is_full: bool) -> None:
    others = tuple(one for one in range(3) if one != seat)
    for setting in ALONE if is_full or seat == 0 else ALONE[:1]:
        _, outcome = wholly_visited(replace(setting, byzantine=others), is_cut=False)
        assert not outcome.bad, str(outcome.bad[0])
        assert outcome.is_whole


@pytest.mark.parametrize("without", NAMING, ids=("guard", "one_vote"))
def test_without_a_rule_a_seat_alone_among_others_is_named(without: Duties) -> None:
    setting = Setting((0, 1), names_only=True, duties=lambda _: without)
    outcome = Visit(setting).run(400)
    assert outcome.bad
    assert outcome.bad[0].what.startswith(NAMED)


FREE_ROUND = {0: (224_408, 1_044_419), 1: (223_480, 1_041_979), 2: (223_480, 1_041_979)}
"""The same for two heights and a free round, of states that differ in what matters."""


@pytest.mark.parametrize("byzantine", SEATINGS, ids=str)
def test_all_states_of_two_heights_with_a_free_round_have_no_bad_end(
    byzantine: tuple[int, ...], is_full: bool
) -> None:
    outcome = Visit(Setting(byzantine, is_merged=True), is_cut=True).run(None if is_full else 60)
    assert not outcome.bad, str(outcome.bad[0])
    assert outcome.is_whole is is_full
    if is_full:
        assert (outcome.states, outcome.guilty) == FREE_ROUND[byzantine[0]]


TWO_OF_FIVE: dict[tuple[str, ...], tuple[int, int, int]] = {
    ("turn",): (1591, 297, 2),
    ("due",): (1658, 357, 1),
}
"""The same at one height where two of five say what they like, and are silent while it heals; and
the first round that leaves out both, which is the second where only one of them can be missed."""


@pytest.mark.parametrize("script", TWO_OF_FIVE, ids=str)
def test_all_states_of_five_with_two_silent_have_no_bad_end(
    script: tuple[str, ...], is_full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the question of silence they heal in as many rounds, or in more."""
    states, guilty, first = TWO_OF_FIVE[script]
    visit = Visit(Setting((0, 3), count=5, free=0, script=script), is_cut=True)
    outcome = visit.run(None if is_full else 60)
    assert not outcome.bad, str(outcome.bad[0])
    assert outcome.is_whole is is_full
    if is_full:
        assert (outcome.states, outcome.guilty) == (states, guilty)
    rounds_seen = rounds_that_left_out((0, 3), visit)
    assert min(rounds_seen) == first
    assert max(rounds_seen) <= STUBBORN_ROUND
    asked = [patience_lost(visit, state) for state in visit.states()]
    monkeypatch.setattr(rounds, "SILENCE_ROUND", 0)
    not_asked = [patience_lost(visit, state) for state in visit.states()]
    pairs = zip(asked, not_asked, strict=True)
    assert all(one <= other for one, other in pairs)
    assert (asked != not_asked) is (first == SILENCE_ROUND)


def patience_lost(visit: Visit, state: State) -> int:
    """Return how often all lose patience until nothing happens any more."""
    ends, count = Ends(visit.table), 0
    while True:
        after = ends.told(state, is_late=False)
        if after == state:
            after = ends.told(state, is_late=True)
            count += 1
        if after == state or ends.is_guilty(after):
            return count
        state = after


def rounds_that_left_out(out: tuple[int, ...], visit: Visit) -> set[int]:
    """Return the rounds by which these seats were left out together."""
    links = (link for node in visit.table.nodes for link in node.ledger.tip.downwards())
    steps = (link.content.step for link in links if link.content is not None)
    return {s.round for s in steps if isinstance(s, EvictStep) and s.seats == out}


def test_no_state_holds_what_its_honest_seats_have_not_signed(is_full: bool) -> None:
    visit = Visit(Setting((0,), is_merged=True), is_cut=True)
    visit.run(20_000 if is_full else 150)
    table = visit.table
    for state in innocent_states(visit):
        sent = [table.messages[n] for n in ones(sent_to(state, len(state)))]
        signed = table.against.signed(one for m in sent if (one := signed_of(m)) is not None)
        for node in state:
            others = ones(node.heard & ~table.against.byzantine & ~signed)
            assert all(table.against.statements[n].height == 0 for n in others)


SMALL = (
    Setting((0,), free=0),
    Setting((0,), script=("turn",)),
    Setting((1,), script=("turn",)),
    Setting((1,), script=("due",)),
    Setting((1,), free=0),
    Setting((), script=("turn",)),
)


def test_every_state_of_a_small_table_is_covered_by_one_that_was_visited(is_full: bool) -> None:
    for setting in SMALL if is_full else SMALL[:1]:
        merged = Visit(replace(setting, is_merged=True), is_cut=True)
        assert merged.run().is_whole
        every = Visit(setting, is_cut=True)
        every.table.number_like(merged.table)
        assert every.run().is_whole
        alike, states = merged.alike, list(innocent_states(every))
        assert {alike.name(state) for state in states} == set(alike.covering)
        assert all(alike.is_covered(state) for state in states)
        assert len(alike.covering) < len(states)


@pytest.mark.parametrize("row", [r for r in PAGE_ROWS if r.setting.byzantine], ids=str)
def test_states_that_are_left_out_hide_no_bad_end(row: Row) -> None:
    outcome = Visit(replace(row.setting, is_merged=True), is_cut=True).run(3000, along=row.along)
    assert outcome.bad
    assert outcome.bad[0].what.startswith(row.end)


def test_a_seat_alone_comes_to_the_same_names_when_states_are_left_out(is_full: bool) -> None:
    every_one = [(seat, setting) for seat in range(3) for setting in ALONE]
    for seat, setting in every_one if is_full else [(2, ALONE[0])]:
        others = tuple(one for one in range(3) if one != seat)
        every, all_of_them = wholly_visited(replace(setting, byzantine=others), is_cut=False)
        assert all_of_them.is_whole
        merged = Visit(replace(setting, byzantine=others, is_merged=True))
        merged.table.number_like(every.table)
        outcome = merged.run()
        assert not outcome.bad, str(outcome.bad[0])
        assert {merged.alike.name(state) for state in every.states()} == set(merged.alike.covering)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_no_seat_is_named_in_the_first_states_of_two_heights_with_a_free_round(
    seat: int, is_full: bool
) -> None:
    others = tuple(one for one in range(3) if one != seat)
    states = 3000 if is_full else 30
    outcome = Visit(Setting(others, names_only=True, is_merged=True)).run(states)
    assert not outcome.bad, str(outcome.bad[0])
    assert outcome.states == states


def test_a_journal_is_read_on_as_it_is_read_from_the_start() -> None:
    visit = Visit(Setting((0,)))
    visit.run(200)
    for node in visit.table.nodes:
        ledger, ready = restarted(visit.table.read(node.seat, node.records, None))
        assert key_of(ledger) == key_of(node.ledger)
        assert not ready.persist


def test_messages_told_in_groups_lead_to_the_states_that_all_sets_lead_to(is_full: bool) -> None:
    settings = [Setting((1,), script=("turn",))]
    if is_full:
        settings += [
            Setting((0,), script=("turn",)),
            Setting((1,), script=("due",)),
            Setting((1,), free=0),
        ]
    for setting in settings:
        visit, outcome = wholly_visited(setting, is_cut=True)
        assert outcome.is_whole
        other = Visit(replace(setting, is_grouped=False), is_cut=True)
        other.table.number_like(visit.table)
        assert other.run().is_whole
        assert innocent(visit) == innocent(other)


def innocent(visit: Visit) -> set[int]:
    """Return the names of the states in which nobody is proven guilty."""
    count = len(visit.table.honest)
    return {n for n in visit.before if not visit.ends.is_guilty(visit.state(n, count))}


def innocent_states(visit: Visit) -> Iterator[State]:
    """Yield the states in which nobody is proven guilty."""
    return (state for state in visit.states() if not visit.ends.is_guilty(state))


@pytest.mark.parametrize("row", PAGE_ROWS, ids=str)
def test_without_a_rule_there_is_a_bad_end(row: Row) -> None:
    outcome = Visit(row.setting).run(3000, along=row.along)
    assert outcome.bad
    print(f"without {row}:\n{outcome.bad[0]}")  # noqa: T201 - the path is what the row shows
    assert outcome.bad[0].what.startswith(row.end)


def test_every_kind_of_bad_end_is_that_of_some_row() -> None:
    assert {row.end for row in PAGE_ROWS} == {NAMED, FORKED, DIFFER, STUCK}


@pytest.mark.parametrize("code", NAMING_ROWS)
def test_without_a_rule_evidence_names_an_honest_seat(code: str) -> None:
    row = NAMING_ROWS[code]
    outcome = Visit(row.setting).run(3000)
    assert outcome.bad
    print(f"without {row}:\n{outcome.bad[0]}")  # noqa: T201 - the path is what the row shows
    assert outcome.bad[0].what.startswith(f"an honest seat is named: {code}")


def test_all_states_without_a_byzantine_seat_have_no_bad_end(is_full: bool) -> None:
    outcome = Visit(Setting()).run(None if is_full else 150)
    assert not outcome.bad, str(outcome.bad[0])
    assert (outcome.is_whole, outcome.states) == ((True, 90_733) if is_full else (False, 150))


def signed_when_out(setting: Setting) -> list[str]:
    """Return what seats sign after they have taken their own eviction."""
    visit = Visit(setting)
    visit.run(150, stop=False)
    return [
        label
        for state in visit.states()
        for place, node in enumerate(state)
        if node.ledger.own.is_out
        for label, after in visit.table.moves(node, sent_to(state, place))
        if after.sent != node.sent
    ]


def test_rule_8_who_is_out_signs_nothing_more() -> None:
    without = replace(DUTIES, signs_on=lambda own: own.leave is None)
    assert not signed_when_out(Setting((0,)))
    assert signed_when_out(Setting((0,), duties=lambda _: without))


@pytest.mark.parametrize("free", [1, 2])
@pytest.mark.parametrize(("count", "byzantine"), WALKED)
def test_random_walks_have_no_bad_end(
    count: int, byzantine: tuple[int, ...], free: int, is_full: bool
) -> None:
    outcome = Walks(Setting(byzantine, count, free)).run(400 if is_full else 2, 40)
    assert not outcome.bad, str(outcome.bad[0])


@pytest.mark.parametrize("without", NAMING, ids=("guard", "one_vote"))
def test_without_a_rule_walks_have_a_bad_end(without: Duties) -> None:
    outcome = Walks(Setting((0,), 5, 2, duties=lambda _: without)).run(20, 40)
    assert outcome.bad
    assert outcome.bad[0].what.startswith(NAMED)


@pytest.mark.parametrize("byzantine", [(), (0,)], ids=str)
def test_journals_of_one_key_have_the_same_successors(byzantine: tuple[int, ...]) -> None:
    visit = Visit(Setting(byzantine))
    visit.run(200)
    compared = 0
    for state in list(islice(visit.states(), 400)):
        for place, node in enumerate(state):
            sent, expected = sent_to(state, place), visit.table.moves(node, sent_to(state, place))
            for twin in twins(visit, node):
                moves = visit.table.moves(twin, sent)
                assert {one.number for _, one in moves} - {node.number} == {
                    one.number for _, one in expected
                }
                compared += 1
    assert compared > 20


def twins(visit: Visit, node: Node) -> list[Node]:
    found = []
    for place, records in enumerate(node.twins):
        read = visit.table.read(node.seat, records, None)
        ledger, _ = restarted(read)
        number = -(node.number * TWINS_MAX + place + 1)
        found.append(replace(node, number=number, records=records, read=read, ledger=ledger))
    return found


def test_patience_is_one_of_the_votes_that_are_explored() -> None:
    table = Visit(Setting())
    table.run(300)
    seen = 0
    for quiet, after in list(table.table.quiets()):
        node, ledger = quiet.node, quiet.ledger
        if not after or not ledger.awaited or ledger.tip.height >= table.table.heights:
            continue
        stored = ledger.tick(LATE)[1].persist
        votes = [message.vote for message in stored if isinstance(message, Voted)]
        if any(vote.round > 1 for vote in votes) or not stored:
            continue
        voted = table.table.node(node.seat, node.records + stored, node.sent)
        assert voted.number in after
        seen += 1
    assert seen > 20
