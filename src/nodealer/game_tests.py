"""The tests that every game gets for nothing: derive a class from `GameTests` and name the game.

    class TestMyGame(GameTests):
        game = MY_GAME

pytest runs them then. The rules of all games are checked on a sample of its tables
(`games.conformance`); seats leave at every point of a game; whatever is sent is legal or refused;
bots play to the end, and the game's own wins against chance; two processes come to the same. Games
that are kept as text are played again, decision by decision: they lie in the folder `playthroughs`
beside the test, and are written anew where NODEALER_REWRITE is set. Who changes rules reads the
difference. An earlier version of a game has a class and a folder of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeAlias

from nodealer.bots import ChanceBot, bot_for, contest
from nodealer.games import (
    Action,
    AnyGame,
    Choice,
    Duty,
    Options,
    Over,
    PlainDealer,
    Turn,
    View,
    action,
    check_game,
    check_rules,
    deal,
    digest_of,
    option_tables,
    resolve,
    shown,
)
from nodealer.kernel import Chance, LocalError, PeerError, Reason, Seat

AnyDealer: TypeAlias = PlainDealer[Any]

REWRITING: Final = "NODEALER_REWRITE"

PLAYER_NAMES: Final = MappingProxyType(
    {Seat(number): name for number, name in enumerate(["North", "East", "South", "West"])}
)

LEGAL_SHOWN_MAX: Final = 12

HALTS_MAX: Final = 60
"""At so many points of a game seats leave."""

SENT: Final = (None, True, False, 0, 1, -1, 54, "", "A", "no", (), (0,), (1, 1), (True,), ((2,),))
"""Values that somebody could send in any field."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game that is kept as text: who plays, and who leaves before which decision by what."""

    seats: int
    seed: int
    options: Options = field(default_factory=dict)
    leaving: tuple[tuple[int, int, str], ...] = ()


