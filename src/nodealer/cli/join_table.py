"""Goes to a lobby, shows what is offered, and plays once it is accepted by all."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from contextlib import closing
from pathlib import Path

import trio

from nodealer.cli.at_table import account_name, listening
from nodealer.cli.lobby_lines import lines_of
from nodealer.cli.output import complain
from nodealer.cli.play_network import finish, sit
from nodealer.crypto import SEED_BYTES
from nodealer.games.registry import game
from nodealer.kernel import LocalError, Reason, TableId
from nodealer.lobby import Founding, Guest, address_record, advice, read_invite, visiting
from nodealer.lobby.moves import GuestPhase
from nodealer.lobby.ready import Founded, Over
from nodealer.node.network import on_network
from nodealer.node.node import Node
from nodealer.node.practice import identity_in
from nodealer.node.rooms import Room
from nodealer.node.sitting_down import journal_for
from nodealer.store.files import make_directory
from nodealer.store.identity import Identity
from nodealer.store.places import Profile, places_of
from nodealer.ui.shell.threads import in_thread

FIRST_RECORD = 1


def run(args: argparse.Namespace) -> int:
    """Go to the lobby, and play."""
    profile = places_of(os.environ).profile(args.profile)
    text = invite_text(args.invite)
    return finish(args, profile, trio.run(_join, args, text, profile, identity_in(profile)))


def invite_text(given: str | None) -> str:
    """Return the text of an invite, from wherever it comes."""
    if given is None:
        sys.stderr.write("invite: ")
        sys.stderr.flush()
        return sys.stdin.readline()
    if given == "-":
        return sys.stdin.read()
    if given.startswith("@"):
        return Path(given[1:]).read_text()
    return given


async def _join(
    args: argparse.Namespace, text: str, profile: Profile, identity: Identity
) -> TableId:
    invite = read_invite(text)
    guest, ready = visiting.knocking(invite, args.name or account_name(), identity.signer)
    folder = profile.home / "lobbies"
    make_directory(folder)
    room = Room(guest, ready, folder / f"{invite.lobby.hex()}.guest")
    async with on_network(identity, listening(args)) as node:
        _say_where(room, node, identity)
        node.open_room(room)
        founding = await _wait(args, room)
        assert isinstance(room.held, Guest), "it is a guest's room"
        with closing(journal_for(founding, profile, identity, room.held.book)) as journal:
            await sit(args, node, journal)
    return founding.table


def _say_where(room: Room, node: Node, identity: Identity) -> None:
    assert isinstance(room.held, Guest), "it is a guest's room"
    addresses = tuple(map(str, node.addresses()))
    record = address_record(identity.signer, FIRST_RECORD, addresses)
    room.take(*visiting.moved(room.held, record))


async def _wait(args: argparse.Namespace, room: Room) -> Founding:
    """Wait for an offer that can be accepted, ask the player, and wait for the charter."""
    while True:
        for event in await room.happened():
            complain(*lines_of(event, room.held))
            if isinstance(event, Founded):
                return event.founding
            if isinstance(event, Over):
                reason = event.reason or Reason.LOBBY_CLOSED
                raise LocalError(reason, advice(reason))
        assert isinstance(room.held, Guest), "it is a guest's room"
        if room.held.phase is GuestPhase.ASKED and room.held.problem is None:
            await _decide(args, room, room.held)


async def _decide(args: argparse.Namespace, room: Room, guest: Guest) -> None:
    assert guest.offer is not None, "something is offered"
    if not (args.yes or args.auto):
        sys.stderr.write("Sit down? [y/n] ")
        sys.stderr.flush()
        answer = await in_thread(sys.stdin.readline)
        if answer.strip().lower() not in ("y", "yes"):
            room.take(*visiting.leave(guest))
            return
    if room.held is guest:  # nothing else was offered meanwhile
        seed = secrets.token_bytes(SEED_BYTES)
        room.take(*visiting.accept(guest, guest.offer.number, seed, game(guest.offer.game)))
