"""The parts of a simulated world: clock, links, plans, and what a verdict is held against."""

from __future__ import annotations

from dataclasses import replace

from nodealer.games.api import Milestone
from nodealer.games.effects import (
    Acks,
    Ask,
    Choose,
    Claim,
    Coin,
    Compare,
    Give,
    Move,
    NewDeck,
    Reshuffle,
    Restack,
    Show,
)
from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import Evidence
from nodealer.sim.clockwork import Clockwork
from nodealer.sim.counting import KEEP, OFTEN, UNFINISHED, expected_names
from nodealer.sim.expectations import Prospect
from nodealer.sim.faults import ALL, FAULTS, FaultPlan, Stop, plan_for
from nodealer.sim.lies import behaviours_at
from nodealer.sim.repertoire import Deed, features_of
from nodealer.sim.simulated_links import CALM, Network, Weather
from nodealer.verify import Report, Verdict
from tests.games.barter import BARTER
from tests.games.pairs import PAIRS


def test_what_is_planned_for_one_tick_happens_in_the_order_of_planning() -> None:
    clock, happened = Clockwork(), list[tuple[int, str]]()
    for delay, name in ((5, "c"), (3, "a"), (3, "b"), (-1, "now")):
        clock.plan(delay, lambda name=name: happened.append((clock.now, name)))  # type: ignore[misc]
    while clock.next_tick() is not None:
        clock.step()
    assert happened == [(0, "now"), (3, "a"), (3, "b"), (5, "c")]


def test_a_calm_link_delivers_everything_once_and_soon() -> None:
    network = Network(CALM, Chance("calm"))
    for _ in range(200):
        (delay,) = network.arrivals(Seat(0), Seat(1))
        assert CALM.least <= delay <= CALM.most
    assert not network.counts


def test_links_lose_double_and_delay_as_often_as_they_shall_and_count_it() -> None:
    weather = Weather(least=1, most=1, lost=30, doubled=20, late=10, latest=500)
    network = Network(weather, Chance("rough"))
    arrived = [network.arrivals(Seat(0), Seat(1)) for _ in range(2000)]
    assert network.counts["lost"] == arrived.count(())
    assert network.counts["doubled"] == sum(len(delays) == 2 for delays in arrived)
    assert 500 < network.counts["lost"] < 700
    assert 200 < network.counts["doubled"] < 360
    assert network.counts["late"] > 100


def test_nothing_passes_between_parts() -> None:
    network = Network(CALM, Chance("parted"), apart={Seat(0): 0, Seat(1): 1, Seat(2): 0})
    assert network.arrivals(Seat(0), Seat(1)) == ()
    assert network.arrivals(Seat(0), Seat(2))
    assert network.counts["parted"] == 1


def test_a_plan_follows_from_the_seed_and_has_what_was_asked_for() -> None:
    for faults in FAULTS:
        for seed in range(30):
            one, other = (plan_for(faults, seed, 4, Chance("plan", seed)) for _ in range(2))
            assert one == other
            assert one.is_more_than_lies or faults in ("none", "byzantine", "crash", ALL)
            assert (one.behaviour is None) or faults in ("byzantine", ALL)


def test_consecutive_seeds_go_through_all_behaviours() -> None:
    plans = [plan_for(ALL, seed, 4, Chance("plan", seed)) for seed in range(100)]
    told = [plan.behaviour for plan in plans if plan.behaviour is not None]
    assert told == list(range(len(told)))


def test_some_games_of_every_kind_are_followed_by_another() -> None:
    again = [seed for seed in range(170) if plan_for(ALL, seed, 4, Chance("again")).games == 2]
    assert len(again) == 10
    assert {seed % 10 for seed in again} == set(range(10))


def test_some_who_come_back_have_lost_part_of_their_journals() -> None:
    plans = [plan_for("crash", seed, 4, Chance("crash", seed)) for seed in range(50)]
    stops = [stop for plan in plans for stop in plan.stops]
    assert all(stop.lost == 0 for stop in stops if stop.after is None)
    lost = [stop.lost for stop in stops if stop.lost]
    assert len(stops) / 10 < len(lost) < len(stops) / 3
    assert max(lost) <= 100


def test_a_long_run_has_to_reach_what_its_faults_can_lead_to() -> None:
    calm = {"table again", "verdict complete"}
    assert set(expected_names("none", 4, ())) == calm
    assert set(expected_names("none", 4, (Reshuffle,))) == {"table reshuffle", *calm}
    asked = {"table choice", "table alike", "table unlike", "table notice"}
    assert set(expected_names("none", 4, (Choose, Compare, Acks))) == {*asked, *calm}
    assert KEEP in expected_names(ALL, 3, ())
    assert KEEP not in expected_names(ALL, 2, ())
    assert UNFINISHED in expected_names(ALL, 4, ())
    assert UNFINISHED not in expected_names(ALL, 7, ())
    assert {f"evidence E{n}" for n in range(1, 8)} < set(expected_names("byzantine", 3, ()))
    assert "lie wrong verdict" in expected_names("byzantine", 3, (Compare,))
    assert "lie wrong verdict" not in expected_names("byzantine", 3, (Choose, Acks))


