"""The public state of a table at one point of its history.

A `Position` is a value that every peer, and every reader of the history, computes alike: who is in
the roster, what the rules remember, the deck, and the queue of what is due. It knows nothing of
signatures; `replay` carries positions along a ledger.

`deck` is the deck as the rules see it. While an effect is being carried out that puts cards through
shuffles, `work` is the deck in that making: it takes the place of `deck` once the effect is done,
and is dropped if a seat is left out before. So what rules find on the board never depends on how
far an effect has come that never ends.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from nodealer.cards import Board, Zone
from nodealer.crypto import SECP256K1, Group
from nodealer.deck import Deck
from nodealer.games import (
    NOTHING_KNOWN,
    AnyGame,
    Ask,
    Choice,
    Choose,
    Duty,
    Event,
    Notebook,
    Scene,
    Standing,
    View,
    choice_of,
    rank_of,
    state_in_bytes,
    view_of,
)
from nodealer.kernel import Bug, Reason, Seat, SlotId, array_of, digest_of, encode
from nodealer.table.charter import Agreed, require_rules
from nodealer.table.program import Program, zone_value

STATE: Final = "nodealer/1/state"

REMEMBERED_MAX: Final = 1024
"""Encoded zones and faces: from one entry to the next most stay what they were."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The things that never change at a table: what was agreed, the rules it names, the group."""

    agreed: Agreed
    game: AnyGame
    group: Group = SECP256K1

    def __post_init__(self) -> None:
        """Refuse a charter that does not fit these rules."""
        require_rules(self.agreed.terms, self.game)


@dataclass(frozen=True, eq=False)
class Position:
    """Everything public about a table at one point of its history.

    `games` counts the games begun. What is for people is not part of the state: how those before
    this one have ended, in `ended`, and what the last entry has brought, in `events`.
    """

    setting: Setting
    roster: tuple[Seat, ...]
    rules: object = None
    deck: Deck | None = None
    work: Deck | None = None
    program: Program = field(default_factory=Program)
    games: int = 0
    is_closed: bool = False
    ended: tuple[Standing | None, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.setting.game

    @property
    def cards(self) -> Deck:
        """The deck as the rules see it, for those who know that there are cards."""
        if self.deck is None:
            raise Bug(Reason.LOCAL_ARGUMENT, "not so: there are cards")
        return self.deck

    @property
    def board(self) -> Board:
        """What of the cards is public."""
        return Board() if self.deck is None else self.deck.board

    @property
    def underway(self) -> bool:
        """Whether effects are being carried out."""
        return bool(self.program.effects)

    @property
    def standing(self) -> Standing | None:
        """The standing, once the game is over."""
        return None if self.underway else self.game.result(self.rules)

    @property
    def can_begin_again(self) -> bool:
        """Whether another game can be asked for."""
        least, _ = self.game.seats
        return self.is_closed and len(self.roster) >= least

    @property
    def duty(self) -> Duty:
        """Whose turn it is, where nothing is under way."""
        return self.game.duty(self.rules)

    def choice(self, given: Collection[Seat] = ()) -> Choice | None:
        """Return the choice that is due, with the seats that still owe theirs."""
        head = self.program.head
        if isinstance(head, Ask) and self.program.committed is not None:
            return None  # all have said something, and open it now
        return choice_of(head, given) if isinstance(head, Choose | Ask) else None

    def scene(self, given: Collection[Seat] = ()) -> Scene[object]:
        """Return what of the game is public."""
        choice = self.choice(given)
        return Scene(self.game, self.rules, self.board, self.roster, self.underway, choice)

    def view(
        self,
        viewer: Seat | None = None,
        notebook: Notebook = NOTHING_KNOWN,
        given: Collection[Seat] = (),
    ) -> View:
        """Return what a seat with this notebook sees, or a spectator.

        Who has chosen so far is not part of a position: that is on its way into one.
        """
        return view_of(self.scene(given), viewer, notebook)

    def digest(self) -> bytes:
        """Return the hash of everything public that the next step depends on.

        Layers, ciphertexts and audiences follow from the entries and are not hashed again.
        """
        epoch = None if self.deck is None else self.deck.epoch
        done = (self.games, self.is_closed, self.program.value())
        rules, cards = state_in_bytes(self.rules), _cards_encoded(self.board)
        return digest_of(STATE, self.roster, epoch, done, then=(rules, cards))


def _cards_encoded(board: Board) -> bytes:
    """Return the encoding of where all cards lie, and of the faces that are open."""
    zones = sorted(board.layout.zones.items(), key=lambda item: rank_of(item[0]))
    lying = array_of(
        [_zone_encoded(*zone, slots, tuple(map(type, slots))) for zone, slots in zones]
    )
    return array_of((lying, array_of([_face_encoded(*one) for one in sorted(board.faces.items())])))


# True is 1 to Python and not to the encoding, so types are part of what is remembered.
@lru_cache(maxsize=REMEMBERED_MAX, typed=True)
def _zone_encoded(
    name: str, seat: Seat | None, slots: tuple[SlotId, ...], _: tuple[type, ...]
) -> bytes:
    return encode((zone_value(Zone(name, seat)), slots))


@lru_cache(maxsize=REMEMBERED_MAX, typed=True)
def _face_encoded(slot: SlotId, face: str) -> bytes:
    return encode((slot, face))
