"""Two programs that were written apart from one another play the same games of Macaua.

Whole games by chance and by bots, with all numbers of seats, any options, and seats that leave at
any time. At every halt the cards, all that lies on the turn, and what was told must agree; at the
turns also what may be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import Action, Bot, Event
from nodealer.games.dealer import PlainDealer
from nodealer.games.effects import Coin, Effect, NewDeck, Reshuffle, Show
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.sentences import _SENTENCES
from nodealer.games.macaua.state import State
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.macaua_oracle import Act, everything, may
from tests.games.macaua_second import SecondMacaua

T = TypeVar("T")

SWITCHES = ("call", "four_skips", "free_counter", "red_joker_ten", "seven_stops")

ACTIONS_MAX = 5000
HAND_TRIED_MAX = 7
LEAVING_PERCENT = 5
STALLING = ("draw", "take", "pass", "miss")


class HeardChance(Chance):
    """Chance that can be asked afterwards how it fell."""

    def __init__(self, *seed: str | int) -> None:
        super().__init__(*seed)
        self.order: list[object] = []
        self.side = -1

    def below(self, bound: int) -> int:
        self.side = super().below(bound)
        return self.side

    def shuffle(self, items: MutableSequence[T]) -> None:
        super().shuffle(items)
        self.order = list(items)


class Both:
    """One game, played by both."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance("second", seed)
        self.heard = HeardChance("second cards", seed)
        count = 2 + self.chance.below(9)
        chosen = {name: self.chance.happens(40) for name in SWITCHES}
        first = "coin" if self.chance.happens(70) else "host"
        self.dealer: PlainDealer[State] = PlainDealer(
            MACAUA,
            [Seat(number) for number in range(count)],
            resolve(MACAUA, count, {**chosen, "first": first}),
            self.heard,
        )
        self.second = SecondMacaua(count, {**chosen, "coin": first == "coin"})
        self.policy = self.chance.pick(MACAUA.policies)
        self.leaves = self.chance.happens(40)
        # A table on which everybody draws as long as possible comes to an empty stock.
        self.stalls = self.chance.happens(15)
        self.seen: Counter[str] = Counter()

    def play(self) -> None:
        """Play to the end, comparing at every halt."""
        for _ in range(ACTIONS_MAX):
            self.settle()
            if self.dealer.result() is not None or self.second.is_over:
                self.compare_end()
                return
            self.act()
        raise AssertionError("the game does not end")

    def settle(self) -> None:
        """Carry out what chance and the table do between two turns."""
        self.compare()
        while self.maybe_leave():
            self.advance(self.dealer._effects[0])
            self.compare()

    def advance(self, effect: Effect) -> None:
        assert self.second.awaits[0] == awaited(effect)
        self.dealer.advance()
        order = [str(face) for face in self.heard.order]
        match effect:
            case NewDeck(coin=coin):
                self.second.deck(order, self.heard.side if isinstance(coin, Coin) else None)
            case Reshuffle():
                self.second.shuffled(order)
            case _:
                self.second.shown()

    def maybe_leave(self) -> bool:
        """Leave somebody out now and then; return whether effects are under way."""
        is_over = self.dealer.result() is not None
        if self.leaves and not is_over and self.chance.happens(LEAVING_PERCENT):
            seats = list(self.dealer.seats)
            self.chance.shuffle(seats)
            gone = seats[: 1 + self.chance.below(min(2, len(seats) - 1))]
            self.dealer.leave(gone, self.policy)
            self.second.leave(gone, self.policy)
            self.compare()
        return self.dealer.underway

    def act(self) -> None:
        seat = self.second.turn
        assert seat is not None
        legal = self.dealer.legal(Seat(seat))
        position = self.second.position()
        assert all(may(self.as_act(chosen), position) for chosen in legal)
        if len(position.hand) <= HAND_TRIED_MAX and self.chance.happens(30):
            wanted = {act for act in everything(position.hand) if may(act, position)}
            assert {self.as_act(chosen) for chosen in legal} == wanted
        chosen = self.choose(Seat(seat), legal)
        act = self.as_act(chosen)
        self.dealer.begin(Seat(seat), chosen)
        self.second.act(act)

    def choose(self, seat: Seat, legal: Sequence[Action]) -> Action:
        if self.stalls and self.chance.happens(95):
            idle = [chosen for chosen in legal if chosen.kind in STALLING]
            return idle[0]
        bot: Bot = bot_for(MACAUA) if self.chance.happens(60) else ChanceBot()
        return bot.choose(self.dealer.view(seat), legal, self.chance)

    def as_act(self, chosen: Action) -> Act:
        faces = tuple(self.dealer.pack.faces[slot] for slot in chosen.slots("cards"))
        suit = chosen.get("suit")
        return Act(
            chosen.kind,
            faces,
            suit if isinstance(suit, str) else None,
            says_macaua=chosen.get("macaua") is True,
        )

    def compare(self) -> None:
        """Compare cards, facts and events."""
        dealer, second = self.dealer, self.second
        assert dealer.underway == bool(second.awaits)
        heard = Counter(repr(told_of(happened)) for happened in dealer.events)
        assert heard == Counter(repr(told) for told in second.told)
        self.seen.update(happened.kind for happened in dealer.events)
        dealer.events.clear()
        second.told.clear()
        if second.awaits == ["deck"] or second.is_over:
            return
        assert self.faces() == (
            [second.hands[seat] for seat in second.seats],
            second.discards,
            second.stock,
        )
        facts = dealer.view().facts
        assert facts["challenge"] == second.owed
        assert facts["penalty"] == min(second.owed, second.drawable)
        assert facts["skip"] == second.turns_asked
        assert facts["challenger"] == second.laid_by
        assert facts["suit"] == second.declared
        assert facts["available"] == second.drawable
        assert facts["misses"] == tuple(sorted(second.to_miss.items()))
        assert facts["passed"] == tuple(sorted(second.passed))
        assert dealer.state.turn == second.turn

    def faces(self) -> tuple[list[list[str]], list[str], list[str]]:
        """Return the true cards: hands, discards, stock."""
        dealer = self.dealer
        zones = [*(hand(seat) for seat in dealer.seats), DISCARD, STOCK]
        lying = [[dealer.pack.faces[slot] for slot in dealer.board.at(zone)] for zone in zones]
        return lying[:-2], lying[-2], lying[-1]

    def compare_end(self) -> None:
        standing = self.dealer.result()
        assert standing is not None
        assert list(standing.places) == self.second.places


def awaited(effect: Effect) -> str:
    """Return how the other program calls an effect."""
    if isinstance(effect, Show):
        return f"show {', '.join(map(str, effect.seats)) or 'all'}"
    return {NewDeck: "deck", Reshuffle: "shuffle"}[type(effect)]


def told_of(happened: Event) -> tuple[str, dict[str, object]]:
    """Return an event as the other program tells it; it knows no slots."""
    fields = {name: value for name, value in happened.fields if name != "slots"}
    order = ("seat", "seats", "by", "cards", "count", "turns", "why", "top", "suit", "macaua")
    names = [*(name for name in order if name in fields), *(n for n in fields if n not in order)]
    return happened.kind, {name: fields[name] for name in names}


def play_both(games: int) -> Counter[str]:
    """Play so many games; return how often each kind of event was told."""
    seen: Counter[str] = Counter()
    for seed in range(games):
        both = Both(seed)
        both.play()
        seen += both.seen
    return seen


def test_both_play_the_same_games(is_full: bool) -> None:
    games = 1000 if is_full else 60
    seen = play_both(games)
    rare = {"lapsed"}
    assert set(seen) >= (set(_SENTENCES) if is_full else set(_SENTENCES) - rare)
    assert seen["won"] == games
