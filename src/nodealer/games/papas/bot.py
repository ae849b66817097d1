"""A sensible player of Papas: gathers trios, takes what it can, and spares its strongest no.

It gives every action a worth and takes the best one. Cards that end the turn are worth less than
those that do not, so they come last. What it says in a window depends on what the play would do:
anything that reaches the threshold is answered with whatever there is; Te dije que no poh is else
spared for trios that pay well; a No poh goes to what hurts this seat, or to anything if there are
many.

It always gets on: every turn brings a card, and what helps to no trio is played or discarded first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Final

from nodealer.games.api import Action, SensibleBot, View
from nodealer.games.papas import cards
from nodealer.games.papas.choices import own_cards, playing_of
from nodealer.games.papas.reactions import SKIP
from nodealer.games.papas.state import seats_after
from nodealer.kernel import Seat, SlotId

REACHED: Final = 1000
"""The worth of what ends the game with this seat first."""

TRIO_WORTH: Final = 10
"""Of each golden potato that a trio pays."""

PLAY_WORTHS: Final[Mapping[str, int]] = {
    cards.OF_THE_YEAR: 12,
    cards.DAWAN: 9,
    cards.BUCK: 8,
    cards.POPE: 8,
    cards.SPIDER: 8,
    cards.DESTINY: 7,
    cards.PONY: 6,
    cards.AHEAD: 5,
    cards.JUMP: 5,
    cards.PAPAGEDDON: 5,
    cards.HARRY: 4,
    cards.RUNAWAY: 3,
}
"""Of a card that has something to do; the alarm cards below the others."""

KEEPING_WORTHS: Final[Mapping[str, int]] = {
    cards.OF_THE_YEAR: 9,
    cards.WILDCARD: 9,
    cards.TE_DIJE: 7,
    cards.FRIES: 6,
    cards.DAWAN: 6,
    cards.PONY: 6,
    cards.NO_POH: 5,
    cards.DUCHESSES: 5,
    cards.BUCK: 4,
    cards.POPE: 4,
}
"""Of a card in hand; of all others 3."""

INTERRUPTS_KEPT: Final = 2
"""More of them than that would fill the hand."""

WILDCARD_COST: Final = 4

CHANGE_WORTH: Final = 3
"""Of three cards for the last one; less than most plays, which end in three new cards as well."""

IN_VAIN: Final = -1

MUCH_LARGER: Final = 2
"""An exchange of hands, or a hand discarded, is worth it for so many cards."""


def _worths(view: View, legal: Sequence[Action]) -> list[float]:
    sight = _Sight.of(view)
    if view.owes_choice:
        wanted = sight.answer({chosen.kind for chosen in legal})
        return [chosen.kind == wanted for chosen in legal]
    return [sight.worth_of(chosen) for chosen in legal]


SENSIBLE_BOT: Final = SensibleBot(_worths)


@dataclass(frozen=True, slots=True)
class _Sight:
    """The sight of the bot: its hand, how many cards and golden potatoes everybody has."""

    view: View
    own: Seat
    hand: Mapping[SlotId, str]
    held: Mapping[Seat, int]
    golden: Mapping[Seat, int]

    @classmethod
    def of(cls, view: View) -> _Sight:
        assert view.viewer is not None, "a bot has a seat"
        golden = {seat: int(str(count)) for seat, count in view.by_seat("golden").items()}
        held = {seat: len(view.zone("hand", seat)) for seat in view.seats}
        hand = {card.slot: card.face for card in own_cards(view) if card.face}
        return cls(view, view.viewer, hand, held, golden)

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.view.seats if seat != self.own]

    def worth_of(self, chosen: Action) -> int:
        """Return what an action of the own turn is worth."""
        return _WORTHS[chosen.kind](self, chosen)

    def threesome(self, chosen: Action) -> int:
        """Return what a trio is worth: its golden potatoes, less what its cards could do."""
        faces = [self.hand[slot] for slot in chosen.slots("cards")]
        pays = cards.trio_pays(faces)
        if self._reaches(self.own, pays):
            return REACHED
        return pays * TRIO_WORTH - sum(
            WILDCARD_COST if face == cards.WILDCARD else cards.CARDS[face].value for face in faces
        )

    def play(self, chosen: Action) -> int:
        """Return what a card is worth to be played."""
        (slot,) = chosen.slots("card")
        face = self.hand[slot]
        gains = {cards.OF_THE_YEAR: 1, cards.PONY: int(self._richest() > 0)}.get(face, 0)
        if gains and self._reaches(self.own, gains):
            return REACHED
        return PLAY_WORTHS[face] if self._does_something(face) else IN_VAIN

    def aim(self, chosen: Action) -> int:
        """Return what it is worth to aim a card at seats."""
        (face,), _ = playing_of(self.view)
        seats = _seats(chosen)
        if face in (cards.PONY, cards.AHEAD):
            return self.golden[seats[0]]
        if face == cards.SPIDER:
            return self._exchange(*seats)
        return self.held[seats[0]]

    def taking(self, chosen: Action) -> int:
        """Return what a card is worth that is taken; of those it cannot see, all are alike."""
        (slot,), (_, (target,)) = chosen.slots("card"), playing_of(self.view)
        seen = {card.slot: card.face for card in self.view.zone("hand", target)}
        face = seen[slot]
        return 0 if face is None else self._keeping(face)

    def naming(self, chosen: Action) -> int:
        """Return what it is worth to ask for a card: for a good one that is likely to be there."""
        face = str(chosen.get("name"))
        seen = Counter(card.face for zone in self.view.zones for card in zone.cards if card.face)
        return (cards.CARDS[face].copies - seen[face]) * self._keeping(face)

    def discarding(self, chosen: Action) -> int:
        """Return what it is worth to get rid of a card."""
        (slot,) = chosen.slots("card")
        return -self._keeping(self.hand[slot])

    def _does_something(self, face: str) -> bool:
        largest = max(self.held[seat] for seat in self.others)
        match face:
            case cards.PONY | cards.AHEAD:
                return self._richest() > 0
            case cards.DESTINY:
                return largest >= 2 * MUCH_LARGER
            case cards.SPIDER:
                pairs = combinations(self.view.seats, 2)
                return max(self._exchange(*pair) for pair in pairs) >= MUCH_LARGER
            case cards.BUCK | cards.DAWAN | cards.POPE | cards.RUNAWAY:
                return largest > 0
            case _:
                return True

    def _exchange(self, one: Seat, other: Seat) -> int:
        """Return how much an exchange of hands brings, or takes from who is nearest to the end."""
        leader = max(self.others, key=lambda seat: self.golden[seat])
        if self.own in (one, other):
            partner = other if one == self.own else one
            return 2 * (self.held[partner] - self.held[self.own])
        if leader not in (one, other):
            return IN_VAIN
        return self.held[leader] - self.held[other if one == leader else one]

    def _keeping(self, face: str) -> int:
        alike = Counter(self.hand.values())[face]
        if face in cards.INTERRUPTS and alike > INTERRUPTS_KEPT:
            return 0
        usual = KEEPING_WORTHS.get(face, 3)
        return usual + 2 * alike if face in cards.POTATOES else usual

    def answer(self, possible: set[str]) -> str:
        """Return what to say in the window."""
        faces, _ = playing_of(self.view)
        said = self.view.facts["said"]
        assert isinstance(said, tuple), "what was said is a list"
        is_mine = self.view.facts["turn"] == self.own
        if is_mine == (len(said) % 2 == 0):
            return SKIP
        dire = is_mine or self._would_reach(faces)
        strong = dire or cards.trio_pays(faces) > 1
        has_many = Counter(self.hand.values())[cards.NO_POH] > INTERRUPTS_KEPT
        if cards.NO_POH in possible and (dire or has_many or self._hurts(faces)):
            return cards.NO_POH
        return cards.TE_DIJE if strong and cards.TE_DIJE in possible else SKIP

    def _would_reach(self, faces: tuple[str, ...]) -> bool:
        """Whether the play ends the game if nobody says no."""
        actor, (_, targets) = self._actor(), playing_of(self.view)
        pays = cards.trio_pays(faces)
        if faces == (cards.OF_THE_YEAR,):
            pays = 1
        elif faces == (cards.PONY,):
            pays = min(self.golden[targets[0]], 1)
        return pays > 0 and self._reaches(actor, pays)

    def _hurts(self, faces: tuple[str, ...]) -> bool:
        """Whether a single card takes from this seat what is worth a No poh."""
        _, targets = playing_of(self.view)
        if faces == (cards.PAPAGEDDON,):
            return self._is_next() and self._has_spare()
        if len(faces) > 1 or self.own not in targets:
            return False
        smallest = min(self.held[seat] for seat in targets)
        is_rich = self.golden[self.own] > 0
        return {
            cards.PONY: is_rich,
            cards.AHEAD: is_rich,
            cards.DESTINY: self.held[self.own] >= 2 * MUCH_LARGER,
            cards.SPIDER: self.held[self.own] >= smallest + MUCH_LARGER,
            cards.BUCK: self._has_spare(),
        }.get(faces[0], True)

    def _has_spare(self) -> bool:
        return Counter(self.hand.values())[cards.NO_POH] > 1

    def _is_next(self) -> bool:
        direction = 1 if self.view.facts["direction"] == 1 else -1
        return seats_after(self._actor(), self.view.seats, direction)[0] == self.own

    def _actor(self) -> Seat:
        turn = self.view.facts["turn"]
        assert isinstance(turn, int), "somebody has played"
        return Seat(turn)

    def _richest(self) -> int:
        return max(self.golden[seat] for seat in self.others)

    def _reaches(self, seat: Seat, gained: int) -> bool:
        threshold = self.view.facts["threshold"]
        assert isinstance(threshold, int), "there is a threshold"
        return self.golden[seat] + gained >= threshold


def _seats(chosen: Action) -> list[Seat]:
    named = chosen.get("seats")
    assert isinstance(named, tuple), "seats are chosen"
    return [Seat(seat) for seat in named if isinstance(seat, int)]


_WORTHS: Final[Mapping[str, Callable[[_Sight, Action], int]]] = MappingProxyType(
    {
        "play-threesome": _Sight.threesome,
        "play-card": _Sight.play,
        "select-targets": _Sight.aim,
        "select-card": _Sight.taking,
        "select-card-name": _Sight.naming,
        "discard-card": _Sight.discarding,
        "discard-and-draw": lambda *_: CHANGE_WORTH,
        "end-turn": lambda *_: 0,
    }
)
"""What the kinds of action are worth."""
