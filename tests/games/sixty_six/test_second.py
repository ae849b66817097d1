"""Two programs that were written apart from one another play the same games of 66.

Whole games by chance and by bots, with all numbers of seats, both variants, and seats that leave at
any time. At every halt the cards, who has seen which of them, and what was told must agree; at the
turns also what may be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nodealer.bots import bot_for
from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import Action, Bot, Event
from nodealer.games.dealer import PlainDealer
from nodealer.games.effects import Acks, Coin, Compare, Effect, NewDeck, Show
from nodealer.games.registry import game, resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.sentences import _SENTENCES
from nodealer.games.sixty_six.state import TRANSITIONS, State
from nodealer.games.sixty_six.turns import taken
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance
from tests.games.sixty_six.positions import KindBot
from tests.games.sixty_six.second import Card, Request, SecondSixtySix
from tests.games.test_macaua_second import HeardChance

ACTIONS_MAX = 10_000
LEAVING_PERCENT = 3

AWAITED: dict[type[Effect], str] = {
    NewDeck: "deck",
    Coin: "coin",
    Show: "show",
    Compare: "compare",
    Acks: "acks",
}


class Both:
    """One game, played by both."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance("second", seed)
        self.heard = HeardChance("second cards", seed)
        places = list(range(10))
        self.chance.shuffle(places)
        seats = sorted(places[: 2 + self.chance.below(4)])
        variant = self.chance.pick(("v1", "v2"))
        version, limit = self.chance.pick(((1, 66), (2, 66), (2, 30), (2, 13)))
        rules = game("66", version)
        given = {"variant": variant} | ({"limit": limit} if version > 1 else {})
        self.dealer: PlainDealer[State] = PlainDealer(
            rules,
            [Seat(number) for number in seats],
            resolve(rules, len(seats), given),
            self.heard,
        )
        self.second = SecondSixtySix(seats, variant, limit)
        self.leaves = self.chance.happens(30)
        # Where nobody stops a round, the deck comes to its end.
        self.never_stops = self.chance.happens(20)
        self.seen: Counter[str] = Counter([f"version {version}", f"limit {limit}"])
        self.heard_of = 0

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
            effect = self.dealer._effects[0]
            assert self.second.awaits == AWAITED[type(effect)]
            self.dealer.advance()
            self.advance(effect)
            self.compare()
        assert self.second.awaits is None

    def advance(self, effect: Effect) -> None:
        match effect:
            case NewDeck(coin=coin):
                order = [int(str(face)) for face in self.heard.order]
                self.second.advance(order, self.heard.side if isinstance(coin, Coin) else None)
            case Coin():
                self.second.advance(coin=self.heard.side)
            case _:
                self.second.advance()

    def maybe_leave(self) -> bool:
        """Leave somebody out now and then; return whether effects are under way."""
        is_over = self.dealer.result() is not None
        if self.leaves and not is_over and self.chance.happens(LEAVING_PERCENT):
            seats = list(self.dealer.seats)
            self.chance.shuffle(seats)
            gone = seats[: 1 + self.chance.below(min(2, len(seats) - 1))]
            self.seen[f"left in {self.second.state}"] += 1
            self.dealer.leave(gone, "void")
            self.second.leave(gone)
            self.compare()
        return self.dealer.underway

    def act(self) -> None:
        seat = Seat(self.second.acting)
        legal = {self.told(chosen): chosen for chosen in self.dealer.legal(seat)}
        listed = self.second.choices()
        assert len(set(listed)) == len(listed)
        assert set(legal) == set(listed)
        if self.never_stops:
            legal = {one: chosen for one, chosen in legal.items() if one != ("stop-round",)}
        sensible = seat % 2 and not self.chance.happens(15)
        bot: Bot = bot_for(SIXTY_SIX) if sensible else KindBot()
        chosen = bot.choose(self.dealer.view(seat), list(legal.values()), self.chance)
        self.dealer.begin(seat, chosen)
        self.second.act(self.told(chosen, legal))

    def told(self, chosen: Action, legal: dict[Request, Action] | None = None) -> Request:
        """Return an action as a request, cards by places; or the one that it was before."""
        if legal is not None:
            return next(one for one, other in legal.items() if other == chosen)
        fields = dict(chosen.fields)
        if "cards" in fields:
            return (chosen.kind, tuple(self.place(s)[1] for s in chosen.slots("cards")))
        if chosen.kind == "discard":
            return (chosen.kind,)
        found: list[object] = []
        for name in fields:
            seat, place = self.place(chosen.slots(name)[0])
            found.append(place if seat == self.second.acting else (seat, place))
        return (chosen.kind, *found)

    def place(self, slot: SlotId) -> tuple[int, int]:
        for seat in self.dealer.seats:
            lying = self.dealer.board.at(hand(seat))
            if slot in lying:
                return seat, lying.index(slot)
        raise AssertionError("the card lies in a hand")

    def compare(self) -> None:
        """Compare all that there is."""
        state, second = self.dealer.state, self.second
        self.seen[state.phase.value] += 1
        assert (state.phase.value, state.round, state.turn) == (
            second.state,
            second.round,
            second.turn,
        )
        assert (state.active, state.starter, state.stopper) == (
            second.active,
            second.starter,
            second.stopper,
        )
        assert (state.stop_counter, state.source) == (second.turns_left, second.source)
        assert state.chosen == tuple(second.chosen)
        assert list(state.seats) == second.seats
        assert dict(state.totals) == second.totals
        assert dict(state.points) == second.points
        assert list(state.left) == second.gone
        new = [plain(happened) for happened in self.dealer.events[self.heard_of :]]
        assert new == second.told[self.heard_of :]
        self.heard_of += len(new)
        self.compare_cards()

    def compare_cards(self) -> None:
        second, board = self.second, self.dealer.board
        zones = [(STOCK, second.stock), (DISCARD, second.discards)]
        zones += [(hand(seat), second.hands.get(seat, [])) for seat in self.dealer.seats]
        if second.active is not None:
            held = [second.in_hand] if second.in_hand is not None else []
            zones.append((taken(Seat(second.active)), held))
        for zone, cards in zones:
            lying = [self.seen_of(slot) for slot in board.at(zone)]
            assert lying == [told_of(card, self.second.seats) for card in cards]

    def seen_of(self, slot: SlotId) -> tuple[int, bool, frozenset[int]]:
        """Return the face of a slot, whether it is open, and which seats see it."""
        pack = self.dealer.pack
        viewers = frozenset(seat for seat in self.dealer.seats if slot in pack.notebooks[seat])
        is_open = slot in pack.board.faces
        return int(pack.faces[slot]), is_open, frozenset() if is_open else viewers

    def compare_end(self) -> None:
        standing = self.dealer.result()
        assert standing is not None
        assert self.second.is_over
        assert [tuple(sorted(place)) for place in standing.places] == self.second.places()
        assert dict(standing.points) == self.second.totals
        self.seen.update(f"event {kind}" for kind, _ in self.second.told)
        for kind, fields in self.second.told:
            if kind == "compared":
                self.seen["alike" if fields["equal"] else "not alike"] += 1


def told_of(card: Card, seats: Sequence[int]) -> tuple[int, bool, frozenset[int]]:
    viewers = frozenset(card.seen & set(seats))
    return card.face, card.is_open, frozenset() if card.is_open else viewers


def plain(happened: Event) -> tuple[str, dict[str, object]]:
    return happened.kind, dict(happened.fields)


def play_both(games: int, first: int = 0) -> Counter[str]:
    """Play games by both programs; return what was seen in them."""
    seen: Counter[str] = Counter()
    for seed in range(first, first + games):
        both = Both(seed)
        both.play()
        seen += both.seen
    return seen


STATES = {row.target for rows in TRANSITIONS.values() for row in rows}


def test_two_programs_play_the_same_games(is_full: bool) -> None:
    seen = play_both(1000 if is_full else 60)
    wanted = {f"event {kind}" for kind in _SENTENCES} | {"alike", "not alike"} | STATES
    wanted |= {"version 1", "version 2", "limit 66", "limit 30", "limit 13"}
    assert not wanted - set(seen)
