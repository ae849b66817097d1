"""No card that a player may not see gets onto its screen, into its lines or its log.

Whole games are played by chance over the real deck. After every entry everything that is shown to
every seat, and to a spectator, is searched for faces: what is found must be in the view of that
seat, or have been open to everybody before. Nothing on the screen may hint at others either, so
the faces of the game are looked for as signs, as words and as the names that sentences use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from high_card.rules import DECK as NUMBERS
from high_card.rules import GAME, Rules, State
from nodealer.bots import ChanceBot
from nodealer.cards import STOCK, Board, Composition
from nodealer.games.api import Action, Options, Step
from nodealer.games.base import AnyGame
from nodealer.games.effects import NewDeck
from nodealer.games.macaua.cards import DECK, name_of
from nodealer.games.macaua.rules import MACAUA
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.show.card_text import card_text
from nodealer.show.snapshot import Snapshot, snapshot_of
from nodealer.terminal.aloud import Aloud, tell
from nodealer.terminal.control import Size, control_for
from nodealer.terminal.screen import draw
from nodealer.terminal.spans import Palette, styled
from tests.show.watching import ME, Watched, dealt
from tests.support.circle import hashed
from tests.terminal.scenes import pressed

SIZES = (Size(60, 18), Size(132, 40))

WHOLE_GAME = 1_000
"""More looks than a game of high card has; of Macaua, where each costs more, there are fewer."""


class Worded(Rules):
    """High card whose faces are words that nothing else on a screen has."""

    def rules(self) -> str:
        """Return the page of high card."""
        return GAME.rules()

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Shuffle a deck of words."""
        step = super().setup(seats, options)
        words = Composition(tuple(f"face{number}" for number in NUMBERS.faces))
        return replace(step, effects=(NewDeck(words, STOCK),))

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Lay a card by its number."""
        numbers = {slot: face.removeprefix("face") for slot, face in board.faces.items()}
        return super().apply(state, Board(board.layout, numbers), seat, chosen)


def shown(snapshot: Snapshot, *, has_signs: bool) -> str:
    """Return everything that a terminal could be sent of a snapshot."""
    parts = []
    for size in SIZES:
        control = control_for(snapshot, size, has_signs=has_signs)
        able = [n for n, slot in enumerate(control.cards, 1) if slot in control.decision.pickable]
        chosen = "".join(f"{number}" for number in able[:1])
        for keys in ("", chosen, f"{chosen}\r", "l", "1"):
            drawing = draw(snapshot, pressed(snapshot, control, keys.encode()))
            parts += [styled(one, Palette.FOUR) for one in drawing.lines]
    return "\n".join([*parts, *tell(Aloud(has_signs), snapshot)[1]])


def spellings(rules: AnyGame) -> Mapping[str, str]:
    """Return all that could name a card of the game, with its face."""
    if rules is not MACAUA:
        return {f"face{number}": f"face{number}" for number in NUMBERS.faces}
    found = {}
    for face in DECK.faces:
        texts = (face, card_text(face, has_signs=True), card_text(face, has_signs=False))
        found.update(dict.fromkeys([*texts, name_of(face)], face))
    return found


def named_in(text: str, words: Mapping[str, str]) -> set[str]:
    """Return the faces of all cards that a text names."""
    pattern = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return {words[one[0]] for one in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text)}


def known(snapshot: Snapshot) -> set[str]:
    """Return the faces in the view."""
    zones = snapshot.view.zones
    return {card.face for zone in zones for card in zone.cards if card.face is not None}


def keys() -> list[str]:
    """Return the secret keys of all players, in letters."""
    named = (hashed(name, ("ui", 1), Seat(n)) for name in ("seed", "identity") for n in range(3))
    return [key.hex() for key in named]


def open_faces(made: Watched) -> set[str]:
    return set(made.tables[ME].position.board.faces.values())


def snapshots(made: Watched) -> Iterator[Snapshot]:
    """Yield what every seat sees, and what a spectator sees who has the same history."""
    for seat, table in made.tables.items():
        yield snapshot_of(table, made.others[seat], made.now)
    spectator = replace(made.tables[ME], player=None)
    yield snapshot_of(spectator, made.others[ME], made.now)


@pytest.mark.parametrize("has_signs", [True, False])
@pytest.mark.parametrize("rules", [MACAUA, Worded()], ids=["macaua", "worded"])
def test_nobody_is_shown_what_it_may_not_see(rules: AnyGame, *, has_signs: bool) -> None:
    made, words = dealt(3, rules, seed=1), spellings(rules)
    made.others = dict.fromkeys(made.tables, made.book)
    was_open, chance, checked, hidden = open_faces(made), Chance("secrecy"), 0, 0
    checks = 40 if rules is MACAUA else WHOLE_GAME
    while (seat := made.on_turn()) is not None and checked < checks:
        for snapshot in snapshots(made):
            allowed = known(snapshot) | was_open
            text = shown(snapshot, has_signs=has_signs)
            assert named_in(text, words) <= allowed
            assert not [key for key in keys() if key in text]
            hidden += len(set(words.values()) - allowed)
            checked += 1
        table = made.tables[seat]
        made.act(seat, ChanceBot().choose(table.view(), table.legal(), chance))
        was_open |= open_faces(made)
    assert made.table.position.is_closed or rules is MACAUA
    assert checked >= 20
    assert hidden >= 100


def test_a_leak_would_be_noticed() -> None:
    """The search finds a card of another hand in whatever way it is spelled."""
    made, words = dealt(3, MACAUA, seed=1), spellings(MACAUA)
    other = made.tables[Seat(1)].view()
    face = next(card.face for card in other.zone("hand", Seat(1)) if card.face)
    snapshot = made.snapshot()
    assert face not in known(snapshot)
    for word in (word for word, meant in words.items() if meant == face):
        (*_, last) = snapshot.log
        leaking = replace(snapshot, log=(*snapshot.log, replace(last, text=f"psst, {word}!")))
        assert face in named_in(shown(leaking, has_signs=True), words)
