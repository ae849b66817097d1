"""Two programs that were written apart from one another play the same games of 6 nimmt!.

Whole games by chance and by bots, with all numbers of seats, any options, and seats that leave at
any time. At every halt the stacks, the hands, who has to do what, and all scores must agree; at the
end the places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence
from typing import TypeVar

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import hand
from nodealer.games.api import Action, Choice, Turn
from nodealer.games.dealer import PlainDealer
from nodealer.games.effects import Choose, NewDeck, Show
from nodealer.games.registry import resolve
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.placing import stacks_on
from nodealer.games.take5.sentences import _SENTENCES
from nodealer.games.take5.state import Phase, State
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.take5.second import Second

T = TypeVar("T")

ACTIONS_MAX = 5000
LEAVING_PERCENT = 3
LEAVING_ON_TURN_PERCENT = 10


class HeardChance(Chance):
    """Chance that can be asked afterwards in which order the cards lie."""

    def __init__(self, *seed: str | int) -> None:
        super().__init__(*seed)
        self.order: list[int] = []

    def shuffle(self, items: MutableSequence[T]) -> None:
        super().shuffle(items)
        self.order = [int(str(item)) for item in items]


def some_options(chance: Chance, seats: int) -> dict[str, int | str]:
    """Return options by chance; a third of the games has the usual ones."""
    if chance.happens(33):
        return {}
    low = 1 + chance.below(4)
    options: dict[str, int | str] = {
        "turn_count": 1 + chance.below(12),
        "stack_size": 2 + chance.below(6),
        "win_score": 1 + chance.below(80),
        "bull_range": f"{low}-{low + chance.below(6)}",
        "max_rounds": chance.pick((0, 0, 1, 3)),
    }
    least = seats * int(options["turn_count"]) + 4
    size = max(6, least + chance.below(3 * least))
    options["deck_size"] = min(size, 256)
    if chance.happens(30):
        counts = [low + chance.below(3) for _ in range(int(options["deck_size"]))]
        options |= {"bull_range": f"{low}-{low + 2}", "bulls": ",".join(map(str, counts))}
    return options


class Both:
    """One game, played by both."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance("second", seed)
        self.heard = HeardChance("second cards", seed)
        count = 2 + self.chance.below(9)
        options = some_options(self.chance, count)
        places = list(range(10))
        self.chance.shuffle(places)
        seats = sorted(places[:count])
        self.dealer: PlainDealer[State] = PlainDealer(
            TAKE5, [Seat(seat) for seat in seats], resolve(TAKE5, count, options), self.heard
        )
        self.second = Second(seats, options)
        self.policy = self.chance.pick(TAKE5.policies)
        self.leaves = self.chance.happens(40)
        self.seen: Counter[str] = Counter()

    def play(self) -> None:
        """Play to the end, comparing at every halt."""
        for _ in range(ACTIONS_MAX):
            self.settle()
            if self.dealer.result() is not None or self.second.is_done:
                self.compare_end()
                return
            self.act()
        raise AssertionError("the game does not end")

    def settle(self) -> None:
        """Carry out what chance and the table do between two decisions."""
        self.compare()
        while self.maybe_leave():
            effect = self.dealer._effects[0]
            is_revealing = self.dealer.state.phase is Phase.REVEALING
            self.dealer.advance()
            match effect:
                case NewDeck():
                    self.order = list(self.heard.order)
                case Show() if is_revealing:
                    self.second.open_all()
                case Show(seats=()):
                    self.second.deal(self.order)
                case _:
                    assert isinstance(effect, Choose | Show)
            self.compare()

    def maybe_leave(self) -> bool:
        """Leave somebody out now and then; return whether effects are to be carried out."""
        is_over, due = self.dealer.result() is not None, self.dealer.view().duty
        percent = LEAVING_ON_TURN_PERCENT if isinstance(due, Turn) else LEAVING_PERCENT
        if self.leaves and not is_over and self.chance.happens(percent):
            seats = list(self.dealer.seats)
            self.chance.shuffle(seats)
            if isinstance(due, Turn):
                seats.sort(key=lambda seat: seat != due.seat)
            gone = sorted(seats[: 1 + self.chance.below(min(2, len(seats) - 1))])
            self.dealer.leave(gone, self.policy)
            self.second.leave([int(seat) for seat in gone], self.policy)
            self.compare()
        return self.dealer.underway and not self.dealer.is_asking

    def act(self) -> None:
        """Let somebody who has to decide do so, in both."""
        due = self.dealer.view().duty
        assert isinstance(due, Turn | Choice)
        seat = due.seat if isinstance(due, Turn) else self.chance.pick(due.owing)
        bot = ChanceBot() if self.chance.happens(60) else bot_for(TAKE5)
        chosen = bot.choose(self.dealer.view(seat), self.dealer.legal(seat), self.chance)
        if isinstance(due, Turn):
            self.second.take(seat, "ABCD".index(str(chosen.get("stack"))))
        else:
            self.second.choose(seat, self.face(chosen))
        self.dealer.begin(seat, chosen)

    def face(self, chosen: Action) -> int:
        (slot,) = chosen.slots("card")
        return int(self.dealer.pack.faces[slot])

    def compare(self) -> None:
        """Require that both show the same."""
        dealer, second = self.dealer, self.second
        board, state = dealer.board, dealer.state
        assert dealer.view().facts["scores"] == tuple(second.points().items())
        assert (state.phase is Phase.GAME_OVER) == second.is_done
        if second.is_done:
            return
        is_dealing = state.phase in (Phase.SHUFFLING, Phase.DEALING)
        assert is_dealing == second.is_waiting_for_deal
        if is_dealing:
            return
        if not isinstance(dealer.view().duty, Turn | Choice):
            return  # the second program opens the cards at once
        faces = [[int(face) for face in stack] for stack in stacks_on(board).values()]
        assert faces == second.rows
        for seat in dealer.seats:
            held = [int(dealer.pack.faces[slot]) for slot in board.at(hand(seat))]
            assert held == second.hands[seat]
        due = dealer.view().duty
        assert second.taker() == (due.seat if isinstance(due, Turn) else None)
        assert second.owing() == list(due.owing if isinstance(due, Choice) else ())

    def compare_end(self) -> None:
        """Require that both have come to the same end."""
        standing = self.dealer.result()
        assert standing is not None
        assert [list(place) for place in standing.places] == self.second.places()
        assert dict(standing.points) == self.second.before
        self.seen.update(happened.kind for happened in self.dealer.events)


def play_both(games: int, first: int = 0) -> Counter[str]:
    """Play so many games with both; return how often what has happened."""
    seen: Counter[str] = Counter()
    for seed in range(first, first + games):
        both = Both(seed)
        both.play()
        seen += both.seen
    return seen


def test_both_play_the_same_games(is_full: bool) -> None:
    seen = play_both(1000 if is_full else 20)
    assert set(seen) == set(_SENTENCES)
