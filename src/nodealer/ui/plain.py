"""The table in plain lines: for pipes, screen readers, and terminals that cannot draw.

Each event is a sentence on a line of its own, in order, each once. When the player is asked, the
cards are told and the actions numbered; a line with a number answers. Where there are too many
actions for a list they are asked for step by step, in the way of `choosing`. Nothing is ever taken
back that was printed, and nothing depends on where the cursor is.

    plain, lines = tell(plain, snapshot)                  what is new
    plain, lines, wish = answer(plain, text, snapshot)    what a typed line leads to
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from nodealer.games.api import Action
from nodealer.kernel import SlotId
from nodealer.ui import choosing
from nodealer.ui.choosing import Choice, Menu, Question, menu_of
from nodealer.ui.commands import COMMANDS, Command, Refused, read_command, usage
from nodealer.ui.control import Chosen, Wish
from nodealer.ui.pages import WHY, Page
from nodealer.ui.panes import QUIET_TICKS, table_lines
from nodealer.ui.snapshot import Snapshot
from nodealer.ui.text import clean
from nodealer.ui.wording import Speaker, order_of_cards, seen_by_seat

LISTED_MAX: Final = 12
"""So many actions are listed at once; more are asked for step by step."""


@dataclass(frozen=True, slots=True)
class Plain:
    """What was told already, and what is being chosen."""

    has_signs: bool = True
    log: int = 0
    chat: int = 0
    notices: int = 0
    seen: frozenset[SlotId] = frozenset()
    waits: frozenset[object] = frozenset()
    headline: str = ""
    menu: Menu | None = None
    question: Question | None = None
    """None while all actions are listed at once."""
    is_over: bool = False


def tell(plain: Plain, snapshot: Snapshot) -> tuple[Plain, list[str]]:
    """Return the lines that tell what is new."""
    lines = [one.text for one in snapshot.log if one.number > plain.log]
    lines += [
        f"{snapshot.name_of(one.seat)} says: {one.text}"
        for one in snapshot.chat
        if one.number > plain.chat
    ]
    lines += [f"Notice: {one.text}" for one in snapshot.notices[plain.notices :]]
    news = Speaker(snapshot, plain.has_signs).news(plain.seen)
    lines += [news] if news else []
    plain, waits = _waits(plain, snapshot)
    plain = replace(
        plain,
        log=snapshot.log[-1].number if snapshot.log else plain.log,
        chat=max([plain.chat, *(one.number for one in snapshot.chat)]),
        notices=len(snapshot.notices),
        seen=seen_by_seat(snapshot),
    )
    lines += waits
    if snapshot.standing is not None and not plain.is_over:
        lines += ["The game is over.", *Speaker(snapshot, plain.has_signs).standing()]
    plain = replace(plain, is_over=snapshot.standing is not None)
    plain, asked = _asked(plain, snapshot)
    return plain, [*lines, *asked]


def answer(plain: Plain, text: str, snapshot: Snapshot) -> tuple[Plain, list[str], Wish | None]:
    """Return what a typed line leads to."""
    text = clean(text)
    if text.startswith("/"):
        return _command(plain, text, snapshot)
    if text == "?":
        return plain, list(_help()), None
    if not snapshot.legal:
        return plain, ["You are not asked now; /say TEXT talks, ? helps."] if text else [], None
    if not text:
        plain, lines = _asked(replace(plain, menu=None), snapshot)
        return plain, lines, None
    if not (text.isascii() and text.isdecimal()):
        return plain, ["Answer with a number; ? helps."], None
    return _number(plain, int(text[:6]), snapshot)


def _command(plain: Plain, text: str, snapshot: Snapshot) -> tuple[Plain, list[str], Wish | None]:
    asked = read_command(text, snapshot)
    if isinstance(asked, Refused):
        return plain, [asked.why], None
    if isinstance(asked, Command) and asked.name in {page.value for page in Page}:
        return plain, _page(Page(asked.name), snapshot), None
    return plain, [], asked


def _page(page: Page, snapshot: Snapshot) -> list[str]:
    if page is Page.HELP:
        return list(_help())
    if page is Page.LOG:
        return [one.text for one in snapshot.log]
    return [clean(row) for row in snapshot.rules.splitlines()]


def _help() -> Iterator[str]:
    yield "When you are asked, type the number of an answer and Enter; 0 goes back."
    yield "An empty line repeats the question."
    for name, kind in COMMANDS.items():
        yield f"{usage(name)}: {kind.text}"
    yield WHY


def _waits(plain: Plain, snapshot: Snapshot) -> tuple[Plain, list[str]]:
    """Tell once of everybody who is waited for longer than usual."""
    long = [one for one in snapshot.waiting if snapshot.now - one.since >= QUIET_TICKS]
    keys = frozenset((one.seat, one.what, one.since) for one in long)
    if keys <= plain.waits:
        return replace(plain, waits=keys), []
    patient = replace(snapshot, waiting=tuple(long))
    return replace(plain, waits=keys), list(Speaker(patient, plain.has_signs).waits())


def _asked(plain: Plain, snapshot: Snapshot) -> tuple[Plain, list[str]]:
    """Ask, if the player is asked something new."""
    if not snapshot.legal:
        return replace(plain, menu=None, question=None), []
    menu = menu_of(snapshot.legal, snapshot.kinds, order_of_cards(snapshot))
    if menu == plain.menu:
        return plain, []
    lines = [Speaker(snapshot, plain.has_signs).headline()]
    lines += table_lines(snapshot, has_signs=plain.has_signs)
    plain = replace(plain, menu=menu, question=None)
    if len(snapshot.legal) <= LISTED_MAX:
        return plain, [*lines, *_listed(plain, snapshot)]
    step = choosing.next_step(Choice(menu))
    assert isinstance(step, Question), "there are many actions"
    plain = replace(plain, question=step)
    return plain, [*lines, *_questioned(plain, step, snapshot)]


def _listed(plain: Plain, snapshot: Snapshot) -> Iterator[str]:
    speaker = Speaker(snapshot, plain.has_signs)
    yield "What do you do? Type a number:"
    for number, action in enumerate(snapshot.legal, 1):
        yield f"  {number}. {speaker.action(action)}"


def _questioned(plain: Plain, question: Question, snapshot: Snapshot) -> Iterator[str]:
    speaker = Speaker(snapshot, plain.has_signs)
    yield f"{speaker.question(question)} Type a number, 0 goes back:"
    for number, option in enumerate(question.options, 1):
        yield f"  {number}. {speaker.option(question, option)}"


def _number(plain: Plain, number: int, snapshot: Snapshot) -> tuple[Plain, list[str], Wish | None]:
    if number == 0:
        plain, lines = _asked(replace(plain, menu=None), snapshot)
        return plain, lines, None
    count = len(snapshot.legal) if plain.question is None else len(plain.question.options)
    if number > count:
        return plain, [f"Type a number from 1 to {count}."], None
    if plain.question is None:
        return plain, [], Chosen(snapshot.legal[number - 1])
    step = choosing.next_step(plain.question.options[number - 1].after)
    if isinstance(step, Action):
        return plain, [], Chosen(step)
    plain = replace(plain, question=step)
    return plain, list(_questioned(plain, step, snapshot)), None
