"""A second Macaua, written from specs/games/macaua.md alone: whole games, card by card.

It shares nothing with the first: no code, no data, not even its way of working. It moves faces
between lists, in place, and knows no slots, boards or effects. What chance decides it is told: the
order in which shuffled cards lie, and the side of the coin. Where the table would be busy with
cards it stops (`awaits`), because seats can leave there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tests.games.macaua_oracle import DECK, Act, Position, number

WORTH = {"2": 2, "3": 3, "joker": 5}

Told = tuple[str, dict[str, object]]


class SecondMacaua:
    """One game; every attribute is a line of the page."""

    def __init__(self, seats: int, options: dict[str, bool]) -> None:
        self.options = options
        self.seats = list(range(seats))
        self.out: list[tuple[int, ...]] = []
        self.places: list[tuple[int, ...]] = []
        self.told: list[Told] = []
        self.hands: dict[int, list[str]] = {}
        self._begin()

    def _begin(self) -> None:
        self.stock: list[str] = []
        self.discards: list[str] = []
        self.declared: str | None = None
        self.owed = 0
        self.turns_asked = 0
        self.laid_by: int | None = None
        self.to_miss: dict[int, int] = {}
        self.passed: set[int] = set()
        self.to_draw: tuple[int, int] | None = None
        self.turn = None if self.options["coin"] else self.seats[0]
        self.plan: dict[int, int] | None = dict.fromkeys(self.seats, 5)
        self.awaits = ["deck"]

    @property
    def is_over(self) -> bool:
        return bool(self.places)

    @property
    def drawable(self) -> int:
        return len(self.stock) + max(0, len(self.discards) - 1)

    def position(self) -> Position:
        """Return what the seat on turn has before it."""
        assert self.turn is not None
        top = self.discards[-1]
        hand = list(self.hands[self.turn])
        return Position(
            hand, top, self.declared, self.owed, self.turns_asked, self.drawable, self.options
        )

    # What chance decides.

    def deck(self, order: Sequence[str], coin: int | None) -> None:
        """Deal a shuffled deck."""
        assert self.awaits == ["deck"]
        assert self.plan is not None
        assert sorted(order) == sorted(set(DECK) - set(self.discards))
        self.stock = list(order)
        self.hands = {seat: self._from_front(count) for seat, count in self.plan.items()}
        self.awaits = [f"show {seat}" for seat in self.plan]
        if not self.discards:
            self.discards = self._from_front(1)
            self.awaits.append("show all")
        assert (self.turn is None) == (coin is not None)
        if coin is not None:
            self.turn = self.seats[coin]

    def shuffled(self, order: Sequence[str]) -> None:
        """Put the shuffled discards behind the stock, and go on drawing."""
        assert self.awaits == ["shuffle"]
        assert sorted(order) == sorted(self.discards[:-1])
        self.tell("reshuffled", count=len(order))
        self.stock += order
        self.discards = self.discards[-1:]
        self.awaits = []
        self._go_on()

    def shown(self) -> None:
        """Go on after cards were shown."""
        del self.awaits[0]
        if self.awaits:
            return
        if self.plan is not None:
            self.plan = None
            self.tell("dealt", seat=self.turn, top=self.discards[-1])
        self._go_on()

    # What seats do.

    def act(self, act: Act) -> None:
        """Do what the seat on turn chose; that it may was asked before."""
        assert not self.awaits
        assert not self.is_over
        seat = self.turn
        assert seat is not None
        {"play": self._play, "draw": self._draw, "take": self._take, "miss": self._miss}.get(
            act.kind, self._pass
        )(seat, act)
        if not self.is_over:
            self._go_on()

    def _play(self, seat: int, act: Act) -> None:
        rank = number(act.faces[0])
        self.told.append(
            (
                "played",
                {
                    "seat": seat,
                    "cards": act.faces,
                    "suit": act.suit,
                    "macaua": act.says_macaua,
                    "stopped": self.owed if rank == "7" else 0,
                },
            )
        )
        for face in act.faces:
            self.hands[seat].remove(face)
        self.discards += act.faces
        self.declared = act.suit
        self.passed = set()
        if not self.hands[seat]:
            self._end()
            return
        asked = sum(self._worth(face) for face in act.faces)
        fours = len(act.faces) if rank == "4" and self.options["four_skips"] else 0
        self.owed = self.owed + asked if asked else 0
        self.turns_asked = self.turns_asked + fours if fours else 0
        self.laid_by = seat if asked or fours else None
        self._next(seat)
        if self.options["call"] and len(self.hands[seat]) == 1 and not act.says_macaua:
            self._begin_draw(seat, 5, "call")

    def _draw(self, seat: int, _: Act) -> None:
        self._begin_draw(seat, 1, "turn")
        self._next(seat)

    def _take(self, seat: int, act: Act) -> None:
        owed, self.owed, self.laid_by = self.owed, 0, None
        if not self.drawable:
            self._pass(seat, act)
            return
        self._begin_draw(seat, owed, "challenge")
        self._next(seat)

    def _pass(self, seat: int, _: Act) -> None:
        self.tell("passed", seat=seat)
        self.passed.add(seat)
        if self.passed == set(self.seats):
            self.tell("stuck")
            self.declared = None
            self._end()
        else:
            self._next(seat)

    def _miss(self, seat: int, _: Act) -> None:
        self.tell("skipped", seat=seat, turns=self.turns_asked)
        if self.turns_asked > 1:
            self.to_miss[seat] = self.turns_asked - 1
        self.turns_asked, self.laid_by = 0, None
        self._next(seat)

    def leave(self, gone: Sequence[int], policy: str) -> None:
        """Go on without these seats."""
        if self.is_over:
            return
        self.tell("left", seats=tuple(sorted(gone)))
        order, self.seats = self.seats, [seat for seat in self.seats if seat not in gone]
        self.out.append(tuple(sorted(gone)))
        has_start_card = bool(self.discards) and "show all" not in self.awaits
        if len(self.seats) == 1:
            self.owed = self.turns_asked = 0
            self.declared = self.laid_by = None
            self._end()
        elif policy == "void" or not has_start_card:
            self.tell("voided")
            self._begin()
        else:
            self.tell("redealt")
            self._redeal(order)

    def _redeal(self, order: list[int]) -> None:
        sizes = self.plan or {seat: len(hand) for seat, hand in self.hands.items()}
        self.plan = {seat: sizes[seat] for seat in self.seats}
        self.to_miss = {seat: n for seat, n in self.to_miss.items() if seat in self.seats}
        self.passed = set()
        if self.to_draw and self.to_draw[0] not in self.seats:
            self.to_draw = None
        if self.turn not in self.seats:
            assert self.turn is not None
            laid_by = self.laid_by
            self.turn = self._walk(order, self.turn)
            if laid_by is not None and self.turn == laid_by:
                self._lapse()
        # The cards lie where they are until the deck is shuffled.
        self.awaits = ["deck"]

    # What follows.

    def _go_on(self) -> None:
        if self.to_draw is None:
            return
        seat, count = self.to_draw
        if count > len(self.stock):
            self.awaits = ["shuffle"]
            return
        self.hands[seat] += self._from_front(count)
        self.to_draw = None
        self.awaits = [f"show {seat}"]

    def _begin_draw(self, seat: int, count: int, why: str) -> None:
        possible = min(count, self.drawable)
        self.tell("drew", seat=seat, count=possible, why=why)
        self.to_draw = (seat, possible)
        self.passed = set()

    def _next(self, seat: int) -> None:
        self.turn = self._walk(self.seats, seat)
        if self.laid_by is None:
            return
        if self.turn == self.laid_by:
            self._lapse()
        else:
            self.tell(
                "challenged",
                seat=self.turn,
                by=self.laid_by,
                cards=self.owed,
                turns=self.turns_asked,
            )

    def _lapse(self) -> None:
        self.owed = self.turns_asked = 0
        self.laid_by = None
        self.tell("lapsed", seat=self.turn)

    def _walk(self, order: list[int], seat: int) -> int:
        """Return the next seat that is there, using up the turns of those that miss some."""
        for candidate in _round_and_round(order, seat):
            if candidate not in self.seats:
                continue
            if not self.to_miss.get(candidate):
                return candidate
            self.tell("missed", seat=candidate)
            self.to_miss[candidate] -= 1
            self.to_miss = {one: left for one, left in self.to_miss.items() if left}
        raise AssertionError("nobody is there")

    def _end(self) -> None:
        self.awaits = []
        self.turn = None
        self.to_draw = None
        self.to_miss = {}
        self.owed = self.turns_asked = 0
        self.laid_by = None
        hands = {seat: len(self.hands.get(seat, [])) for seat in self.seats}
        ranked = sorted(self.seats, key=lambda seat: (hands[seat], seat))
        self.places = [tuple(group) for _, group in groupby(ranked, key=lambda s: hands[s])]
        self.tell("won", seats=self.places[0], cards=hands[ranked[0]])
        self.places += reversed(self.out)

    def _worth(self, face: str) -> int:
        if face == "red-joker" and self.options["red_joker_ten"]:
            return 10
        return WORTH.get(number(face), 0)

    def _from_front(self, count: int) -> list[str]:
        taken, self.stock = self.stock[:count], self.stock[count:]
        return taken

    def tell(self, kind: str, **fields: object) -> None:
        """Note an event."""
        self.told.append((kind, fields))


def _round_and_round(order: list[int], seat: int) -> Iterator[int]:
    start = order.index(seat) + 1
    for distance in range(1000):
        yield order[(start + distance) % len(order)]
