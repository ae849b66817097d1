"""The sentences of a snapshot: cards, actions, questions, whom the table waits for, the end.

The screen and the plain lines show the same sentences, so they stand here. A `Speaker` knows the
snapshot and whether the terminal has signs for suits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.games import Action, Choice, Over, Plain, SeenCard, Standing, Turn
from nodealer.kernel import Seat, SlotId
from nodealer.ledger import Awaited
from nodealer.show.card_text import card_text, value_text
from nodealer.show.menus import (
    CARD,
    ENOUGH,
    KIND,
    ORDER,
    SEAT_FIELDS,
    Cards,
    MenuOption,
    Question,
)
from nodealer.show.progress import doing_of
from nodealer.show.snapshot import SeatStanding, Snapshot
from nodealer.show.times import duration
from nodealer.verify import joined

_STATES: Final[Mapping[SeatStanding, str]] = MappingProxyType(
    {
        SeatStanding.LEFT: "You have left this table.",
        SeatStanding.LEFT_OUT: "The others go on without you.",
        SeatStanding.OVER: "The game is over.",
        SeatStanding.SUSPECT: (
            "Your record may be an old copy. You sign nothing until all others have said what you"
            " have signed."
        ),
    }
)
"""What is to be said first, whatever is due."""


HELD: Final = "You have answered; it leaves in a moment."
"""When an answer leaves must tell nobody what its player holds."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says things about a snapshot."""

    snapshot: Snapshot
    has_signs: bool = True

    def headline(self) -> str:
        """Say what the player has to know first."""
        shown = self.snapshot
        if shown.state in _STATES:
            return _STATES[shown.state]
        if shown.asked is not None:
            return f"Your turn: {asked}" if (asked := self._asked()) else "Your turn."
        if shown.is_held:
            return HELD
        duty = shown.view.duty
        if shown.progress is not None:
            progress = shown.progress
            done = f"{progress.done} of {len(progress.shares)} done"
            return f"Together: {progress.doing} ({done})."
        if isinstance(duty, Turn):
            return f"{shown.name_of(duty.seat)} has the turn."
        return "The game is over." if isinstance(duty, Over) else "Cards are on their way."

    def waits(self) -> Iterator[str]:
        """Say whom the table waits for, for what, since when, and what happens next and when."""
        shown = self.snapshot
        grouped: dict[tuple[object, ...], list[Awaited]] = {}
        for one in shown.waiting:
            grouped.setdefault((one.owed, one.since), []).append(one)
        for group in grouped.values():
            first = group[0]
            who = joined([shown.name_of(one.seat) for one in group])
            what, waited = doing_of(first.owed), duration(shown.now - first.since)
            yield f"Waiting for {who} to {what}: {waited}. {self._next(group, who)}"

    def wishes_again(self) -> str:
        """Say who would like another game; nothing if nobody has said so."""
        who = [self.snapshot.name_of(seat) for seat in sorted(self.snapshot.wish_again)]
        return f"Would like to play again: {joined(who)}." if who else ""

    def standing(self) -> Iterator[str]:
        """Say who has come in which place."""
        if self.snapshot.standing is not None:
            yield from _places(self.snapshot, self.snapshot.standing)

    def card(self, slot: SlotId) -> str:
        """Return a card as it is named in an action: its face, or where it lies."""
        for zone in self.snapshot.view.zones:
            for index, card in enumerate(zone.cards, 1):
                if card.slot == slot:
                    return self._lying(card, zone.name, zone.seat, index)
        return f"card {slot}"

    def action(self, action: Action) -> str:
        """Return an action as people read it in a list."""
        kind = next(one for one in self.snapshot.kinds if one.kind == action.kind)
        words = []
        for name in kind.fields:
            value = action.get(name)
            if value is True:
                words.append(name)
            elif value is not None and value is not False:
                words.append(self._field(name, value))
        return f"{kind.text}: {', '.join(words)}" if words else kind.text

    def question(self, question: Question) -> str:
        """Return a question as people read it."""
        if question.about == KIND:
            return "What do you do?"
        if question.about == CARD:
            return "Which card?"
        if question.about == ORDER:
            return "In which order?"
        return f"{question.about[:1].upper()}{question.about[1:]}?"

    def option(self, question: Question, option: MenuOption) -> str:
        """Return one answer to a question."""
        value = option.value
        if question.about == KIND:
            return self._kind(value)
        if question.about == CARD:
            return "no more" if value == ENOUGH else self.card(_slot(value))
        if question.about == ORDER:
            return self.cards(_slots(value))
        return self._seats(value) if question.about in SEAT_FIELDS else self._value(value)

    def cards(self, slots: Sequence[SlotId]) -> str:
        """Return cards one after the other."""
        return " ".join(self.card(slot) for slot in slots)

    def news(self, before: frozenset[SlotId]) -> str:
        """Say which cards the player sees now and did not before; nothing if there are none."""
        new = seen_by_seat(self.snapshot) - before
        cards = [slot for slot in order_of_cards(self.snapshot) if slot in new]
        return f"You see now: {', '.join(map(self.card, cards))}." if cards else ""

    def face(self, face: str | None) -> str:
        """Return a card by its face, with what the game remarks of it."""
        return f"{self.bare(face)}{self.remark(face)}"

    def bare(self, face: str | None) -> str:
        """Return a card by its face alone."""
        return card_text(face, has_signs=self.has_signs)

    def zone(self, name: str, seat: Seat | None) -> str:
        """Return a zone by its name, with what the game remarks of it, or whose else it is."""
        if seat is not None and seat != self.snapshot.view.viewer:
            return self._place(name, seat)
        return f"{_spaced(name)}{self.remark(name)}"

    def remark(self, word: str | None) -> str:
        """Return what the game remarks of a word, in brackets, to stand behind it."""
        found = self.snapshot.remarks.get(word or "")
        return f" ({found})" if found else ""

    def _asked(self) -> str:
        """Say how long the player has; nothing where nobody waits."""
        asked, now = self.snapshot.asked, self.snapshot.now
        assert asked is not None, "the player is asked"
        duty = self.snapshot.view.duty
        if asked.passes_at is not None and isinstance(duty, Choice):
            left, default = duration(max(0, asked.passes_at - now)), self._kind(duty.kind)
            return f"you have {left}; then your node answers for you: {default}."
        if not self.snapshot.is_hurried:
            return ""
        if now < asked.suspended:
            return f"you have {duration(asked.suspended - now)}."
        if now < asked.until:
            left = duration(asked.until - now)
            return f"the others wait for you; in {left} they may go on without you."
        return "the others may go on without you at any moment."

    def _kind(self, kind: object) -> str:
        return next(one.text for one in self.snapshot.kinds if one.kind == kind)

    def _next(self, group: Sequence[Awaited], who: str) -> str:
        """Say how long there is still time, or how long whoever is away may come back."""
        one, now = group[0], self.snapshot.now
        if now < one.suspended:
            return f"There is time for {duration(one.suspended - now)} more."
        if not self.snapshot.can_go_on:
            return f"Nobody can go on without {who}."
        if now >= one.until:
            return f"The others vote on going on without {who}."
        be, left = "is" if len(group) == 1 else "are", duration(one.until - now)
        return f"{who} {be} away and may come back for {left}; then the others may go on alone."

    def _lying(self, card: SeenCard, zone: str, seat: Seat | None, index: int) -> str:
        you = self.snapshot.view.viewer
        place = self._place(zone, seat)
        if card.face is not None:
            text = self.face(card.face)
            return text if seat in (None, you) else f"{text} ({place})"
        return f"card {index} ({'your ' + zone if seat is not None and seat == you else place})"

    def _place(self, zone: str, seat: Seat | None) -> str:
        return _spaced(zone) if seat is None else f"{self.snapshot.name_of(seat)}: {_spaced(zone)}"

    def _field(self, name: str, value: Plain) -> str:
        if name in SEAT_FIELDS:
            return self._seats(value)
        slots = _slots(value)
        lying = {card.slot for zone in self.snapshot.view.zones for card in zone.cards}
        if slots and lying.issuperset(slots):
            return self.cards(slots)
        return f"{name} {self._value(value)}"

    def _seats(self, value: Plain) -> str:
        seats = value if isinstance(value, tuple) else (value,)
        return joined([self.snapshot.name_of(Seat(seat)) for seat in seats if type(seat) is int])

    def _value(self, value: Plain) -> str:
        text = value_text(value, has_suits=self.snapshot.has_suits)
        return f"{text}{self.remark(value)}" if isinstance(value, str) else text


