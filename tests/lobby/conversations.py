"""The golden conversations of a lobby: who sends what to whom, what each stores and shows.

Each is a short story, told by real hosts and guests and kept as text in
`tests/lobby/conversations/`. A change of the protocol shows there as a change that people can read.
To write them anew:

    python -m tests.lobby.conversations
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from nodealer.lobby import Guest, Host, LobbyReady, address_record, hosting, visiting
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.signed import sign_offer
from nodealer.lobby.terms import NewSeat
from tests.lobby.world import ADDRESS, HOST, World, key_of, plan, secret_of, signer_of

FOLDER = Path(__file__).with_name("conversations")


@dataclass
class TellingWorld(World):
    """A lobby that tells what happens in it."""

    lines: list[str] = field(default_factory=list)
    answers: dict[bytes, str] = field(default_factory=dict)
    seen: dict[bytes, str] = field(default_factory=dict)
    drawings: dict[bytes, str] = field(default_factory=dict)

    def say(self, line: str) -> None:
        """Tell something."""
        self.lines.append(line)

    def does(
        self, name: str, what: str, act: Callable[[], tuple[Host | Guest, LobbyReady]]
    ) -> None:
        """Let somebody do something, and tell it."""
        self.say(f"{name} {what}")
        self.do(name, act)

    def do(self, name: str, act: Callable[[], tuple[Host | Guest, LobbyReady]]) -> None:
        """Let a node do something, and tell what comes of it."""

        def told() -> tuple[Host | Guest, LobbyReady]:
            value, ready = act()
            if ready.keep is not None:
                self.say(f"    {name} stores that it is {value.phase.value}")
            for event in ready.show:
                self.say(f"    {name} shows {self.event(event)}")
            for message, to in _together(ready.send):
                names = ", ".join(self.names[key] for key in to)
                self.say(f"    {name} sends {names} {self.told(message)}")
            return value, ready

        super().do(name, told)

    def step(self) -> bool:
        """Deliver one message, and tell it."""
        if self.wires:
            sender, name, data = self.wires[0]
            self.say(f"{name} gets from {sender} {self.told(m.read(data))}")
        return super().step()

    def restart(self, name: str) -> None:
        """Open a node again, and tell it."""
        self.say(f"{name} starts again")
        super().restart(name)

    def comes(self, name: str, *, watches: bool = False) -> None:
        """Let somebody come."""
        self.say(f"{name} has an invite{' to watch' if watches else ''}")
        super().comes(name, watches=watches)

    def accept(self, name: str) -> None:
        """Let somebody accept what is offered."""
        self.say(f"{name} accepts")
        super().accept(name)

    def told(self, message: m.LobbyMessage) -> str:
        """Return a message in a few words."""
        return MESSAGES[type(message)](self, message)

    def event(self, event: r.LobbyEvent) -> str:
        """Return an event in a few words."""
        return EVENTS[type(event)](self, event)

    def progress(self, progress: m.Progress) -> str:
        """Return a progress in a few words."""
        seats = [str(seat) for seat in range(10) if progress.answered >> seat & 1]
        watchers = f", watched by {_names(progress.watchers)}" if progress.watchers else ""
        return f"progress {progress.number}: answered {' '.join(seats) or '-'}{watchers}"

    def offer(self, offer: m.Offer) -> str:
        """Return an offer in a few words."""
        seats = _names([one or m.Attendee(b"", "-") for one in offer.seats])
        return f"offer {offer.number}: {offer.game}, {offer.policy}, {seats}"

    def complete(self, complete: m.Complete) -> str:
        """Return a charter in a few words."""
        answers = " ".join(self.answer(one.sealing) for one in complete.answers)
        return f"complete: offer {complete.number} with {answers}"

    def answer(self, sealing: bytes) -> str:
        """Return the letter of an answer."""
        return self.answers.setdefault(sealing, chr(ord("A") + len(self.answers)))

    def called(self, words: bytes) -> str:
        """Return the letter of words."""
        return self.drawings.setdefault(words, chr(ord("A") + len(self.drawings)))

    def founded(self, founding: NewSeat) -> str:
        """Return where somebody sits down."""
        name = self.seen.setdefault(founding.table, f"table {len(self.seen) + 1}")
        seat = "as spectator" if founding.seat is None else f"on seat {founding.seat}"
        return f"{name}, {seat}"


Told: TypeAlias = Mapping[type, Callable[[TellingWorld, Any], str]]

MESSAGES: Told = {
    m.Join: lambda _, one: f"join as {one.name}{', to watch' if one.watches else ''}",
    m.NotAdmitted: lambda _, one: f"refused: {one.reason.slug}",
    m.Offer: TellingWorld.offer,
    m.Progress: TellingWorld.progress,
    m.Answer: lambda world, one: (
        f"answer {world.answer(one.sealing)} of seat {one.seat} to offer {one.number}"
    ),
    m.Withdrawn: lambda _, one: f"withdrawn: offer {one.number}",
    m.Leaving: lambda _, __: "left",
    m.Complete: TellingWorld.complete,
    m.LobbyLine: lambda _, one: f"what {one.name} says: {one.text}",
    m.WordDrawing: lambda _, one: f"drawing {one.number}: {_stage(one)}",
    m.Pledge: lambda _, one: f"pledge in drawing {one.number}",
    m.ToldNonce: lambda _, one: f"nonce in drawing {one.number}",
    m.AddressRecord: lambda world, one: (
        f"address {one.number} of {world.names[one.key]}: {' '.join(one.addresses)}"
    ),
}

EVENTS: Told = {
    r.Came: lambda _, one: (
        f"that {one.name} came{' to watch' if one.watches else ''}"
        f"{', a program' if one.is_program else ''}"
    ),
    r.Went: lambda _, one: f"that {one.name} went",
    r.TurnedAway: lambda world, one: (
        f"that {world.names[one.key]} was turned away: {one.reason.slug}"
    ),
    r.Offered: lambda world, one: (
        world.offer(one.offer) + (f", but {one.problem.slug}" if one.problem else "")
    ),
    r.Answered: lambda _, one: f"answers of {' '.join(map(str, one.seats)) or 'nobody'}",
    r.CharterWhole: lambda world, one: world.founded(one.founding),
    r.TooLate: lambda _, one: f"that {one.name} wants no more what is already made",
    r.LobbyOver: lambda _, one: f"that it is over: {one.reason.slug if one.reason else 'left'}",
    r.TwoOffers: lambda _, one: f"two offers {one.one.number} of one host",
    r.Moved: lambda world, one: f"where {world.names[one.record.key]} can be reached",
    r.LineSaid: lambda _, one: f"what {one.line.name} says: {one.line.text}",
    r.WordsDrawn: lambda world, one: f"words {world.called(one.words)}",
    r.LobbyDropped: lambda _, one: f"nothing, and drops it: {one.slug}",
}


def _together(send: Sequence[r.LobbyOutgoing]) -> list[tuple[m.LobbyMessage, list[bytes]]]:
    """Return messages with all to whom they go, in the order in which each goes out first."""
    found: list[tuple[m.LobbyMessage, list[bytes]]] = []
    for one in send:
        for message, to in found:
            if message == one.message:
                to.append(one.to)
                break
        else:
            found.append((one.message, [one.to]))
    return found


def _stage(drawing: m.WordDrawing) -> str:
    if not drawing.pledges:
        return "pledges are wanted"
    return "all nonces" if drawing.nonces else "all pledges"


def _names(people: Sequence[m.Attendee]) -> str:
    return " ".join(one.name for one in people)


def gathered(*names: str) -> TellingWorld:
    """Return a lobby into which these have come."""
    world = TellingWorld(len(names) + 1)
    for name in names:
        world.comes(name)
        world.settle()
    return world


def founded() -> TellingWorld:
    """Two come, all accept, and the host makes the charter."""
    world = gathered("ben", "cleo")
    for name in (HOST, "ben", "cleo"):
        world.accept(name)
        world.settle()
    world.does(HOST, "starts", lambda: hosting.start(world.host))
    world.settle()
    return world


def thought_again() -> TellingWorld:
    """An answer is taken back; then the host changes what is played, and answers are void."""
    world = gathered("ben")
    world.accept("ben")
    world.settle()
    world.does("ben", "takes it back", lambda: visiting.withdraw(world.guest("ben")))
    world.settle()
    world.accept("ben")
    world.settle()
    changed = plan(2, call=True)
    world.does(HOST, "changes an option", lambda: hosting.change(world.host, changed))
    world.settle()
    return world


def turned_away() -> TellingWorld:
    """A name is taken, a seat is not free, a secret is not valid any more, somebody is removed."""
    world = gathered("ben")
    old = world.invites["ben"][0]
    world.comes("cleo")
    world.settle()
    world.does("ben", "leaves", lambda: visiting.leave(world.guest("ben")))
    world.settle()
    world.names[key_of("dora")] = "dora"
    world.invites["dora"] = old, "Ana"
    world.restart("dora")
    world.settle()
    world.does(
        HOST,
        "changes the invite",
        lambda: hosting.renew(world.host, secret_of("new play"), secret_of("new watch")),
    )
    world.does("dora", "tries again", lambda: visiting.again(world.guest("dora"), old, "dora"))
    world.connect("dora")
    world.settle()
    world.comes("emil")
    world.settle()
    world.does(HOST, "removes emil", lambda: hosting.remove(world.host, key_of("emil")))
    world.settle()
    return world


def restarted() -> TellingWorld:
    """Everybody is closed and opened again at a bad moment, and nothing is lost."""
    world = gathered("ben")
    world.accept("ben")
    world.restart("ben")
    world.settle()
    world.accept(HOST)
    world.settle()
    world.does(HOST, "starts, and is closed on the way", lambda: hosting.start(world.host))
    world.restart(HOST)
    world.settle()
    return world


def lost_with_the_link() -> TellingWorld:
    """Somebody leaves while there is no link, comes again and answers anew: that answer counts."""
    world = gathered("ben")
    world.accept("ben")
    world.settle()
    world.cut = {("ben", HOST)}
    world.does("ben", "leaves", lambda: visiting.leave(world.guest("ben")))
    invite, _ = world.invites["ben"]
    world.does("ben", "tries again", lambda: visiting.again(world.guest("ben"), invite, "ben"))
    world.cut.clear()
    world.say("ben has a new link")
    world.connect("ben")
    world.step()
    world.step()
    world.accept("ben")
    world.settle()
    return world


def gone_too_late() -> TellingWorld:
    """Somebody leaves while the host makes the charter: nobody can sit down at that table."""
    world = gathered("ben", "cleo")
    for name in ("ben", "cleo", HOST):
        world.accept(name)
        world.settle()
    world.does("ben", "leaves", lambda: visiting.leave(world.guest("ben")))
    world.does(HOST, "starts", lambda: hosting.start(world.host))
    world.settle()
    return world


def shown_to_some() -> TellingWorld:
    """A host shows the charter to one guest alone, which hands it on."""
    world = gathered("ben", "cleo")
    for name in ("ben", "cleo", HOST):
        world.accept(name)
        world.settle()
    world.cut = {(HOST, "cleo")}
    world.does(HOST, "starts, and cleo hears nothing of it", lambda: hosting.start(world.host))
    world.settle()
    return world


def two_offers() -> TellingWorld:
    """A host shows two offers under one number."""
    world = gathered("ben")
    other = replace(world.host.offer, policy="void")
    other = replace(other, signature=sign_offer(other, signer_of(HOST)))
    world.say(f"ana sends ben {world.told(other)}")
    world.do("ben", lambda: visiting.receive(world.guest("ben"), other, key_of(HOST)))
    world.settle()
    return world


def watched() -> TellingWorld:
    """A spectator sees all and answers nothing; addresses are for those with a seat."""
    world = TellingWorld(2)
    world.comes("vera", watches=True)
    world.comes("ben")
    world.settle()
    record = address_record(signer_of("ben"), 1, (ADDRESS,))
    world.does("ben", "can be reached", lambda: visiting.moved(world.guest("ben"), record))
    own = address_record(signer_of(HOST), 1, ("/dns4/ana.example.org/tcp/4001",))
    world.does(HOST, "can be reached", lambda: hosting.moved(world.host, own))
    world.settle()
    for name in ("ben", HOST):
        world.accept(name)
        world.settle()
    world.does(HOST, "starts", lambda: hosting.start(world.host))
    world.settle()
    return world


def talked() -> TellingWorld:
    """People talk while they wait; who comes later, a program, reads it, of who has left too."""
    world = TellingWorld(3, programs={"cleo"})
    world.comes("ben")
    world.settle()
    for name, text in (("ben", "is anybody else coming?"), (HOST, "cleo's program")):
        world.say(f"{name} says something")
        world.says(name, text)
        world.settle()
    world.does("ben", "leaves", lambda: visiting.leave(world.guest("ben")))
    world.settle()
    world.comes("cleo")
    world.settle()
    return world


STORIES: dict[str, Callable[[], TellingWorld]] = {
    story.__name__.replace("_", "-"): story
    for story in (
        founded,
        thought_again,
        turned_away,
        restarted,
        lost_with_the_link,
        gone_too_late,
        shown_to_some,
        two_offers,
        watched,
        talked,
    )
}


def told(name: str) -> str:
    """Tell a story: its title, and what happens line by line."""
    story = STORIES[name]
    world = story()
    return "\n".join([story.__doc__ or name, "", *world.lines]) + "\n"


def main() -> None:
    """Write all conversations."""
    for name in STORIES:
        (FOLDER / f"{name}.txt").write_text(told(name), encoding="utf-8")


if __name__ == "__main__":
    main()
