"""What is offered is told whole before it is accepted, and then exactly what has changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nodealer.cli.offered_lines import COLUMNS, Offers
from nodealer.games.conformance.running import POLICIES as KNOWN_POLICIES
from nodealer.games.registry import game, resolve
from nodealer.home.people import Company
from nodealer.home.term_words import POLICIES
from nodealer.ledger import Clock
from nodealer.lobby.messages import Attendee, Offer
from nodealer.lobby.signed import UNSIGNED
from nodealer.node.clocks import CLOCKS
from nodealer.show.text import columns_of
from nodealer.store.friends import Friends
from nodealer.store.words import mark_of
from tests.lobby.world import key_of, plan

ANA, BEA, CLEO = (Attendee(key_of(name.lower()), name) for name in ("Ana", "Bea", "Cleo"))

HOST, OWN, NEW = (f"{one.name} [{mark_of(one.key)}]" for one in (ANA, BEA, CLEO))

OTHER = f"Ana [{mark_of(CLEO.key)}]"

REDEAL = "redeal (the others play on; what does not lie open is shuffled and dealt anew)"
VOID = "void (the round does not count, and is dealt anew to the others)"

PLAN = plan(3, call=True)

OFFER = Offer(
    lobby=b"l" * 16,
    number=4,
    game=PLAN.game,
    version=PLAN.version,
    options=PLAN.options,
    clock=CLOCKS["calm"],
    policy=PLAN.policy,
    seats=(ANA, BEA, None),
    signature=UNSIGNED,
)

WHOLE = f"""\
this is offered:
  game             macaua, version 1
  options          call=yes
  as usual         first=coin, four_skips=no, free_counter=no,
                   red_joker_ten=no, seven_stops=no
  seat 0           {HOST}, the host, known to you
  seat 1           {OWN}, you
  seat 2           free
  clock            calm
  for a turn       2 minutes
  to answer        20 seconds, for what programs do by themselves
  to come back     5 minutes, for whoever is missed
  at the longest   30 minutes, when rounds of votes have failed
  when one leaves  redeal (the others play on; what does not lie open
                   is shuffled and dealt anew)
"""


@pytest.fixture
def offers(tmp_path: Path) -> Iterator[Offers]:
    """What Bea, who knows Ana, is told of the offers of Ana."""
    with closing(Friends(tmp_path / "friends")) as friends:
        company = Company(friends, BEA.key)
        company.remember([ANA])
        yield Offers(company, ANA.key)


def with_options(**changes: object) -> tuple[tuple[str, object], ...]:
    return tuple({**dict(OFFER.options), **changes}.items())


def with_clock(**changes: int) -> Clock:
    return replace(OFFER.clock, **changes)


def unbroken(lines: list[str]) -> list[str]:
    """Return the lines of changes as they were before they were broken."""
    return "\n".join(lines).replace("\n    ", " ").split("\n")


CHANGES = {
    "version": (
        {"version": 2},
        ["game: macaua, version 1 -> macaua, version 2; you have version 1"],
    ),
    "game": (
        {"game": "bridge"},
        ["game: macaua, version 1 -> bridge, version 1; you do not have this game"],
    ),
    "option": (
        {"options": with_options(first="host")},
        ["option first: coin -> host"],
    ),
    "option of another kind": (
        {"options": with_options(call="yes")},
        ["option call: yes -> ANOTHER that looks like it"],
    ),
    "options": (
        {"options": (*with_options(call=False), ("hand", 7))},
        ["option call: yes -> no", "option hand: none -> 7"],
    ),
    "an option that is gone": (
        {"options": OFFER.options[1:]},
        [f"option {OFFER.options[0][0]}: yes -> none"],
    ),
    "act": (
        {"clock": with_clock(act=120_001)},
        ["for a turn: 2 minutes -> 2 minutes 1 millisecond"],
    ),
    "answer": (
        {"clock": with_clock(answer=2_500)},
        ["to answer: 20 seconds -> 2 seconds 500 milliseconds"],
    ),
    "rejoin": ({"clock": with_clock(rejoin=3_600_000)}, ["to come back: 5 minutes -> 1 hour"]),
    "longest": ({"clock": with_clock(longest=86_400_000)}, ["at the longest: 30 minutes -> 1 day"]),
    "policy": ({"policy": "void"}, [f"when one leaves: {REDEAL} -> {VOID}"]),
    "somebody comes": (
        {"seats": (ANA, BEA, CLEO)},
        [f"seat 2: free -> {NEW}, new to you"],
    ),
    "fewer seats": ({"seats": (ANA, BEA)}, ["seats: 3 -> 2", "seat 2: free -> none"]),
    "seats change": (
        {"seats": (BEA, ANA, None)},
        [
            f"seat 0: {HOST}, the host, known to you -> {OWN}, you",
            f"seat 1: {OWN}, you -> {HOST}, the host, known to you",
        ],
    ),
    "another key": (
        {"seats": (Attendee(CLEO.key, "Ana"), BEA, None)},
        [f"seat 0: {HOST}, the host, known to you -> {OTHER}, ANOTHER KEY than {HOST}"],
    ),
}
"""Every field of an offer that its terms are made of, and what is told of a change."""


def test_the_first_offer_is_told_whole(offers: Offers) -> None:
    assert offers.tell(OFFER) == WHOLE.splitlines()
    assert offers.whole(OFFER) == WHOLE.splitlines()


@pytest.mark.parametrize("name", CHANGES)
def test_of_later_ones_exactly_what_has_changed(offers: Offers, name: str) -> None:
    changes, told = CHANGES[name]
    offers.tell(OFFER)
    later = replace(OFFER, number=5, **changes)  # type: ignore[arg-type]  # fields of an offer
    first, *lines = offers.tell(later)
    assert first == "what is offered has changed:"
    is_other = later.clock != OFFER.clock
    clock = ["  clock: calm -> none of the usual ones"] if is_other else []
    assert unbroken(lines) == [*clock, *(f"  {line}" for line in told)]


def test_what_is_offered_anew_without_a_change_is_told_too(offers: Offers) -> None:
    offers.tell(OFFER)
    later = replace(OFFER, number=5)
    assert offers.tell(later) == ["the same is offered anew, and has to be accepted anew"]


def test_a_key_with_the_same_name_and_mark_is_another(
    offers: Offers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mark of 30 bits can be found again within hours."""
    monkeypatch.setattr("nodealer.store.words.mark_of", lambda key: "x" * len(key[:6]))
    offers.tell(replace(OFFER, seats=(ANA, BEA, CLEO)))
    other = replace(CLEO, key=key_of("somebody else"))
    _, line = offers.tell(replace(OFFER, seats=(ANA, BEA, other)))
    assert line == "  seat 2: Cleo [xxxxxx], new to you -> ANOTHER that looks like it"


