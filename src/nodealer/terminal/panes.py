"""The parts of the screen, each a list of lines for so many columns.

They know where they get their words from and nothing of each other; `screen` puts them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from nodealer.cards import Zone, hand
from nodealer.games import Action, SeenCard, SeenZone, Turn
from nodealer.show import (
    TICKS_A_SECOND,
    Question,
    SeatShown,
    Share,
    Sitting,
    Snapshot,
    Speaker,
    awaited,
    columns_of,
    padded,
    reach_words,
    suit_of,
    wrapped,
)
from nodealer.terminal.control import Control
from nodealer.terminal.pages import letters_of, lines_told, log_lines
from nodealer.terminal.spans import Line, Look, Span, flowed, line

QUIET_TICKS: Final = 5 * TICKS_A_SECOND
"""Of a seat that was heard more recently nothing is said."""

CARDS_READ: Final = 3
"""Of a heap so many cards are read out, the top one last."""

BETWEEN_PHRASES: Final = "  "
"""Beside the space that ends a phrase."""

NAME_COLUMNS: Final = 12
"""Beside each other, so much of a name is shown; by itself all of it."""

QUESTION_ROWS: Final = 4
"""So many rows a question has beside the table; a longer one is told in fewer words."""

ROWS_BESIDE: Final = 8
"""What the screen needs beside the longest question."""

_SHARES: Final = {Share.DONE: "done", Share.BUSY: "now", Share.LATER: "later"}


def seats_pane(
    snapshot: Snapshot, control: Control, columns: int, *, beside: bool = False
) -> list[Line]:
    """Return a line for every seat, or half as many with two seats on each."""
    if not beside:
        return [_seat_line(snapshot, control, one, columns) for one in snapshot.seats]
    half = columns // 2
    rows = (len(snapshot.seats) + 1) // 2
    lines: list[Line] = []
    for left in snapshot.seats[:rows]:
        found = _seat_line(snapshot, control, left, half - 1)
        right = snapshot.seats[rows:][left.seat : left.seat + 1]
        lines.append(
            (*found, Span(" "), *(_seat_line(snapshot, control, right[0], half)))
            if right
            else found
        )
    return lines


def cards_pane(snapshot: Snapshot, control: Control, columns: int, rows: int) -> list[Line]:
    """Return what lies on the table, but for the player's own cards, and how the round stands.

    That stands behind what is everybody's. Where there is no room for all it stays, and what lies
    before other seats gives way first.
    """
    status = status_lines(snapshot, columns)[:rows]
    zones = [zone for zone in snapshot.view.zones if not _is_own(snapshot, zone)]
    common = [zone for zone in zones if zone.seat is None]
    others = [zone for zone in zones if zone.seat is not None]
    before, behind = (
        [row for zone in some for row in _zone_lines(snapshot, control, zone, columns)]
        for some in (common, others)
    )
    before = before[: rows - len(status)]
    return [*before, *status, *behind[: rows - len(status) - len(before)]]


def due_pane(snapshot: Snapshot, control: Control, columns: int) -> list[Line]:
    """Return what is due, who is waited for, how far a joint step is, and how the game ended."""
    speaker = Speaker(snapshot, control.has_signs)
    lines = [line(Span(row, Look.STRONG)) for row in wrapped(speaker.headline(), columns)]
    is_long = any(snapshot.now - one.since >= QUIET_TICKS for one in snapshot.waiting)
    look = Look.ALARM if is_long else Look.FAINT
    for text in speaker.waits():
        lines += [line(Span(row, look)) for row in wrapped(text, columns)]
    lines += [line(f"  {text}") for text in speaker.standing()]
    if snapshot.progress is not None:
        cells = [
            line(f"{snapshot.name_of(seat)} {_SHARES[share]}   ")
            for seat, share in snapshot.progress.shares
        ]
        lines += flowed(cells, columns)
        why = snapshot.progress.why
        lines += [line(Span(row, Look.FAINT)) for row in wrapped(why, columns)] if why else []
    return lines


def hand_pane(snapshot: Snapshot, control: Control, columns: int) -> list[Line]:
    """Return the player's cards with their numbers."""
    zones = [zone for zone in snapshot.view.zones if _is_own(snapshot, zone)]
    lines: list[Line] = []
    for zone in zones:
        name = Speaker(snapshot, control.has_signs).zone(zone.name, zone.seat)
        cells = [line(Span(f"{name}: ", Look.FAINT))] if len(zones) > 1 else []
        cells += [_cell(snapshot, control, card) for card in zone.cards]
        lines += flowed(cells, columns)
    nothing = "You watch." if snapshot.you is None else "You have no cards."
    return lines or [line(Span(nothing, Look.FAINT))]


