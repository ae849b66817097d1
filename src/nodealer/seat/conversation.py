"""The conversation with a client: what it was told and has acknowledged, what it may ask for.

Theory of operation. Everything that a client is to be told is numbered, from 1, and waits in
`pending` until it is acknowledged; `note` is all that has to outlive the program. Where a protocol
has acknowledgements, one message is on its way at a time: the next one follows the ack. So a client
sees every change, in order, and its player acts on nothing that it has not seen. Where a protocol
has none, all is sent at once, and a request that is taken acknowledges what was told before it.

A new connection gets everything again that is not acknowledged. Whatever is refused changes
nothing: the client gets an error, and then what it has to answer once more, under its old number.
What it has acknowledged and not answered comes once more as well, for the answer may be lost.
Whether there is an answer only the table knows: one that is signed outlives the program, and one
whose entry never comes to be, because another came first, has to be given again.

    conversation, lines = conversation.linked()          a client is there
    conversation = conversation.after(seen, legal)      an entry; store the note
    conversation, lines = conversation.flushed()         what can be sent now
    conversation, reply = conversation.heard(text, …)    what the client says
    conversation = conversation.acted(number)            the table has taken the action
    conversation, lines = conversation.awaited(…)        whether it waits for one, after each batch
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from nodealer.games import (
    Action,
    ClientMessage,
    ClientRefused,
    ClientRequest,
    Fault,
    JsonValue,
    SeedProtocol,
    SeenEntry,
    View,
    may_act,
)
from nodealer.seat.json_text import read_request, written

ACK: Final = "Ack"

PENDING_MAX: Final = 32
"""Without acks, no more than this is kept for a client that is not there: about a round."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A message to a client, under its number."""

    number: int
    told: ClientMessage


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to something that a client says: lines for it, or an action of its player."""

    lines: tuple[str, ...] = ()
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """All that a node knows of what its client knows.

    `asked` is the last message after which the player has to act, until that is over; `answered` is
    its number while the table has the answer. `sent` says how many of `pending` have been sent over
    this connection; nothing is, before it is greeted.
    """

    protocol: SeedProtocol
    pending: tuple[Numbered, ...] = ()
    asked: Numbered | None = None
    next_number: int = 1
    answered: int = field(default=0, compare=False)
    sent: int = field(default=0, compare=False)
    is_greeted: bool = field(default=False, compare=False)

    @property
    def is_heard_out(self) -> bool:
        """Whether the client has acknowledged everything."""
        return not self.pending

    @property
    def is_told_all(self) -> bool:
        """Whether everything was sent that will be, and what is to be acknowledged is."""
        return self.is_heard_out if self.protocol.has_acks else self.sent == len(self.pending)

    def after(self, seen: SeenEntry, legal: Sequence[Action]) -> Conversation:
        """Return the conversation with what an entry brings."""
        told = self.protocol.tell(seen, legal)
        kept = self.pending
        if not self.protocol.has_acks and any(one.asks for one in told):
            kept = tuple(one for one in kept if not one.told.asks)  # answered by somebody else
        new = tuple(Numbered(self.next_number + index, one) for index, one in enumerate(told))
        asking = [one for one in new if one.told.asks]
        asked = asking[-1] if asking else self.asked if may_act(seen.after) else None
        number = self.next_number + len(new)
        pending = (*kept, *new)
        if not self.protocol.has_acks:
            pending = pending[-PENDING_MAX:]
        sent = max(self.sent - len(self.pending) - len(new) + len(pending), 0)
        return replace(self, pending=pending, asked=asked, next_number=number, sent=sent)

    def linked(self) -> Flushed:
        """Begin a connection; send what was not acknowledged, unless a greeting comes first.

        A request may be acknowledged, and the answer to it lost: then it is sent once more.
        """
        return replace(self, sent=0, is_greeted=self.protocol.greeting is None).resumed()

    def flushed(self) -> Flushed:
        """Send what can be sent over this connection."""
        if not self.is_greeted:
            return self, ()
        until = min(len(self.pending), 1) if self.protocol.has_acks else len(self.pending)
        lines = tuple(self._line(one) for one in self.pending[self.sent : until])
        return replace(self, sent=max(self.sent, until)), lines

    def heard(
        self, text: str, view: View, legal: Sequence[Action], players: int
    ) -> tuple[Conversation, Reply]:
        """Take in what a client says."""
        try:
            request = read_request(text)
            if request.name == self.protocol.greeting:
                return self._greeted(request, view, players)
            if request.name == ACK and self.protocol.has_acks:
                return self._acknowledged(request)
            return self, Reply(action=self._chosen(request, view, legal))
        except ClientRefused as refused:
            return self, Reply(self.refusal(refused))

    def awaited(self, *, is_awaited: bool) -> Flushed:
        """Take notice whether the table waits for its player; what has to be asked again is.

        Whoever has answered is not asked again, unless the table has come to wait once more without
        a new message: then the answer is void. Where something else is to be acknowledged first, it
        is asked after that.
        """
        if not is_awaited:
            return replace(self, answered=self.asked_number), ()
        if self.answered != self.asked_number or (self.protocol.has_acks and self.pending):
            return self, ()
        again = replace(self, answered=0)
        return again, again.waiting()

    @property
    def asked_number(self) -> int:
        """The number of the message that waits for the player; 0 if none does."""
        return 0 if self.asked is None else self.asked.number

    def acted(self, number: int) -> Conversation:
        """Go on after the table has taken the answer to the message of this number.

        Without acks it acknowledges what was told up to there. The player may have been asked for
        something else by then.
        """
        if self.protocol.has_acks:
            return self
        pending = tuple(one for one in self.pending if one.number > number)
        gone = len(self.pending) - len(pending)
        return replace(self, pending=pending, sent=max(self.sent - gone, 0))

    def refusal(self, refused: ClientRefused) -> tuple[str, ...]:
        """Return the error for a client, and what it has to answer once more."""
        fields: dict[str, JsonValue] = {"code": refused.fault.value, "message": refused.detail}
        told = fields if self.protocol.is_flat else {"data": fields}
        error = written({"type": self.protocol.error, **told})
        if self.protocol.has_acks and self.sent:
            return error, self._line(self.pending[0])
        return error, *self.waiting()

    def note(self) -> Mapping[str, JsonValue]:
        """Return what has to be kept."""
        return {
            "asked": None if self.asked is None else _kept(self.asked),
            "next": self.next_number,
            "pending": [_kept(one) for one in self.pending],
        }

    def waiting(self) -> tuple[str, ...]:
        """Return the message that waits for the player, if one does and the client is there."""
        if self.asked is None or self.asked.number == self.answered or not self.is_greeted:
            return ()
        return (self._line(self.asked),)

    def resumed(self) -> Flushed:
        """Send what was not acknowledged, and what was and lacks its answer."""
        fresh, lines = self.flushed()
        is_told = self.asked not in self.pending and not (self.protocol.has_acks and self.pending)
        return fresh, (*lines, *(self.waiting() if is_told else ()))

    def _chosen(self, request: ClientRequest, view: View, legal: Sequence[Action]) -> Action:
        if not self.is_greeted:
            raise ClientRefused(Fault.UNREGISTERED, f"{self.protocol.greeting} comes first")
        chosen = self.protocol.read(request, view, legal)
        if self.protocol.has_acks and self.pending:
            raise ClientRefused(Fault.UNACKNOWLEDGED, "acknowledge what you were told first")
        return chosen

    def _greeted(
        self, request: ClientRequest, view: View, players: int
    ) -> tuple[Conversation, Reply]:
        if request.fields.keys() != {"data"} or request.fields["data"] is not None:
            raise ClientRefused(Fault.WRONG_FIELDS, f"{request.name} has null as its data")
        if self.is_greeted:
            raise ClientRefused(Fault.NOT_NOW, "you are registered")
        answer = written(self.protocol.greet(view, players))
        after, lines = replace(self, is_greeted=True).resumed()
        return after, Reply((answer, *lines))

    def _acknowledged(self, request: ClientRequest) -> tuple[Conversation, Reply]:
        last = self.pending[0].number if self.pending else self.next_number - 1
        number = request.fields.get("id", last)
        if request.fields.keys() - {"id"} or type(number) is not int:
            raise ClientRefused(Fault.WRONG_FIELDS, "an Ack names the id of what it acknowledges")
        if 0 < number < last or (number == last > 0 and not self.pending):
            return self, Reply()  # once more, for what was sent once more
        if not self.pending or number != last:
            raise ClientRefused(Fault.NOT_NOW, f"{number} was not sent")
        after, lines = replace(self, pending=self.pending[1:], sent=0).flushed()
        return after, Reply(lines)

    def _line(self, one: Numbered) -> str:
        number: dict[str, JsonValue] = {"id": one.number} if self.protocol.has_acks else {}
        return written({"type": one.told.name, **number, **one.told.fields})


Flushed: TypeAlias = tuple[Conversation, tuple[str, ...]]
"""A conversation, and lines for the client."""


def restored(protocol: SeedProtocol, note: Mapping[str, JsonValue]) -> Conversation:
    """Return a conversation from its note."""
    pending, number = note["pending"], note["next"]
    assert isinstance(pending, list), "a note has what is pending"
    assert isinstance(number, int), "and a number"
    asked = None if note["asked"] is None else _numbered(note["asked"])
    return Conversation(protocol, tuple(map(_numbered, pending)), asked, number)


def note_bytes(note: Mapping[str, JsonValue], entry: str, height: int) -> bytes:
    """Return a note as bytes, with the entry up to which the client was told."""
    return written({"entry": entry, "height": height, **note}).encode()


def read_note(data: bytes) -> dict[str, JsonValue]:
    """Return a note of this program's own."""
    value = json.loads(data)
    assert isinstance(value, dict), "a note is an object"
    return value


def _kept(one: Numbered) -> JsonValue:
    return [one.number, one.told.name, dict(one.told.fields), one.told.asks]


def _numbered(value: JsonValue) -> Numbered:
    assert isinstance(value, list), "a message is kept as a list"
    number, name, fields, asks = value
    assert isinstance(number, int), "of a number"
    assert isinstance(name, str), "a name"
    assert isinstance(fields, dict), "fields"
    return Numbered(number, ClientMessage(name, fields, bool(asks)))
