"""Playing games by chance to check them: every position is looked at, some seats are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from nodealer.games.api import (
    LOOK_FIELDS_MAX,
    LOOK_TEXT_LETTERS_MAX,
    Action,
    Choice,
    Options,
    Turn,
)
from nodealer.games.base import CONTINUE, REDEAL, VOID, AnyGame
from nodealer.games.conformance import checks
from nodealer.games.conformance.checks import Dealer
from nodealer.games.conformance.failure import Trial, shown
from nodealer.games.conformance.tables import option_tables
from nodealer.games.dealer import STEPS_WITHOUT_TURN_MAX, PlainDealer
from nodealer.games.encoding import STATE_NESTING_MAX, encode_state, nesting
from nodealer.games.registry import resolve
from nodealer.kernel import CARDS_MAX, SEATS_MAX, SEATS_MIN, WORD_BYTES_MAX, Chance, Seat

ACTIONS_MAX: Final = 5000
"""A game should have ended by then."""

CHANCE_ALONE: Final = 100
"""After so many actions a game's own bot chooses every other one: many games of cards have an end
only because somebody wants to win."""

TRIED_PER_TURN: Final = 6
"""So many of a turn's legal actions are tried out; over many turns, all kinds of them."""

DAMAGED_PER_TURN: Final = 1
"""Of so many legal actions, every damaged one is tried."""

LOOKED_AT_FIRST: Final = 12
"""So many turns of a game are looked at closely."""

LOOKED_AT_PERCENT: Final = 5
"""And so many of a hundred later ones: games by chance can be long."""

LOOKED_AT_MAX: Final = 40
"""But no more than these."""

LEAVING_PERCENT: Final = 8
"""In so many of a hundred positions, seats are left out, by each policy."""

LEAVING_MAX: Final = 3
"""In one game in so many positions, because each time the game is played to its end."""

LEAVING_AGAIN_PERCENT: Final = 50
"""After a seat was left out, so often another follows soon."""

PAUSES_BETWEEN_MAX: Final = 6
"""Before it does, fewer than so many effects are carried out."""

OPTION_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
POLICIES: Final = frozenset({CONTINUE, REDEAL, VOID})
"""All that can become of a round when a seat leaves; charters name one of them."""

GAME_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]*")


@dataclass(slots=True)
class ConformanceReport:
    """The amount that was looked at."""

    games: int = 0
    turns: int = 0
    refused: int = 0
    left: int = 0

    def add(self, other: ConformanceReport) -> None:
        """Count what another has counted as well."""
        self.games += other.games
        self.turns += other.turns
        self.refused += other.refused
        self.left += other.left


def check_rules(
    game: AnyGame,
    *,
    seats: Iterable[int] = (),
    rounds: int = 1,
    seed: str = "conformance",
    actions_max: int = ACTIONS_MAX,
) -> ConformanceReport:
    """Check a game with these numbers of seats, or all that it is for; raise `ConformanceError`."""
    _check_value(Trial(game, game.seats[0], {}, seed))
    least, most = game.seats
    report = ConformanceReport()
    for count in tuple(seats) or range(least, most + 1):
        for number, options in enumerate(option_tables(game, count)):
            for turn in range(rounds):
                name = f"{seed}/{number}/{turn}"
                report.add(check_game(game, count, options, name, actions_max=actions_max))
    return report


def check_game(
    game: AnyGame, seats: int, options: Options, seed: str, *, actions_max: int = ACTIONS_MAX
) -> ConformanceReport:
    """Play and check one game."""
    _check_looks(Trial(game, seats, options, seed))
    run = _Run(Trial(game, seats, options, seed), actions_max)
    run.play()
    run.replay()
    return run.report