def prompt_pane(snapshot: Snapshot, control: Control, columns: int) -> list[Line]:
    """Return what is chosen, asked or written."""
    if control.writing is not None:
        return [_writing(control.writing.before, control.writing.after, columns)]
    if control.question is not None:
        return _question(snapshot, control, control.question, columns)
    if control.typed:
        return [line(f"Card {control.typed}_   (a further digit, or Enter)")]
    decision = control.decision
    if not decision.menu.named:
        return [line()]
    if not decision.is_begun:
        return flowed(_kinds(snapshot, control), columns)[:3]
    return [_chosen(snapshot, control)]


def log_pane(snapshot: Snapshot, control: Control, columns: int, rows: int) -> list[Line]:
    """Return the newest sentences of the log, as many as have room."""
    lines: list[Line] = []
    for told in reversed(lines_told(snapshot, is_folded=control.is_folded)):
        if len(lines) >= rows:
            break
        lines = [*log_lines(told, columns), *lines]
    return lines[max(0, len(lines) - rows) :]


def chat_pane(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Return the newest of what was said."""
    lines: list[Line] = []
    for said in snapshot.heard[-rows:] if rows else ():
        text = f"{snapshot.name_of(said.seat)}: {said.text}"
        lines += [line(Span(row, Look.STRONG)) for row in wrapped(text, columns)]
    return lines[max(0, len(lines) - rows) :]


def table_lines(snapshot: Snapshot, *, has_signs: bool) -> Iterator[str]:
    """Yield the cards that the player sees, zone by zone, and how the round stands, aloud."""
    speaker = Speaker(snapshot, has_signs)
    for zone in snapshot.view.zones:
        name = speaker.zone(zone.name, zone.seat)
        if _is_own(snapshot, zone):
            name = f"Your {name}"
        count = "1 card" if len(zone.cards) == 1 else f"{len(zone.cards)} cards"
        shown = [speaker.face(card.face) for card in zone.cards[-CARDS_READ:]]
        if all(card.face is None for card in zone.cards):
            yield f"{name}: {count}."
        elif _is_hand(zone) or _is_own(snapshot, zone) or len(zone.cards) <= CARDS_READ:
            yield f"{name}: {', '.join(speaker.face(card.face) for card in zone.cards)}."
        else:
            yield f"{name}: {count}, the last ones {', '.join(shown)}."
    if snapshot.status:
        yield f"The game says: {'; '.join(snapshot.status)}."


# Seats.


def _seat_line(snapshot: Snapshot, control: Control, seat: SeatShown, columns: int) -> Line:
    duty = snapshot.view.duty
    has_turn = isinstance(duty, Turn) and duty.seat == seat.seat
    mark = (">" if not control.has_signs else "▶") if has_turn else " "
    longest = max(columns_of(one.name) for one in snapshot.seats)
    cards = "1 card" if seat.cards == 1 else f"{seat.cards} cards"
    is_narrow = columns < 2 * NAME_COLUMNS + 20
    reached = reach_words(seat.reach, snapshot.now, is_brief=is_narrow)
    words = [*_standing(snapshot, seat), *reached]
    name = padded(seat.name, min(longest, NAME_COLUMNS) if is_narrow else longest)
    key = f"[{seat.mark}] " if seat.mark and not is_narrow else ""
    look = Look.STRONG if has_turn else Look.PLAIN
    if seat.sitting is not Sitting.THERE:
        look = Look.FAINT
    text = f"{mark} {name} {key}{cards:<8} {', '.join(words)}"
    return line(Span(padded(text, columns), look))


def _standing(snapshot: Snapshot, seat: SeatShown) -> Iterator[str]:
    if seat.is_you:
        yield "you"
    if seat.is_bot:
        yield "bot"
    if seat.is_program:
        yield "program"
    if seat.sitting is Sitting.PROVEN:
        yield "proven to have cheated"
    elif seat.sitting is not Sitting.THERE:
        yield seat.sitting.value
    yield from (awaited(one, snapshot) for one in snapshot.waiting if one.seat == seat.seat)
    if seat.is_muted:
        yield "muted"


# Cards.


def _is_own(snapshot: Snapshot, zone: SeenZone) -> bool:
    return zone.seat is not None and zone.seat == snapshot.view.viewer


def _is_hand(zone: SeenZone) -> bool:
    return zone.seat is not None and Zone(zone.name, zone.seat) == hand(zone.seat)


def _zone_lines(snapshot: Snapshot, control: Control, zone: SeenZone, columns: int) -> list[Line]:
    """Return a zone with its cards; of one in which nothing is to be seen, how many they are."""
    numbered = [card for card in zone.cards if card.slot in control.cards]
    is_open = any(card.face is not None for card in zone.cards)
    name = Speaker(snapshot, control.has_signs).zone(zone.name, zone.seat)
    if numbered:
        cells = [line(Span(f"{name}: ", Look.FAINT))]
        return flowed([*cells, *(_cell(snapshot, control, card) for card in zone.cards)], columns)
    if zone.seat is not None and not is_open:
        return []  # the line of the seat has the number
    head = f"{name}, {len(zone.cards)}: " if is_open else f"{name}, {len(zone.cards)} cards"
    return [_newest(snapshot, control, head, zone.cards if is_open else (), columns)]


def _newest(
    snapshot: Snapshot, control: Control, head: str, cards: Sequence[SeenCard], columns: int
) -> Line:
    """Return a line with the last cards of a zone, the last of them strong: it lies on top."""
    speaker = Speaker(snapshot, control.has_signs)
    shown: list[Span] = []
    left = columns - len(head) - 2
    for card in reversed(cards):
        text, remark = speaker.bare(card.face), speaker.remark(card.face)
        left -= columns_of(text + remark) + 1
        if left < 0:
            shown.insert(0, Span(".. "))
            break
        look = Look.STRONG if not shown else _suit_look(card.face)
        shown = [Span(text, look), Span(f"{remark} ", Look.FAINT), *shown]
    return line(Span(head, Look.FAINT), *shown)


def _cell(snapshot: Snapshot, control: Control, card: SeenCard) -> Line:
    """Return a card with its number, and whether it can be chosen or is."""
    speaker = Speaker(snapshot, control.has_signs)
    if card.slot not in control.cards:
        return line(f" {speaker.face(card.face)}  ")
    index = control.cards.index(card.slot)
    decision = control.decision
    mark = "*" if card.slot in decision.pickable else " "
    look = _suit_look(card.face)
    if card.slot in decision.choice.picked:
        mark, look = "+", Look.BAR
    has_cursor = index == control.cursor and bool(decision.menu.named)
    edges = ("[", "]") if has_cursor else (" ", " ")
    return line(
        Span(f"{edges[0]}{index + 1:>2})", Look.FAINT),
        Span(f"{mark}{speaker.bare(card.face)}", look),
        Span(f"{speaker.remark(card.face)}{edges[1]} ", Look.FAINT),
    )


def _suit_look(face: str | None) -> Look:
    suit = suit_of(face)
    return Look.PLAIN if suit is None else Look(suit)


def status_lines(snapshot: Snapshot, columns: int) -> list[Line]:
    """Return how the round stands: phrases beside each other, broken only where they have to be."""
    width = columns - len(BETWEEN_PHRASES)
    rows = (row for phrase in snapshot.status for row in _phrase_lines(phrase, width))
    return flowed(((*row, Span(BETWEEN_PHRASES)) for row in rows), columns)


def _phrase_lines(phrase: str, columns: int) -> list[Line]:
    """Return a phrase on lines, broken behind commas: so a name and its number stay together."""
    pieces = phrase.replace(", ", ",\n").split("\n")
    rows = (row for piece in pieces for row in wrapped(piece, columns - 1))
    return flowed((line(row, " ") for row in rows), columns)


# The prompt.


def _writing(before: str, after: str, columns: int) -> Line:
    """Return the line that is written, with its end where it would be too long."""
    while columns_of(before) + 2 > columns - 1:
        before = before[1:]
    return line("/ ", before, after)


def _question(snapshot: Snapshot, control: Control, question: Question, columns: int) -> list[Line]:
    lines = _options(snapshot, control, question, columns)
    if len(lines) > QUESTION_ROWS:  # what the game remarks of each can be read in the rules
        lines = _options(replace(snapshot, remarks={}), control, question, columns)
    return lines[: control.size.rows - ROWS_BESIDE]


def _options(snapshot: Snapshot, control: Control, question: Question, columns: int) -> list[Line]:
    speaker = Speaker(snapshot, control.has_signs)
    typed = f" {control.typed}_" if control.typed else ""
    cells = [line(Span(f"{speaker.question(question)}{typed}  ", Look.STRONG))]
    for number, option in enumerate(question.options, 1):
        cells.append(
            line(Span(f"{number} ", Look.STRONG), f"{speaker.option(question, option)}   ")
        )
    return flowed(cells, columns)


def _kinds(snapshot: Snapshot, control: Control) -> Iterator[Line]:
    letters = letters_of(snapshot.kinds)
    named = {action.kind for action, _ in control.decision.menu.named}
    if control.decision.pickable:
        yield line(Span("* ", Look.STRONG), "choose by number   ")
    for kind in snapshot.kinds:
        if kind.kind in named and kind.kind in letters:
            yield line(Span(f"{letters[kind.kind]} ", Look.STRONG), f"{kind.text}   ")


def _chosen(snapshot: Snapshot, control: Control) -> Line:
    speaker, decision = Speaker(snapshot, control.has_signs), control.decision
    choice = decision.choice
    text = speaker.cards(choice.picked)
    if choice.kind is not None:
        kind = next(one.text for one in snapshot.kinds if one.kind == choice.kind)
        text = f"{kind}: {text}" if text else kind
    match decision.upcoming:
        case Action() as action:
            text, how = speaker.action(action), "Enter plays, Esc clears"
        case None:
            how = "choose cards by number, Esc clears"
        case _:
            how = "Enter goes on, Esc clears"
    return line(Span(text, Look.STRONG), f"   {how}")
