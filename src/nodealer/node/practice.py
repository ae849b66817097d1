"""A table against bots on this machine: nobody else is needed, and nothing is left out.

Every bot is a full peer: it has a key, a journal and a ledger of its own, and reaches the others
over links, which here end in the same process. So a game against bots is dealt, countersigned and
stored like any other, its transcript is one that anybody can verify, and whoever stops in the
middle goes on later. The bots have profiles of their own beside the player's.

A program that deals to four seats computes four times what it would among four machines.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from typing import Final

import trio

from nodealer.bots import bot_for
from nodealer.crypto import SECP256K1, SEED_BYTES
from nodealer.deck import Keyring
from nodealer.games import AnyGame, Options, resolve
from nodealer.keeping import no_delay
from nodealer.kernel import Chance, Seat, TableId
from nodealer.ledger import DUTIES, Charter, Clock, Duties
from nodealer.lobby import is_by_letters
from nodealer.node.auto import is_over, play_by
from nodealer.node.keeper import Keeper
from nodealer.node.node import open_node
from nodealer.node.seat_addresses import address_note
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.memory import Ether
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.store import (
    Directories,
    Identity,
    Journal,
    JournalOrigin,
    Profile,
    StoreError,
    Trouble,
    create,
    create_identity,
    open_identity,
    open_journal,
)
from nodealer.table import Setting, Terms, accept, charter_of, check_charter

NAMES: Final = ("Ada", "Bruno", "Carla", "Dario", "Edda", "Fabio", "Greta", "Hugo", "Ines")
"""What the bots are called; a table has at most nine of them."""

BOTS: Final = "practice/bots"
"""The note in which the player's journal keeps the profiles of the bots, in the order of seats."""

THOUGHT_SECONDS: Final = 0.4
"""A bot that answers at once is not followed by anybody."""

YOU: Final = Seat(0)


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody who sits down at a table of this machine."""

    profile: Profile
    identity: Identity
    name: str
    seed: bytes = field(repr=False, default_factory=lambda: secrets.token_bytes(SEED_BYTES))


@dataclass(frozen=True, slots=True)
class Rules:
    """The game that is played, and how."""

    game: AnyGame
    options: Options
    clock: Clock
    policy: str | None = None


def identity_in(profile: Profile) -> Identity:
    """Return the identity of a profile; a new one if there is none."""
    profile.make()
    if profile.key.exists():
        return open_identity(profile.key)
    return create_identity(profile.key)


def bots_in(places: Directories, count: int, taken: str) -> list[Seated]:
    """Return so many bots, each with its own profile; none has the name that is taken."""
    names = [name for name in NAMES if name.casefold() != taken.casefold()]
    profiles = [places.profile(f"bot-{number}") for number in range(1, count + 1)]
    return [
        Seated(profile, identity_in(profile), name)
        for profile, name in zip(profiles, names, strict=False)
    ]


def found(rules: Rules, everybody: Sequence[Seated], lobby: bytes | None = None) -> Charter:
    """Found a table among these, in the order of seats, and give each its journal.

    The id of the lobby, in which nobody has met, is drawn. With the same one, and the same keys and
    seeds, it is the same table again.
    """
    terms = Terms(
        lobby=secrets.token_bytes(SEED_BYTES) if lobby is None else lobby,
        game=rules.game.id,
        version=rules.game.version,
        options=tuple(
            resolve(
                rules.game,
                len(everybody),
                rules.options,
                by_letters=is_by_letters(rules.clock),
            ).items()
        ),
        names=tuple(one.name for one in everybody),
        identities=tuple(one.identity.public for one in everybody),
        clock=rules.clock,
        policy=rules.policy or rules.game.policies[0],
    )
    rings = [Keyring(SECP256K1, Seat(seat), one.seed) for seat, one in enumerate(everybody)]
    charter = charter_of(terms, [accept(terms, ring) for ring in rings])
    Setting(check_charter(charter), rules.game)  # raises if they do not fit together
    seats = [Seat(seat) for seat in range(len(everybody))]
    places = tuple(address_note(seat, (_address(seat),)) for seat in seats)
    bots = "\n".join(bot.profile.name for bot in everybody[1:])
    # The player's journal comes last: once it is there, so is everybody's, whatever stops this.
    for seat, one in reversed(list(enumerate(everybody))):
        origin = JournalOrigin(charter, Seat(seat), one.identity.public)
        # Which bots play is in it from the start: else a stop would leave a table that waits for
        # people who do not exist.
        notes = (*places, (BOTS, bots.encode())) if seat == YOU else places
        create(one.profile, origin, one.identity, one.seed, notes).close()
    return charter


def bots_of(journal: Journal) -> tuple[str, ...]:
    """Return the profiles of the bots at a table; none if it is one among people."""
    noted = journal.noted(BOTS)
    return () if noted is None else tuple(noted.decode(errors="replace").splitlines())


@asynccontextmanager
async def at_table(
    places: Directories,
    journal: Journal,
    *,
    thought_seconds: float = THOUGHT_SECONDS,
    duties: Duties = DUTIES,
    meet: Callable[[Keeper], None] = lambda _: None,
) -> AsyncIterator[Keeper]:
    """Open a table against bots, with the bots playing, from the journal of the player.

    `meet` is called with the keeper of every seat before anything happens to it.
    """
    async with AsyncExitStack() as stack:
        ether = Ether()
        nursery = await stack.enter_async_context(trio.open_nursery())
        stack.callback(nursery.cancel_scope.cancel)
        keeper = await _seat(stack, ether, journal, YOU, duties)
        meet(keeper)
        for seat, name in enumerate(bots_of(journal), 1):
            profile = places.profile(name)
            own = _journal_of_bot(profile, journal.table)
            stack.enter_context(closing(own))
            bot = await _seat(stack, ether, own, Seat(seat))
            meet(bot)
            nursery.start_soon(_play, bot, _chance_of(own), thought_seconds)
        yield keeper


def _journal_of_bot(profile: Profile, table: TableId) -> Journal:
    try:
        return open_journal(profile, table, open_identity(profile.key))
    except StoreError as error:
        if error.trouble is not Trouble.MISSING:
            raise
        raise StoreError(Trouble.STAYED, profile.name) from error


async def _seat(
    stack: AsyncExitStack, ether: Ether, journal: Journal, seat: Seat, duties: Duties = DUTIES
) -> Keeper:
    key = PeerKey(journal.charter.keys[seat])
    carrier = await stack.enter_async_context(ether.carrier(key, _address(seat).host))
    links = await stack.enter_async_context(open_switchboard(carrier, Chance("practice", seat)))
    node = await stack.enter_async_context(open_node(links))
    node.draw_delay = no_delay
    return node.open_table(journal, duties)


def _chance_of(journal: Journal) -> Chance:
    """Return the chance of a bot, which nobody else can know: it goes on as it would have."""
    assert journal.seat is not None, "a bot has a seat"
    ring = Keyring(SECP256K1, journal.seat, journal.seed())
    return Chance("bot", ring.committed("bot", journal.table))


async def _play(keeper: Keeper, chance: Chance, thought_seconds: float) -> None:
    rules = keeper.table.position.game
    while True:
        await play_by(keeper, bot_for(rules), chance, thought_seconds=thought_seconds)
        if keeper.table.position.is_closed:
            await keeper.tell()  # the player stays until everybody has shown that it has the close
        while is_over(keeper.table):
            await keeper.changed()


def _address(seat: Seat) -> Address:
    return Address("memory", f"seat-{seat}")
