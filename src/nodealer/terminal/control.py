"""The work of keys: a state of the player's hands, and what comes of it.

    control, wish = press(control, key, snapshot)

A `Control` is what the player has begun: chosen cards, an answer to a question, a line, a page that
is read. It is a value and has nothing to do with the table: as long as nothing but a wish has come
out of it, nothing has left. A wish is an action, something to say, a command, or to stop.

A key that cannot do anything says why. When the table asks anew (`follow`), what was chosen for the
last question is forgotten, so that an Enter never plays what it was not meant for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias

from nodealer.games import Action
from nodealer.kernel import SlotId
from nodealer.show import (
    Cards,
    Command,
    Decision,
    Hitch,
    Menu,
    Question,
    Say,
    Snapshot,
    Speaker,
    StepError,
    carried,
    cleared,
    decision_for,
    played,
    read_command,
    seen_by_seat,
    undone,
    why_not,
    with_answer,
    with_card,
    with_kind,
    without_card,
)
from nodealer.terminal.keyboard import Key, Pressed, Typed
from nodealer.terminal.pages import Page, letters_of, page_lines
from nodealer.terminal.writing import Writing, edited

QUIT: Final = Command("quit")
FOLD: Final = Command("fold")


class Signal(Enum):
    """The signals that concern the terminal alone."""

    STOP = "stop"
    REDRAW = "redraw"


Wish: TypeAlias = Action | Say | Command | Signal


@dataclass(frozen=True, slots=True)
class Size:
    """The columns and rows of a terminal."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A page that is read, from which row on; None stays at the end, whatever comes."""

    page: Page
    top: int | None = 0


@dataclass(frozen=True, slots=True)
class Control:
    """The things that the player has begun."""

    size: Size
    decision: Decision
    has_signs: bool = True
    cards: Cards = ()
    """The cards that have numbers, from 1 on."""
    seen: frozenset[SlotId] = frozenset()
    """The cards whose faces the player has been told of."""
    is_asking: bool = False
    """Whether what is undecided is asked; keys are answers then."""
    typed: str = ""
    cursor: int = 0
    writing: Writing | None = None
    reading: Reading | None = None
    message: str = ""
    is_folded: bool = False
    """Whether the steps of the protocol are left out of the log."""

    @property
    def question(self) -> Question | None:
        """What is asked, if it is."""
        return self.decision.question if self.is_asking else None

    @property
    def page_rows(self) -> int:
        """How many rows of a page are shown at once."""
        return max(1, self.size.rows - 3)


Pressing: TypeAlias = tuple[Control, Wish | None]


def control_for(snapshot: Snapshot, size: Size, *, has_signs: bool = True) -> Control:
    """Return the control of a player who has begun nothing."""
    decision = decision_for(snapshot)
    cards, seen = _numbered(snapshot, decision.menu), seen_by_seat(snapshot)
    return Control(size, decision, has_signs, cards, seen)


def follow(control: Control, snapshot: Snapshot) -> Control:
    """Return the control at a new snapshot; what was chosen stays while the same is asked."""
    decision = carried(control.decision, snapshot)
    cards = _numbered(snapshot, decision.menu)
    news = Speaker(snapshot, control.has_signs).news(control.seen)
    if news:
        control = replace(control, message=news)
    control = replace(control, seen=seen_by_seat(snapshot))
    if decision == control.decision and cards == control.cards:
        return control
    return replace(
        control,
        decision=cleared(decision),
        cards=cards,
        is_asking=False,
        typed="",
        cursor=min(control.cursor, max(0, len(cards) - 1)),
        message=news,
    )


def press(control: Control, key: Key, snapshot: Snapshot) -> Pressing:
    """Return what a key leads to."""
    if isinstance(key, Pressed) and key.name in _ALWAYS:
        return control, _ALWAYS[key.name]
    if control.writing is not None:
        return _write(control, control.writing, key, snapshot)
    control = replace(control, message="")
    if control.reading is not None:
        return _read(control, control.reading, key, snapshot), None
    if control.question is not None:
        return _answer(control, control.question, key, snapshot)
    if key == Pressed("enter"):
        return _enter(control, snapshot)
    return _play(control, key, snapshot), None


def opening(control: Control, page: Page) -> Control:
    """Return the control with a page open."""
    return replace(control, reading=Reading(page, None if page is Page.LOG else 0))


# The table.


