"""The golden conversations: who sends what to whom, what each stores and shows.

Each is a short story of three or four seats, told by real ledgers and kept as text in
`tests/ledger/conversations/`. A change of the protocol shows there as a change that people can
read. To write them anew:

    python -m tests.ledger.conversations
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nodealer.kernel import Seat
from tests.ledger.chronicle import TellingWorld
from tests.ledger.forge import Forger
from tests.ledger.toy import BAD

FOLDER = Path(__file__).with_name("conversations")


def authored_step() -> TellingWorld:
    """An authored step: proposal, seals, taken."""
    world = TellingWorld(3, ("turn", "turn", "close"))
    world.answer(Seat(0))
    world.settle()
    return world


def due_step() -> TellingWorld:
    """A due step with binding contributions: all contribute, all seal."""
    world = TellingWorld(3, ("bind", "turn", "close"))
    world.act()
    world.settle()
    return world


def chained_step() -> TellingWorld:
    """A due step whose contributions build on each other, as a shuffle does."""
    world = TellingWorld(3, ("chain", "close"))
    for seat in (0, 1, 2):
        world.answer(Seat(seat))
        world.settle()
    return world


def kept() -> TellingWorld:
    """False patience: one seat votes too early, and `keep` brings it back."""
    world = TellingWorld(3, ("turn", "turn", "close"))
    world.cut = {(Seat(0), Seat(2)), (Seat(1), Seat(2))}
    world.answer(Seat(0))
    world.settle()
    world.pass_time(50, [Seat(2)])
    world.cut.clear()
    world.settle()
    return world


def evicted() -> TellingWorld:
    """A seat falls silent, is missed, and is left out."""
    world = TellingWorld(4, ("turn", "turn", "close"))
    world.gone.add(Seat(3))
    world.answer(Seat(0))
    world.settle()
    world.pass_time(10)
    world.settle()
    world.pass_time(20)
    world.settle()
    return world


def equivocated() -> TellingWorld:
    """An author tells two stories, is found out and left out."""
    world = TellingWorld(4, ("turn", "turn", "close"))
    world.gone.add(Seat(0))
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    one, other = author.proposal(tip, b"one"), author.proposal(tip, b"other")
    for message, to in ((one, (1, 2)), (other, (3,))):
        for seat in to:
            world.say(f"{seat} gets from 0 {world.told(message)}")
            author.tell(message, seat)
    world.settle()
    world.pass_time(10)
    world.settle()
    return world


def refused() -> TellingWorld:
    """A bad proposal is refused by all, and its author left out."""
    world = TellingWorld(4, ("turn", "turn", "close"))
    world.gone.add(Seat(0))
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    message = author.bad_proposal(tip, BAD)
    for seat in (1, 2, 3):
        world.say(f"{seat} gets from 0 {world.told(message)}")
        author.tell(message, seat)
    world.settle()
    return world


def falsely_refused() -> TellingWorld:
    """A good proposal is refused; replay shows that the reason is false, and the refuser is out."""
    world = TellingWorld(4, ("turn", "turn", "close"))
    world.gone.add(Seat(3))
    world.answer(Seat(0))
    world.settle()
    refuser, tip = Forger(world, 3), world.ledgers[Seat(1)].tip
    refused_one = next(iter(world.ledgers[Seat(1)].desk.followed))
    refusal = refuser.refusal(tip, refused_one, "rules/illegal")
    for seat in (0, 1, 2):
        world.say(f"{seat} gets from 3 refusal by 3: {refusal.reason}")
        refuser.tell(refusal, seat)
    world.settle()
    return world


def left() -> TellingWorld:
    """One of two seats leaves; the other goes on alone and closes the table."""
    world = TellingWorld(2, ("turn", "turn", "close"))
    world.act_as(1, "leaves", world.ledgers[Seat(1)].leave())
    world.settle()
    return world


def closed_and_again() -> TellingWorld:
    """The close, and another game on the same table."""
    world = TellingWorld(3, ("close",))
    world.settle()
    world.pass_time(0)
    world.settle()
    world.act_as(0, "proposes again", world.ledgers[Seat(0)].propose(b"again"))
    world.settle()
    return world


def restored() -> TellingWorld:
    """A restored node has forgotten its contribution, and is reminded before it signs anything."""
    world = TellingWorld(3, ("due", "close"))
    old = list(world.journals[Seat(1)])
    world.answer(Seat(1))
    world.settle()
    world.journals[Seat(1)] = old
    world.say("1 starts from an older copy of its journal")
    world.crash(Seat(1))
    world.wires.clear()
    world.act_as(1, "is suspect", world.ledgers[Seat(1)].recall())
    world.settle()
    return world


STORIES: dict[str, Callable[[], TellingWorld]] = {
    story.__name__.replace("_", "-"): story
    for story in (
        authored_step,
        due_step,
        chained_step,
        kept,
        evicted,
        equivocated,
        refused,
        falsely_refused,
        left,
        closed_and_again,
        restored,
    )
}


def told(name: str) -> str:
    """Tell a story: its title, and what happens line by line."""
    story = STORIES[name]
    world = story()
    return "\n".join([story.__doc__ or name, "", *world.lines]) + "\n"


def main() -> None:
    """Write all conversations."""
    for name in STORIES:
        (FOLDER / f"{name}.txt").write_text(told(name), encoding="utf-8")


if __name__ == "__main__":
    main()
