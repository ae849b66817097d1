"""One simulated game: founded from a seed, played to its end, and what came of it.

Everything follows from the order: the game, its options, the number of seats, the faults and the
seed. Keys and seeds of the peers are derived from it too; they are worth nothing outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from nodealer.bots import ChanceBot, bot_for
from nodealer.crypto import SECP256K1, SigningKey
from nodealer.deck import Keyring
from nodealer.games import Action, AnyGame, Bot, Options, Standing, View, resolve
from nodealer.kernel import Chance, LocalError, Reason, Seat, digest
from nodealer.ledger import ChainEntry, Charter, Clock
from nodealer.sim.counting import counted
from nodealer.sim.faults import NONE, FaultPlan, plan_for
from nodealer.sim.invariants import Findings, Violation, require_progress, watchers_for
from nodealer.sim.judging import Judge, require_verdicts, transcript_of_peer
from nodealer.sim.lies import liars_at, liars_with
from nodealer.sim.lying import Behaviour, Liar
from nodealer.sim.peer import Peer
from nodealer.sim.repertoire import features_of
from nodealer.sim.simulated_links import Network
from nodealer.sim.world import World
from nodealer.table import (
    Player,
    Setting,
    Table,
    Terms,
    accept,
    charter_of,
    check_charter,
    position_of,
)
from nodealer.verify import Report

SIMULATED: Final = "nodealer/1/simulated"

CLOCK: Final = Clock(act=20_000, answer=4_000, rejoin=6_000, longest=60_000)
"""Short patience, so that faults which outlast it are many."""

CARELESS: Final = 10
"""Of a hundred turns so many are left to chance, so that rare actions happen too."""


@dataclass(frozen=True, slots=True)
class Order:
    """The order for a simulation."""

    game: AnyGame
    seats: int
    seed: int
    options: Options = field(default_factory=lambda: MappingProxyType({}))
    policy: str | None = None
    faults: str = NONE
    is_sharing: bool = True
    clock: Clock = CLOCK
    plan: FaultPlan | None = None
    """What goes wrong, in place of what the seed says."""
    behaviour: Behaviour | None = None
    """How the liars behave, in place of what the seed says."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The outcome of a simulated game."""

    world: World
    witness: Peer
    """The honest peer whose history is the longest."""
    transcript: bytes
    """What the witness holds, as a file."""
    report: Report
    """What the judge says of it."""
    violations: tuple[Violation, ...]
    counts: Counter[str]

    @property
    def table(self) -> Table:
        """The table of the witness."""
        assert self.witness.table is not None, "the witness is there"
        return self.witness.table

    @property
    def tip(self) -> ChainEntry:
        """The last entry of the witness."""
        return self.table.ledger.tip

    @property
    def standing(self) -> Standing | None:
        """The standing, if the game came to its end."""
        return position_of(self.tip).standing


@dataclass(frozen=True, slots=True)
class _CarelessBot:
    """Plays sensibly most of the time."""

    sensible: Bot

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:
        """Return one of the legal actions."""
        bot = ChanceBot() if chance.happens(CARELESS) else self.sensible
        return bot.choose(view, legal, chance)


def check_order(order: Order) -> None:
    """Raise `LocalError` unless the game can be played like this."""
    resolve(order.game, order.seats, order.options)
    if order.policy is not None and order.policy not in order.game.policies:
        known = ", ".join(order.game.policies)
        detail = f"{order.game.title} has no policy {order.policy!r}; it has {known}"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)


def play(order: Order) -> PlayedGame:
    """Play a game to its end, and look at it from all sides."""
    findings = Findings()
    world = world_of(order, findings)
    world.run()
    require_progress(world, findings)
    judge = Judge(world)
    require_verdicts(world, judge, findings)
    witness = witness_of(world)
    assert witness.table is not None, "the witness is there"
    transcript = transcript_of_peer(witness)
    report = judge.report(transcript)
    counts = counted(world, witness.table.ledger, report)
    return PlayedGame(world, witness, transcript, report, tuple(findings.violations), counts)


def witness_of(world: World) -> Peer:
    """Return the honest peer whose history is the longest; if all are gone, of their journals."""
    if not any(peer.table is not None for peer in world.honest):
        for peer in world.peers.values():
            if peer.is_honest:
                world.open_journal(peer)
    present = [peer for peer in world.peers.values() if peer.is_honest and peer.table is not None]
    return max(present, key=lambda peer: (_height(peer), -peer.seat))


def world_of(order: Order, findings: Findings) -> World:
    """Return the world of a game, before anything has happened."""
    chance = chance_of(order)
    players = [_player(Seat(seat), order) for seat in range(order.seats)]
    setting = Setting(check_charter(charter_for(order)), order.game)
    plan = plan_of(order)
    bot = bot_of(order)
    peers = {one.seat: Peer(one, bot, chance.branch("peer", one.seat)) for one in players}
    liars: tuple[Liar, ...] = ()
    if order.behaviour is not None:
        liars = liars_with(order.behaviour, peers, chance.branch("liars"))
    elif plan.behaviour is not None:
        features = features_of(order.game, order.seats, order.options)
        liars = liars_at(plan.behaviour, peers, chance.branch("liars"), features)
    return World(
        setting=setting,
        peers=peers,
        network=Network(plan.weather, chance.branch("links")),
        plan=plan,
        watchers=watchers_for(findings),
        liars={liar.seat: liar for liar in liars},
        is_sharing=order.is_sharing,
    )


def plan_of(order: Order) -> FaultPlan:
    """Return what goes wrong in a game."""
    if order.plan is not None:
        return order.plan
    faults = chance_of(order).branch("faults")
    return plan_for(order.faults, order.seed, order.seats, faults)


def chance_of(order: Order) -> Chance:
    """Return the chance from which that of everything in a game branches off."""
    return Chance("simulate", order.game.id, order.seats, order.seed)


def bot_of(order: Order) -> Bot:
    """Return what plays every seat."""
    return _CarelessBot(bot_for(order.game))


def secret_of(purpose: str, seat: Seat, order: Order) -> bytes:
    """Return the `seed` of a seat, or the secret of its `identity`; they are worth nothing."""
    return digest(SIMULATED, purpose, order.game.id, order.seats, order.seed, seat)


def charter_for(order: Order) -> Charter:
    """Return the charter of a game."""
    rules, players = order.game, [_player(Seat(seat), order) for seat in range(order.seats)]
    terms = Terms(
        lobby=digest(SIMULATED, "lobby", rules.id, order.seats, order.seed),
        game=rules.id,
        version=rules.version,
        options=tuple(resolve(rules, order.seats, order.options).items()),
        names=tuple(f"Seat {player.seat}" for player in players),
        identities=tuple(player.signer.verify_key.raw for player in players),
        clock=order.clock,
        policy=rules.policies[0] if order.policy is None else order.policy,
    )
    return charter_of(terms, [accept(terms, player.keyring) for player in players])


def _player(seat: Seat, order: Order) -> Player:
    keyring = Keyring(SECP256K1, seat, secret_of("seed", seat, order))
    return Player(keyring, SigningKey(secret_of("identity", seat, order)))


def _height(peer: Peer) -> int:
    return -1 if peer.table is None else peer.table.ledger.tip.height