def _play(control: Control, key: Key, snapshot: Snapshot) -> Control:
    match key:
        case Typed(letter) if "0" <= letter <= "9":
            return _digit(control, letter, snapshot)
        case Typed(" "):
            return _pick_at(control, control.cursor, snapshot)
        case Typed(letter) if letter in _SIGNS:
            return _SIGNS[letter](control)
        case Typed(letter):
            return _letter(control, letter, snapshot)
        case Pressed(name):
            return _MOVES[name](control) if name in _MOVES else control
        case _:
            return replace(control, message="What is pasted goes behind a / only.")


def _cleared(control: Control) -> Control:
    return replace(control, decision=cleared(control.decision), is_asking=False, typed="")


def _back(control: Control) -> Control:
    if control.typed:
        return replace(control, typed=control.typed[:-1])
    return replace(control, decision=undone(control.decision))


def _moved(control: Control, step: int) -> Control:
    if not control.cards:
        return control
    return replace(control, cursor=(control.cursor + step) % len(control.cards))


_ALWAYS: Final[Mapping[str, Wish]] = MappingProxyType(
    {"interrupt": QUIT, "stop": Signal.STOP, "redraw": Signal.REDRAW}
)
"""Keys that mean the same wherever the player is."""

_SIGNS: Final[Mapping[str, Callable[[Control], Control]]] = MappingProxyType(
    {
        "/": lambda control: replace(control, writing=Writing(), typed=""),
        "?": lambda control: opening(control, Page.HELP),
        "l": lambda control: opening(control, Page.LOG),
    }
)

_MOVES: Final[Mapping[str, Callable[[Control], Control]]] = MappingProxyType(
    {
        "escape": _cleared,
        "backspace": _back,
        "left": lambda control: _moved(control, -1),
        "right": lambda control: _moved(control, 1),
        "home": lambda control: replace(control, cursor=0),
        "end": lambda control: replace(control, cursor=max(0, len(control.cards) - 1)),
        "page-up": lambda control: opening(control, Page.LOG),
    }
)


def _digit(control: Control, letter: str, snapshot: Snapshot) -> Control:
    """Choose a card by its number, once no further digit can belong to it."""
    typed, count = control.typed + letter, len(control.cards)
    number = int(typed)
    if not 1 <= number <= count:
        message = f"There is no card {typed}; there are {count}."
        return replace(control, typed="", message=message)
    if number * 10 <= count:
        return replace(control, typed=typed)
    return _pick_at(control, number - 1, snapshot)


def _pick_at(control: Control, index: int, snapshot: Snapshot) -> Control:
    control = replace(control, typed="")
    if index >= len(control.cards):
        return replace(control, message="There are no cards to choose from.")
    slot = control.cards[index]
    control = replace(control, cursor=index)
    step = without_card if slot in control.decision.choice.picked else with_card
    return _stepped(control, lambda decision: step(decision, slot), snapshot)


def _stepped(control: Control, step: Callable[[Decision], Decision], snapshot: Snapshot) -> Control:
    """Return the control after a step of the decision, or with why it cannot be made."""
    try:
        return replace(control, decision=step(control.decision))
    except StepError as error:
        return replace(control, message=_why_not(error, control, snapshot))


def _why_not(error: StepError, control: Control, snapshot: Snapshot) -> str:
    told = why_not(error, control.decision, Speaker(snapshot, control.has_signs))
    return f"{told} Esc clears it." if error.hitch is Hitch.CARDS else told


def _letter(control: Control, letter: str, snapshot: Snapshot) -> Control:
    kinds = {key: kind for kind, key in letters_of(snapshot.kinds).items()}
    kind = kinds.get(letter.lower())
    if kind is None:
        return replace(control, message=f"The key {letter} does nothing here; ? shows the keys.")
    control = _stepped(
        replace(control, typed=""), lambda decision: with_kind(decision, kind), snapshot
    )
    has_cards = bool(control.decision.pickable)
    return control if has_cards or control.message else _asking(control)


def _enter(control: Control, snapshot: Snapshot) -> Pressing:
    if control.typed:
        return _pick_at(control, int(control.typed) - 1, snapshot), None
    try:
        return _cleared(control), played(control.decision)
    except StepError as error:
        if error.hitch is Hitch.UNDECIDED:
            return _asking(control), None
        return replace(control, message=_why_not(error, control, snapshot)), None


def _asking(control: Control) -> Control:
    """Ask what is undecided, if anything is."""
    return replace(control, is_asking=control.decision.question is not None, typed="")


# A question.


