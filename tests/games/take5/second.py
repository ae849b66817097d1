"""6 nimmt! a second time, written from the page of rules alone.

It shares nothing with the game: no code, no data, not even names. It is told in which order the
cards come, what everybody plays, which stack somebody takes and who leaves, and keeps the stacks,
the bull heads and the places. Faces are numbers here, stacks are counted from 0.
"""

from __future__ import annotations


def heads_on(number: int) -> int:
    """Return the bull heads that the page gives a card."""
    if number == 55:
        return 7
    if number % 11 == 0:
        return 5
    if number % 10 == 0:
        return 3
    return 2 if number % 5 == 0 else 1


class RejectedError(Exception):
    """The page does not allow it."""


class Second:
    """One game; `options` are those of the page, by their names, those not given as usual."""

    def __init__(self, players: list[int], options: dict[str, int | str]) -> None:
        self.players = sorted(players)
        self.everybody = tuple(self.players)
        self.turns = int(options.get("turn_count", 10))
        self.full = int(options.get("stack_size", 5))
        self.limit = int(options.get("win_score", 66))
        self.size = int(options.get("deck_size", 104))
        self.rounds_max = int(options.get("max_rounds", 0))
        low, high = str(options.get("bull_range", "1-7")).split("-")
        self.heads = {n: heads_on(n) for n in range(1, self.size + 1)}
        for number, count in self.heads.items():
            self.heads[number] = sorted([int(low), count, int(high)])[1]
        if options.get("bulls"):
            for index, text in enumerate(str(options["bulls"]).split(",")):
                self.heads[index + 1] = int(text)
        self.finished_rounds = 0
        self.before = dict.fromkeys(self.players, 0)  # bull heads of rounds that are over
        self.heap: dict[int, list[int]] = {}  # what was taken in this round
        self.hands: dict[int, list[int]] = {}
        self.rows: list[list[int]] = []
        self.laid: dict[int, int] = {}  # cards chosen in this turn
        self.queue: list[tuple[int, int]] = []  # cards that are open and not yet placed
        self.is_open = False
        self.is_waiting_for_deal = True
        self.is_done = False
        self.gone: list[list[int]] = []

    # What comes from outside.

    def deal(self, order: list[int]) -> None:
        """Give out a shuffled deck."""
        assert self.is_waiting_for_deal
        assert sorted(order) == list(range(1, self.size + 1))
        cards = iter(order)
        self.hands = {player: [] for player in self.players}
        for _ in range(self.turns):
            for player in self.players:
                self.hands[player].append(next(cards))
        self.rows = [[next(cards)] for _ in range(4)]
        self.heap = {player: [] for player in self.everybody}
        self.is_waiting_for_deal = False

    def choose(self, player: int, card: int) -> None:
        """Let a player choose a card for this turn."""
        if player not in self.owing() or card not in self.hands[player]:
            raise RejectedError
        self.laid[player] = card

    def open_all(self) -> None:
        """Open the cards of the turn, and place as many as go by themselves."""
        assert not self.owing()
        for player, card in self.laid.items():
            self.hands[player].remove(card)
        self.queue = sorted((card, player) for player, card in self.laid.items())
        self.laid = {}
        self._work()

    def take(self, player: int, row: int) -> None:
        """Let a player take a stack for a card that is lower than all of them."""
        if self.taker() != player or row not in range(4):
            raise RejectedError
        card, _ = self.queue.pop(0)
        self._swap(player, row, card)
        self._work()

    def leave(self, players: list[int], policy: str) -> None:
        """Let players leave."""
        if self.is_done:
            return
        self.gone.append(sorted(players))
        self.players = [player for player in self.players if player not in players]
        is_void = policy == "void" or self.is_waiting_for_deal
        if len(self.players) == 1:
            self._finish(counts=not is_void)
        elif is_void:
            self._new_round()
        else:
            for player in players:
                self.laid.pop(player, None)
                self.hands[player] = []
            if self.queue:
                self._work()

    # What there is to see.

    def owing(self) -> list[int]:
        """Return who has to choose a card."""
        if self.is_done or self.is_waiting_for_deal or self.queue:
            return []
        return [player for player in self.players if player not in self.laid]

    def taker(self) -> int | None:
        """Return who has to take a stack."""
        return self.queue[0][1] if self.queue else None

    def points(self) -> dict[int, int]:
        """Return everybody's bull heads up to now."""
        return {
            player: self.before[player] + sum(self.heads[c] for c in self.heap.get(player, ()))
            for player in self.everybody
        }

    def places(self) -> list[list[int]]:
        """Return who has which place at the end."""
        ranks = sorted({self.before[player] for player in self.players})
        here = [[p for p in self.players if self.before[p] == points] for points in ranks]
        return here + self.gone[::-1]

    # How it goes on by itself.

    def _work(self) -> None:
        while self.queue:
            card, player = self.queue[0]
            fitting = [row for row in self.rows if row[-1] < card]
            if not fitting:
                if player in self.players:
                    return
                self.queue.pop(0)
                continue
            best = max(fitting, key=lambda row: row[-1])
            self.queue.pop(0)
            if len(best) == self.full:
                self._swap(player, self.rows.index(best), card)
            else:
                best.append(card)
        if not any(self.hands[player] for player in self.players):
            self._count()

    def _swap(self, player: int, row: int, card: int) -> None:
        self.heap[player] += self.rows[row]
        self.rows[row] = [card]

    def _count(self) -> None:
        self.before = self.points()
        self.heap = {}
        self.finished_rounds += 1
        here = sorted(self.before[player] for player in self.players)
        is_up = here[-1] >= self.limit and here[0] < here[1]
        if is_up or self.finished_rounds == self.rounds_max:
            self.is_done = True
            return
        self._new_round()

    def _new_round(self) -> None:
        self.heap, self.laid, self.queue = {}, {}, []
        self.is_waiting_for_deal = True

    def _finish(self, *, counts: bool) -> None:
        if counts:
            self.before = self.points()
        self.heap, self.queue, self.is_done = {}, [], True
