"""Whole tables in lockstep, for measuring: real tables, and a network that counts its delays.

All messages of one moment arrive together, one delay later; nothing is lost. So the number of
moments until something has happened is the number of one-way delays that it takes, however fast the
machine is. Peers share nothing but the bytes of a message, which are written once by their sender,
and the time that is measured is that of all peers together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Final

from nodealer.bots import bot_for
from nodealer.crypto import SECP256K1, SigningKey
from nodealer.deck import Keyring
from nodealer.games import Action, AnyGame, game, resolve
from nodealer.kernel import Chance, Seat
from nodealer.lab.benches.bench_cards import filler
from nodealer.ledger import AskAction, AuthoredStep, Clock, Ready, read, write
from nodealer.table import (
    Player,
    Setting,
    Table,
    Terms,
    accept,
    charter_of,
    check_charter,
    position_of,
    sit_down,
)

GAME: Final = "macaua"

CLOCK: Final = Clock(act=60_000, answer=10_000, rejoin=60_000, longest=600_000)


@dataclass(slots=True)
class Lockstep:
    """All seats of a table, the messages that arrive next, and how many delays have passed."""

    setting: Setting
    players: tuple[Player, ...]
    tables: list[Table] = field(default_factory=list)
    delays: int = 0
    asked: dict[int, AskAction] = field(default_factory=dict)
    _next: list[tuple[int, int, bytes]] = field(default_factory=list)

    def found(self) -> None:
        """Let all seats seal the charter."""
        done = [sit_down(self.setting, player) for player in self.players]
        self.tables = [table for table, _ in done]
        for seat, (table, ready) in enumerate(done):
            self._done(seat, table, ready)

    @property
    def on_turn(self) -> int | None:
        """The seat that is asked for an action of the game, if one is."""
        for seat, ask in self.asked.items():
            if not ask.again and ask.parent == self.tables[seat].ledger.tip.id:
                return seat
        return None

    def pass_delay(self) -> None:
        """Let everything arrive that is on its way."""
        arriving, self._next = self._next, []
        self.delays += 1
        for sender, to, data in arriving:
            self._done(to, *self.tables[to].receive(read(data), Seat(sender)))

    def settle(self) -> None:
        """Let everything arrive that follows."""
        while self._next:
            self.pass_delay()

    def deal(self) -> int:
        """Go on until the first move can leave; return the delays since all had the charter."""
        self.found()
        self.pass_delay()
        founded = self.delays
        while self.on_turn is None:
            self.pass_delay()
        return self.delays - founded

    def choose(self, chance: Chance) -> Action:
        """Return what a bot does in the turn of the seat that is asked."""
        seat = self.on_turn
        assert seat is not None, "somebody is on turn"
        table = self.tables[seat]
        return bot_for(self.setting.game).choose(table.view(), table.legal(), chance)

    def move(self, chosen: Action) -> tuple[float, bool]:
        """Play a move; return the time it took, and whether it was one entry and no more."""
        seat = self.on_turn
        assert seat is not None, "somebody is on turn"
        table = self.tables[seat]
        before = table.ledger.tip.height
        start = process_time()
        self._done(seat, *table.act(chosen))
        self.settle()
        took = process_time() - start
        tip = self.tables[seat].ledger.tip
        assert tip.content is not None, "a move was made"
        is_single = tip.height == before + 1 and isinstance(tip.content.step, AuthoredStep)
        return took, is_single and not position_of(tip).is_closed

    def answer(self, said: Mapping[int, Action]) -> float:
        """Let seats answer that are asked; return the time it took until all have opened it."""
        start = process_time()
        for seat, answer in said.items():
            self._done(seat, *self.tables[seat].act(answer))
        self.settle()
        return process_time() - start

    def _done(self, seat: int, table: Table, ready: Ready) -> None:
        self.tables[seat] = table
        for out in ready.send:
            data = write(out.message)
            others = range(len(self.players)) if out.to is None else (out.to,)
            self._next.extend((seat, to, data) for to in others if to != seat)
        for ask in ready.ask:
            if isinstance(ask, AskAction):
                self.asked[seat] = ask


def lockstep(seats: int, salt: str = "", rules: AnyGame | None = None) -> Lockstep:
    """Return a table of Macaua, or of other rules, before its charter is sealed.

    The keys follow from the salt.
    """
    players = [_player(Seat(seat), salt) for seat in range(seats)]
    rules = game(GAME) if rules is None else rules
    terms = Terms(
        lobby=filler(f"lobby {salt}"),
        game=rules.id,
        version=rules.version,
        options=tuple(resolve(rules, seats, {}).items()),
        names=tuple(f"Seat {seat}" for seat in range(seats)),
        identities=tuple(player.signer.verify_key.raw for player in players),
        clock=CLOCK,
        policy=rules.policies[0],
    )
    charter = charter_of(terms, [accept(terms, player.keyring) for player in players])
    return Lockstep(Setting(check_charter(charter), rules), tuple(players))


def signers(made: Lockstep) -> Sequence[SigningKey]:
    """Return the identity keys of all seats."""
    return [player.signer for player in made.players]


def _player(seat: Seat, salt: str) -> Player:
    keyring = Keyring(SECP256K1, seat, filler(f"seed {seat} {salt}"))
    return Player(keyring, SigningKey(filler(f"identity {seat} {salt}")))
