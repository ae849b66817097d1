"""Bots against one another, over the plain dealer: who wins how many of so many games.

The seats alternate: in each game every bot sits one place further, so that nobody gains by where
it sits. A first place that is shared counts as a part of a win for each; scores are kept in
fractions, so that nothing is lost by rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from nodealer.games import AnyGame, Bot, Choice, Options, PlainDealer, Standing, Turn, deal
from nodealer.kernel import Bug, Chance, Reason, Seat

ACTIONS_MAX = 20_000
"""No game between bots that want to win takes so many."""


@dataclass(frozen=True, slots=True)
class Score:
    """The games that were played, and how many of them each bot has won."""

    games: int
    wins: tuple[Fraction, ...]

    def percent(self, bot: int) -> float:
        """Return in how many of a hundred games a bot has won."""
        return float(100 * self.wins[bot] / self.games)


def contest(game: AnyGame, bots: Sequence[Bot], options: Options, games: int, seed: str) -> Score:
    """Let bots play against one another, each from every seat in turn."""
    wins = [Fraction(0)] * len(bots)
    for number in range(games):
        seats = {Seat((index + number) % len(bots)): index for index in range(len(bots))}
        chance = Chance("contest", seed, number)
        dealer = deal(game, sorted(seats), options, chance.branch("cards"))
        players = [bots[seats[seat]] for seat in sorted(seats)]
        first = _play_out(dealer, players, chance.branch("bots")).places[0]
        for seat in first:
            wins[seats[seat]] += Fraction(1, len(first))
    return Score(games, tuple(wins))


def _play_out(dealer: PlainDealer[object], players: Sequence[Bot], chance: Chance) -> Standing:
    """Play a running game to its end, each seat by the bot of its number."""
    for _ in range(ACTIONS_MAX):
        standing = dealer.result()
        if standing is not None:
            return standing
        due = dealer.view().duty
        assert isinstance(due, Turn | Choice), "somebody has to act while the game is not over"
        # Whoever chooses later sees nothing of what was chosen before.
        seat = due.seat if isinstance(due, Turn) else due.owing[0]
        chosen = players[seat].choose(dealer.view(seat), dealer.legal(seat), chance)
        dealer.act(seat, chosen)
    raise Bug(Reason.LOCAL_ARGUMENT, f"{dealer.game.id} has not ended after {ACTIONS_MAX} actions")