def test_a_run_has_to_reach_what_its_plans_have() -> None:
    every = (Compare, *Deed, Coin)
    possible = behaviours_at(3, every)
    number = [one.name for one in possible].index("regressing vote")
    for times in range(1, 6):
        told = [FaultPlan(behaviour=number + turn * len(possible)) for turn in range(times)]
        named = set(expected_names("byzantine", 3, every, plans=[*told, FaultPlan()]))
        lies = {name for name in named if name.startswith("lie")}
        assert lies == ({"lie regressing vote"} if times > 1 else set())
        codes = {name for name in named if name.startswith("evidence")}
        assert codes == ({"evidence E3"} if times > 3 else set()), "it has three codes"
    old = FaultPlan(stops=(Stop(Seat(0), at=1, after=1, lost=1),))
    for copies in range(OFTEN + 1):
        names = expected_names("crash", 3, (), plans=[old] * copies + [FaultPlan()])
        assert ("fault restored" in names) is (copies == OFTEN)
        hasty = expected_names("lossy", 3, (), plans=[FaultPlan(hasty=(Seat(0),))] * copies)
        assert ("fault fast clock" in hasty) is (copies == OFTEN)


def test_what_a_game_asks_for_is_seen_in_a_few_games() -> None:
    for seats in (2, 3, 10):
        assert features_of(game("macaua"), seats, {}) == {
            *(NewDeck, Coin, Show, Reshuffle),
            *(Deed.NAME, Deed.OPEN),
        }
        assert features_of(PAIRS, seats, {}) == {NewDeck, Show, Choose, Compare, Acks}
    asked = {NewDeck, Coin, Show, Compare, Acks}
    acted = {Deed.NAME, Deed.OPEN}
    assert features_of(game("66"), 2, {"variant": "v1"}) == {*asked, *acted}
    handled = {NewDeck, Coin, Move, Show, Reshuffle, Restack, Give, Claim, Ask}
    assert features_of(BARTER, 3, {"turns": 12}) == {*handled, *acted, Deed.RETURN}
    assert features_of(game("take5"), 2, {}) == {NewDeck, Show, Choose}


def test_what_a_game_comes_to_is_waited_for_where_it_can_happen() -> None:
    told = [
        Milestone("usual", "told"),
        Milestone("rare", "told", is_rare=True),
        Milestone("among four", "told", least_seats=4),
        Milestone("afterwards", "told", is_after_leaving=True),
    ]

    def expected(faults: str, seats: int) -> set[str]:
        names = expected_names(faults, seats, (), told)
        return {name for name in names if name.startswith("game")}

    assert expected("none", 3) == {"game usual"}
    assert expected("crash", 3) == {"game usual", "game afterwards"}
    assert expected("none", 4) == {"game usual", "game among four"}


def report(verdict: Verdict, awaited: tuple[int, ...] = (), cheat: str = "") -> Report:
    cheats = (Evidence(cheat, Seat(1), ()),) if cheat else ()
    waited = tuple((Seat(seat), "seal") for seat in awaited)
    return Report(verdict, 5, {}, cheats=cheats, awaited=waited)


def test_a_verdict_is_held_against_what_was_to_be_expected() -> None:
    done = Prospect(Verdict.COMPLETE, frozenset(), {Seat(1): ("E5",)})
    assert not done.faults_of(report(Verdict.COMPLETE))
    assert not done.faults_of(report(Verdict.COMPLETE, cheat="E5"))
    assert done.faults_of(report(Verdict.COMPLETE, cheat="E1")) == ("names seat 1 by E1",)
    assert done.faults_of(report(Verdict.UNFINISHED)) == ("unfinished, and should be complete",)
    stuck = Prospect(Verdict.UNFINISHED, frozenset({Seat(2)}), {})
    assert not stuck.faults_of(report(Verdict.UNFINISHED, (2,)))
    assert stuck.faults_of(report(Verdict.UNFINISHED)) == ("is unfinished, and waits for nobody",)
    assert not replace(stuck, must_wait=False).faults_of(report(Verdict.UNFINISHED))
    assert stuck.faults_of(report(Verdict.UNFINISHED, (0, 2))) == (
        "waits for [0, 2], and not only for [2]",
    )
