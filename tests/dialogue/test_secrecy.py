"""Not one byte that is sent to a page has a card that its player may not see, nor a key.

A whole game is played whose faces are words of 16 letters that nothing else has. Everything that
pages of every seat and of a spectator are sent is searched for them.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from high_card.rules import DECK as NUMBERS
from high_card.rules import GAME, Rules, State
from nodealer.bots import ChanceBot
from nodealer.cards import STOCK, Board, Composition
from nodealer.crypto import SigningKey
from nodealer.dialogue import Dialogue, entered, heard, next_text, opened, with_table
from nodealer.games.api import Action, Options, Step
from nodealer.games.effects import NewDeck
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.show import Snapshot, snapshot_of
from tests.show.watching import ME, Watched, dealt
from tests.support.circle import hashed

WORDS = {
    number: "".join(chr(ord("a") + byte % 26) for byte in hashed("face", number)[:16])
    for number in NUMBERS.faces
}
NUMBER_OF = {word: number for number, word in WORDS.items()}


class Named(Rules):
    """High card whose faces are words of 16 letters."""

    def rules(self) -> str:
        """Return the page of high card."""
        return GAME.rules()

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Shuffle a deck of words."""
        step = super().setup(seats, options)
        return replace(step, effects=(NewDeck(Composition(tuple(WORDS.values())), STOCK),))

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Lay a card by its number."""
        numbers = {slot: NUMBER_OF[face] for slot, face in board.faces.items()}
        return super().apply(state, Board(board.layout, numbers), seat, chosen)


class Pages:
    """A page for every seat and one for a spectator, and all that each was sent."""

    def __init__(self, made: Watched) -> None:
        self.made = made
        self.sent: dict[Seat | None, bytes] = {}
        self.seen: dict[Seat | None, set[str]] = {}
        self.leaks: dict[Seat | None, set[str]] = {}
        """The cards that pages were sent before their players could see them."""
        self.dialogues: dict[Seat | None, Dialogue] = {}
        for seat in (*made.tables, None):
            dialogue, page = entered(with_table(opened(), self.snapshot(seat)))
            self.dialogues[seat] = heard(dialogue, page, '{"n": 1, "do": "follow"}')[0]
            self.sent[seat], self.seen[seat], self.leaks[seat] = b"", set(), set()
        self.read()

    def snapshot(self, seat: Seat | None) -> Snapshot:
        table = self.made.tables[ME if seat is None else seat]
        if seat is None:
            table = replace(table, player=None)
        return snapshot_of(table, self.made.others[ME if seat is None else seat], self.made.now)

    def read(self) -> None:
        """Show everybody what there is, and let every page begin each step of a choice."""
        for seat in self.dialogues:
            snapshot = self.snapshot(seat)
            zones = snapshot.view.zones
            self.seen[seat] |= {one.face for zone in zones for one in zone.cards if one.face}
            dialogue = with_table(self.dialogues[seat], snapshot)
            for text in wishes(snapshot):
                dialogue, _ = heard(dialogue, 1, text)
                while True:
                    dialogue, said = next_text(dialogue, 1)
                    if said is None:
                        break
                    self.send(seat, said)
            self.dialogues[seat] = dialogue

    def send(self, seat: Seat | None, said: str) -> None:
        """Search what a page is sent for cards that its player has not seen by now."""
        self.sent[seat] += said.encode() + b"\n"
        self.leaks[seat] |= {word for word in WORDS.values() if word in said} - self.seen[seat]


def wishes(snapshot: Snapshot) -> Iterator[str]:
    yield '{"n": 2, "do": "rules"}'
    yield '{"n": 2, "do": "links"}'
    for slot in range(len(WORDS)):
        yield f'{{"n": 2, "do": "pick", "height": {snapshot.height}, "card": {slot}}}'
    yield f'{{"n": 2, "do": "clear", "height": {snapshot.height}}}'


@pytest.fixture(scope="module")
def pages() -> Pages:
    """Return what was sent in a whole game."""
    made = dealt(3, Named(), seed=1)
    made.others = dict.fromkeys(made.tables, made.book)
    found, chance = Pages(made), Chance("pages")
    while (seat := made.on_turn()) is not None:
        table = made.tables[seat]
        made.act(seat, ChanceBot().choose(table.view(), table.legal(), chance))
        found.read()
    assert made.table.position.is_closed
    return found


def test_no_page_is_sent_a_card_that_its_player_may_not_see(pages: Pages) -> None:
    assert pages.leaks == {seat: set() for seat in pages.sent}
    for seat, sent in pages.sent.items():
        hidden = set(WORDS.values()) - pages.seen[seat]
        assert len(hidden) > 10, "there is something to find"
        assert len(sent) > 20_000
        assert any(word.encode() in sent for word in WORDS.values()), "and it can be found"


def test_a_planted_leak_is_found(pages: Pages) -> None:
    for seat in pages.dialogues:
        (word, *_) = set(WORDS.values()) - pages.seen[seat]
        snapshot = pages.snapshot(seat)
        (*_, last) = snapshot.log
        psst = replace(last, at=last.at._replace(number=99), text=f"psst, {word}!")
        dialogue = with_table(pages.dialogues[seat], replace(snapshot, log=(*snapshot.log, psst)))
        _, said = next_text(dialogue, 1)
        assert said is not None
        before, pages.leaks[seat] = pages.leaks[seat], set()
        pages.send(seat, said)
        assert pages.leaks[seat] == {word}
        pages.leaks[seat] = before


def test_no_page_is_sent_a_key(pages: Pages) -> None:
    for number in range(3):
        for name in ("seed", "identity"):
            key = hashed(name, ("ui", 1), Seat(number))
            for form in (key.hex().encode(), base64.b64encode(key), base64.urlsafe_b64encode(key)):
                assert all(form.rstrip(b"=") not in sent for sent in pages.sent.values())
    own = pages.made.tables[ME].player
    assert own is not None
    same = SigningKey(hashed("identity", ("ui", 1), ME))
    assert own.signer.verify_key.raw == same.verify_key.raw, (
        "these are the keys that were looked for"
    )
