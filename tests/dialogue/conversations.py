"""Conversations of a program with a page, as files that other programs can be compared with.

Each line is what one side says: `<` the program, `>` the page. After a change that is meant, write
the files anew and read the difference:

    python -m tests.dialogue.conversations
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from nodealer.dialogue import (
    Dialogue,
    LobbyShown,
    SaidInLobby,
    SeatOffered,
    TermShown,
    answered,
    entered,
    heard,
    next_text,
    opened,
    with_lobby,
)
from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.show import Say
from tests.dialogue.parlour import Parlour, parlour
from tests.tidy.project import ROOT

FOLDER = ROOT / "specs" / "dialogue"


class Page:
    """A page whose conversation is written down."""

    def __init__(self, found: Parlour, seat: Seat) -> None:
        self.found, self.seat, self.number = found, seat, 0
        self.lines: list[str] = []
        self.page = found.enter(seat)
        self.read()

    def read(self) -> None:
        """Write down what the program says."""
        self.lines += [f"< {text}" for text in self.found.said(self.seat, self.page)]

    def wish(self, what: str, /, **fields: object) -> None:
        """Wish something, and write down what is said."""
        self.number += 1
        text = json.dumps({"n": self.number, "do": what, **fields}, separators=(",", ":"))
        self.lines.append(f"> {text}")
        self.found.hear(self.seat, self.page, text)
        self.read()

    @property
    def height(self) -> int:
        """The height of what is shown."""
        return self.found.snapshot(self.seat).height

    def play(self) -> None:
        """Play what would be played."""
        action = json.loads(self.found.dialogues[self.seat].state)["choice"]["play"]["action"]
        self.wish("play", height=self.height, action=action)


def first_choice() -> list[str]:
    """A player follows a table, chooses a card, thinks better of it, draws, and is late once."""
    found = parlour()
    page = Page(found, next(seat for seat in found.dialogues if found.snapshot(seat).legal))
    page.wish("follow")
    height = page.height
    snapshot = found.snapshot(page.seat)
    card = next(action.slots("cards")[0] for action in snapshot.legal if action.slots("cards"))
    page.wish("pick", height=height, card=card)
    page.wish("clear", height=height)
    page.wish("choose", height=height, kind="draw")
    page.play()
    page.wish("pick", height=height, card=card)
    return page.lines


def back_again() -> list[str]:
    """A page comes back and names the last lines it has; somebody has talked meanwhile."""
    found = parlour()
    found.wish(Seat(1), found.enter(Seat(1)), "say", text="<b>hello</b>")
    page = Page(found, Seat(0))
    mark = found.snapshot(Seat(0)).mark
    page.wish("follow", mark=mark, log=[2, 0], chat=None)
    page.wish("dance")
    page.wish("leave")
    return page.lines


def stack() -> list[str]:
    """A player of 6 nimmt! is asked which stack it takes."""
    found = parlour(game("take5"), options={"turn_count": 3, "deck_size": 10, "win_score": 200})
    seat = _has_to_take(found)
    page = Page(found, seat)
    page.wish("follow")
    page.wish("choose", height=page.height, kind="take")
    page.wish("play", height=page.height, action=0)
    page.wish("answer", height=page.height, option=1)
    page.play()
    return page.lines


def _has_to_take(found: Parlour) -> Seat:
    while True:
        for seat in found.dialogues:
            legal = found.snapshot(seat).legal
            if any(one.kind == "take" for one in legal):
                found.show()
                return seat
            if legal:
                found.made.act(seat, legal[0])


def in_a_lobby() -> list[str]:
    """A guest reads an offer, which changes before its yes arrives, and says something."""
    dialogue, page = entered(with_lobby(opened(), _lobby(3, "2")))
    lines: list[str] = []
    wishes = (
        '{"n":1,"do":"follow"}',
        '{"n":2,"do":"accept","offer":3}',
        '{"n":3,"do":"say","text":"three of us?"}',
    )
    for text in wishes:
        dialogue = _told(dialogue, page, lines)
        if lines[-1].startswith('< {"is":"lobby"'):
            dialogue = with_lobby(dialogue, _lobby(4, "3"))
        lines.append(f"> {text}")
        dialogue, request = heard(dialogue, page, text)
        if request is not None:
            assert isinstance(request.wish, Say)
            said = SaidInLobby("Ana", "k3n8qd", 1_795_000_000, request.wish.text, is_you=True)
            dialogue = with_lobby(dialogue, replace(_lobby(4, "3"), chat=(said,)))
            dialogue = answered(dialogue, request)
    _told(dialogue, page, lines)
    return lines


def _lobby(offer: int, seats: str) -> LobbyShown:
    return LobbyShown(
        mark="7f3a9c",
        game="Macaua",
        is_host=False,
        offer=offer,
        headline="Bea asks whether you play.",
        seats=(
            SeatOffered("Bea", "known to you", has_accepted=True, is_program=True),
            SeatOffered("Ana", "you", is_you=True),
        ),
        terms=(TermShown("seats", seats, "2" if seats != "2" else None),),
        may_accept=True,
    )


def _told(dialogue: Dialogue, page: int, lines: list[str]) -> Dialogue:
    while True:
        dialogue, text = next_text(dialogue, page)
        if text is None:
            return dialogue
        lines.append(f"< {text}")


CONVERSATIONS: Sequence[Callable[[], list[str]]] = (first_choice, back_again, stack, in_a_lobby)


def files() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file."""
    for made in CONVERSATIONS:
        assert made.__doc__ is not None
        yield f"{made.__name__}.txt", "\n".join([f"# {made.__doc__}", *made(), ""])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in files():
        (FOLDER / name).write_text(text, encoding="utf-8")
