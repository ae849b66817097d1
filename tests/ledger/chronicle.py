"""A world that writes down what happens, as text that people can follow line by line.

Entries get letters in the order in which they are first spoken of; the charter is `charter`. A line
without indentation is an input of a seat, indented lines are what it stores, sends, shows and is
asked for because of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nodealer.kernel import Seat
from nodealer.ledger import (
    Ask,
    AskAction,
    AskContribution,
    AuthoredStep,
    Certificate,
    Content,
    Contribution,
    DueStep,
    Entry,
    EvictStep,
    Evidence,
    Ledger,
    LedgerEvent,
    LedgerMessage,
    Ready,
    Seal,
    Vote,
    read,
)
from nodealer.ledger.messages import (
    Contributed,
    Left,
    Memory,
    Proposal,
    Recall,
    Refused,
    Sealed,
    Status,
    Voted,
)
from nodealer.ledger.objects import NO_PARENT, Evict, Ground, Leave, Refusal
from nodealer.ledger.ready import (
    Dropped,
    LeftOut,
    Stalled,
    Suspect,
    Suspended,
    Took,
)
from tests.ledger.world import World, charter_of


class TellingWorld(World):
    """A world with a protocol of everything that its seats do."""

    def __init__(self, count: int, script: Sequence[str]) -> None:
        self.lines: list[str] = []
        table = bytes(charter_of(count).table)
        self.names: dict[bytes, str] = {bytes(NO_PARENT): "nothing", table: "charter"}
        super().__init__(count, script)
        self.settle()
        self.lines.clear()

    def say(self, line: str) -> None:
        """Write a line without indentation."""
        self.lines.append(line)

    def take(self, seat: Seat, result: tuple[Ledger, Ready]) -> Ready:
        """Write down what an input came to."""
        ready = result[1]
        for record in ready.persist:
            self.lines.append(f"    {seat} stores {self.told(record)}")
        for outgoing in ready.send:
            to = "all" if outgoing.to is None else str(outgoing.to)
            self.lines.append(f"    {seat} sends {to} {self.told(outgoing.message)}")
        for event in ready.show:
            self.lines.append(f"    {seat} shows {self.shown_as(event)}")
        for ask in ready.ask:
            self.lines.append(f"    {seat} is asked for {self.asked_as(ask)}")
        return super().take(seat, result)

    def deliver(self, place: int = 0) -> None:
        """Write down a delivery, or that a message is lost."""
        sender, to, data = self.wires[place]
        is_lost = (sender, to) in self.cut or {sender, to} & self.gone
        what = self.told(read(data))
        if not is_lost:
            self.say(f"{to} gets from {sender} {what}")
        elif sender not in self.gone:
            self.say(f"lost from {sender} to {to}: {what}")
        super().deliver(place)

    def act_as(self, seat: int, what: str, result: tuple[Ledger, Ready]) -> None:
        """Write down something that a seat does by itself."""
        self.say(f"{seat} {what}")
        self.take(Seat(seat), result)

    def pass_time(self, ticks: int, who: Iterable[Seat] | None = None) -> None:
        """Write down that time passes."""
        waiting = sorted(self.ledgers if who is None else who)
        self.say(f"{ticks} ticks pass for {', '.join(map(str, waiting))}")
        super().pass_time(ticks, who)

    def answer(self, seat: Seat, payload: object = None) -> bool:
        """Let a seat do what it is asked for, and write it down."""
        del payload
        ledger = self.ledgers[seat]
        data = b"x%d" % ledger.tip.height
        for ask in ledger.asked:
            if isinstance(ask, AskAction) and not ask.again:
                self.act_as(seat, f"proposes {data.decode()}", ledger.propose(data))
                return True
            if isinstance(ask, AskContribution):
                given = ledger.contribute([data] * len(ask.parts))
                self.act_as(seat, f"contributes {data.decode()}", given)
                return True
        return False

    # How things are named.

    def name(self, entry: bytes) -> str:
        """Return the name of an entry."""
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return self.names.setdefault(bytes(entry), letters[len(self.names) - 2])

    def told(self, message: LedgerMessage) -> str:  # noqa: PLR0911 - one line for each kind
        """Return a message in a few words."""
        match message:
            case Proposal(content=content, seal=seal):
                return f"proposal {self.content(content)}, sealed by {seal.seat}{self.rank(seal)}"
            case Sealed(seal=seal):
                return self.seal(seal)
            case Contributed(contribution=one):
                return self.contribution(one)
            case Voted(vote=vote, grounds=grounds, kept=kept):
                return self.vote(vote, grounds, kept)
            case Refused(refusal=refusal):
                return f"refusal by {refusal.seat}: {refusal.reason}"
            case Left(leave=leave):
                return self.leave(leave)
            case Entry(content=content, certificate=certificate):
                return f"entry {self.content(content)}, {self.certificate(certificate)}"
            case _:
                return self.unsigned(message)

    def unsigned(self, message: LedgerMessage) -> str:
        """Return a message without a signature of its own in a few words."""
        match message:
            case Status(height=height, tip=tip, rank=rank):
                return f"status: at height {height}, {self.name(tip)} with rank {rank}"
            case Recall():
                return "recall"
            case Memory(messages=messages):
                return f"memory: {', '.join(self.told(one) for one in messages) or 'nothing'}"
            case _:
                return type(message).__name__.lower()

    def content(self, content: Content) -> str:
        """Return a content in a few words."""
        where = f"{self.name(content.id)} at height {content.height}"
        match content.step:
            case AuthoredStep(seat=seat, action=action):
                return f"{where} ({seat}: {action.decode()})"
            case DueStep(parts=parts):
                return f"{where} (due: {', '.join(part.kind for part in parts) or 'seals'})"
            case EvictStep(round=number, seats=seats):
                return f"{where} (round {number} leaves out {_list(seats)})"

    def seal(self, seal: Seal) -> str:
        """Return a seal in a few words."""
        over = f"{self.name(seal.entry)} over {self.name(seal.parent)}"
        return f"seal by {seal.seat} on {over}{self.rank(seal)}"

    def rank(self, held: Seal | Vote) -> str:
        """Return the stated rank, if it is not 0."""
        return f" (held with rank {held.rank})" if held.rank else ""

    def contribution(self, one: Contribution) -> str:
        """Return a contribution in a few words."""
        data = ", ".join(payload.decode() for _, payload in one.payloads)
        return f"contribution by {one.seat} over {self.name(one.parent)}: {data}"

    def vote(self, vote: Vote, grounds: Sequence[Ground], kept: Entry | None) -> str:
        """Return a vote in a few words."""
        choice = vote.choice
        if isinstance(choice, Evict):
            what = f"leave out {_list(choice.seats)}"
        else:
            what = f"keep {self.name(choice.entry)} with rank {choice.rank}"
        beside = "".join(f", beside it the {_ground(ground)}" for ground in grounds)
        shown = ", beside it the entry" if kept is not None else ""
        where = f"round {vote.round} over {self.name(vote.base)}"
        return f"vote by {vote.seat} in {where}: {what}{self.rank(vote)}{beside}{shown}"

    def leave(self, leave: Leave) -> str:
        """Return a leave in a few words."""
        return f"leave by {leave.seat}: nothing above height {leave.height}, round {leave.round}"

    def certificate(self, certificate: Certificate) -> str:
        """Return a certificate in a few words."""
        if certificate.rank == 0:
            return f"by the seals of {_list(seal.seat for seal in certificate.seals)}"
        by = f"by the votes of {_list(vote.seat for vote in certificate.votes)}"
        grounds = "".join(f" and the {_ground(ground)}" for ground in certificate.grounds)
        return f"{by} in round {certificate.rank}{grounds}"

    def shown_as(self, event: LedgerEvent) -> str:  # noqa: C901, PLR0911 - one line for each kind
        """Return an event in a few words."""
        match event:
            case Took(height=height, entry=entry, rank=rank, replaced=replaced):
                word = "replaces its tip by" if replaced else "takes"
                return f"{word} {self.name(entry)} at height {height} with rank {rank}"
            case Suspended(missed=missed, until=until):
                return f"suspended: {_list(missed)} missed, until tick {until}"
            case Stalled(missed=missed):
                return f"stalled: {_list(missed)} missed"
            case Vote():
                return f"its vote in round {event.round}"
            case Evidence():
                return f"{_ground(event)}"
            case Refusal():
                return f"that {event.seat} refuses: {event.reason}"
            case Leave():
                return f"that {event.seat} has left"
            case LeftOut(height=height):
                return f"left out at height {height}"
            case Suspect():
                return "suspect: signs nothing until all have answered"
            case Dropped(slug=slug):
                return f"a message dropped: {slug}"

    def asked_as(self, ask: Ask) -> str:
        """Return what is asked in a few words."""
        if isinstance(ask, AskAction):
            return "playing again, if it likes" if ask.again else "an action"
        assert isinstance(ask, AskContribution), "no seat of these stories waits for word"
        return f"its part of: {', '.join(part.kind for part in ask.parts)}"


def _list(seats: Iterable[int]) -> str:
    return " and ".join(map(str, seats)) or "nobody"


def _ground(ground: Ground) -> str:
    if isinstance(ground, Evidence):
        return f"evidence {ground.code} against {ground.seat}"
    return f"leave of {ground.seat}"
