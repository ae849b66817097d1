"""What a game says beside its cards is shown on screens and told in lines, cleaned and bounded."""

# ruff: noqa: ARG002 - the interface has more arguments than these games need

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from high_card.rules import GAME, Rules
from nodealer.games.api import (
    LOOK_FIELDS_MAX,
    LOOK_TEXT_LETTERS_MAX,
    PHRASE_LETTERS_MAX,
    REMARK_LETTERS_MAX,
    STATUS_PHRASES_MAX,
    CardLook,
    Options,
    View,
    action,
)
from nodealer.kernel import Seat
from nodealer.show.remarks import looks_of, remarks_of, status_of
from nodealer.show.snapshot import Snapshot
from nodealer.show.wording import Speaker
from nodealer.terminal.aloud import Aloud, tell
from nodealer.terminal.control import Size
from tests.show.watching import dealt
from tests.terminal.scenes import choosing_a_stack, picture

EVIL = "\x1b[2J\u202e\nx"
LOW_SPADES = {f"{rank}S" for rank in range(2, 11)}
NAMES = {Seat(0): "Ana", Seat(1): "Bea"}


class Saying(Rules):
    """High card with something to say."""

    said: tuple[str, ...]

    def __init__(self, *said: str, remark: str = "") -> None:
        super().__init__(title=remark)
        object.__setattr__(self, "said", said)

    def rules(self) -> str:
        """Return the page of high card."""
        return GAME.rules()

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """Say what it was made with."""
        return self.said

    def remark(self, view: View, word: str) -> str:
        """Say what it was made with."""
        return self.title

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        """Draw all spades as what it was made with."""
        return {f"{rank}S": dict.fromkeys(self.said, options[self.title]) for rank in range(2, 11)}


class Failing(Saying):
    """High card that cannot say anything."""

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """Fail."""
        raise KeyError(view.viewer, len(names))

    def remark(self, view: View, word: str) -> str:
        """Fail."""
        raise KeyError(word)

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        """Fail."""
        raise KeyError(len(options))


@pytest.fixture(scope="module")
def view() -> View:
    return dealt(2).snapshot().view


def test_phrases_of_a_game_are_cleaned_and_bounded(view: View) -> None:
    assert status_of(Saying(EVIL, "", "a"), view, NAMES) == ("?[2J? x", "a")
    (long,) = status_of(Saying("王" * 1000), view, NAMES)
    assert len(long) <= PHRASE_LETTERS_MAX
    assert len(status_of(Saying(*"abcdefghijkl"), view, NAMES)) == STATUS_PHRASES_MAX


def test_remarks_of_a_game_are_cleaned_and_bounded(view: View) -> None:
    assert set(remarks_of(Saying(remark=EVIL), view, ()).values()) == {"?[2J? x"}
    assert {len(one) for one in remarks_of(Saying(remark="x" * 99), view, ()).values()} == {
        REMARK_LETTERS_MAX
    }


def test_remarks_are_those_on_faces_that_are_seen_on_zones_and_on_values(view: View) -> None:
    legal = [action("ask", suit="H", count=3, other=None)]
    faces = {card.face for zone in view.zones for card in zone.cards} - {None}
    words = set(remarks_of(Saying(remark="!"), view, legal))
    assert words == {*faces, *(zone.name for zone in view.zones), "H"}
    assert dict(remarks_of(Rules(), view, legal)) == {}


def test_looks_are_those_of_faces_that_are_seen_and_are_bounded(view: View) -> None:
    seen = {card.face for zone in view.zones for card in zone.cards}
    kinds: dict[str, str | int] = {"x": EVIL, "y": 7, "z": True, "long": "x" * 999, "great": 2**99}
    for name, value in kinds.items():
        looks = looks_of(Saying("kind", EVIL, *"abcdefghij", remark=name), {name: value}, view)
        assert looks.keys() == {face for face in seen if face and face in LOW_SPADES}
        (look, *_) = looks.values()
        assert list(look)[:2] == ["kind", "?[2J? x"]
        assert len(look) == LOOK_FIELDS_MAX
        shown = look["kind"]
        assert shown == {"x": "?[2J? x", "y": 7, "z": True}.get(name, shown)
        assert len(str(shown)) <= LOOK_TEXT_LETTERS_MAX
    assert dict(looks_of(Rules(), {}, view)) == {}


def test_a_game_that_fails_to_say_something_is_shown_without_it(view: View) -> None:
    assert status_of(Failing(), view, NAMES) == ()
    assert dict(remarks_of(Failing(), view, ())) == {}
    assert dict(looks_of(Failing(), {}, view)) == {}


def saying(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot with a phrase, and remarks on a card, a zone and a value."""
    remarks = {"10S": "ten", "discard": "up", "H": "red"}
    return replace(snapshot, status=("one", "two " * 30), remarks=remarks)


def test_they_are_shown_on_the_screen() -> None:
    snapshot = saying(dealt(3).snapshot())
    text = picture(snapshot)
    assert "10S♠ (ten)" in text
    assert "\ndiscard (up), 1: " in text
    assert "\none\ntwo two" in text
    zones = [replace(zone, seat=None) for zone in snapshot.view.zones]
    lying = replace(snapshot, view=replace(snapshot.view, zones=tuple(zones)), legal=())
    assert "10S♠ (ten) KH♥ 3S♠" in picture(lying)


def test_they_are_told_in_lines() -> None:
    lines = tell(Aloud(), saying(dealt(3).snapshot()))[1]
    assert "The game says: one; two" in " ".join(lines)
    assert "discard (up): 2S♠." in lines
    assert "  1. play cards: 10S♠ (ten)" in lines


def test_a_remark_stands_behind_the_value_of_a_field() -> None:
    speaker = Speaker(saying(dealt(3).snapshot()))
    ace = action("play", cards=None, macaua=None, suit="H")
    assert speaker.action(ace) == "play cards: suit hearts (red)"


def test_stacks_are_chosen_by_their_bull_heads() -> None:
    snapshot = choosing_a_stack().snapshot()
    sums = [snapshot.remarks[name] for name in "ABCD"]
    assert sums == [snapshot.remarks[f"stack-{name}"] for name in "ABCD"]
    asked = "   ".join(f"{n} {s} ({v})" for n, s, v in zip("1234", "ABCD", sums, strict=True))
    assert f"Stack?  {asked}" in picture(snapshot, Size(60, 18), b"t\r")