@dataclass(slots=True)
class _Run:
    """One game under check."""

    trial: Trial
    actions_max: int
    report: ConformanceReport = field(default_factory=ConformanceReport)
    chosen: list[tuple[Seat, Action]] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    leavings: int = 0

    def play(self) -> None:
        """Play to the end, and look at every position."""
        chance = self._chance("play")
        dealer = self._dealer()
        told = 0
        for _ in range(self.actions_max):
            self._settle(dealer, chance)
            self._remember(dealer, told)
            told = len(dealer.events)
            due = checks.check_duty(self.trial, dealer)
            if due is None:
                self._end(dealer)
                return
            seat = _somebody(due, chance)
            legal = checks.check_legal(self.trial, dealer, due)[seat]
            self._look(dealer, seat, legal, chance)
            chosen = self._choose(dealer, seat, legal, chance)
            self.trial.note(seat, chosen)
            self.chosen.append((seat, chosen))
            self._begin(dealer, seat, chosen)
        self.trial.require(
            holds=False, rule="a game ends", found=f"not within {self.actions_max} actions"
        )

    def replay(self) -> None:
        """Play the same game again: it must be the same game."""
        rule = "a replay comes to the same states, boards and events"
        dealer = self._dealer()
        with self.trial.expecting(rule):
            dealer.settle()
            digests = [checks.digest_of(dealer)]
            for seat, chosen in self.chosen:
                told = len(dealer.events)
                dealer.act(seat, chosen)
                digests.append(checks.digest_of(dealer, told))
        self.trial.require(digests == self.digests, rule)

    def _look(self, dealer: Dealer, seat: Seat, legal: Sequence[Action], chance: Chance) -> None:
        self._maybe_leave(dealer, chance)
        is_sampled = self.report.turns < LOOKED_AT_MAX and chance.happens(LOOKED_AT_PERCENT)
        if len(self.chosen) >= LOOKED_AT_FIRST and not is_sampled:
            return
        self.report.turns += 1
        some = [chance.pick(legal) for _ in range(min(TRIED_PER_TURN, len(legal)))]
        checks.check_accepted(self.trial, dealer, seat, some)
        spoilt = some[:DAMAGED_PER_TURN]
        self.report.refused += checks.check_refused(self.trial, dealer, seat, legal, spoilt)
        for viewer in (seat, chance.pick(dealer.seats), None):
            checks.check_secret(self.trial, dealer, viewer, chance)

    def _choose(
        self, dealer: Dealer, seat: Seat, legal: Sequence[Action], chance: Chance, number: int = -1
    ) -> Action:
        """Choose by chance, later now and then by the game's own bot."""
        bot = self.trial.game.bot()
        played = len(self.chosen) if number < 0 else number
        if bot is None or played < CHANCE_ALONE or chance.happens(50):
            return chance.pick(legal)
        with self.trial.expecting("a game's bot chooses a legal action"):
            chosen = bot.choose(dealer.view(seat), legal, chance)
        self.trial.require(chosen in legal, "a game's bot chooses a legal action", shown(chosen))
        return chosen

    def _settle(self, dealer: Dealer, chance: Chance) -> None:
        """Carry out the effects; sometimes somebody leaves in between."""
        for _ in range(STEPS_WITHOUT_TURN_MAX):
            if self.report.turns < LOOKED_AT_FIRST:
                checks.check_told(self.trial, dealer)
            if not dealer.underway or dealer.is_asking:
                return
            self._maybe_leave(dealer, chance)
            with self.trial.expecting("effects can be carried out"):
                dealer.advance()
        raise self.trial.failure("somebody gets the turn", "effects without an end")

    def _begin(self, dealer: Dealer, seat: Seat, chosen: Action) -> None:
        with self.trial.expecting("a legal action is accepted"):
            dealer.begin(seat, chosen)

    def _remember(self, dealer: Dealer, told: int) -> None:
        with self.trial.expecting("a state can be encoded"):
            self.digests.append(checks.digest_of(dealer, told))
            levels = nesting(encode_state(dealer.state))
        self.trial.require(
            levels <= STATE_NESTING_MAX, "a state is not nested too deeply", f"{levels} levels"
        )

    def _end(self, dealer: Dealer) -> None:
        self.report.games += 1
        standing = dealer.result()
        assert standing is not None
        checks.check_standing(self.trial, standing, self.trial.numbers, ())
        checks.check_events(self.trial, dealer, dealer.events)
        checks.check_told(self.trial, dealer)
        for policy in self.trial.game.policies:
            twin = dealer.fork(self._chance("end"))
            with self.trial.expecting("a seat can leave after the end"):
                twin.leave(twin.seats[:1], policy)
            same = twin.result() == standing and not twin.underway
            self.trial.require(same, "the result stands, whoever leaves after the end")

    def _maybe_leave(self, dealer: Dealer, chance: Chance) -> None:
        if self.leavings == LEAVING_MAX or not chance.happens(LEAVING_PERCENT):
            return
        self.leavings += 1
        for policy in self.trial.game.policies:
            twin = dealer.fork(chance.branch("leave", len(self.digests), policy))
            self._leave(twin, policy, chance)
            self._play_on(twin, policy, chance, len(dealer.events))

    def _leave(self, twin: Dealer, policy: str, chance: Chance) -> None:
        """Leave some out; often others follow before all effects of that are carried out."""
        self._leave_out(twin, policy, chance)
        if chance.happens(LEAVING_AGAIN_PERCENT):
            for _ in range(chance.below(PAUSES_BETWEEN_MAX)):
                if twin.underway and not twin.is_asking:
                    with self.trial.expecting("effects can be carried out when seats have left"):
                        twin.advance()
            # Who leaves once the result stands is ranked as it says.
            is_over = not twin.underway and twin.result() is not None
            if len(twin.seats) > 1 and not is_over:
                self._leave_out(twin, policy, chance)

    def _leave_out(self, twin: Dealer, policy: str, chance: Chance) -> None:
        seats = list(twin.seats)
        chance.shuffle(seats)
        count = 1 if chance.happens(60) else 1 + chance.below(len(seats) - 1)
        gone = sorted(seats[:count])
        self.report.left += 1
        with self.trial.expecting("any seat can leave at any time", f"{gone} by {policy}"):
            twin.leave(gone, policy)

    def _play_on(self, twin: Dealer, policy: str, chance: Chance, told: int) -> None:
        note = f"seats {sorted(set(self.trial.numbers) - set(twin.seats))} have left: {policy}"
        self.trial.steps.append(note)
        with self.trial.expecting("the game goes on when seats have left"):
            checks.check_told(self.trial, twin)
            twin.settle()
            if len(twin.seats) == 1:
                self.trial.require(twin.result(), "who is left alone has won")
            for number in range(self.actions_max):
                due = checks.check_duty(self.trial, twin)
                if due is None:
                    break
                seat = _somebody(due, chance)
                legal = twin.legal(seat)
                twin.act(seat, self._choose(twin, seat, legal, chance, number))
        standing = twin.result()
        self.trial.require(standing is not None, "the game ends when seats have left")
        assert standing is not None
        gone = [seat for seat in self.trial.numbers if seat not in twin.seats]
        checks.check_standing(self.trial, standing, self.trial.numbers, gone)
        checks.check_events(self.trial, twin, twin.events[told:])
        checks.check_told(self.trial, twin)
        self.trial.steps.pop()

    def _dealer(self) -> Dealer:
        trial = self.trial
        with trial.expecting("a game can be set up"):
            dealer: PlainDealer[Any] = PlainDealer(
                trial.game, trial.numbers, trial.options, self._chance("cards")
            )
        return dealer

    def _chance(self, purpose: str) -> Chance:
        return Chance("conformance", self.trial.seed, self.trial.seats, purpose)


