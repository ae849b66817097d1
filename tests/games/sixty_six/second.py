"""A second 66, written from specs/games/66.md alone: whole games, card by card.

It shares nothing with the first: no code, no data, not even its way of working. Cards are things
that lie in lists and remember who has seen them; there are no slots, boards or notebooks. What
chance decides it is told: the order of a shuffled deck, the side of a coin. Where the table would
be busy it stops (`awaits`), because seats can leave there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tests.games.sixty_six.oracle import COPIES, round_points, summed

Request = tuple[object, ...]
Told = tuple[str, dict[str, object]]

PEEKS, LOOKS, SWAPS = (7, 8), (9, 10), (11, 12)


@dataclass(eq=False)
class Card:
    """A card, and who has seen it."""

    face: int
    seen: set[int] = field(default_factory=set)
    is_open: bool = False

    def show(self, seats: Sequence[int], everybody: Sequence[int]) -> None:
        self.seen |= set(seats)
        self.is_open = self.is_open or self.seen >= set(everybody)


class SecondSixtySix:
    """One game; every attribute is a line of the page."""

    def __init__(self, seats: Sequence[int], variant: str, limit: int = 66) -> None:
        self.limit = limit
        self.first_variant = variant == "v1"
        self.seats = list(seats)
        self.totals = dict.fromkeys(seats, 0)
        self.gone: list[tuple[int, ...]] = []
        self.told: list[Told] = []
        self.state = "AWAITING_START"
        self.round = 0
        self.starter: int | None = None
        self.points: dict[int, int] = {}
        self.jobs: list[tuple[str, Callable[..., None]]] = []
        self._lay_out([])
        self._clear()

    def _clear(self) -> None:
        self.turn = 0
        self.active: int | None = None
        self.stopper: int | None = None
        self.turns_left: int | None = None
        self.source: str | None = None
        self.chosen: list[int] = []
        self.points = {}

    def _lay_out(self, cards: list[Card]) -> None:
        self.hands: dict[int, list[Card]] = {}
        self.stock = cards
        self.discards: list[Card] = []
        self.in_hand: Card | None = None

    @property
    def awaits(self) -> str | None:
        """What the table is busy with, or None if a seat acts or the game is over."""
        return self.jobs[0][0] if self.jobs else None

    @property
    def is_over(self) -> bool:
        return self.state == "GAME_FINISHED"

    @property
    def acting(self) -> int:
        """Who acts while nothing is awaited."""
        if self.state == "AWAITING_START" or (
            self.state == "ROUND_FINISHED" and not self.first_variant
        ):
            return self.seats[0]
        who = self.starter if self.state == "ROUND_FINISHED" else self.active
        assert who is not None
        return who

    # What may be done.

    def choices(self) -> list[Request]:
        """Return all that the acting seat may do, in no particular order."""
        if self.is_over or self.awaits:
            return []
        own = list(range(len(self.hands.get(self.acting, []))))
        there = [(s, p) for s in self.seats if s != self.acting for p in range(self._size(s))]
        if self.state == "AWAITING_POWER":
            return list(self._powers(own, there))
        place = "replace-card-from-deck" if self.first_variant else "pick-own-card"
        placing: list[Request] = [(place, one) for one in own]
        claims: list[Request] = [
            ("show-cards", some) for n in range(2, len(own) + 1) for some in combinations(own, n)
        ]
        pick_own: list[Request] = [("pick-own-card", one) for one in own]
        pick_anothers: list[Request] = [("pick-anothers-card", one) for one in there]
        by_state: dict[str, list[Request]] = {
            "AWAITING_START": [("start-game",)],
            "ROUND_FINISHED": [("start-next-round",)],
            "READY_FOR_TURN": self._ready(own, claims),
            "DECK_CARD_TAKEN": [*placing, ("discard",), *([] if self.first_variant else claims)],
            "DISCARDED_CARD_TAKEN": [*placing, *claims],
            "AWAITING_REPLACEMENT": [
                ("replace-cards-from-deck",),
                *[("replace-cards-by-discarded",) for _ in self.discards[:1]],
            ],
            "DISCARDING_7_8": pick_own,
            "DISCARDING_11_12": pick_own,
            "DISCARDING_9_10": pick_anothers,
            "PICKING_ANOTHERS_CARD_FOR_EXCHANGE": pick_anothers,
        }
        return by_state[self.state]

    def _ready(self, own: Sequence[int], claims: Sequence[Request]) -> list[Request]:
        listed: list[Request] = [("take-card-from-deck",)]
        if self.stopper is None:
            listed.append(("stop-round",))
        if self.first_variant:
            listed += claims
        if self.discards and self.first_variant:
            listed += [("replace-card-by-discarded", one) for one in own]
        elif self.discards:
            listed.append(("take-discarded-card",))
        return listed

    def _powers(self, own: Sequence[int], there: Sequence[tuple[int, int]]) -> Iterator[Request]:
        face = self.discards[-1].face
        if face in PEEKS:
            yield from (("peek-own-card", place) for place in own)
        elif face in LOOKS:
            yield from (("peek-anothers-card", one) for one in there)
        else:
            yield from (("exchange-cards", place, one) for place in own for one in there)

    # What seats do.

    def act(self, request: Request) -> None:
        """Do what the acting seat chose; that it may was asked before."""
        assert request in self.choices()
        seat, kind = self.acting, request[0]
        match kind, request[1:]:
            case "start-game" | "start-next-round", _:
                self.round += 1
                self._begin()
            case "take-card-from-deck", _:
                self.in_hand = self.stock.pop(0)
                self.source = "deck"
                self.tell("took", seat=seat, source="deck")
                self._busy("DECK_CARD_TAKEN", self._showing([self.in_hand], [seat]))
            case "take-discarded-card", _:
                self.source = "discard"
                self.tell("took", seat=seat, source="discard")
                self.state = "DISCARDED_CARD_TAKEN"
            case "stop-round", _:
                self.stopper, self.turns_left = seat, len(self.seats) - 1
                self.tell("stopped", seat=seat)
                self._busy("ROUND_STOPPING", ("acks", self._end_turn))
            case "show-cards", (places,):
                assert isinstance(places, tuple)
                self._claim(seat, places)
            case "discard", _:
                self._discard(seat)
            case _:
                self._other(seat, str(kind), request[1:])

    def _other(self, seat: int, kind: str, names: Sequence[object]) -> None:
        """Act on one's own card, another's, or both."""
        own = [name for name in names if isinstance(name, int)]
        there = [name for name in names if isinstance(name, tuple)]
        if kind == "replace-card-by-discarded":
            self._replace("discard", own)
        elif kind == "replace-card-from-deck":
            self._replace("deck", own)
        elif kind.startswith("replace-cards"):
            self._replace("deck" if kind.endswith("deck") else "discard", self.chosen)
        elif there and (own or self.chosen):
            self._exchange(seat, (own or self.chosen)[0], there[0])
        elif self.state == "DISCARDING_11_12":
            self.chosen = own
            self.state = "PICKING_ANOTHERS_CARD_FOR_EXCHANGE"
        elif self.state.startswith(("DISCARDING", "AWAITING_POWER")):
            self._look(seat, there[0] if there else (seat, own[0]))
        else:
            assert self.source is not None
            self._replace(self.source, own)

    def _claim(self, seat: int, places: Sequence[int]) -> None:
        self.chosen = list(places)
        self.tell("claimed", seat=seat, places=tuple(places))
        shown = [self.hands[seat][place] for place in places]
        others = [other for other in self.seats if other != seat]
        self._busy("SHOWING_CARDS", self._showing(shown, others), ("compare", self._decide))

    def _decide(self) -> None:
        seat, places = self.acting_now(), tuple(self.chosen)
        shown = [self.hands[seat][place] for place in places]
        equal = all(card.face == shown[0].face for card in shown)
        self.tell("compared", seat=seat, places=places, equal=equal)
        if equal and self.first_variant:
            self.state = "AWAITING_REPLACEMENT"
        elif equal:
            assert self.source is not None
            self._replace(self.source, self.chosen)
        elif self.source == "deck":
            assert self.in_hand is not None
            card, self.in_hand = self.in_hand, None
            self.discards.append(card)

            def shown_plain() -> None:
                card.show(self.seats, self.seats)
                self.tell("discarded", seat=seat, face=str(card.face))
                self._end_turn()

            self._busy("DISCARDING_PLAIN", ("show", shown_plain))
        else:
            self._end_turn()

    def _discard(self, seat: int) -> None:
        assert self.in_hand is not None
        card, self.in_hand, self.source = self.in_hand, None, None
        card.show(self.seats, self.seats)
        self.discards.append(card)
        self.tell("discarded", seat=seat, face=str(card.face))
        has_power = card.face in (*PEEKS, *LOOKS, *SWAPS)
        if self.first_variant:
            state = "DISCARDING"
        elif has_power:
            low = card.face - (card.face + 1) % 2
            state = f"DISCARDING_{low}_{low + 1}"
        else:
            state = "DISCARDING_PLAIN"
        self._busy(state, ("acks", self._power if has_power else self._end_turn))

    def _power(self) -> None:
        if self.first_variant:
            self.state = "AWAITING_POWER"

    def _replace(self, source: str, places: Sequence[int]) -> None:
        seat = self.acting_now()
        self.source, self.chosen = source, list(places)
        if source == "discard":
            new = self.discards.pop()
        elif self.in_hand is not None:
            new, self.in_hand = self.in_hand, None
        else:
            new = self.stock.pop(0)
        hand = self.hands[seat]
        old = [hand[place] for place in places]
        hand[places[0]] = new
        self.hands[seat] = [card for card in hand if card not in old]
        self.discards += old
        job = self._showing(old, self.seats) if not all(c.is_open for c in old) else _nothing()
        many = "MULTIPLE_CARDS" if len(places) > 1 else "CARD"
        origin = "FROM_DECK" if source == "deck" else "BY_DISCARDED"
        state = f"REPLACING_{many}_{origin}" if self.first_variant else "REPLACING_CARDS"

        def done() -> None:
            job[1]()
            face = str(self.discards[-1].face)
            where = tuple(self.chosen)
            self.tell("replaced", seat=seat, places=where, source=source, face=face)
            self._end_turn()

        self._busy(state, (job[0], done))

    def _look(self, seat: int, there: tuple[int, int]) -> None:
        owner, place = there
        self.tell("peeked", seat=seat, owner=owner, place=place)
        verb = "PEEKING" if self.first_variant else "SEEING"
        state = f"{verb}_{'OWN' if owner == seat else 'ANOTHERS'}_CARD"
        card = self.hands[owner][place]
        self._busy(state, self._showing([card], [seat]), ("acks", self._end_turn))

    def _exchange(self, seat: int, place: int, there: tuple[int, int]) -> None:
        other, its = there
        self.hands[seat][place], self.hands[other][its] = (
            self.hands[other][its],
            self.hands[seat][place],
        )
        self.tell("exchanged", seat=seat, place=place, other=other, other_place=its)
        state = "EXCHANGING_CARDS" if self.first_variant else "EXCHANGING_CARD"
        self._busy(state, ("acks", self._end_turn))

    # What chance and the table do.

    def advance(self, order: Sequence[int] = (), coin: int | None = None) -> None:
        """Do what is awaited; the order of a deck and the side of a coin are told."""
        name, job = self.jobs.pop(0)
        if name == "deck":
            job(order, coin)
        elif name == "coin":
            job(coin)
        else:
            job()

    def _busy(self, state: str, *jobs: tuple[str, Callable[..., None]]) -> None:
        self.state, self.jobs = state, list(jobs)

    def _showing(
        self, cards: Sequence[Card], seats: Sequence[int]
    ) -> tuple[str, Callable[[], None]]:
        def job() -> None:
            for card in cards:
                card.show(seats, self.seats)

        return ("show", job)

    def _begin(self) -> None:
        # The cards lie where they are until the deck is shuffled.
        self._clear()
        self._busy("ROUND_STARTING", ("deck", self._deal))

    def _deal(self, order: Sequence[int], coin: int | None) -> None:
        assert sorted(order) == sorted(face for face, n in COPIES.items() for _ in range(n))
        assert (self.starter is None) == (coin is not None)
        if coin is not None:
            self.starter = self.seats[coin]
        self._lay_out([Card(face) for face in order])
        shows: list[tuple[str, Callable[[], None]]] = []
        for seat in self.seats:
            self.hands[seat], self.stock = self.stock[:4], self.stock[4:]
            shows.append(self._showing(self.hands[seat][:2], [seat]))
        (name, last) = shows.pop()

        def ready() -> None:
            last()
            self.turn, self.active = 1, self.starter
            self.tell("dealt", round=self.round, seat=self.starter)
            self.state = "READY_FOR_TURN"

        self.jobs = [*shows, (name, ready)]

    def _end_turn(self) -> None:
        if self.turns_left is not None and self.state != "ROUND_STOPPING":
            self.turns_left -= 1
        seat = self.acting_now()
        self.source, self.chosen = None, []
        if not self.stock:
            self.tell("exhausted")
        if self.stock and self.turns_left != 0:
            self.turn += 1
            self.active = self._after(seat, self.seats)
            self.state = "READY_FOR_TURN"
            return
        self.active = None
        hidden = [card for one in self.seats for card in self.hands[one]]

        def opened() -> None:
            for card in hidden:
                card.show(self.seats, self.seats)
            self._count()

        self._busy("ROUND_SCORING", ("show", opened))

    def _count(self) -> None:
        sums = {seat: sum(card.face for card in self.hands[seat]) for seat in self.seats}
        self.points = round_points(sums, self.stopper)
        before = dict(self.totals)
        for seat, points in self.points.items():
            self.totals[seat] = summed(before[seat], points, self.limit)
        winners = tuple(seat for seat in self.seats if self.points[seat] == 0)
        self.tell(
            "round-finished",
            round=self.round,
            turns=self.turn,
            seats=winners,
            points=tuple(sorted(self.points.items())),
            totals=tuple(sorted(self.totals.items())),
        )
        if self.stopper is not None and self.stopper not in winners:
            self.tell("stopped-in-vain", seat=self.stopper)
        for seat in sorted(self.points):
            if before[seat] + self.points[seat] == self.limit:
                self.tell("halved", seat=seat)
        self._end_round()

    def _end_round(self) -> None:
        if max(self.totals.values()) > self.limit:
            self.starter = None
            if self.first_variant:
                self._finish()
            else:
                self._busy("ROUND_FINISHED", ("acks", self._finish))
            return
        least = min(self.points[seat] for seat in self.seats)
        best = [seat for seat in self.seats if self.points[seat] == least]
        if len(best) == 1:
            self._begun_by(best[0])
            return
        self.starter = None
        self._busy("ROUND_SCORING", ("coin", lambda side: self._begun_by(best[side])))

    def _begun_by(self, seat: int) -> None:
        self.starter = seat
        self.tell("begins", seat=seat)
        self._busy("ROUND_FINISHED", _nothing())

    def _finish(self) -> None:
        self.state, self.jobs = "GAME_FINISHED", []
        self.active = self.starter = self.stopper = self.turns_left = self.source = None
        self.chosen = []
        least = min(self.totals[seat] for seat in self.seats)
        winners = tuple(seat for seat in self.seats if self.totals[seat] == least)
        self.tell("won", seats=winners, points=least)

    def places(self) -> list[tuple[int, ...]]:
        """Return the places when the game is over."""
        levels = sorted({self.totals[seat] for seat in self.seats})
        stayed = [tuple(s for s in self.seats if self.totals[s] == level) for level in levels]
        return [*stayed, *reversed(self.gone)]

    def leave(self, gone: Sequence[int]) -> None:
        """Go on without these seats."""
        if self.is_over:
            return
        order = list(self.seats)
        self.seats = [seat for seat in order if seat not in gone]
        self.gone.append(tuple(sorted(gone)))
        self.tell("left", seats=tuple(sorted(gone)))
        if len(self.seats) == 1:
            self._finish()
        elif self.state == "AWAITING_START":
            pass
        elif self.points:
            if self.starter in self.seats:
                self._busy("ROUND_FINISHED", _nothing())
            else:
                self._end_round()
        else:
            if self.round == 1:
                self.starter = None
            elif self.starter not in self.seats:
                assert self.starter is not None
                self.starter = self._after(self.starter, order)
            self.tell("voided", round=self.round)
            self._begin()

    def acting_now(self) -> int:
        """Return whose turn it is."""
        assert self.active is not None
        return self.active

    def _after(self, seat: int, order: Sequence[int]) -> int:
        at = order.index(seat)
        return next(s for s in [*order[at + 1 :], *order[:at]] if s in self.seats)

    def _size(self, seat: int) -> int:
        return len(self.hands.get(seat, []))

    def tell(self, kind: str, **fields: object) -> None:
        """Note an event."""
        self.told.append((kind, fields))


def _nothing() -> tuple[str, Callable[[], None]]:
    return ("acks", lambda: None)
