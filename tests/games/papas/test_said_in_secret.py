"""What a seat sends while it is asked has no length that depends on what it holds or says.

When it sends it follows from the window and from chance alone: `tests/node/test_answering.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nodealer.games.api import Action, action
from nodealer.kernel import Seat
from nodealer.ledger import Contributed, write
from tests.games.papas.lied_to import LiedTo, dealt, held, slots_of

SKIP = action("skip-reaction")

INTERRUPTS = {"no-poh", "te-dije-que-no-poh"}


def windows() -> Iterator[tuple[LiedTo, Seat, Seat]]:
    """Yield windows, each with a seat that can say something, and one that cannot."""
    for word in ("harry", "year", "jump"):
        made = dealt()
        for _ in range(6):
            actor, able = made.until(word, beside="no")
            other = next(seat for seat in made.tables if seat not in (actor, able))
            if not INTERRUPTS & set(held(made, other).values()):
                made.act(actor, action("play-card", card=slots_of(made, actor, word)[:1]))
                yield made, able, other
                break
            made.act(actor, action("end-turn"))


def sent(made: LiedTo, seat: Seat, kind: bytes) -> bytes:
    """Return the one message with which a seat gives something of a kind."""
    found = {
        write(message)
        for sender, message in made.sent
        if sender == seat and isinstance(message, Contributed) and kind in write(message)
        if message.contribution.seat == seat
    }
    (data,) = found
    return data


def asked(made: LiedTo, seat: Seat, said: Action) -> LiedTo:
    """Return the same window after a seat has committed to something."""
    fork = made.fork()
    fork.act(seat, said)
    return fork


@pytest.fixture(scope="module")
def found() -> list[tuple[LiedTo, Seat, Seat]]:
    """Return all windows."""
    made = list(windows())
    assert len(made) > 1
    return made


def test_a_commitment_has_one_length_whatever_is_held_and_said(
    found: list[tuple[LiedTo, Seat, Seat]],
) -> None:
    for made, able, other in found:
        no = action("no-poh", card=slots_of(made, able, "no")[:1])
        lengths = {
            len(sent(asked(made, seat, said), seat, b"deck/commit"))
            for seat, said in ((able, no), (able, SKIP), (other, SKIP))
        }
        assert len(lengths) == 1


def test_who_says_nothing_opens_that_in_one_length_whatever_it_holds(
    found: list[tuple[LiedTo, Seat, Seat]],
) -> None:
    for made, able, other in found:
        opened = asked(asked(made, able, SKIP), other, SKIP)
        assert len({len(sent(opened, seat, b"table/answer")) for seat in (able, other)}) == 1