def _spaced(name: str) -> str:
    return name.replace("-", " ")


def seen_by_seat(snapshot: Snapshot) -> frozenset[SlotId]:
    """Return the cards of seats whose faces the player sees: its hand, and what it peeks."""
    return frozenset(
        card.slot
        for zone in snapshot.view.zones
        for card in zone.cards
        if zone.seat is not None and card.face is not None
    )


def awaited(one: Awaited, snapshot: Snapshot) -> str:
    """Say in a few words how it stands with a seat that is waited for."""
    now = snapshot.now
    if now < one.suspended:
        return f"has {duration(one.suspended - now)} left"
    if not snapshot.can_go_on:
        return "away"
    if now < one.until:
        return f"away, {duration(one.until - now)} to return"
    return "away, may be left out"


def order_of_cards(snapshot: Snapshot) -> Cards:
    """Return all slots in the order in which they are shown: first those of the player."""
    you = snapshot.view.viewer
    own = [zone for zone in snapshot.view.zones if zone.seat is not None and zone.seat == you]
    others = [zone for zone in snapshot.view.zones if zone not in own]
    return tuple(card.slot for zone in (*own, *others) for card in zone.cards)


def _places(snapshot: Snapshot, standing: Standing) -> Iterator[str]:
    place = 1
    for seats in standing.places:
        for seat in seats:
            points = standing.points.get(seat)
            scored = "" if points is None else f", {points} points"
            yield f"{place}. {snapshot.name_of(seat)}{scored}"
        place += len(seats)


def _slot(value: object) -> SlotId:
    assert isinstance(value, int), "a card is a slot"
    return SlotId(value)


def _slots(value: object) -> Cards:
    if not isinstance(value, tuple) or not all(type(item) is int for item in value):
        return ()
    return tuple(SlotId(item) for item in value)
