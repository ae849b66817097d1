"""The sample game with a protocol for clients, as a package of somebody else would have it.

A client hears every card and who takes the trick, and is told its hand when it has to lay one; it
answers with the number of a card. Everything is imported as others can: through the door of games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from high_card.rules import Rules
from nodealer.games import (
    Action,
    ClientMessage,
    ClientRefused,
    ClientRequest,
    Fault,
    Over,
    SeedProtocol,
    SeenEntry,
    View,
    action,
    require_fields,
    unknown,
)


def _tell(seen: SeenEntry, legal: Sequence[Action]) -> tuple[ClientMessage, ...]:
    return tuple(_told(seen, legal))


def _read(request: ClientRequest, view: View, legal: Sequence[Action]) -> Action:
    """Return the card that a client lays."""
    if request.name != "lay":
        raise unknown(request)
    require_fields(request, ("number",))
    held = {face: slot for slot, face in _hand(view).items()}
    number = request.fields["number"]
    if type(number) is not int or number not in held:
        raise ClientRefused(Fault.WRONG_FIELDS, "a number of the hand is laid")
    chosen = action("lay", card=(held[number],))
    if chosen not in legal:
        raise ClientRefused(Fault.NOT_NOW, "it is not your turn")
    return chosen


LINES_OF_CARDS = SeedProtocol(name="talking-card-lines", tell=_tell, read=_read)
"""A protocol of five messages, without acknowledgements."""


def _told(seen: SeenEntry, legal: Sequence[Action]) -> Iterator[ClientMessage]:
    for happened in seen.events:
        yield ClientMessage(happened.kind, dict(happened.fields))
    if legal and (not seen.before.has_turn or _hand(seen.before) != _hand(seen.after)):
        yield ClientMessage("your-turn", {"hand": sorted(_hand(seen.after).values())}, asks=True)
    if isinstance(seen.after.duty, Over) and not isinstance(seen.before.duty, Over):
        yield ClientMessage("over")


def _hand(view: View) -> dict[int, int]:
    return {
        card.slot: int(card.face)
        for card in view.zone("hand", view.viewer)
        if card.face is not None
    }


@dataclass(frozen=True)
class TalkingCard(Rules):
    """High card that clients can play."""

    id: str = "talking-card"
    title: str = "Talking card"

    def seed_protocols(self) -> tuple[SeedProtocol, ...]:
        """Return the one protocol."""
        return (LINES_OF_CARDS,)


GAME = TalkingCard()
