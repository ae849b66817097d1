"""Choosing an action step by step, from the list of legal actions alone, whatever the game.

A `MenuChoice` is what has been decided so far: a kind, cards, values of fields. Nothing of it has
left; it can be taken back at any time. It knows no rules. What can be decided next is read from the
legal actions that are still open, so a game's interface is its list, and only what is undecided is
ever asked:

    kind       if the open actions are of several kinds
    cards      which card next, or that these are all; at a screen cards are picked beforehand
    order      if these cards can be played in several orders
    fields     one after the other, as their kind names them, each that has several values

A field holds cards if in all legal actions of its kind it names slots that lie on the table; one
that is called `seat` or `seats` holds seats. Cards that are picked in an order in which they cannot
be played are taken as a set, since a game in which order means nothing lists one order only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, TypeVar

from nodealer.games import Action, ActionKind, Plain
from nodealer.kernel import SlotId

T = TypeVar("T")

Cards: TypeAlias = tuple[SlotId, ...]
MenuEntry: TypeAlias = tuple[Action, Cards]


SEAT_FIELDS: Final = ("seat", "seats")
"""Fields that name seats, whose numbers are no slots."""


@dataclass(frozen=True, slots=True)
class Menu:
    """The legal actions, each with the cards that it names, in the order of its kind's fields."""

    named: tuple[tuple[Action, Cards], ...]
    kinds: tuple[ActionKind, ...] = field(repr=False)
    lying: Cards = field(repr=False)
    """The slots on the table, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """The part of an action that is decided; `is_whole` once no more cards are to be picked."""

    menu: Menu
    kind: str | None = None
    picked: Cards = ()
    is_whole: bool = False
    answers: tuple[tuple[str, Plain], ...] = ()

    @property
    def is_begun(self) -> bool:
        """Whether anything has been decided."""
        return self != MenuChoice(self.menu)


@dataclass(frozen=True, slots=True)
class MenuOption:
    """One answer to a question: what it stands for, and what is decided with it."""

    value: Plain | Cards
    after: MenuChoice


@dataclass(frozen=True, slots=True)
class Question:
    """The next thing to decide: the kind, the next card, the order, or a field by its name."""

    about: str
    options: tuple[MenuOption, ...]


KIND: Final = "kind"
CARD: Final = "card"
ORDER: Final = "order"
ENOUGH: Final = "enough"
"""The value of the option that no more cards are picked."""


def menu_of(legal: Sequence[Action], kinds: Sequence[ActionKind], lying: Cards) -> Menu:
    """Return the menu of these legal actions."""
    fields = {kind.kind: _card_fields(kind, legal, frozenset(lying)) for kind in kinds}
    named = (
        (action, tuple(slot for name in fields[action.kind] for slot in action.slots(name)))
        for action in legal
    )
    return Menu(tuple(named), tuple(kinds), lying)


def open_actions(choice: MenuChoice) -> tuple[Action, ...]:
    """Return the legal actions that what is decided leaves open."""
    return tuple(action for action, _ in _open(choice))


def pickable(choice: MenuChoice) -> frozenset[SlotId]:
    """Return the cards that can be picked next."""
    if choice.is_whole:
        return frozenset()
    wanted = set(choice.picked)
    fitting = (cards for _, cards in _fitting(choice) if wanted.issubset(cards))
    return frozenset(slot for cards in fitting for slot in cards) - wanted


def pick(choice: MenuChoice, slot: SlotId) -> MenuChoice:
    """Return the choice with a card picked; one that was picked is put back."""
    if slot in choice.picked:
        left = tuple(one for one in choice.picked if one != slot)
        return replace(choice, picked=left, is_whole=False, answers=())
    assert slot in pickable(choice), "the caller has looked"
    return replace(choice, picked=(*choice.picked, slot))


def of_kind(choice: MenuChoice, kind: str) -> MenuChoice:
    """Return the choice of a kind of action; cards that do not go with it are put back."""
    chosen = replace(choice, kind=kind, is_whole=False, answers=())
    return chosen if open_actions(chosen) else replace(chosen, picked=())


def whole(choice: MenuChoice) -> MenuChoice:
    """Return the choice with no more cards to be picked; it may leave nothing open.

    Where none were picked, those of the one action that is open are meant.
    """
    entries = _open(choice)
    if not choice.picked and len(entries) == 1:
        choice = replace(choice, picked=entries[0][1])
    return replace(choice, is_whole=True)


def wants_cards(choice: MenuChoice) -> bool:
    """Say whether every action that is left open names more cards than are picked."""
    return not open_actions(whole(choice))


def next_step(choice: MenuChoice) -> Question | Action:
    """Return what is to be decided next; with one action left, that is it."""
    entries = _open(choice)
    assert entries, "whoever decides leaves something open"
    if len(entries) > 1:
        for question in _questions(choice, entries):
            if len(question.options) > 1:
                return question
    return entries[0][0]


def _open(choice: MenuChoice) -> list[MenuEntry]:
    entries = list(_fitting(choice))
    if not choice.is_whole and not choice.picked:
        return entries
    wanted = set(choice.picked)
    if choice.is_whole:
        entries = [entry for entry in entries if wanted == set(entry[1])]
    else:
        entries = [entry for entry in entries if wanted.issubset(entry[1])]
    ordered = [entry for entry in entries if entry[1][: len(choice.picked)] == choice.picked]
    return ordered or entries


def _fitting(choice: MenuChoice) -> Iterator[MenuEntry]:
    for action, cards in choice.menu.named:
        if choice.kind is not None and action.kind != choice.kind:
            continue
        if all(action.get(name) == value for name, value in choice.answers):
            yield action, cards


def _questions(choice: MenuChoice, entries: Sequence[MenuEntry]) -> Iterator[Question]:
    kinds = _distinct(action.kind for action, _ in entries)
    yield _asking(KIND, kinds, lambda kind: replace(choice, kind=str(kind)))
    if not choice.is_whole:
        yield _asking_card(choice, entries)
    orders = _distinct(cards for _, cards in entries)
    whole_ones = (
        MenuOption(cards, replace(choice, picked=cards, is_whole=True)) for cards in orders
    )
    yield Question(ORDER, tuple(whole_ones))
    kind = entries[0][0].kind
    for name in next(one.fields for one in choice.menu.kinds if one.kind == kind):
        values = _distinct(action.get(name) for action, _ in entries)
        yield _asking(name, values, _answering(choice, name))


def _asking(about: str, values: Iterable[Plain], after: Callable[[Plain], MenuChoice]) -> Question:
    return Question(about, tuple(MenuOption(value, after(value)) for value in values))


def _asking_card(choice: MenuChoice, entries: Sequence[MenuEntry]) -> Question:
    able = pickable(choice)
    options = [MenuOption(slot, pick(choice, slot)) for slot in choice.menu.lying if slot in able]
    if options and any(len(cards) == len(choice.picked) for _, cards in entries):
        options.append(MenuOption(ENOUGH, whole(choice)))
    return Question(CARD, tuple(options))


def _answering(choice: MenuChoice, name: str) -> Callable[[Plain], MenuChoice]:
    return lambda value: replace(choice, answers=(*choice.answers, (name, value)))


def _card_fields(
    kind: ActionKind, legal: Sequence[Action], lying: frozenset[SlotId]
) -> tuple[str, ...]:
    actions = [action for action in legal if action.kind == kind.kind]
    return tuple(
        name
        for name in kind.fields
        if name not in SEAT_FIELDS
        and any(action.get(name) for action in actions)
        and all(_names_cards(action.get(name), lying) for action in actions)
    )


def _names_cards(value: Plain, lying: frozenset[SlotId]) -> bool:
    if not isinstance(value, tuple):
        return value is None
    return all(type(item) is int and item in lying for item in value)


def _distinct(values: Iterable[T]) -> list[T]:
    """Return each value once, in order; True is not 1 here."""
    return list({(type(value), value): value for value in values}.values())
