"""Lies of a seat on turn, or of one that would like to be.

Each waits for its occasion and strikes once. The cheat in the cards comes with proper proofs where
that is possible, so that it is the rules that find it and not the form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, TypeAlias

from nodealer.deck import OpenKey, deck_messages
from nodealer.games import Action
from nodealer.kernel import EntryId
from nodealer.ledger import (
    Authored,
    AuthoredStep,
    Content,
    LedgerMessage,
    Outgoing,
    Proposal,
    Refusal,
    Refused,
    Sealed,
    authored,
)
from nodealer.sim.lying import (
    Behaviour,
    End,
    Liar,
    Lie,
    as_it_is,
    once,
    passing,
    to_all,
    told_apart,
)
from nodealer.sim.repertoire import Deed
from nodealer.table import ACTED, Acted, read_action

Change: TypeAlias = Callable[[Liar, Proposal], Iterable[Lie] | None]
"""What becomes of a proposal of the liar; nothing if this is not the occasion."""


def instead(change: Change) -> Callable[[Liar, Outgoing], Iterable[Lie]]:
    """Return the behaviour that does something else in place of one proposal."""

    def changed(liar: Liar, out: Outgoing) -> Iterable[Lie] | None:
        message = out.message
        if not isinstance(message, Proposal) or message.seal.seat != liar.seat:
            return None
        return change(liar, message) if _is_of_the_game(message) else None

    return once(changed)


def proposal(liar: Liar, honest: Proposal, **changes: object) -> Proposal:
    """Return a proposal of this liar that differs from an honest one."""
    content = replace(honest.content, **changes)  # type: ignore[arg-type]  # fields of a content
    return Proposal(content, liar.seal(content, honest.seal.rank), honest.beside)


def acting(liar: Liar, honest: Proposal, data: bytes) -> list[Lie]:
    """Return the proposal of another action over the same parent."""
    return to_all(proposal(liar, honest, step=AuthoredStep(liar.seat, data)))


def _illegal_move(liar: Liar, honest: Proposal) -> Iterable[Lie] | None:
    """A card of the own hand, properly opened, that the rules do not allow now."""
    chosen = _not_allowed(liar)
    if chosen is None:
        return None
    data = liar.peer.player.write(liar.table.position, liar.tip.moment(), chosen)
    return acting(liar, honest, data)


def _not_allowed(liar: Liar) -> Action | None:
    """Return an action with a card of the own hand that is not among the legal ones."""
    legal = liar.table.legal()
    hand = _closed_cards(liar, liar.seat)
    for action, name in _with_cards(legal):
        for slot in hand:
            wrong = _naming(action, name, slot)
            if wrong not in legal:
                return wrong
    return None


def _with_cards(legal: Iterable[Action]) -> Iterable[tuple[Action, str]]:
    for action in legal:
        for name, value in action.fields:
            if isinstance(value, tuple) and value:
                yield action, name


def _naming(action: Action, name: str, slot: int) -> Action:
    fields = {**dict(action.fields), name: (slot,)}
    return Action(action.kind, tuple(sorted(fields.items())))


def _closed_cards(liar: Liar, seat: int) -> list[int]:
    board = liar.table.position.board
    zones = board.layout.zones.items()
    lying = [slot for zone, slots in zones if zone.seat == seat for slot in slots]
    return [slot for slot in lying if slot not in board.faces]


def _card_of_another(liar: Liar, honest: Proposal) -> Iterable[Lie] | None:
    """A card that lies in another hand."""
    acted = _acted(honest)
    hand = _closed_cards(liar, liar.others[0])
    found = next(iter(_with_cards([acted.action])), None)
    if found is None or not hand:
        return None
    wrong = _naming(*found, hand[0])
    return acting(liar, honest, ACTED.write(replace(acted, fields=wrong.fields)))


def _wrong_opening(liar: Liar, honest: Proposal) -> Iterable[Lie] | None:
    """An own card, opened with a key that is not its own."""
    acted = _acted(honest)
    if not acted.openings:
        return None
    messages = deck_messages(liar.peer.player.keyring.group)
    opening = messages.read_any(acted.openings[0])
    assert isinstance(opening, OpenKey), "a card that was only dealt is opened by its key"
    bent = messages.write(OpenKey(opening.secret ^ 1))
    return acting(liar, honest, ACTED.write(replace(acted, openings=(bent, *acted.openings[1:]))))


def _no_opening(liar: Liar, honest: Proposal) -> Iterable[Lie] | None:
    """A card that is played and not shown."""
    acted = _acted(honest)
    if not acted.openings:
        return None
    return acting(liar, honest, ACTED.write(replace(acted, openings=())))


def _no_action(liar: Liar, honest: Proposal) -> Iterable[Lie] | None:
    """Bytes that are no action at all."""
    return acting(liar, honest, b"\x83\x01" + bytes(liar.chance.below(256) for _ in range(40)))


def _wrong_state(liar: Liar, honest: Proposal) -> Iterable[Lie] | None:
    """A legal action, and a state that it does not lead to."""
    state = bytes(byte ^ 1 for byte in honest.content.state)
    return to_all(proposal(liar, honest, state=state))


def _two_actions(liar: Liar, honest: Proposal) -> Iterable[Lie] | None:
    """One legal action for some, another one for the others."""
    chosen = _acted(honest).action
    other = next((action for action in liar.table.legal() if action != chosen), None)
    if other is None:
        return None
    data = liar.peer.player.write(liar.table.position, liar.tip.moment(), other)
    content = authored(liar.tip, liar.seat, data).content
    second = Proposal(content, liar.seal(content, honest.seal.rank), honest.beside)
    return told_apart(liar, honest, second)


def _is_of_the_game(honest: Proposal) -> bool:
    """Say whether a proposal is an action of the game, and does not ask for another one."""
    step = honest.content.step
    return isinstance(step, AuthoredStep) and isinstance(read_action(step.action), Acted)


def _acted(honest: Proposal) -> Acted:
    step = honest.content.step
    assert isinstance(step, AuthoredStep), "a proposal is of an action"
    acted = read_action(step.action)
    assert isinstance(acted, Acted), "the game goes on"
    return acted


def _out_of_turn(liar: Liar, message: LedgerMessage) -> Iterable[Lie]:  # noqa: ARG001 - every behaviour
    """An action while another seat is on turn."""
    tip = liar.tip
    if liar.strikes or not isinstance(tip.duty, Authored) or tip.duty.seat == liar.seat:
        return []
    if liar.seat not in tip.roster or not liar.chance.happens(20):
        return []
    liar.strikes += 1
    action = ACTED.write(Acted(liar.table.position.game.actions[-1].kind, (), ()))
    moment = tip.moment()
    place = (moment.table, moment.height, moment.parent)
    content = Content(*place, AuthoredStep(liar.seat, action), (), tip.state.digest())
    return to_all(Proposal(content, liar.seal(content, tip.rank)))


def _false_refusal(liar: Liar, message: LedgerMessage) -> Iterable[Lie]:
    """A refusal of an action that is perfectly legal."""
    if liar.strikes or not isinstance(message, Proposal) or not liar.chance.happens(30):
        return []
    content = message.content
    behind = liar.tip.content and liar.tip.content.parent
    # Of what is further away nobody would hear that it is refused.
    answered = [content] if content.parent in (liar.tip.id, behind) else []
    liar.strikes += len(answered)
    return [lie for one in answered for lie in to_all(Refused(_refusal(liar, one)))]


def _refusal(liar: Liar, content: Content) -> Refusal:
    place = (content.table, content.height, content.parent)
    return liar.signed(Refusal(*place, content.id, "rules/illegal", (), liar.seat, b""))


def _second_seal(liar: Liar, out: Outgoing) -> Iterable[Lie] | None:
    """A seal on what was proposed, and one on something else."""
    message = out.message
    if not isinstance(message, Sealed) or message.seal.seat != liar.seat or not message.seal.height:
        return None
    other = liar.signed(replace(message.seal, entry=EntryId(bytes(32))))
    return [as_it_is(out), *to_all(replace(message, seal=other))]


def _accomplice_leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """The first liar cheats; the second keeps its refusal to itself."""
    if liar.role == 0:
        return _cheating(liar, out)
    return [] if isinstance(out.message, Refused) else [as_it_is(out)]


def _accomplice_seen(liar: Liar, message: LedgerMessage) -> Iterable[Lie]:
    """The second liar seals what the first has proposed, whatever it is."""
    if liar.role == 0 or liar.strikes or not isinstance(message, Proposal):
        return []
    content = message.content
    if content.id not in liar.ledger.desk.refused:
        return []
    liar.strikes += 1
    return to_all(Sealed(liar.seal(content, liar.tip.rank)))


_cheating = instead(_wrong_state)

AUTHORED: Final = (
    Behaviour("illegal move", End.PROVEN, instead(_illegal_move), codes=("E5",), needs=Deed.NAME),
    Behaviour(
        "card of another", End.PROVEN, instead(_card_of_another), codes=("E5",), needs=Deed.NAME
    ),
    Behaviour("wrong opening", End.PROVEN, instead(_wrong_opening), codes=("E5",), needs=Deed.OPEN),
    Behaviour("no opening", End.PROVEN, instead(_no_opening), codes=("E5",), needs=Deed.OPEN),
    Behaviour("no action", End.PROVEN, instead(_no_action), codes=("E5",)),
    Behaviour("wrong state", End.PROVEN, instead(_wrong_state), codes=("E5",)),
    Behaviour("out of turn", End.PROVEN, passing, _out_of_turn, codes=("E1", "E5")),
    Behaviour("two actions", End.PROVEN, instead(_two_actions), codes=("E1",)),
    Behaviour("two seals", End.PROVEN, once(_second_seal), codes=("E1",)),
    Behaviour("false refusal", End.PROVEN, passing, _false_refusal, codes=("E6",)),
    Behaviour(
        "accomplice",
        End.PROVEN,
        _accomplice_leaving,
        _accomplice_seen,
        codes=("E5", "E6"),
        least_seats=3,
        liars=2,
    ),
)
"""What a seat can do wrong with actions and countersignatures."""
