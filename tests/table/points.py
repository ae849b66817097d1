"""Points of rehearsed games at which each kind of step is due; each test gets a copy of its own."""

from __future__ import annotations

from functools import lru_cache

from nodealer.cards import hand
from nodealer.games.api import Step, Turn, action
from nodealer.games.effects import Coin
from nodealer.kernel import Seat
from nodealer.ledger import Authored
from nodealer.table import Replay
from nodealer.table.carrying import entered
from tests.games.barter import BARTER
from tests.games.pairs import PAIRS
from tests.support.rehearsal import Rehearsal, rehearsal

SEATS = 3

DUE = ("keys", "shuffle", "mask", "deal", "draw", "commit", "open", "close")
"""The points at which something is due."""

ASKED = ("choose", "show", "verdict", "acks")
"""The points at which something is due in a game that asks for choices, verdicts and notices."""


@lru_cache
def _game(salt: object) -> dict[str, Rehearsal]:
    found: dict[str, Rehearsal] = {}
    made = rehearsal(SEATS, salt=salt)
    for name in ("keys", "shuffle", "mask", "deal"):
        found[name] = made.fork()
        made.settle()
    found["turn"] = made.fork()
    while "draw" not in found:
        made.step()
        if not isinstance(made.duty, Authored):
            found["draw"] = made.fork()
    made.until_turn()
    found["next turn"] = made.fork()
    tossing = made.fork()
    step: Step[object] = Step(made.position.rules, (Coin("toss", 6),))
    tossing.state = Replay(entered(made.position, step))
    found["commit"] = tossing.fork()
    tossing.settle()
    found["open"] = tossing
    while made.position.standing is None:
        made.step()
    found["close"] = made.fork()
    made.settle()
    found["closed"] = made
    return found


@lru_cache
def _pairs(salt: object, seats: int) -> dict[str, Rehearsal]:
    found: dict[str, Rehearsal] = {}
    made = rehearsal(seats, PAIRS, salt=salt)
    made.run(4)
    for name in ("choose", "show"):
        found[name] = made.fork()
        made.settle()
    found["guess"] = made.fork()
    made.step()
    for name in ("verdict", "acks"):
        found[name] = made.fork()
        made.settle()
    found["next choice"] = made.fork()
    return found


BARTERED = ("restack", "give", "return", "claim", "ask", "answer")
"""The points at which something is due in a game that asks what becomes of hands."""


@lru_cache
def _barter(salt: object, seats: int) -> dict[str, Rehearsal]:
    found: dict[str, Rehearsal] = {}
    made = rehearsal(seats, BARTER, options={"cards": 3, "turns": 12}, salt=salt)
    made.until_turn()
    made.act(Seat(0), action("steal", seat=1))
    found["restack"] = made.fork()
    made.until_turn()
    slots = made.position.board.at(hand(Seat(1)))
    made.act(Seat(0), action("take", card=slots[1:2]))
    found["give"] = made.fork()
    made.until_turn()
    made.act(Seat(1), action("scatter"))
    while made.position.program.step != "return":
        made.settle()
    found["return"] = made.fork()
    made.until_turn()
    made.act(Seat(2 % seats), action("want", seat=1, face="a"))
    found["claim"] = made.fork()
    made.until_turn()
    while "answer" not in found:
        made.act(made.position.view().duty.seat, action("call"))  # type: ignore[union-attr]
        asked = made.fork()
        made.settle()
        answers = b"".join(data for one in made.contributions() for _, data in one.payloads)
        if b"object" in answers:
            found["ask"], found["answer"] = asked, made.fork()
        made.until_turn()
    turn = made.position.view().duty
    assert isinstance(turn, Turn)
    other = next(seat for seat in made.position.roster if seat != turn.seat)
    made.act(turn.seat, action("look", seat=other))
    while made.position.program.step != "release":
        made.settle()
    found["look"] = made.fork()
    return found


BARTERED_STEPS = {**{name: name for name in BARTERED}, "look": "release"}
"""The steps that are due there, and where a hand is shown that stays closed."""


def bartered_at(name: str, seats: int = SEATS, salt: object = "points") -> Rehearsal:
    """Return a copy of a point of the game that asks what becomes of hands."""
    return _barter(salt, seats)[name].fork()


def at(name: str, salt: object = "points") -> Rehearsal:
    """Return a copy of a point, with nothing remembered."""
    return _game(salt)[name].fork()


def asked_at(name: str, seats: int = SEATS, salt: object = "points") -> Rehearsal:
    """Return a copy of a point of the game that asks."""
    return _pairs(salt, seats)[name].fork()


def after_redeal(name: str) -> Rehearsal:
    """Return a point of the epoch after a seat was left out at the first turn."""
    made = at("turn")
    made.evict(made.position.roster[-1])
    while name != "keys":
        made.settle()
        step = made.position.program.step
        if step == {"deal": "release"}.get(name, name):
            break
    return made
