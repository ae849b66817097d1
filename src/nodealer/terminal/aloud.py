"""The table in plain lines: for pipes, screen readers, and terminals that cannot draw.

Each event is a sentence on a line of its own, in order, each once. When the player is asked, the
cards are told and the actions numbered; a line with a number answers. Where there are too many
actions for a list they are asked for step by step, in the way of `menus`. Nothing is ever taken
back that was printed, and nothing depends on where the cursor is.

    aloud, lines = tell(aloud, snapshot)                  what is new
    aloud, lines, wish = answer(aloud, text, snapshot)    what a typed line leads to
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from nodealer.games import Action
from nodealer.kernel import Seat, SlotId
from nodealer.show import (
    COMMANDS,
    Command,
    LinePlace,
    Menu,
    MenuChoice,
    Question,
    Snapshot,
    Speaker,
    Tone,
    chat_after,
    clean,
    menu_of,
    menus,
    net_lines,
    order_of_cards,
    read_command,
    seen_by_seat,
    usage,
)
from nodealer.terminal.control import FOLD, Wish
from nodealer.terminal.markdown import plain_lines
from nodealer.terminal.pages import WHY, Page
from nodealer.terminal.panes import QUIET_TICKS, table_lines
from nodealer.verify import printable

LISTED_MAX: Final = 12
"""So many actions are listed at once; more are asked for step by step."""

AGAIN_WORDS: Final = "/again begins another game, /log tells all of this one, /quit closes."
PUT_AWAY_WORDS: Final = "/put-away closes the table unfinished, as long as nobody comes back."

PAGE_COLUMNS: Final = 80
"""The rules are laid out for a terminal of the old size, whoever reads them."""


@dataclass(frozen=True, slots=True)
class Aloud:
    """The lines that were told already, and what is being chosen."""

    has_signs: bool = True
    log: LinePlace | None = None
    chat: tuple[Seat, int] | None = None
    seen: frozenset[SlotId] = frozenset()
    waits: frozenset[object] = frozenset()
    menu: Menu | None = None
    question: Question | None = None
    """None while all actions are listed at once."""
    is_over: bool = False
    is_folded: bool = False
    """Whether the steps of the protocol are left out."""


def tell(aloud: Aloud, snapshot: Snapshot) -> tuple[Aloud, list[str]]:
    """Return the lines that tell what is new."""
    aloud, lines = _told(aloud, snapshot)
    return aloud, list(map(printable, lines))


def answer(aloud: Aloud, text: str, snapshot: Snapshot) -> tuple[Aloud, list[str], Wish | None]:
    """Return what a typed line leads to."""
    aloud, lines, wish = _answered(aloud, clean(text), snapshot)
    return aloud, list(map(printable, lines)), wish


def _told(aloud: Aloud, snapshot: Snapshot) -> tuple[Aloud, list[str]]:
    new = [one for one in snapshot.log if aloud.log is None or one.at > aloud.log]
    lines = [one.text for one in new if not aloud.is_folded or one.tone is not Tone.PROTOCOL]
    lines += [
        f"{snapshot.name_of(one.seat)} says: {one.text}"
        for one in chat_after(snapshot.chat, aloud.chat)
        if one in snapshot.heard
    ]
    news = Speaker(snapshot, aloud.has_signs).news(aloud.seen)
    lines += [news] if news else []
    aloud, waits = _waits(aloud, snapshot)
    aloud = replace(
        aloud,
        log=snapshot.log[-1].at if snapshot.log else aloud.log,
        chat=snapshot.chat[-1].name if snapshot.chat else aloud.chat,
        seen=seen_by_seat(snapshot),
    )
    lines += waits
    if snapshot.standing is not None and not aloud.is_over:
        lines += ["The game is over.", *Speaker(snapshot, aloud.has_signs).standing()]
        lines += [AGAIN_WORDS] if snapshot.may_ask_again else []
    aloud = replace(aloud, is_over=snapshot.standing is not None)
    aloud, asked = _asked(aloud, snapshot)
    return aloud, [*lines, *asked]


def _answered(aloud: Aloud, text: str, snapshot: Snapshot) -> tuple[Aloud, list[str], Wish | None]:
    if text.startswith("/"):
        return _command(aloud, text, snapshot)
    if text == "?":
        return aloud, list(_help()), None
    if not snapshot.legal:
        return aloud, ["You are not asked now; /say TEXT talks, ? helps."] if text else [], None
    if not text:
        aloud, lines = _asked(replace(aloud, menu=None), snapshot)
        return aloud, lines, None
    if not (text.isascii() and text.isdecimal()):
        return aloud, ["Answer with a number; ? helps."], None
    return _number(aloud, int(text[:6]), snapshot)


def _command(aloud: Aloud, text: str, snapshot: Snapshot) -> tuple[Aloud, list[str], Wish | None]:
    asked = read_command(text, snapshot)
    if isinstance(asked, str):
        return aloud, [asked], None
    if isinstance(asked, Command) and asked.name in {page.value for page in Page}:
        return aloud, _page(Page(asked.name), snapshot), None
    if asked == FOLD:
        aloud = replace(aloud, is_folded=not aloud.is_folded)
        hidden = "hidden" if aloud.is_folded else "told"
        return aloud, [f"The steps of the protocol are {hidden}."], None
    return aloud, [], asked


def _page(page: Page, snapshot: Snapshot) -> list[str]:
    if page is Page.HELP:
        return list(_help())
    if page is Page.LOG:
        return [one.text for one in snapshot.log]
    if page is Page.RULES:
        return plain_lines(snapshot.rules, PAGE_COLUMNS)
    return [clean(one) for one in net_lines(snapshot)]


def _help() -> Iterator[str]:
    yield "When you are asked, type the number of an answer and Enter; 0 goes back."
    yield "An empty line repeats the question."
    for name, kind in COMMANDS.items():
        yield f"{usage(name)}: {kind.text}"
    yield WHY


def _waits(aloud: Aloud, snapshot: Snapshot) -> tuple[Aloud, list[str]]:
    """Tell once of everybody who is waited for longer than usual."""
    long = [one for one in snapshot.waiting if snapshot.now - one.since >= QUIET_TICKS]
    keys = frozenset((one.seat, one.owed, one.since) for one in long)
    if keys <= aloud.waits:
        return replace(aloud, waits=keys), []
    patient = replace(snapshot, waiting=tuple(long))
    away = [PUT_AWAY_WORDS] if snapshot.may_put_away else []
    return replace(aloud, waits=keys), [*Speaker(patient, aloud.has_signs).waits(), *away]


def _asked(aloud: Aloud, snapshot: Snapshot) -> tuple[Aloud, list[str]]:
    """Ask, if the player is asked something new."""
    if not snapshot.legal:
        return replace(aloud, menu=None, question=None), []
    menu = menu_of(snapshot.legal, snapshot.kinds, order_of_cards(snapshot))
    if menu == aloud.menu:
        return aloud, []
    lines = [Speaker(snapshot, aloud.has_signs).headline()]
    lines += table_lines(snapshot, has_signs=aloud.has_signs)
    aloud = replace(aloud, menu=menu, question=None)
    if len(snapshot.legal) <= LISTED_MAX:
        return aloud, [*lines, *_listed(aloud, snapshot)]
    step = menus.next_step(MenuChoice(menu))
    assert isinstance(step, Question), "there are many actions"
    aloud = replace(aloud, question=step)
    return aloud, [*lines, *_questioned(aloud, step, snapshot)]


def _listed(aloud: Aloud, snapshot: Snapshot) -> Iterator[str]:
    speaker = Speaker(snapshot, aloud.has_signs)
    yield "What do you do? Type a number:"
    for number, action in enumerate(snapshot.legal, 1):
        yield f"  {number}. {speaker.action(action)}"


def _questioned(aloud: Aloud, question: Question, snapshot: Snapshot) -> Iterator[str]:
    speaker = Speaker(snapshot, aloud.has_signs)
    yield f"{speaker.question(question)} Type a number, 0 goes back:"
    for number, option in enumerate(question.options, 1):
        yield f"  {number}. {speaker.option(question, option)}"


def _number(aloud: Aloud, number: int, snapshot: Snapshot) -> tuple[Aloud, list[str], Wish | None]:
    if number == 0:
        aloud, lines = _asked(replace(aloud, menu=None), snapshot)
        return aloud, lines, None
    count = len(snapshot.legal) if aloud.question is None else len(aloud.question.options)
    if number > count:
        return aloud, [f"Type a number from 1 to {count}."], None
    if aloud.question is None:
        return aloud, [], snapshot.legal[number - 1]
    step = menus.next_step(aloud.question.options[number - 1].after)
    if isinstance(step, Action):
        return aloud, [], step
    aloud = replace(aloud, question=step)
    return aloud, list(_questioned(aloud, step, snapshot)), None