def test_a_clock_that_leaves_seats_out_is_called_so_whole_and_when_it_comes(offers: Offers) -> None:
    cruel = replace(OFFER, clock=with_clock(answer=1, rejoin=1))
    called = [
        "WARNING, an unusual clock: too short to answer: an honest seat may be",
        "left out by a slow line",
        "WARNING, an unusual clock: less time to come back than for a turn: who",
        "loses the line may be left out sooner than who thinks",
    ]
    offers.tell(OFFER)
    told = offers.tell(cruel)
    assert "  to answer: 20 seconds -> 1 millisecond" in told
    assert told[-4:] == called
    whole = offers.whole(cruel)
    assert "  to come back     1 millisecond, for whoever is missed" in whole
    assert whole[-4:] == called
    assert offers.tell(replace(cruel, seats=(ANA, BEA, CLEO)))[1:] == [
        f"  seat 2: free -> {NEW}, new to you"
    ], "what has not changed is not told again"


def test_nothing_that_a_host_writes_passes_for_something_else(offers: Offers) -> None:
    hostile = replace(
        OFFER,
        game="macaua, version 1",
        options=(("call", "yes, first=coin"), ("long", "x" * 400)),
        policy="continue (all is well)",
        seats=(ANA, BEA, Attendee(CLEO.key, "王" * 24)),
    )
    told = offers.whole(hostile)
    assert '  game             "macaua, version 1", version 1; you do not have' in told
    assert any('call="yes, first=coin"' in line for line in told)
    assert '  when one leaves  "continue (all is well)" (what that is, this' in told
    assert sum(line.count("x") for line in told) >= 400, "all of it is shown"
    assert max(map(columns_of, told)) <= COLUMNS
    offers.tell(OFFER)
    assert max(map(columns_of, offers.tell(hostile))) <= COLUMNS


def test_what_is_usual_follows_the_clock(offers: Offers) -> None:
    options = resolve(game("papas"), 2, {}, by_letters=True)
    papas = replace(OFFER, game="papas", version=1, options=tuple(options.items()))
    for name, clock in CLOCKS.items():
        told = "\n".join(offers.whole(replace(papas, clock=clock)))
        before, _, usual = told.partition("as usual")
        assert "window=0" in (usual if name == "letters" else before)


def test_options_are_all_told_where_nobody_knows_what_is_usual(offers: Offers) -> None:
    told = offers.whole(replace(OFFER, version=7))
    assert "  game             macaua, version 7; you have version 1" in told
    assert any(line.startswith("  options          call=yes, first=coin") for line in told)
    assert not any("as usual" in line for line in told)


def test_every_policy_has_words() -> None:
    assert set(POLICIES) == KNOWN_POLICIES