class GameTests:
    """The tests of one game."""

    game: ClassVar[AnyGame]
    games_checked: ClassVar[int] = 12
    """So many games are checked closely: of all seats and options as many as fit."""
    bot_games: ClassVar[int] = 20
    bot_percent: ClassVar[int] = 60
    """So many of a hundred games the game's own bot wins against chance."""
    kept: ClassVar[Mapping[str, KeptGame]] = {"two_seats": KeptGame(2, 1)}
    playthroughs: ClassVar[str] = "playthroughs"
    """The folder beside the test in which the kept games lie."""
    long_facts: ClassVar[Sequence[str]] = ()
    """Facts that stay the same for a whole game, and need not be told at every decision."""

    def is_tried(self, options: Options) -> bool:  # noqa: ARG002 - for games that have long ones
        """Say whether games with these options are short enough to be tried."""
        return True

    def shown(self, dealer: AnyDealer, chosen: Action) -> str:  # noqa: ARG002 - for games that hide cards
        """Return an action as text, for the games that are kept."""
        return shown(chosen)

    def test_it_keeps_the_rules_of_all_games(self) -> None:
        """Every position of games by chance is looked at from outside."""
        report = check_rules(self.game, rounds=0)
        tables = list(_tables(self.game, self.is_tried))
        for seats, options in tables[:: max(1, len(tables) // self.games_checked)]:
            report.add(check_game(self.game, seats, options, "kit"))
        assert report.games, "some games were checked"
        assert report.refused, "some actions were refused"

    def test_seats_leave_at_every_point(self) -> None:
        """Whoever leaves, by whatever policy: somebody has to act then, or the game is over."""
        halts = 0
        for dealer in _halts(self.game, max(self.game.seats[0], 3), Chance("leaving")):
            halts += 1
            for policy in self.game.policies:
                for gone in (dealer.seats[:1], dealer.seats[1:2], dealer.seats[1:]):
                    twin = dealer.fork(Chance("left", halts))
                    twin.leave(gone, policy)
                    twin.settle()
                    due, is_over = twin.view().duty, twin.result() is not None
                    assert is_over == (due == Over()), "it is over or goes on"
                    assert is_over or len(twin.seats) > 1, "who is left alone has won"
                    assert set(_acting(due)) <= set(twin.seats), "it goes on with who has stayed"
        assert halts > 1, "there is a game to leave"

    def test_who_cannot_leave_is_refused(self) -> None:
        """Only seats of the game leave, not all of them, and by a policy that it has."""
        dealer = _dealt(self.game, self.game.seats[0], Chance("leaving"))
        first, policy = dealer.seats[:1], self.game.policies[0]
        for gone, how in (((), policy), ((Seat(99),), policy), (dealer.seats, policy), (first, "")):
            try:
                dealer.fork(Chance("left")).leave(gone, how)
            except LocalError:
                continue
            raise AssertionError(f"seats {gone} leave by {how!r}")

    def test_whatever_is_sent_is_legal_or_refused(self) -> None:
        """An action made up of anything is refused as illegal, and changes nothing."""
        chance, refused = Chance("sent"), 0
        for dealer in _halts(self.game, self.game.seats[0], Chance("sending")):
            due = dealer.view().duty
            if not _acting(due):
                continue
            seat = _acting(due)[0]
            legal = dealer.legal(seat)
            known = {repr(one) for one in legal}  # by text, because True == 1
            for sent in (_spoilt(self.game, chance.pick(legal), chance) for _ in range(20)):
                if repr(sent) not in known:
                    refused += 1
                    _require_refused(dealer, seat, sent)
        assert refused, "something was refused"

    def test_bots_play_it_to_its_end(self) -> None:
        """At tables of every size, each seat by the bot that the game comes with."""
        for seats in range(self.game.seats[0], self.game.seats[1] + 1):
            score = contest(
                self.game, [bot_for(self.game)] * seats, resolve(self.game, seats, {}), 1, "bots"
            )
            assert sum(score.wins) == 1, "a game has winners"

    def test_its_bot_wins_against_chance(self) -> None:
        """A game that has no bot of its own has nothing to show."""
        bot, seats = self.game.bot(), self.game.seats[0]
        if bot is not None:
            bots = [bot, *[ChanceBot()] * (seats - 1)]
            options = resolve(self.game, seats, {})
            score = contest(self.game, bots, options, self.bot_games, "sensible")
            assert score.percent(0) >= self.bot_percent, f"it wins {score.percent(0)} of a hundred"

    def test_a_game_is_the_same_in_every_process(self) -> None:
        """Two processes, whose sets and hashes have other orders, come to the same bytes."""
        kind = type(self.game)
        program = (
            f"from nodealer.game_tests import digests; from {kind.__module__} import"
            f" {kind.__name__}; print(*digests({kind.__name__}()))"
        )
        told = {
            subprocess.run(  # noqa: S603 - the program is the line above
                [sys.executable, "-c", program],
                env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        }
        assert len(told) == 1, "both come to the same"
        assert len(told.pop().split()) > 1, "there was something to come to"

    def test_games_are_as_they_were_written(self) -> None:
        """Games are, decision by decision, what they were when somebody last read them."""
        folder = Path(str(sys.modules[type(self).__module__].__file__)).with_name(self.playthroughs)
        texts = {name: self.written(one) for name, one in self.kept.items()}
        if os.environ.get(REWRITING):
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in texts.items():
                (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        found = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.txt")}
        assert found == texts, f"{folder} has other games; {REWRITING}=1 writes them anew"

    def written(self, kept: KeptGame) -> str:
        """Return a game as text: every decision with all that the interface says of it."""
        return "\n".join(self._lines(kept)) + "\n"

    def _lines(self, kept: KeptGame) -> Iterator[str]:
        rules, chance = self.game, Chance("playthrough", kept.seed)
        options = resolve(rules, kept.seats, kept.options)
        seats = [Seat(number) for number in range(kept.seats)]
        dealer: AnyDealer = PlainDealer(rules, seats, options, chance.branch("cards"))
        leaving = {number: (Seat(seat), policy) for number, seat, policy in kept.leaving}
        yield f"game: {rules.id} {rules.version}"
        yield f"options: {', '.join(f'{name}={value}' for name, value in options.items())}"
        dealer.settle()
        number = told = 0
        while True:
            yield from (f"> {rules.sentence(one, PLAYER_NAMES)}" for one in dealer.events[told:])
            told, due = len(dealer.events), dealer.view().duty
            if not _acting(due):
                break
            number += 1
            if number in leaving:
                seat, policy = leaving.pop(number)
                yield f"\n## {PLAYER_NAMES[seat]} leaves ({policy})"
                dealer.leave([seat], policy)
                dealer.settle()
                continue
            who = _acting(due)[-1]
            bot = ChanceBot() if who % 2 else bot_for(rules)
            chosen = bot.choose(dealer.view(who), dealer.legal(who), chance)
            yield f"\n## decision {number}: {PLAYER_NAMES[who]}"
            yield from self._position(dealer, who)
            yield f"chosen: {self.shown(dealer, chosen)}"
            dealer.act(who, chosen)
        yield from _end(dealer)

    def _position(self, dealer: AnyDealer, seat: Seat) -> Iterator[str]:
        view, legal = dealer.view(seat), dealer.legal(seat)
        yield from _zones(view)
        facts = [(name, fact) for name, fact in view.facts.items() if fact]
        told = [f"{name}={fact}" for name, fact in facts if name not in self.long_facts]
        yield f"facts: {', '.join(told)}"
        if isinstance(view.duty, Choice):
            yield f"still to choose: {', '.join(PLAYER_NAMES[one] for one in view.duty.owing)}"
        named = [self.shown(dealer, chosen) for chosen in legal[:LEGAL_SHOWN_MAX]]
        more = len(legal) - len(named)
        yield f"legal ({len(legal)}): " + "; ".join(named) + (f"; and {more} more" if more else "")


def digests(game: AnyGame) -> list[str]:
    """Return what a game comes to, step by step."""
    dealers = _halts(game, game.seats[1], Chance("digests"))
    return [digest_of(dealer).hex() for dealer in dealers]


def _tables(game: AnyGame, is_tried: Callable[[Options], bool]) -> Iterator[tuple[int, Options]]:
    for seats in range(game.seats[0], game.seats[1] + 1):
        yield from ((seats, one) for one in option_tables(game, seats) if is_tried(one))


def _dealt(game: AnyGame, seats: int, chance: Chance) -> AnyDealer:
    numbers = [Seat(number) for number in range(seats)]
    return deal(game, numbers, resolve(game, seats, {}), chance)


def _halts(game: AnyGame, seats: int, chance: Chance) -> Iterator[AnyDealer]:
    """Yield a game at its first points: before every decision, and between effects."""
    numbers = [Seat(number) for number in range(min(seats, game.seats[1]))]
    options = resolve(game, len(numbers), {})
    dealer: AnyDealer = PlainDealer(game, numbers, options, chance.branch("cards"))
    bot = bot_for(game)
    for _ in range(HALTS_MAX):
        yield dealer
        due = dealer.view().duty
        if dealer.underway and not dealer.is_asking:
            dealer.advance()
        elif _acting(due):
            seat = chance.pick(_acting(due))
            dealer.begin(seat, bot.choose(dealer.view(seat), dealer.legal(seat), chance))
        else:
            return


def _acting(due: Duty | Choice | None) -> Sequence[Seat]:
    """Return who has to act."""
    if isinstance(due, Turn):
        return (due.seat,)
    return due.owing if isinstance(due, Choice) else ()


def _spoilt(game: AnyGame, good: Action, chance: Chance) -> Action:
    """Return an action with another kind, or with anything in one or two of its fields."""
    kind = chance.pick([good.kind] * 4 + [one.kind for one in game.actions] + ["", "deal"])
    names = sorted({*(name for one in game.actions for name in one.fields), "seat"})
    fields = dict(good.fields)
    for _ in range(1 + chance.below(2)):
        fields[chance.pick(names)] = chance.pick(SENT)
    return action(kind, **fields)


def _require_refused(dealer: AnyDealer, seat: Seat, sent: Action) -> None:
    twin, reason = dealer.fork(Chance("twin")), None
    try:
        twin.begin(seat, sent)
    except PeerError as error:
        reason = error.reason
    assert reason is Reason.RULES_ILLEGAL, f"{sent} comes to {reason}, and is not legal"
    assert (twin.pack, twin.state) == (dealer.pack, dealer.state), f"{sent} changes something"


def _zones(view: View) -> Iterator[str]:
    for zone in view.zones:
        name = zone.name if zone.seat is None else f"{zone.name} of {PLAYER_NAMES[zone.seat]}"
        if zone.name == "stock":
            yield f"{name}: {len(zone.cards)} cards"
        else:
            yield f"{name}: {' '.join(card.face or '??' for card in zone.cards)}"


def _end(dealer: AnyDealer) -> Iterator[str]:
    standing = dealer.result()
    assert standing is not None, "a game that has ended has a standing"
    places = (" ".join(PLAYER_NAMES[seat] for seat in place) for place in standing.places)
    yield f"places: {' | '.join(places)}"
    if standing.points:
        points = (f"{PLAYER_NAMES[seat]} {points}" for seat, points in standing.points.items())
        yield f"points: {' '.join(points)}"
