"""All seats of a table in one process, with links that lose nothing: the real tables, no network.

A `Circle` founds a table and delivers every message in the order in which it was sent. What each
seat stored and everything that was sent is kept, for tests that look at it. Nothing is random: the
same arguments give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from nodealer.bots import bot_for
from nodealer.crypto import SECP256K1
from nodealer.crypto.signing import SigningKey
from nodealer.deck import Keyring
from nodealer.games.api import Action
from nodealer.games.base import AnyGame
from nodealer.games.registry import game, resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import AskAction, AskContribution, AskSeal, Clock, LedgerMessage, Ready
from nodealer.table import (
    Agreed,
    Player,
    Setting,
    Table,
    Terms,
    accept,
    charter_of,
    check_charter,
    sit_down,
)

CLOCK = Clock(act=60_000, answer=10_000, rejoin=60_000, longest=600_000)


def hashed(*items: object) -> bytes:
    """Return 32 bytes that depend on the items."""
    return sha256(repr(items).encode()).digest()


def player_of(seat: Seat, salt: object = 0) -> Player:
    """Return a player whose keys follow from its seat."""
    keyring = Keyring(SECP256K1, seat, hashed("seed", salt, seat))
    return Player(keyring, SigningKey(hashed("identity", salt, seat)))


def agreed_by(
    players: list[Player],
    rules: AnyGame,
    options: Mapping[str, int | str | bool] | None = None,
    policy: str | None = None,
    salt: object = 0,
) -> Agreed:
    """Return a charter for these players."""
    terms = Terms(
        lobby=hashed("lobby", salt),
        game=rules.id,
        version=rules.version,
        options=tuple(resolve(rules, len(players), options or {}).items()),
        names=tuple(f"player {player.seat}" for player in players),
        identities=tuple(player.signer.verify_key.raw for player in players),
        clock=CLOCK,
        policy=rules.policies[0] if policy is None else policy,
    )
    return check_charter(charter_of(terms, [accept(terms, one.keyring) for one in players]))


@dataclass
class Circle:
    """The tables of all seats, what is under way between them, and what was kept."""

    setting: Setting
    tables: dict[Seat, Table] = field(default_factory=dict)
    queue: list[tuple[Seat, Seat, LedgerMessage]] = field(default_factory=list)
    stored: dict[Seat, list[LedgerMessage]] = field(default_factory=dict)
    sent: list[tuple[Seat, LedgerMessage]] = field(default_factory=list)
    asked: dict[Seat, AskAction | AskContribution] = field(default_factory=dict)
    heeding: set[Seat] = field(default_factory=set)
    shown: list[tuple[Seat, object]] = field(default_factory=list)

    def do(self, seat: Seat, done: tuple[Table, Ready]) -> None:
        """Take what a table has come to: store, then send."""
        self.tables[seat], ready = done
        self.stored.setdefault(seat, []).extend(ready.persist)
        self.shown.extend((seat, event) for event in ready.show)
        for out in ready.send:
            self.sent.append((seat, out.message))
            others = [other for other in self.setting.agreed.charter.seats if other != seat]
            self.queue.extend((seat, to, out.message) for to in others if out.to in (None, to))
        for ask in ready.ask:
            if isinstance(ask, AskSeal):
                self.heeding.add(seat)
            else:
                self.asked[seat] = ask

    def deliver(self) -> None:
        """Deliver everything that is under way, and what comes of it."""
        while self.queue:
            sender, to, message = self.queue.pop(0)
            if to in self.tables:
                self.do(to, self.tables[to].receive(message, sender))

    def on_turn(self) -> Seat | None:
        """Return the seat that is to act or choose now; none once the table is closed."""
        for seat, ask in self.asked.items():
            is_again = isinstance(ask, AskAction) and ask.again
            if ask.parent == self.tables[seat].ledger.tip.id and not is_again:
                return seat
        return None

    def act(self, seat: Seat, chosen: Action) -> None:
        """Let a seat act, and deliver all that follows."""
        self.asked.pop(seat, None)
        self.do(seat, self.tables[seat].act(chosen))
        self.deliver()

    def play(self, until: Callable[[Circle], bool] = lambda _: False) -> None:
        """Let bots play until the game is over, or for as long as they shall."""
        chance, bot = Chance("circle"), bot_for(self.setting.game)
        while (seat := self.on_turn()) is not None and not until(self):
            table = self.tables[seat]
            self.act(seat, bot.choose(table.view(), table.legal(), chance))


def circle(
    seats: int,
    rules: AnyGame | None = None,
    *,
    options: Mapping[str, int | str | bool] | None = None,
    policy: str | None = None,
    salt: object = 0,
) -> Circle:
    """Return a circle whose first deal is done; where no rules are given, of Macaua."""
    players = [player_of(Seat(seat), salt) for seat in range(seats)]
    rules = game("macaua") if rules is None else rules
    setting = Setting(agreed_by(players, rules, options, policy, salt), rules)
    made = Circle(setting)
    for player in players:
        made.do(player.seat, sit_down(setting, player))
    made.deliver()
    return made
