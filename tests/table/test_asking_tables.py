"""Real tables at which seats are asked in secret: who is, once, and what a restart remembers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nodealer.games.api import Action, Choice, action
from nodealer.kernel import LocalError, Reason, Seat
from nodealer.ledger import AskContribution
from nodealer.ledger.messages import Contributed
from nodealer.table import come_back
from tests.games.barter import BARTER
from tests.support.circle import Circle, circle, player_of

SALT = "asked in secret"


def asking(seats: int = 3) -> Circle:
    """Return a circle in which seat 0 has called, and all others are asked."""
    made = circle(seats, BARTER, salt=SALT)
    made.act(Seat(0), action("call"))
    return made


def sent(made: Circle, seat: Seat, word: bytes) -> Iterator[bytes]:
    """Yield the payloads of a seat in which a word stands."""
    for _, message in made.sent:
        if isinstance(message, Contributed) and message.contribution.seat == seat:
            yield from (data for _, data in message.contribution.payloads if word in data)


def test_those_who_are_asked_are_asked_and_nobody_else() -> None:
    made = asking()
    assert not made.tables[Seat(0)].view().owes_choice
    assert made.tables[Seat(0)].legal() == ()
    for seat in (Seat(1), Seat(2)):
        assert isinstance(made.asked[seat], AskContribution)
        assert made.tables[seat].view().owes_choice
        assert action("agree") in made.tables[seat].legal()


def test_all_hear_the_answers_once_the_last_has_said_something() -> None:
    made = asking()
    made.act(Seat(1), action("agree"))
    for table in made.tables.values():
        duty = table.view().duty
        assert isinstance(duty, Choice)
        assert duty.owing == (2,)
    assert not list(sent(made, Seat(1), b"table/answer"))
    made.act(Seat(2), action("agree"))
    assert list(sent(made, Seat(1), b"table/answer"))
    for table in made.tables.values():
        said = [one for one in table.position.events if one.kind == "said"]
        assert not table.view().owes_choice
        assert said or not table.position.underway


BAD = [
    action("fly"),
    action("wait"),
    action("agree", card=None),
    action("object", card=()),
    action("object", card=(999,)),
]


@pytest.mark.parametrize("chosen", BAD, ids=str)
def test_what_cannot_be_said_is_refused_and_changes_nothing(chosen: Action) -> None:
    made = asking()
    with pytest.raises(LocalError) as refused:
        made.tables[Seat(1)].act(chosen)
    assert refused.value.reason is Reason.RULES_ILLEGAL


def test_a_card_of_which_the_seat_does_not_know_the_face_is_not_proven() -> None:
    made = asking()
    stock = made.tables[Seat(1)].view().zone("hand", Seat(0))[0].slot
    with pytest.raises(LocalError):
        made.tables[Seat(1)].act(action("object", card=(stock,)))


def test_who_is_not_asked_says_nothing_and_nobody_says_it_twice() -> None:
    made = asking()
    with pytest.raises(LocalError):
        made.tables[Seat(0)].act(action("agree"))
    made.act(Seat(1), action("agree"))
    with pytest.raises(LocalError):
        made.tables[Seat(1)].act(action("agree"))


def test_a_seat_that_was_restarted_says_what_it_had_committed_to() -> None:
    """Nothing of it is in the journal but the commitment: what was said is found again."""
    made = asking()
    made.act(Seat(1), action("agree"))
    (commitment,) = set(sent(made, Seat(1), b"deck/commit"))
    stored = made.stored[Seat(1)][:]
    back, ready = come_back(made.setting, player_of(Seat(1), SALT), stored)
    assert not ready.ask
    with pytest.raises(LocalError):
        back.act(action("agree"))
    made.do(Seat(1), (back, ready))
    made.act(Seat(2), action("agree"))
    assert set(sent(made, Seat(1), b"deck/commit")) == {commitment}
    assert len(set(sent(made, Seat(1), b"table/answer"))) == 1
    assert not made.tables[Seat(0)].ledger.proven


def test_the_game_ends_alike_for_all() -> None:
    made = asking(4)
    made.play()
    assert len({table.ledger.tip.id for table in made.tables.values()}) == 1
    assert all(table.position.is_closed for table in made.tables.values())