def _somebody(due: Turn | Choice, chance: Chance) -> Seat:
    """Return a seat that has to act; those who choose do so in any order."""
    return due.seat if isinstance(due, Turn) else chance.pick(due.owing)


def _check_value(trial: Trial) -> None:
    """What a game says of itself makes sense."""
    game = trial.game
    least, most = game.seats
    trial.require(GAME_ID.fullmatch(game.id), "an id is of small letters, digits and -", game.id)
    trial.require(game.version >= 1, "versions count from 1", str(game.version))
    numbers = [game.version, *(one.version for one in game.earlier)]
    falling = all(one > other for one, other in pairwise(numbers))
    trial.require(falling and numbers[-1] >= 1, "earlier versions have lower numbers", numbers)
    alone = all(one.id == game.id and not one.earlier for one in game.earlier)
    trial.require(alone, "earlier versions are of the same game, and stand in one list", game.id)
    trial.require(SEATS_MIN <= least <= most <= SEATS_MAX, "a table has 2 to 10 seats", game.seats)
    trial.require(game.title, "a game has a title")
    kinds = [kind.kind for kind in game.actions]
    trial.require(kinds and len(set(kinds)) == len(kinds), "kinds have names of their own", kinds)
    for kind in game.actions:
        shown_by = {*kind.opens, *kind.proves}
        fits = shown_by <= set(kind.fields) and len(set(kind.fields)) == len(kind.fields)
        trial.require(fits and kind.text, "what an action opens is among its fields", kind)
    names = [option.name for option in game.options]
    words = [game.id, *kinds, *names, *(field for kind in game.actions for field in kind.fields)]
    short = all(len(word.encode()) <= WORD_BYTES_MAX for word in words)
    trial.require(short, f"words have at most {WORD_BYTES_MAX} bytes", words)
    trial.require(len(set(names)) == len(names), "options have names of their own", names)
    trial.require(
        game.policies and len(set(game.policies)) == len(game.policies),
        "there is a policy for seats that leave",
    )
    trial.require(POLICIES.issuperset(game.policies), "policies are known ones", game.policies)
    if CONTINUE in game.policies:
        opening = [kind.kind for kind in game.actions if kind.opens or kind.proves]
        trial.require(not opening, "what goes on with its cards opens none by an action", opening)
    page = game.rules()
    for name in names:
        trial.require(OPTION_NAME.fullmatch(name), "an option has a simple name", name)
        trial.require(f"`{name}`" in page, "the page of rules tells of every option", name)
    for policy in game.policies:
        trial.require(f"`{policy}`" in page, "the page of rules tells of every policy", policy)
    trial.require(page.startswith("# "), "the page of rules has a title")
    _check_options(trial)