def _answer(control: Control, question: Question, key: Key, snapshot: Snapshot) -> Pressing:
    match key:
        case Pressed("escape"):
            return _cleared(control), None
        case Pressed("backspace"):
            return _back_in_question(control), None
        case Pressed("enter"):
            return _answer_number(control, question, int(control.typed or "0"))
        case Typed(letter) if "0" <= letter <= "9":
            return _answer_digit(control, question, letter)
        case Typed(letter):
            return _answer_letter(control, question, letter, snapshot)
        case _:
            return control, None


def _answer_digit(control: Control, question: Question, letter: str) -> Pressing:
    number = int(control.typed + letter)
    if 0 < number * 10 <= len(question.options):
        return replace(control, typed=control.typed + letter), None
    return _answer_number(control, question, number)


def _answer_number(control: Control, question: Question, number: int) -> Pressing:
    count = len(question.options)
    if not 1 <= number <= count:
        message = f"Answer with a number from 1 to {count}; Esc goes back."
        return replace(control, typed="", message=message), None
    return _asking(replace(control, decision=with_answer(control.decision, number - 1))), None


def _back_in_question(control: Control) -> Control:
    """Take back the last digit, the last answer, or the wish to answer at all."""
    if control.typed:
        return replace(control, typed=control.typed[:-1])
    if control.decision.choice.is_whole:
        return _asking(replace(control, decision=undone(control.decision)))
    return replace(control, is_asking=False)


def _answer_letter(
    control: Control, question: Question, letter: str, snapshot: Snapshot
) -> Pressing:
    """Take a letter with which exactly one answer begins."""
    speaker = Speaker(snapshot, control.has_signs)
    texts = [speaker.option(question, option) for option in question.options]
    found = [n for n, text in enumerate(texts, 1) if text.lower().startswith(letter.lower())]
    if len(found) != 1:
        return _answer_number(control, question, 0)
    return _answer_number(control, question, found[0])


# A line, a page.


def _write(control: Control, writing: Writing, key: Key, snapshot: Snapshot) -> Pressing:
    match key:
        case Pressed("escape"):
            return replace(control, writing=None), None
        case Pressed("backspace") if not writing.text:
            return replace(control, writing=None), None
        case Pressed("enter"):
            return _sent(replace(control, writing=None, message=""), writing.text, snapshot)
        case _:
            return replace(control, writing=edited(writing, key)), None


def _sent(control: Control, text: str, snapshot: Snapshot) -> Pressing:
    if not text.strip():
        return control, None
    asked = read_command(text, snapshot)
    if isinstance(asked, str):
        return replace(control, message=asked), None
    if isinstance(asked, Command) and asked.name in {page.value for page in Page}:
        return opening(control, Page(asked.name)), None
    if asked == FOLD:
        return _folded(control), None
    return control, asked


def _folded(control: Control) -> Control:
    return replace(control, is_folded=not control.is_folded)


def _read(control: Control, reading: Reading, key: Key, snapshot: Snapshot) -> Control:
    last = top_of_last(control, snapshot)
    top = last if reading.top is None else min(reading.top, last)
    page = control.page_rows - 1
    steps = {"up": -1, "down": 1, "page-up": -page, "page-down": page, "home": -top, "end": last}
    match key:
        case Pressed("escape" | "enter" | "end-of-input") | Typed("q" | "?" | "l"):
            return replace(control, reading=None)
        case Pressed(name) if name in steps:
            top = min(max(0, top + steps[name]), last)
        case Typed("f") if reading.page is Page.LOG:
            return replace(_folded(control), reading=Reading(Page.LOG, None))
        case Typed(" "):
            top = min(top + page, last)
        case _:
            pass  # nothing to read there
    is_end = reading.page is Page.LOG and top == last
    return replace(control, reading=replace(reading, top=None if is_end else top))


def top_of_last(control: Control, snapshot: Snapshot) -> int:
    """Return the row with which the last screenful of the open page begins."""
    assert control.reading is not None, "a page is open"
    rows = page_lines(
        control.reading.page, snapshot, control.size.columns, is_folded=control.is_folded
    )
    return max(0, len(rows) - control.page_rows)


def _numbered(snapshot: Snapshot, menu: Menu) -> Cards:
    """Return the cards that have numbers: those of the player, and others that can be chosen."""
    you = snapshot.view.viewer
    own = [
        card.slot
        for zone in snapshot.view.zones
        if zone.seat is not None and zone.seat == you
        for card in zone.cards
    ]
    named = {slot for _, cards in menu.named for slot in cards}
    return (*own, *(slot for slot in menu.lying if slot in named and slot not in own))
