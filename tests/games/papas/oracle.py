"""Papas a second time, written from the page of rules alone.

It shares nothing with the game: no code, no data, not even names. It reads a record of a game as
somebody reads who watches: what everybody did, and what was said to have happened, which has the
faces of all cards that became open, the places that changed hands, and how coins fell. It knows no
hidden card. It follows the game by the page, and objects to whatever the page does not allow or
does not say.

A record is a list of `Deed` and `Word`, in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ALONE = {
    "get-off-the-pony": (2, True, 1),
    "lend-me-a-buck": (1, False, 1),
    "runaway-potatoes": (3, False, 0),
    "harry-potato": (1, True, 0),
    "pope-potato": (3, False, 1),
    "look-ahead": (3, True, 1),
    "potato-of-the-year": (2, False, 0),
    "potato-of-destiny": (3, False, 1),
    "potato-dawan": (3, False, 1),
    "jump-to-the-side": (3, True, 0),
    "papageddon": (3, True, 0),
    "spider-potato": (3, False, 2),
}
"""What can be played alone: its value, whether it is an alarm card, and at how many it is aimed."""

IN_TRIOS = {"potato": 1, "duchesses-potatoes": 2, "french-fries": 3}
NAMES = {*ALONE, *IN_TRIOS, "wildcard", "no-poh", "te-dije-que-no-poh"}
CARDS_IN_ALL = 103


@dataclass(frozen=True)
class Deed:
    """Something that a player did."""

    player: int
    kind: str
    said: Mapping[str, object]


@dataclass(frozen=True)
class Word:
    """Something that was told."""

    kind: str
    said: Mapping[str, object]

    def number(self, name: str) -> int:
        value = self.said[name]
        assert isinstance(value, int)
        return value

    def numbers(self, name: str) -> list[int]:
        value = self.said[name]
        assert isinstance(value, tuple)
        return [number for number in value if isinstance(number, int)]

    def words(self, name: str) -> list[str]:
        value = self.said[name]
        assert isinstance(value, tuple)
        return [word for word in value if isinstance(word, str)]


class ObjectionError(Exception):
    """The page does not allow it, or says something else."""


class SomebodyLeftError(Exception):
    """The game is interrupted, because somebody leaves."""


def insist(holds: object, objection: str) -> None:
    """Object unless something is so."""
    if not holds:
        raise ObjectionError(objection)


def worth(cards: Sequence[str]) -> int:
    """Return the golden potatoes that the page gives three cards."""
    if all(card == "wildcard" for card in cards):
        return 3
    potatoes = {card for card in cards if card != "wildcard"}
    if len(potatoes) == 1 and min(potatoes) in IN_TRIOS:
        return IN_TRIOS[min(potatoes)]
    return int(all(card in ALONE and ALONE[card][0] == 3 for card in cards))


class Oracle:
    """One game; who reads it asks `follow`."""

    def __init__(
        self, players: list[int], options: Mapping[str, object], record: Sequence[Deed | Word]
    ) -> None:
        self.players = sorted(players)
        self.options = options
        self.record = list(record)
        self.at = 0
        count = len(players)
        self.goal = {2: 8, 3: 8, 4: 6, 5: 6, 6: 5}[count]
        self.gone: list[list[int]] = []
        self.is_over = False
        self._anew()

    def _anew(self) -> None:
        self.golden = dict.fromkeys(self.players, 0)
        self.hands: dict[int, list[int]] = {player: [] for player in self.players}
        self.faces: dict[int, str] = {}
        self.discards: list[int] = []
        self.stock = 0
        self.player = -1
        self.way = 1
        self.passed_over: int | None = None
        self.turns = 1
        self.sizes: dict[int, int] = dict.fromkeys(self.players, 5)
        self.is_dealt = False
        self.has_played = False
        self.is_closing = False
        self.to_draw = 0

    # Reading the record.

    def follow(self) -> None:
        """Read the whole record."""
        while not self.is_over:
            try:
                self._game()
            except SomebodyLeftError:
                self._leave()
        insist(self.at == len(self.record), "nothing happens after the end")

    def _next(self) -> Deed | Word:
        insist(self.at < len(self.record), "the game goes on")
        item = self.record[self.at]
        if isinstance(item, Word) and item.kind == "left":
            raise SomebodyLeftError
        self.at += 1
        return item

    def _hear(self, kind: str, **said: object) -> Word:
        item = self._next()
        if not isinstance(item, Word) or item.kind != kind:
            raise ObjectionError(f"{kind} happens, not {item}")
        for name, value in said.items():
            insist(item.said[name] == value, f"{name} is {value} in {item}")
        return item

    def _see(self) -> Deed:
        item = self._next()
        if not isinstance(item, Deed):
            raise ObjectionError(f"somebody has to act before {item}")
        return item

    # The game.

    def _game(self) -> None:
        if not self.is_dealt:
            self._deal()
        if self.is_closing:
            self._close()
        while not self.is_over:
            self._turn()

    def _deal(self) -> None:
        word = self._hear("dealt")
        begins = word.number("seat")
        insist(begins in self.players, "a player begins")
        insist(self.player in (-1, begins), "it goes on with the same player")
        self.player = begins
        hands = word.said["hands"]
        assert isinstance(hands, tuple)
        self.hands = {player: list(slots) for player, slots in hands}
        sizes = {player: len(slots) for player, slots in self.hands.items()}
        insist(sizes == self.sizes, f"hands are of {self.sizes}")
        self.stock = CARDS_IN_ALL - sum(sizes.values()) - len(self.discards)
        self.is_dealt = True

    def _turn(self) -> None:
        """Follow what a player does until the turn is over."""
        while True:
            hand = self.hands[self.player]
            if not hand:
                self._hear("empty", seat=self.player)
                self.is_closing, self.to_draw = True, 3
                break
            deed = self._see()
            insist(deed.player == self.player, f"it is not the turn of {deed.player}")
            if deed.kind == "end-turn":
                self.is_closing, self.to_draw = True, 1
                break
            if deed.kind == "discard-and-draw":
                self._change(deed)
                self.is_closing, self.to_draw = True, 3
                break
            insist(deed.kind in ("play-card", "play-threesome"), f"{deed.kind} in a turn")
            ends = self._single(deed) if deed.kind == "play-card" else self._trio(deed)
            self.has_played = True
            if self.golden[self.player] >= self.goal:
                self._finish("threshold")
                return
            if ends:
                self.is_closing, self.to_draw = True, 1
                break
        self._close()

    def _close(self) -> None:
        """Follow the end of a turn: the draw, the discards, and whose turn it is next."""
        while self.to_draw:
            if not self._draw_some(self.player, "to_draw"):
                break
        self.to_draw = 0
        hand = self.hands[self.player]
        if len(hand) > 7:
            self._hear("surplus", seat=self.player, count=len(hand) - 7)
        while len(hand) > 7:
            deed = self._see()
            insist((deed.player, deed.kind) == (self.player, "discard-card"), "a card is discarded")
            slot = self._own(deed, "card")
            word = self._hear("discarded", seat=self.player, owed=len(hand) - 8, slots=(slot,))
            self._lay([slot], [str(word.said["card"])])
        if self.turns == self.options.get("max_turns"):
            self._finish("turns")
            return
        self._pass()

    def _pass(self) -> None:
        first, *others = self._after(self.player)
        if first == self.passed_over:
            self._hear("skipped", seat=first)
            self.passed_over = None
            first = [*others, self.player][0]
        self._hear("turn", seat=first, number=self.turns + 1)
        self.player, self.turns = first, self.turns + 1
        self.has_played = self.is_closing = False

    def _finish(self, why: str) -> None:
        most = max(self.golden.values())
        winners = tuple(player for player in self.players if self.golden[player] == most)
        self._hear("won", seats=winners, golden=most, why=why)
        self.is_over = True

    # What players do.

    def _change(self, deed: Deed) -> None:
        hand = self.hands[self.player]
        insist(len(hand) == 1, "a last card is changed")
        insist(
            self.options.get("one_card") != "turn-start" or not self.has_played,
            "a last card is changed before anything is played",
        )
        slot = self._own(deed, "card")
        word = self._hear("changed", seat=self.player, slots=(slot,))
        self._lay([slot], [str(word.said["card"])])

    def _trio(self, deed: Deed) -> bool:
        slots = self._own_ones(deed, "cards")
        insist(len(slots) == 3, "a trio is of three cards")
        word = self._hear("played", seat=self.player, slots=slots)
        cards = word.words("cards")
        insist(worth(cards), f"{cards} are a trio")
        self._lay(slots, cards)
        if self._is_let_through(cards):
            self._hear("paid", seat=self.player, golden=worth(cards))
            self.golden[self.player] += worth(cards)
        return False

    def _single(self, deed: Deed) -> bool:
        slot = self._own(deed, "card")
        word = self._hear("played", seat=self.player, slots=(slot,))
        (card,) = word.words("cards")
        insist(card in ALONE, f"{card} is played alone")
        self._lay([slot], [card])
        _, is_alarm, aimed_at = ALONE[card]
        targets = self._aim(card, aimed_at) if aimed_at else []
        if not self._is_let_through([card]):
            return False
        self._carry_out(card, targets)
        self._hear("carried-out", seat=self.player, card=card)
        return is_alarm

    def _aim(self, card: str, count: int) -> list[int]:
        deed = self._see()
        insist((deed.player, deed.kind) == (self.player, "select-targets"), "it is aimed")
        seats = deed.said["seats"]
        assert isinstance(seats, tuple)
        targets = list(seats)
        insist(len(set(targets)) == len(targets) == count, "it is aimed at so many")
        insist(set(targets) <= set(self.players), "it is aimed at players")
        insist(card == "spider-potato" or self.player not in targets, "it is aimed at another")
        self._hear("aimed", seat=self.player, seats=tuple(targets), card=card)
        return targets

    def _is_let_through(self, cards: Sequence[str]) -> bool:
        """Follow who says no; return whether the play is carried out."""
        against, by, said = list(cards), self.player, 0
        while True:
            asked = [one for one in self.players if one != by and self.hands[one]]
            answers = self._answers(asked, against)
            if not answers:
                break
            order = [one for one in self._after(by) if one in answers]
            first = order[0]
            self._hear(
                "interrupted",
                seats=tuple(order),
                cards=tuple(answers[one][0] for one in order),
                slots=tuple(answers[one][1] for one in order),
            )
            for one in order:
                self._learn(answers[one][1], answers[one][0])
            self.hands[first].remove(answers[first][1])
            self.discards.append(answers[first][1])
            said += 1
            if not self.options.get("interrupt_chain"):
                break
            against, by = [answers[first][0]], first
        if said % 2:
            self._hear("cancelled", seat=self.player, cards=tuple(cards))
        return said % 2 == 0

    def _answers(self, asked: list[int], against: list[str]) -> dict[int, tuple[str, int]]:
        answers: dict[int, tuple[str, int]] = {}
        owing = set(asked)
        while owing:
            deed = self._see()
            insist(deed.player in owing, f"{deed.player} is not asked")
            owing.remove(deed.player)
            if deed.kind == "skip-reaction":
                continue
            insist(deed.kind in ("no-poh", "te-dije-que-no-poh"), f"{deed.kind} is an answer")
            if deed.kind == "no-poh":
                is_single = len(against) == 1 and against[0] != "te-dije-que-no-poh"
                insist(is_single, "no poh answers single cards")
            slots = deed.said["card"]
            assert isinstance(slots, tuple)
            (slot,) = slots
            insist(slot in self.hands[deed.player], "it is said with a card of the hand")
            answers[deed.player] = (deed.kind, slot)
        return answers

    # What cards do.

    def _carry_out(self, card: str, targets: list[int]) -> None:
        getattr(self, f"_{card.replace('-', '_')}")(*targets)

    def _get_off_the_pony(self, target: int) -> None:
        taken = min(1, self.golden[target])
        self._hear("robbed", seat=self.player, target=target, golden=taken)
        self.golden[target] -= taken
        self.golden[self.player] += taken

    def _look_ahead(self, target: int) -> None:
        taken = min(1, self.golden[target])
        self._hear("destroyed", seat=self.player, target=target, golden=taken)
        self.golden[target] -= taken

    def _potato_of_the_year(self) -> None:
        self._hear("gained", seat=self.player, golden=1)
        self.golden[self.player] += 1

    def _harry_potato(self) -> None:
        self._draw(self.player, 2)

    def _jump_to_the_side(self) -> None:
        marked = self._after(self.player)[0]
        self._hear("marked", seat=marked)
        self.passed_over = marked
        self._draw(self.player, 1)

    def _potato_of_destiny(self, target: int) -> None:
        slots = list(self.hands[target])
        if slots:
            word = self._hear("hand-discarded", seat=target, slots=tuple(slots))
            self.hands[target] = []
            self.discards += slots
            for slot, card in zip(slots, word.words("cards"), strict=True):
                self._learn(slot, card)
        self._draw(target, 2)

    def _lend_me_a_buck(self, target: int) -> None:
        self._steal(target)

    def _potato_dawan(self, target: int) -> None:
        self._steal(target, looks=True)

    def _papageddon(self) -> None:
        victim = self._after(self.player)[0]
        self._hear("turned", seat=self.player, direction=-self.way)
        self.way = -self.way
        self._steal(victim)

    def _steal(self, target: int, *, looks: bool = False) -> None:
        if not self.hands[target]:
            self._hear("nothing", seat=target)
            return
        self._restack([target])
        if looks:
            self._hear("looked", seat=self.player, target=target)
        deed = self._see()
        insist((deed.player, deed.kind) == (self.player, "select-card"), "a position is named")
        slots = deed.said["card"]
        assert isinstance(slots, tuple)
        (slot,) = slots
        insist(slot in self.hands[target], "it is a card of the target")
        position = self.hands[target].index(slot)
        self._hear("selected", seat=self.player, target=target, position=position, slots=(slot,))
        self._hand_over(target, slot)

    def _pope_potato(self, target: int) -> None:
        if not self.hands[target]:
            self._hear("nothing", seat=target)
            return
        deed = self._see()
        insist((deed.player, deed.kind) == (self.player, "select-card-name"), "a card is named")
        name = deed.said["name"]
        insist(name in NAMES, f"{name} is a card")
        self._hear("named", seat=self.player, target=target, card=name)
        found = self._hear("claimed", seat=target, card=name).numbers("slots")
        known = [slot for slot in self.hands[target] if self.faces.get(slot) == name]
        insist(found or not known, "who is known to have it does not deny it")
        for slot in found:
            insist(slot in self.hands[target], "it is in the hand")
            self._learn(slot, str(name))
            self._hand_over(target, slot)

    def _runaway_potatoes(self) -> None:
        others = [one for one in self.players if one != self.player and self.hands[one]]
        if not others:
            return
        self._restack(others)
        word = self._hear("ran-away", seats=tuple(others))
        coin, sides = word.number("coin"), 1
        for player, slot in zip(others, word.numbers("slots"), strict=True):
            size = len(self.hands[player])
            insist(self.hands[player].index(slot) == coin // sides % size, "the coin says which")
            sides *= size
        insist(coin < sides, "the coin has so many sides")
        mixed = self.stock + len(others)
        self._hear("mixed", count=mixed)
        self.stock = mixed
        for player, slot in zip(others, word.numbers("slots"), strict=True):
            self.hands[player].remove(slot)

    def _spider_potato(self, one: int, other: int) -> None:
        word = self._hear("exchanged", seat=self.player, seats=(one, other))
        received = word.said["received"]
        assert isinstance(received, tuple)
        mine, yours = (list(slots) for slots in received)
        insist(len(mine) == len(self.hands[other]), "the hands are exchanged")
        insist(len(yours) == len(self.hands[one]), "the hands are exchanged")
        self.hands[one], self.hands[other] = mine, yours

    # Places.

    def _after(self, player: int) -> list[int]:
        at, count = self.players.index(player), len(self.players)
        return [self.players[(at + self.way * step) % count] for step in range(1, count)]

    def _own(self, deed: Deed, name: str) -> int:
        (slot,) = self._own_ones(deed, name)
        return slot

    def _own_ones(self, deed: Deed, name: str) -> tuple[int, ...]:
        slots = deed.said[name]
        assert isinstance(slots, tuple)
        insist(len(set(slots)) == len(slots), "a card is named once")
        insist(set(slots) <= set(self.hands[deed.player]), "cards of the hand are named")
        return slots

    def _learn(self, slot: int, card: str) -> None:
        insist(card in NAMES, f"{card} is a card")
        insist(self.faces.setdefault(slot, card) == card, "a card stays what it is")

    def _lay(self, slots: Sequence[int], cards: Sequence[str]) -> None:
        for slot, card in zip(slots, cards, strict=True):
            self._learn(slot, card)
            self.hands[self.player].remove(slot)
            self.discards.append(slot)

    def _draw(self, player: int, count: int) -> None:
        self.drawing = count
        while self.drawing and self._draw_some(player, "drawing"):
            pass

    def _draw_some(self, player: int, owed: str) -> bool:
        """Follow one step of a draw; return whether there was anything to draw."""
        if not self.stock and self.discards:
            self._hear("reshuffled", count=len(self.discards))
            self.stock, self.discards = len(self.discards), []
        count = min(getattr(self, owed), self.stock)
        if count:
            slots = self._hear("drew", seat=player).numbers("slots")
            insist(len(slots) == count, f"{count} cards are drawn")
            self.hands[player] += slots
            self.stock -= count
            setattr(self, owed, getattr(self, owed) - count)
        return bool(count)

    def _restack(self, players: list[int]) -> None:
        slots = self._hear("restacked", seats=tuple(players)).numbers("slots")
        for player in players:
            size = len(self.hands[player])
            self.hands[player], slots = slots[:size], slots[size:]
        insist(not slots, "hands keep their sizes")

    def _hand_over(self, giver: int, slot: int) -> None:
        word = self._hear("given", seat=self.player, giver=giver)
        self.hands[giver].remove(slot)
        self.hands[self.player] += word.numbers("slots")
        insist(len(word.numbers("slots")) == 1, "one card is given")

    # Leaving.

    def _leave(self) -> None:
        word = self.record[self.at]
        assert isinstance(word, Word)
        self.at += 1
        gone = word.numbers("seats")
        insist(set(gone) < set(self.players), "players leave, not all of them")
        self.gone.append(gone)
        staying = [one for one in self.players if one not in gone]
        order = self._after(self.player) if self.player != -1 else []
        self.players = staying
        self.golden = {one: self.golden[one] for one in staying}
        if len(staying) == 1:
            self._hear("won", seats=tuple(staying), golden=self.golden[staying[0]], why="alone")
            self.is_over = True
            return
        if self._next() == Word("voided", {}):
            self._anew()
            return
        insist(self.record[self.at - 1] == Word("redealt", {}), "it is dealt again, or void")
        if self.is_dealt:
            self.sizes = {one: len(self.hands[one]) for one in staying}
        self.sizes = {one: self.sizes[one] for one in staying}
        if self.passed_over not in staying:
            self.passed_over = None
        if self.player != -1 and self.player not in staying:
            coming = [one for one in order if one in staying and one != self.passed_over]
            self.player = coming[0]
            self.has_played = self.is_closing = False
        self.is_dealt = False

    def places(self) -> list[list[int]]:
        """Return who has which place at the end."""
        ranks = sorted(set(self.golden.values()), reverse=True)
        here = [[one for one in self.players if self.golden[one] == count] for count in ranks]
        return here + self.gone[::-1]
