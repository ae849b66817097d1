"""Points, ends and winners of random games are those that the page of rules gives.

The oracle sees what people at the table see: who has stopped, and the hands when they are opened.
"""

from __future__ import annotations

from collections import Counter

import pytest

from nodealer.bots import bot_for
from nodealer.cards import STOCK, hand
from nodealer.games.api import Bot, Event, Turn
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.registry import game, resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.state import State
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.sixty_six.oracle import COPIES, Tally, round_points, summed
from tests.games.sixty_six.positions import KindBot

ACTIONS_MAX = 10_000

WANTED = {
    *("power own", "power anothers", "power exchange", "alike", "not alike"),
    *("stopped", "stopped-in-vain", "exhausted", "halved", "begins", "v1", "v2", "shared"),
    *(f"{count} seats" for count in range(2, 6)),
    *("version 1", "version 2", "limit 66", "limit 30"),
}


def hands_of(dealer: PlainDealer[State]) -> dict[int, list[int]]:
    """Return the hands as they lie."""
    pack = dealer.pack
    return {
        seat: [int(pack.faces[slot]) for slot in pack.board.at(hand(seat))] for seat in dealer.seats
    }


def compare(seed: int) -> Counter[str]:
    """Play a game and tally it; return what was seen in it."""
    chance = Chance("oracle", seed)
    seats = [Seat(number) for number in range(2 + chance.below(4))]
    variant = chance.pick(("v1", "v2"))
    version, limit = chance.pick(((1, 66), (2, 66), (2, 30)))
    rules = game("66", version)
    given = {"variant": variant} | ({"limit": limit} if version > 1 else {})
    options = resolve(rules, len(seats), given)
    dealer: PlainDealer[State] = deal(rules, seats, options, chance.branch("cards"))
    tally = Tally(seats, limit)
    seen = Counter([variant, f"{len(seats)} seats", f"version {version}", f"limit {limit}"])
    stopper: int | None = None
    # Where nobody stops a round, the deck comes to its end.
    never_stops = chance.happens(25)
    for _ in range(ACTIONS_MAX):
        standing = dealer.result()
        if standing is not None:
            assert dict(standing.points) == tally.totals
            assert set(standing.places[0]) == tally.winners
            assert tally.is_over
            seen["shared"] += len(standing.places[0]) > 1
            return seen
        told = len(dealer.events)
        act(dealer, chance, never_stops=never_stops)
        for happened in dealer.events[told:]:
            seen.update(name_of(happened))
            if happened.kind == "stopped":
                stopper = number(happened, "seat")
            if happened.kind == "round-finished":
                points = tally.count(hands_of(dealer), stopper)
                assert happened.get("points") == tuple(sorted(points.items()))
                assert happened.get("totals") == tuple(sorted(tally.totals.items()))
                assert stopper is not None or not dealer.board.at(STOCK)
                assert tally.is_over == (dealer.result() is not None)
                stopper = None
    raise AssertionError("the game does not end")


def act(dealer: PlainDealer[State], chance: Chance, *, never_stops: bool) -> None:
    """Let the seat on turn act: some by chance, some sensibly, so that games of all kinds occur."""
    duty = dealer.view().duty
    assert isinstance(duty, Turn)
    seat = duty.seat
    legal = [c for c in dealer.legal(seat) if not (never_stops and c.kind == "stop-round")]
    bot: Bot = KindBot() if chance.happens(60 - 20 * (seat % 3)) else bot_for(SIXTY_SIX)
    dealer.act(seat, bot.choose(dealer.view(seat), legal, chance))


def name_of(happened: Event) -> list[str]:
    """Return what an event shows of the game."""
    match happened.kind:
        case "compared":
            return ["alike" if happened.get("equal") else "not alike"]
        case "peeked":
            is_own = happened.get("seat") == happened.get("owner")
            return ["power own" if is_own else "power anothers"]
        case "exchanged":
            return ["power exchange"]
        case kind:
            return [kind]


def number(happened: Event, field: str) -> int:
    value = happened.get(field)
    assert isinstance(value, int)
    return value


def compare_many(games: int) -> Counter[str]:
    """Compare so many games."""
    seen: Counter[str] = Counter()
    for seed in range(games):
        seen += compare(seed)
    return seen


def test_points_are_those_of_the_page(is_full: bool) -> None:
    seen = compare_many(1000 if is_full else 50)
    assert not WANTED - set(seen)


def test_the_page_says_what_the_oracle_knows() -> None:
    page = SIXTY_SIX.rules()
    assert "two each of 0 and 13, four each of 1\nto 12" in page
    assert sum(face * count for face, count in COPIES.items()) == 338
    assert "exactly 66 becomes 33" in page
    assert "pays 5 more" in page


@pytest.mark.parametrize(
    ("sums", "stopper", "points"),
    [
        ({0: 4, 1: 9}, 0, {0: 0, 1: 9}),
        ({0: 4, 1: 4}, 0, {0: 9, 1: 0}),
        ({0: 4, 1: 3}, 0, {0: 9, 1: 0}),
        ({0: 4, 1: 4, 2: 5}, None, {0: 0, 1: 0, 2: 5}),
    ],
)
def test_the_oracle_counts_by_the_page(
    sums: dict[int, int], stopper: int | None, points: dict[int, int]
) -> None:
    assert round_points(sums, stopper) == points
    assert [summed(60, points, 66) for points in (6, 7, 5)] == [33, 67, 65]
    assert [summed(10, points, 15) for points in (5, 6, 4)] == [7, 16, 14]