def _check_options(trial: Trial) -> None:
    game = trial.game
    for option in game.options:
        fits = all(re.fullmatch(option.pattern, text) for text in option.examples)
        rule = "an option with a pattern has examples that fit"
        trial.require(fits and bool(option.pattern) == bool(option.examples), rule, option)
    for count in range(game.seats[0], game.seats[1] + 1):
        with trial.expecting("the defaults fit every number of seats", f"{count} seats"):
            resolve(game, count, {})
            resolve(game, count, {}, by_letters=True)


def _check_looks(trial: Trial) -> None:
    """Looks are small flat objects, the same every time; whether a page knows the words is open."""
    with trial.expecting("cards have looks or none"):
        looks = trial.game.looks(trial.options)
        again = trial.game.looks(trial.options)
    trial.require(looks == again, "looks follow from the options", looks)
    trial.require(len(looks) <= CARDS_MAX, "there are looks for a deck", len(looks))
    for face, look in looks.items():
        values = [*look, *look.values()]
        fits = look.keys() >= {"kind"} and len(look) <= LOOK_FIELDS_MAX
        plain = all(type(value) in (int, str, bool) for value in values)
        short = all(len(str(value)) <= LOOK_TEXT_LETTERS_MAX for value in values)
        trial.require(fits and plain and short, "a look is a small flat object", (face, look))
