"""What the terminal asks of a player of Papas: targets by name, positions, names, the window."""

from __future__ import annotations

from collections.abc import Callable

from nodealer.games.api import action
from nodealer.games.papas import PAPAS
from nodealer.kernel import Seat
from nodealer.show.menus import CARD, KIND, MenuChoice, Question, menu_of, next_step, of_kind
from nodealer.show.snapshot import Snapshot
from nodealer.show.wording import Speaker, order_of_cards
from nodealer.terminal.control import Size
from nodealer.terminal.pages import letters_of
from tests.games.papas.positions import play, position
from tests.terminal.scenes import picture, reaching
from tests.terminal.test_control import type_keys as typed


def asked(kind: str) -> Snapshot:
    """Return a table at which the player may do something of a kind."""
    return reaching(3, can(kind), PAPAS).snapshot()


def can(kind: str) -> Callable[[Snapshot], bool]:
    """Say of a table whether the player has to choose among several actions of a kind."""
    return lambda one: len([chosen for chosen in one.legal if chosen.kind == kind]) > 1


def question(snapshot: Snapshot, kind: str) -> Question:
    """Return what is asked once the kind is decided."""
    menu = menu_of(snapshot.legal, snapshot.kinds, order_of_cards(snapshot))
    step = next_step(of_kind(MenuChoice(menu), kind))
    assert isinstance(step, Question)
    return step


def answers(snapshot: Snapshot, asking: Question) -> list[str]:
    """Return the answers as people read them."""
    speaker = Speaker(snapshot)
    return [speaker.option(asking, option) for option in asking.options]


def test_the_number_of_a_seat_is_not_taken_for_that_of_a_card() -> None:
    dealer = position(["buck po", "du", "du"])
    play(dealer, "buck")
    view = dealer.view(Seat(0))
    lying = tuple(card.slot for zone in view.zones for card in zone.cards)
    assert {1, 2} <= set(lying), "there are cards of these numbers"
    step = next_step(MenuChoice(menu_of(dealer.legal(Seat(0)), PAPAS.actions, lying)))
    assert isinstance(step, Question)
    assert step.about == "seats"


def test_targets_are_asked_for_by_name() -> None:
    snapshot = asked("select-targets")
    asking = question(snapshot, "select-targets")
    assert asking.about == "seats"
    assert answers(snapshot, asking) == ["Bea", "Čeněk"]
    chosen = snapshot.legal[0]
    assert Speaker(snapshot).action(chosen) == "say at whom it is aimed: Bea"


def test_two_targets_are_asked_for_together() -> None:
    snapshot = asked("select-targets")
    two = action("select-targets", seats=(0, 2))
    assert Speaker(snapshot).action(two) == "say at whom it is aimed: Ana and Čeněk"


def test_a_position_is_asked_for_as_a_place_in_the_hand() -> None:
    snapshot = asked("select-card")
    asking = question(snapshot, "select-card")
    assert asking.about == CARD
    assert answers(snapshot, asking)[0].startswith("card 1 (")
    assert len(asking.options) == len(snapshot.legal)


def test_the_window_says_its_seconds_and_asks_what_is_said() -> None:
    def may_say_no(one: Snapshot) -> bool:
        return {chosen.kind for chosen in one.legal} >= {"no-poh", "skip-reaction"}

    snapshot = reaching(3, may_say_no, PAPAS).snapshot()
    menu = menu_of(snapshot.legal, snapshot.kinds, order_of_cards(snapshot))
    step = next_step(MenuChoice(menu))
    assert isinstance(step, Question)
    assert step.about == KIND
    assert {"say no poh", "say nothing"} <= set(answers(snapshot, step))
    names = {number: one.name for number, one in enumerate(snapshot.seats)}
    told = PAPAS.status(snapshot.view, names)  # type: ignore[arg-type]
    assert any(phrase.endswith("10 seconds to answer") for phrase in told)


def test_the_name_of_a_card_is_asked_for_at_once_and_played_by_enter() -> None:
    snapshot = asked("select-card-name")
    letter = letters_of(snapshot.kinds)["select-card-name"]
    control, _ = typed(snapshot, letter)
    assert control.question is not None
    assert control.question.about == "name"
    for size in (Size(60, 18), Size(80, 24)):
        told = picture(snapshot, size, letter.encode())
        for number, answer in enumerate(answers(snapshot, control.question), 1):
            assert f"{number} {answer.partition(' (')[0]}" in told
    control, wishes = typed(snapshot, f"{letter}12")
    assert (control.question, wishes) == (None, [])
    (wish,) = typed(snapshot, f"{letter}12\r")[1]
    assert wish in snapshot.legal
