"""Opens a lobby, waits until all seats are taken and all have accepted, and plays."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from contextlib import closing
from typing import Final

import trio

from nodealer.cli.at_table import account_name, listening
from nodealer.cli.lobby_lines import lines_of
from nodealer.cli.output import complain
from nodealer.cli.play_network import finish, sit
from nodealer.crypto import SEED_BYTES
from nodealer.crypto.shared_secret import SECRET_BYTES, SharedSecret
from nodealer.games import registry
from nodealer.kernel import TableId
from nodealer.lobby import (
    Founding,
    Host,
    Invite,
    Keys,
    Plan,
    address_record,
    hosting,
    join_command,
    plan_of,
    write_invite,
)
from nodealer.lobby.forms import LOBBY_BYTES
from nodealer.lobby.moves import HostPhase
from nodealer.lobby.ready import Founded
from nodealer.lobby.squares import terminal_lines
from nodealer.node.clocks import CLOCKS
from nodealer.node.network import on_network
from nodealer.node.node import Node
from nodealer.node.practice import identity_in
from nodealer.node.rooms import Room
from nodealer.node.sitting_down import journal_for
from nodealer.store.files import make_directory
from nodealer.store.identity import Identity
from nodealer.store.places import Profile, places_of

FIRST_RECORD: Final = 1


def run(args: argparse.Namespace) -> int:
    """Open the lobby, and play."""
    profile = places_of(os.environ).profile(args.profile)
    game = registry.game(args.game)
    options = registry.parse_options(game, args.option)
    policy = args.policy or game.policies[0]
    plan = plan_of(game, args.seats, options, CLOCKS[args.clock], policy)
    return finish(args, profile, trio.run(_host, args, plan, profile, identity_in(profile)))


async def _host(
    args: argparse.Namespace, plan: Plan, profile: Profile, identity: Identity
) -> TableId:
    async with on_network(identity, listening(args)) as node:
        room = _open(args, plan, profile, identity, node)
        _show_invite(args, room, node)
        founding = await _gather(room)
        assert isinstance(room.held, Host), "it is the host's own room"
        with closing(journal_for(founding, profile, identity, room.held.book)) as journal:
            await sit(args, node, journal)
    return founding.table


def _open(
    args: argparse.Namespace, plan: Plan, profile: Profile, identity: Identity, node: Node
) -> Room:
    keys = Keys(secrets.token_bytes(LOBBY_BYTES), _secret(), _secret())
    folder = profile.home / "lobbies"
    make_directory(folder)
    opened = hosting.opened(plan, args.name or account_name(), identity.signer, keys)
    room = Room(*opened, folder / f"{keys.lobby.hex()}.host")
    addresses = tuple(map(str, node.addresses()))
    record = address_record(identity.signer, FIRST_RECORD, addresses)
    assert isinstance(room.held, Host), "it has just been opened"
    room.take(*hosting.moved(room.held, record))
    node.open_room(room)
    return room


def _show_invite(args: argparse.Namespace, room: Room, node: Node) -> None:
    assert isinstance(room.held, Host), "it is the host's own room"
    host = room.held
    addresses = tuple(map(str, node.addresses()))
    invite = Invite(host.key, host.keys.lobby, host.keys.play, watches=False, addresses=addresses)
    sys.stdout.write(write_invite(invite) + "\n")
    sys.stdout.flush()
    if args.qr or (args.qr is None and sys.stderr.isatty()):
        complain(*terminal_lines(invite))
    complain("pass the line on to whoever is to play; on the other side:", join_command(invite))


async def _gather(room: Room) -> Founding:
    """Wait until everybody is there and has accepted; answer and start when it is time."""
    while True:
        for event in await room.happened():
            complain(*lines_of(event, room.held))
            if isinstance(event, Founded):
                return event.founding
        assert isinstance(room.held, Host), "it is the host's own room"
        host = room.held
        if host.phase is HostPhase.OFFERING and host.seed is None:
            seed = secrets.token_bytes(SEED_BYTES)
            room.take(*hosting.accept(host, host.number, seed))
        elif host.phase is HostPhase.READY:
            room.take(*hosting.start(host))


def _secret() -> SharedSecret:
    return SharedSecret(secrets.token_bytes(SECRET_BYTES))
