"""The seed's five flow paths, state by state, and each arrow of its diagram.

States are seen as the table sees them: at every halt, and in the steps that rules return. What
several states come to in one step is followed through the transitions that the rules make.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from nodealer.games.api import action
from nodealer.games.papas.state import State
from nodealer.kernel import Seat
from tests.games.papas.positions import (
    answer,
    begun,
    discard,
    do,
    end,
    number,
    play,
    position,
    slots_of,
    take,
    trio,
)

PLAYER_TURN, REACTION, TARGETS, CARD, RESOLUTION, NAME, DISCARD = 2, 20, 25, 26, 27, 28, 30
NEXT, SCORE, END = 90, 98, 99


@contextmanager
def followed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Yield the numbers of the states that games go through meanwhile, in their order."""
    path: list[int] = []
    original = State.moved

    def moved(state: State, trigger: str, phase: object) -> State:
        after = original(state, trigger, phase)  # type: ignore[arg-type]
        if not path:
            path.append(_number(state))
        if path[-1] != _number(after):
            path.append(_number(after))
        return after

    with monkeypatch.context() as patch:
        patch.setattr(State, "moved", moved)
        yield path


def _number(state: State) -> int:
    return int(state.phase.value.rpartition("-")[2])


def test_the_normal_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Path 1: a card without a target; nobody says no; the turn goes on, or ends."""
    dealer = position(["year harry po", "du"])
    with followed(monkeypatch) as path:
        play(dealer, "year")
        assert path == [PLAYER_TURN, REACTION]
        answer(dealer)
    assert path == [PLAYER_TURN, REACTION, RESOLUTION, PLAYER_TURN]
    with followed(monkeypatch) as path:
        play(dealer, "harry")
        answer(dealer)
    assert path == [PLAYER_TURN, REACTION, RESOLUTION, NEXT, PLAYER_TURN]


def test_an_action_card_with_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """Path 2, with the window before the card or its name is selected, as in the diagram."""
    dealer = position(["buck pope pony po", "du fr"])
    with followed(monkeypatch) as path:
        play(dealer, "buck", [1])
        assert path == [PLAYER_TURN, TARGETS, REACTION]
        answer(dealer)
        assert number(dealer) == CARD
        take(dealer, 1, 0)
    assert path == [PLAYER_TURN, TARGETS, REACTION, CARD, RESOLUTION, PLAYER_TURN]
    with followed(monkeypatch) as path:
        play(dealer, "pope", [1])
        answer(dealer)
        assert number(dealer) == NAME
        do(dealer, action("select-card-name", name="no-poh"))
    assert path == [PLAYER_TURN, TARGETS, REACTION, NAME, RESOLUTION, PLAYER_TURN]
    with followed(monkeypatch) as path:
        play(dealer, "pony", [1])
        answer(dealer)
    assert path == [PLAYER_TURN, TARGETS, REACTION, RESOLUTION, NEXT, PLAYER_TURN]


def test_a_trio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Path 3."""
    dealer = position(["po po po du", "te du"])
    with followed(monkeypatch) as path:
        trio(dealer, "po po po")
        answer(dealer)
    assert path == [PLAYER_TURN, REACTION, PLAYER_TURN]


def test_the_size_of_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Path 4: the draw of 90 comes before the discards, and they lead back to it."""
    dealer = position(["po " * 8, "du"])
    with followed(monkeypatch) as path:
        end(dealer)
        assert path == [PLAYER_TURN, NEXT, DISCARD]
        discard(dealer, "po")
        assert path == [PLAYER_TURN, NEXT, DISCARD]
        discard(dealer, "po")
    assert path == [PLAYER_TURN, NEXT, DISCARD, NEXT, PLAYER_TURN]


def test_the_end_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Path 5."""
    dealer = position(["year po", "du"], golden=[7, 0])
    with followed(monkeypatch) as path:
        play(dealer, "year")
        answer(dealer)
    assert path == [PLAYER_TURN, REACTION, RESOLUTION, NEXT, SCORE, END]
    assert number(dealer) == END


def _ended() -> None:
    end(position(["po du", "po"]))


def _emptied() -> None:
    end(position(["po", ""]))


def _changed() -> None:
    dealer = position(["po", "du"])
    do(dealer, action("discard-and-draw", card=slots_of(dealer, 0, "po")))


