"""Golden histories: what each entry of a table is made of and what it comes to, as text to read.

The seats are real, with keys made from fixed seeds, so every byte is the same at each run. A line
for an entry says who contributed what, with its length; the lines below it what is public then: the
zones with their open cards, the queue, events, and the beginning of the state hash. A change of the
protocol shows there as a change that people can read. To write them anew:

    python -m tests.table.histories
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from nodealer.cards import Zone
from nodealer.games.api import Event
from nodealer.kernel import Seat
from nodealer.ledger import Authored, Closed, Due
from nodealer.table import Position
from tests.games.pairs import PAIRS
from tests.support.rehearsal import Rehearsal, rehearsal

FOLDER = Path(__file__).with_name("histories")


class Telling:
    """A rehearsal that notes every entry as lines of text."""

    def __init__(self, table: Rehearsal, title: str) -> None:
        self.table = table
        self.lines = [title, "", "charter"]
        self._tell_position()

    def go_on(self) -> None:
        """Go on by one entry."""
        table = self.table
        if isinstance(table.duty, Due):
            parts = [
                f"{one.seat}: {part.kind} {len(data)} bytes"
                for one in table.contributions()
                for part, (_, data) in zip(
                    [part for part in table.owed if one.seat in part.seats],
                    one.payloads,
                    strict=True,
                )
            ]
            table.settle()
            self._tell("due", parts or ["seals alone"])
            return
        seat, chosen = table.choose()
        data = table.act(seat, chosen)
        fields = ", ".join(f"{name}={value!r}" for name, value in chosen.fields)
        self._tell(f"seat {seat}", [f"{chosen.kind}({fields}) {len(data)} bytes"])

    def until(self, holds: Callable[[Rehearsal], bool]) -> None:
        """Go on until something holds."""
        while not holds(self.table):
            self.go_on()

    def evict(self, *seats: Seat) -> None:
        """Leave seats out."""
        self.table.evict(*seats)
        self._tell("left out", [", ".join(map(str, seats))])

    def again(self) -> None:
        """Begin another game."""
        seat = self.table.position.roster[0]
        self.table.again()
        self._tell(f"seat {seat}", ["again"])

    def _tell(self, who: str, what: list[str]) -> None:
        self.lines += ["", f"{self.table.moment.height - 1} {who}"]
        self.lines += [f"    {line}" for line in what]
        self._tell_position()

    def _tell_position(self) -> None:
        position = self.table.position
        self.lines += [f"  ! {told_event(event)}" for event in position.events]
        self.lines += [f"  = {line}" for line in told_position(position)]
        self.lines.append(f"  # {self.table.state.digest().hex()[:32]}")


def told_event(event: Event) -> str:
    """Return an event in a line."""
    fields = ", ".join(f"{name}={value!r}" for name, value in event.fields)
    return f"{event.kind}({fields})"


def told_position(position: Position) -> list[str]:
    """Return what is public, in a few lines."""
    board, program = position.board, position.program
    zones = [
        f"{told_zone(zone)}: {' '.join(board.faces.get(slot, f'[{slot}]') for slot in slots)}"
        for zone, slots in board.layout.zones.items()
        if zone.name != "stock"
    ]
    stock = [f"stock: {len(s)} cards" for z, s in board.layout.zones.items() if z.name == "stock"]
    queue = [type(effect).__name__ for effect in program.effects]
    if program.step is not None:
        due = f"due: {program.step} ({', '.join(queue)})"
    elif position.standing is None:
        due = f"turn: {position.duty}"
    else:
        due = f"{'closed' if position.is_closed else 'over'}: {position.standing.places}"
    return [f"roster: {' '.join(map(str, position.roster))}", *sorted(zones), *stock, due]


def told_zone(zone: Zone) -> str:
    """Return the name of a zone."""
    return zone.name if zone.seat is None else f"{zone.name} of {zone.seat}"


def on_turn(table: Rehearsal) -> bool:
    """Say whether somebody has the turn."""
    return isinstance(table.duty, Authored)


def first_deal() -> Telling:
    """Three seats: keys, shuffles, masks and releases; the coin rides along."""
    told = Telling(rehearsal(3, salt="history"), "The first deal")
    told.until(on_turn)
    return told


def short_game() -> Telling:
    """Two seats play to the end: cards are opened within actions, drawn cards released after."""
    told = Telling(rehearsal(2, salt="history"), "A short game")
    told.until(lambda table: isinstance(table.duty, Closed))
    return told


def left_out() -> Telling:
    """A seat is left out in the middle of a shuffle, and another in its turn."""
    told = Telling(rehearsal(4, salt="history"), "Seats are left out")
    told.go_on()
    told.evict(Seat(2))
    told.until(on_turn)
    told.evict(told.table.position.roster[0])
    told.until(on_turn)
    return told


def ended() -> Telling:
    """One of two seats is left out: the other wins, closes the table alone, and stays alone."""
    told = Telling(rehearsal(2, salt="history"), "The last seat closes alone")
    told.until(on_turn)
    told.evict(Seat(1))
    told.go_on()
    return told


def another_game() -> Telling:
    """After the close another game begins: nothing lies there, the numbers of slots go on."""
    told = Telling(rehearsal(3, salt="history"), "Another game")
    told.lines = [told.lines[0], "", "(a whole game before this)"]
    told.table.run()
    told.again()
    told.until(on_turn)
    return told


def asked(seats: int) -> Telling:
    """Seats choose at once, see, guess, hear a verdict and take notice, to the end of the game."""
    told = Telling(rehearsal(seats, PAIRS, salt="history"), f"Choices and verdicts among {seats}")
    told.until(lambda table: isinstance(table.duty, Closed))
    return told


def asked_and_left() -> Telling:
    """A seat is left out at every step of a round, and the cards stay as they lie."""
    table = rehearsal(7, PAIRS, salt="history", options={"cards": 3})
    told = Telling(table, "Seats are left out while others choose, open, compare and take notice")
    told.until(lambda table: table.position.program.step == "choose")
    told.evict(Seat(2))
    told.go_on()
    told.evict(Seat(4))
    told.go_on()
    guessing, _ = table.choose()
    told.go_on()
    others = [seat for seat in table.position.roster if seat != guessing]
    told.evict(others[0])
    told.go_on()
    told.evict(others[1])
    told.go_on()
    told.go_on()
    told.evict(guessing)
    told.until(lambda table: isinstance(table.duty, Closed))
    return told


STORIES: dict[str, Callable[[], Telling]] = {
    "first-deal": first_deal,
    "short-game": short_game,
    "left-out": left_out,
    "ended": ended,
    "another-game": another_game,
    "asked-two": partial(asked, 2),
    "asked-three": partial(asked, 3),
    "asked-four": partial(asked, 4),
    "asked-and-left": asked_and_left,
}


def told(name: str) -> str:
    """Return a history as text."""
    return "\n".join([*STORIES[name]().lines, ""])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for story in STORIES:
        (FOLDER / f"{story}.txt").write_text(told(story), encoding="utf-8")
