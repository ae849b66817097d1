"""Lies where seats are asked: choices, verdicts, and notices.

Only some games ask for these, so only their tables have such liars. A choice is an envelope: what
is wrong with it is seen by everybody, but for what is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from nodealer.deck import EqualPart, NotEqualPart, deck_messages
from nodealer.games.effects import Acks, Choose, Compare, Effect
from nodealer.kernel import Seat, SlotId
from nodealer.ledger import Contribution, Due, Message, write
from nodealer.ledger.messages import Contributed, Sealed
from nodealer.ledger.ready import Outgoing
from nodealer.sim.lies.contributed import bending, changed, is_over_eviction, own_part
from nodealer.sim.lies.silent import owing, silent_from
from nodealer.sim.lying import Behaviour, End, Liar, Lie, as_it_is, to_all
from nodealer.table import position_of
from nodealer.table.actions import CHOSEN, Chosen
from nodealer.table.operations.acks import ACKS
from nodealer.table.operations.choose import CHOICE
from nodealer.table.operations.compare import VERDICT


def instead(
    kind: str, change: Callable[[Liar, Contribution, bytes], bytes | None]
) -> Callable[[Liar, Outgoing], Iterable[Lie]]:
    """Return the behaviour that sends another payload in place of one of a kind."""

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        one = own_part(liar, out, kind)
        data = None if one is None else change(liar, one, one.payloads[0][1])
        if one is None or data is None:
            return [as_it_is(out)]
        return liar.contributes(changed(liar, one, kind, lambda _: data))

    return leaving


def _other_in_hand(liar: Liar, one: Contribution, data: bytes) -> bytes | None:
    """Return the choice of another card that could be chosen as well."""
    over = liar.tip.find(one.parent)
    assert over is not None, "it contributes over what it has taken"
    position = position_of(over)
    zone = dict(position.program.under_way(Choose).asked)[liar.seat]
    chosen = CHOSEN.read(data).slot
    other = next((slot for slot in position.board.at(zone) if slot != chosen), None)
    return None if other is None else CHOSEN.write(Chosen(other))


def _of_another(liar: Liar, one: Contribution, data: bytes) -> bytes | None:  # noqa: ARG001 - every change
    """A card that does not lie with this seat."""
    over = liar.tip.find(one.parent)
    assert over is not None, "it contributes over what it has taken"
    zones = position_of(over).board.layout.zones.items()
    foreign = [slot for zone, slots in zones if zone.seat != liar.seat for slot in slots]
    return CHOSEN.write(Chosen(foreign[0]))


def _nothing(liar: Liar, one: Contribution, data: bytes) -> bytes | None:  # noqa: ARG001 - every change
    """A card that is not there at all."""
    return CHOSEN.write(Chosen(SlotId(1 << 40)))


def _two_choices(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """One card for some, another for the others."""
    one = own_part(liar, out, CHOICE.kind)
    data = None if one is None else _other_in_hand(liar, one, one.payloads[0][1])
    if one is None or data is None:
        return [as_it_is(out)]
    liar.strikes += 1
    second = Contributed(changed(liar, one, CHOICE.kind, lambda _: data))
    half = len(liar.others) // 2
    if not half:
        return [as_it_is(out), *to_all(second)]
    first_half = [(to, write(out.message)) for to in liar.others[:half]]
    return [*first_half, *((to, write(second)) for to in liar.others[half:])]


def _choosing_anew(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """Choose another card where the first liar has killed the step in which it had chosen.

    Labels do not speak of evictions, so the first choice binds still.
    """
    if liar.role == 0:
        return _killing(liar, out)
    one = own_part(liar, out, CHOICE.kind)
    if one is None or not is_over_eviction(liar, one):
        return [as_it_is(out)]
    data = _other_in_hand(liar, one, one.payloads[0][1])
    if data is None:
        return [as_it_is(out)]
    return liar.contributes(changed(liar, one, CHOICE.kind, lambda _: data))


_killing = silent_from(owing(CHOICE.kind))


def _other_verdict(liar: Liar, one: Contribution, data: bytes) -> bytes | None:  # noqa: ARG001 - every change
    """The contrary of the verdict, with a proof of what is so."""
    group = liar.peer.player.keyring.group
    messages = deck_messages(group)
    part = messages.read_any(data)
    if isinstance(part, EqualPart):
        return messages.write(NotEqualPart(group.generator, 0, part.proof))
    assert isinstance(part, NotEqualPart), "a verdict is one or the other"
    return messages.write(EqualPart(part.proof))


def _noticing(liar: Liar, message: Message) -> bool:
    """Say whether a seal is one by which the seat has taken notice."""
    duty = liar.tip.duty
    is_notice = isinstance(duty, Due) and any(part.kind == ACKS.kind for part in duty.parts)
    return isinstance(message, Sealed) and is_notice and message.seal.parent == liar.tip.id


PROVER: Final = Seat(0)
"""Proves nearly all verdicts that are not about its own cards: the lowest seat that can does."""

ASKED: Final[Mapping[type[Effect], tuple[Behaviour, ...]]] = MappingProxyType(
    {
        Choose: (
            Behaviour(
                "foreign choice", End.PROVEN, instead(CHOICE.kind, _of_another), codes=("E5",)
            ),
            Behaviour(
                "choice of nothing", End.PROVEN, instead(CHOICE.kind, _nothing), codes=("E5",)
            ),
            Behaviour("two choices", End.PROVEN, _two_choices, codes=("E1",)),
            Behaviour(
                "other choice",
                End.PROVEN,
                _choosing_anew,
                codes=("E1",),
                least_seats=3,
                liars=2,
            ),
            Behaviour("silent instead of choosing", End.SILENT, silent_from(owing(CHOICE.kind))),
        ),
        Compare: (
            Behaviour(
                "wrong verdict",
                End.PROVEN,
                instead(VERDICT.kind, _other_verdict),
                codes=("E5",),
                sits=PROVER,
            ),
            Behaviour(
                "bad verdict proof", End.PROVEN, bending(VERDICT.kind), codes=("E5",), sits=PROVER
            ),
            Behaviour(
                "silent instead of the verdict",
                End.SILENT,
                silent_from(owing(VERDICT.kind)),
                sits=PROVER,
            ),
        ),
        Acks: (Behaviour("silent instead of noticing", End.SILENT, silent_from(_noticing)),),
    }
)
"""What a seat can do wrong in games that ask for these effects."""
