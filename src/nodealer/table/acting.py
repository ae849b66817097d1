"""The authored action: checked by everybody, made by the seat on turn.

    the form      a word and fields, the seat's turn, cards of its own to open (`games.turn_checks`)
    the openings  each proven over the deck as it is, so that nobody plays a card it has not
    the rules     with the faces on the board that the action has opened

An action that fails in any of these is refused with the reason, and its author is out by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from nodealer.deck import (
    Deck,
    Keyring,
    ProofMoment,
    RevealPart,
    check_reveal,
    deck_messages,
    make_reveal,
    take_reveal,
)
from nodealer.games import Action, illegal, opened_by, require_turn
from nodealer.kernel import PeerError, Reason, Seat, SlotId, changed
from nodealer.ledger import Moment
from nodealer.table.actions import ACTED, AGAIN, Acted, Again, read_action, step_of
from nodealer.table.carrying import entered, set_up
from nodealer.table.position import Position


def act(position: Position, moment: Moment, seat: Seat, data: bytes) -> Position:
    """Return the position after an action of the seat on turn, or raise `PeerError`."""
    action = read_action(data)
    if isinstance(action, Again):
        return _again(position)
    if position.is_closed:
        raise illegal("the game is closed; only another one can be asked for")
    if position.underway:
        raise illegal("effects are under way")
    slots = _opening(position, seat, action.action)
    if len(action.openings) != len(slots):
        raise PeerError(Reason.DECK_COUNT, f"{len(action.openings)} openings, {len(slots)} cards")
    opened = position
    if slots:
        site = _site(moment, action.action)
        opened = _opened(position, site, seat, slots, action.openings)
    step = position.game.apply(opened.rules, opened.board, seat, action.action)
    return entered(opened, step)


def write_action(position: Position, moment: Moment, keyring: Keyring, chosen: Action) -> bytes:
    """Return the action of this seat as bytes, with the cards that it opens."""
    slots = _opening(position, keyring.seat, chosen)
    site, messages = _site(moment, chosen), deck_messages(keyring.group)
    openings = []
    for slot in slots:
        assert position.deck is not None, "a card is opened"
        openings.append(messages.write(make_reveal(position.deck, keyring, site, slot)))
    return ACTED.write(Acted(chosen.kind, chosen.fields, tuple(openings)))


def write_again() -> bytes:
    """Return the action that asks for another game."""
    return AGAIN.write(Again())


def _again(position: Position) -> Position:
    if not position.is_closed:
        raise illegal("another game begins when this one is closed")
    if not position.can_begin_again:
        least, _ = position.game.seats
        raise illegal(f"{len(position.roster)} seats are left, a game needs {least}")
    return set_up(position)


def _opening(position: Position, seat: Seat, chosen: Action) -> tuple[SlotId, ...]:
    kind = require_turn(position.game, position.rules, seat, chosen)
    return opened_by(kind, position.board, seat, chosen)


def _opened(
    position: Position,
    site: ProofMoment,
    seat: Seat,
    slots: Sequence[SlotId],
    openings: Sequence[bytes],
) -> Position:
    deck = position.deck
    for slot, data in zip(slots, openings, strict=True):
        assert deck is not None, "the slots are of a deck"
        vetted = check_reveal(deck, site, seat, slot, _reveal(deck, data))
        deck = take_reveal(deck, vetted)
    return changed(position, deck=deck)


def _reveal(deck: Deck, data: bytes) -> RevealPart:
    part = deck_messages(deck.group).read_any(data)
    if not isinstance(part, get_args(RevealPart)):
        raise PeerError(Reason.ENCODING_KIND, f"{type(part).__name__} opens no card")
    reveal: RevealPart = part
    return reveal


def _site(moment: Moment, chosen: Action) -> ProofMoment:
    return ProofMoment(moment.table, moment.height, moment.parent, step_of(chosen))
