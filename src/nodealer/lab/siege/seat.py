"""A seat of a table that is besieged, in a process of its own, played by a bot.

    python -m nodealer.lab.siege.seat SEAT GAME PLAYERS SEED ADDRESS

It is a real seat (`lab.processes.real_seat`) that does what players do besides: it keeps a place at
a relay if there is one, looks for tables at addresses that others have given it, and the first seat
has a lobby open to which it invites. What it shall do is in the file `brief`, below
`NODEALER_HOME`; what came of it is written into files beside that.

One seat may be a liar: it plays well, and while there is a file `lie` it says all the time that it
lacks everything, to every other seat. It is sent what it says it lacks, so when the table has stood
still for a moment it is quiet, and learns what it does lack: else it would leave itself out.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import trio

from nodealer.games import game
from nodealer.home import Shelf, announce
from nodealer.kernel import Height, Seat, TableId
from nodealer.lab.processes.real_seat import chance_at, main, tell
from nodealer.lab.processes.real_table import profile_of
from nodealer.lab.siege.burden import burn
from nodealer.ledger import Ready, Status, write
from nodealer.lobby import Host, plan_of, write_invite
from nodealer.node import (
    CLOCKS,
    Address,
    ForTable,
    Keeper,
    Node,
    PeerKey,
    offered,
    parse,
    play_by,
    write_envelope,
)
from nodealer.sim import Order, bot_of
from nodealer.store import HOME_VARIABLE, Profile, open_identity, places_of
from nodealer.table import Table

HOST: Final = Seat(0)

ROOM_SEATS: Final = 4

STATUSES_PER_SECOND: Final = 300
"""To each other seat; 4,000 in 13 s drew 60 MB out of a node that answered all of them."""

LIE_SECONDS: Final = 0.05

STILL_SECONDS: Final = 1.0

WAITING_MAX: Final = 32
"""Lies that wait for a peer: behind more of them the liar's own moves would be late."""

INVITE, LIE, LIED = "invite", "lie", "lied"


@dataclass(frozen=True, slots=True)
class Brief:
    """The tasks of the seats of a table besides playing."""

    relays: tuple[str, ...] = ()
    sought: tuple[tuple[str, str], ...] = ()
    """Keys and addresses of others who are said to have a table open."""
    liar: int | None = None
    burner: int | None = None
    """Who uses up the time of a liar for nothing, and how much of a processor that is."""
    burnt_share: float = 0.0
    thought_seconds: float = 0.0

    def write(self, home: Path) -> None:
        """Write it down for the seats."""
        (home / "brief").write_text(json.dumps(asdict(self)), encoding="utf-8")


def brief_in(home: Path) -> Brief:
    """Return what was written down."""
    return Brief(**json.loads((home / "brief").read_text(encoding="utf-8")))


def evicted_file(home: Path, seat: int) -> Path:
    """Return the file that is there once anybody has seen that a seat was left out."""
    return home / f"evicted-{seat}"


async def play_besieged(node: Node, keeper: Keeper, order: Order) -> None:
    """Play, and do the rest of what the brief says."""
    assert keeper.seat is not None, "a player has opened it"
    home = _home()
    brief = brief_in(home)
    async with trio.open_nursery() as nursery:
        _note_evictions(keeper, home)
        if keeper.seat == HOST:
            _open_lobby(node, profile_of(places_of(os.environ), HOST), home / INVITE)
        for key, place in brief.sought:
            nursery.start_soon(_seek, node, PeerKey(bytes.fromhex(key)), parse(place))
        if keeper.seat == brief.liar:
            nursery.start_soon(_lie, keeper, home)
        if keeper.seat == brief.burner:
            nursery.start_soon(burn, brief.burnt_share)
        keeper.observers.add(tell)
        tell(keeper.table)
        bot, chance = bot_of(order), chance_at(keeper, order)
        await play_by(keeper, bot, chance, thought_seconds=brief.thought_seconds)
        await trio.sleep_forever()


def _home() -> Path:
    return Path(os.environ[HOME_VARIABLE])


def _note_evictions(keeper: Keeper, home: Path) -> None:
    def look(table: Table, _: Ready) -> None:
        for seat in keeper.journal.charter.seats:
            if seat not in table.position.roster:
                evicted_file(home, seat).touch()

    keeper.observers.add(look)


def _open_lobby(node: Node, profile: Profile, file: Path) -> None:
    """Open a lobby beside the table, and write down the invite to it; a new one each time."""
    shelf, rules = Shelf(profile, open_identity(profile.key)), game("macaua")
    plan = plan_of(rules, ROOM_SEATS, {}, CLOCKS["brisk"], rules.policies[0])
    room = shelf.host(plan, "Host")
    announce(room, node, shelf.identity)
    node.open_room(room)
    assert isinstance(room.held, Host), "it was opened as its host"
    invite = room.held.invite(tuple(map(str, node.addresses())))
    file.write_text(write_invite(invite), encoding="utf-8")


async def _seek(node: Node, key: PeerKey, place: Address) -> None:
    """Look for a table that somebody is said to have open."""
    await node.find_charter(TableId(secrets.token_bytes(32)), key, (place,))


async def _lie(keeper: Keeper, home: Path) -> None:
    """Say that everything is missing here, again and again."""
    said, due, tip, moved_at = 0, 0.0, keeper.table.ledger.tip, trio.current_time()
    while True:
        await trio.sleep(LIE_SECONDS)
        if keeper.table.ledger.tip is not tip:
            tip, moved_at = keeper.table.ledger.tip, trio.current_time()
        is_still = trio.current_time() - moved_at > STILL_SECONDS
        first = tip.at(1)
        if is_still or not (home / LIE).exists() or first is None:
            continue
        _, ready = keeper.table.tell()
        (status,) = (one.message for one in ready.send if isinstance(one.message, Status))
        lie = replace(status, height=Height(1), tip=first.id, rank=first.rank)
        payload = write_envelope(ForTable(keeper.id), write(lie))
        due += STATUSES_PER_SECOND * LIE_SECONDS
        for _ in range(int(due)):
            for seat in keeper.others:
                said += offered(keeper.link_to(seat), payload, WAITING_MAX)
        due -= int(due)
        made = home / f"{LIED}.new"
        made.write_text(str(said), encoding="utf-8")
        made.replace(home / LIED)  # whoever reads it meanwhile finds a number


if __name__ == "__main__":
    main(play_besieged, *sys.argv[1:], relays=tuple(map(parse, brief_in(_home()).relays)))