def _played(word: str, *, said: str = "", at: int = -1, name: str = "") -> Callable[[], None]:
    def happening() -> None:
        dealer = position([f"{word} po", f"du {said or 'du'}", "fr"])
        play(dealer, word, [at] if at >= 0 else [])
        answer(dealer, **({"s1": said} if said else {}))
        if number(dealer) == CARD:
            take(dealer, 1, 0)
        if number(dealer) == NAME:
            do(dealer, action("select-card-name", name=name))

    return happening


def _trio() -> None:
    dealer = position(["po po po du", "te du"])
    trio(dealer, "po po po")
    answer(dealer)


def _discarded() -> None:
    dealer = position(["po " * 8, "du"])
    end(dealer)
    discard(dealer, "po")
    discard(dealer, "po")


def _won() -> None:
    dealer = position(["year po", "du"], golden=[7, 0])
    play(dealer, "year")
    answer(dealer)


WALKED: dict[tuple[int | None, int], Callable[[], object]] = {
    (PLAYER_TURN, NEXT): _ended,
    (PLAYER_TURN, REACTION): _trio,
    (PLAYER_TURN, TARGETS): _played("pony", at=1),
    (TARGETS, REACTION): _played("pony", at=1),
    (CARD, RESOLUTION): _played("buck", at=1),
    (NAME, RESOLUTION): _played("pope", at=1, name="potato"),
    (REACTION, PLAYER_TURN): _played("year", said="no"),
    (REACTION, CARD): _played("dawan", at=1),
    (REACTION, NAME): _played("pope", at=1, name="potato"),
    (REACTION, RESOLUTION): _played("year"),
    (RESOLUTION, PLAYER_TURN): _played("year"),
    (RESOLUTION, NEXT): _played("ahead", at=1),
    (DISCARD, NEXT): _discarded,
    (NEXT, PLAYER_TURN): _ended,
    (NEXT, DISCARD): _discarded,
    (NEXT, SCORE): _won,
    (SCORE, END): _won,
}
"""The arrows of the seed's diagram, each with something that walks it."""

NOT_WALKED: dict[tuple[int | None, int], str] = {
    (None, PLAYER_TURN): "cards are dealt before the first turn, in a state that the seed has not",
    (PLAYER_TURN, DISCARD): "the draw happens in 90, once, and only then the hand can be too large",
}
"""The arrows that are not walked as they are drawn, with the reason; one more follows."""

ALARM = "every alarm card is an action card and passes 27: 20 leads to 90 only for a paid trio"


@pytest.mark.parametrize("arrow", WALKED)
def test_an_arrow_of_the_seed_is_walked(
    arrow: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with followed(monkeypatch) as path:
        WALKED[arrow]()
    assert arrow in itertools.pairwise(path)


@pytest.mark.parametrize("walk", [_emptied, _changed])
def test_who_draws_up_a_hand_goes_on_to_90(
    walk: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with followed(monkeypatch) as path:
        walk()
    assert path[-3:] == [PLAYER_TURN, NEXT, PLAYER_TURN]


@pytest.mark.parametrize("word", ["pony", "harry", "ahead", "jump", "papa"])
def test_no_alarm_card_goes_from_the_window_to_90(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    aimed = 1 if word in ("pony", "ahead") else -1
    with followed(monkeypatch) as path:
        _played(word, at=aimed)()
    assert (REACTION, NEXT) not in itertools.pairwise(path), ALARM
    assert (RESOLUTION, NEXT) in itertools.pairwise(path)


def test_all_arrows_of_the_seed_are_told_of() -> None:
    drawn = len(WALKED) + len(NOT_WALKED) + 1
    assert drawn == 20, "the seed draws so many between its states, the way in counted"
    assert all(NOT_WALKED.values())


def test_the_first_turn_comes_after_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    with followed(monkeypatch) as path:
        begun(2)
    assert path == [10, PLAYER_TURN]


def test_no_state_lasts_but_those_in_which_somebody_acts() -> None:
    """Between two decisions the game halts only where somebody acts or is asked."""
    dealer = position(["year harry po", "du fr"])
    assert number(dealer) == PLAYER_TURN
    play(dealer, "year")
    assert number(dealer) == REACTION
    dealer.act(Seat(1), action("skip-reaction"))
    assert number(dealer) == PLAYER_TURN
