"""What it costs to verify a game: a whole one is played, written as a transcript, and judged.

The game is one of Macaua whose players take care not to win; it is cut after so many moves, and the
verdict is `unfinished`. The discards are shuffled again when the stock runs out, as in any long
game. Playing it is not measured, so the seats share what they
have checked. Judging is: the bytes are read, and every signature and proof is checked, by a judge
who has never seen the table.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from nodealer.cli.bench_table import GROUP, filler
from nodealer.crypto.signing import SigningKey
from nodealer.deck import Keyring
from nodealer.games.api import Action
from nodealer.games.registry import game, resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import AskAction, Clock, Message, Ready, Signatures
from nodealer.table import (
    Player,
    Setting,
    Table,
    Terms,
    accept,
    begin,
    charter_of,
    check_charter,
    sit_down,
)
from nodealer.verify import Verdict, judge_bytes, transcript_of

SEATS: Final = 4
MOVES: Final = 200
ROUNDS: Final = 5
"""The shortest of so many runs is told: whatever else the machine does only makes one longer."""

HAND: Final = 1
"""Who has more cards plays one where it can, so hands are small and reshuffles few."""

CLOCK: Final = Clock(act=60_000, answer=10_000, rejoin=60_000, longest=600_000)


@dataclass(frozen=True, slots=True)
class Verified:
    """How long it took to judge a game, in milliseconds of processor time, and what was in it."""

    ms: float
    moves: int
    entries: int
    size: int


def measure_verify(seats: int = SEATS, moves: int = MOVES) -> Verified:
    """Play a game of so many moves and measure what it costs to judge its transcript."""
    data, done = _played(seats, moves)
    least, entries = float("inf"), 0
    for _ in range(ROUNDS):
        start = time.process_time()
        judged = judge_bytes(data)
        least = min(least, time.process_time() - start)
        assert judged.report.verdict in (Verdict.COMPLETE, Verdict.UNFINISHED), "it is sound"
        entries = judged.report.height or 0
    return Verified(least * 1000, done, entries, len(data))


@dataclass(slots=True)
class _Seats:
    """The tables of all seats in one process, on links that lose nothing."""

    tables: dict[Seat, Table] = field(default_factory=dict)
    under_way: deque[tuple[Seat, Seat, Message]] = field(default_factory=deque)
    asked: dict[Seat, AskAction] = field(default_factory=dict)

    def do(self, seat: Seat, done: tuple[Table, Ready], others: Sequence[Seat]) -> None:
        """Take what a table has come to."""
        self.tables[seat], ready = done
        for out in ready.send:
            heard_by = [to for to in others if to != seat and out.to in (None, to)]
            self.under_way.extend((seat, to, out.message) for to in heard_by)
        for ask in ready.ask:
            if isinstance(ask, AskAction):
                self.asked[seat] = ask

    def deliver(self, others: Sequence[Seat]) -> None:
        """Deliver everything that is under way."""
        while self.under_way:
            sender, to, message = self.under_way.popleft()
            self.do(to, self.tables[to].receive(message, sender), others)

    def on_turn(self) -> Seat | None:
        """Return the seat that is to act."""
        for seat, ask in self.asked.items():
            if ask.parent == self.tables[seat].ledger.tip.id and not ask.again:
                return seat
        return None


def _played(seats: int, moves: int) -> tuple[bytes, int]:
    """Return the transcript of a game of at most so many moves, and how many there were."""
    setting, players = _seated(seats)
    checker, state = Signatures(setting.agreed.charter.keys), begin(setting)
    everybody = [player.seat for player in players]
    made, chance, done = _Seats(), Chance("bench", seats), 0
    for player in players:
        made.do(player.seat, sit_down(setting, player, checker, state), everybody)
    made.deliver(everybody)
    while done < moves and (seat := made.on_turn()) is not None:
        table = made.tables[seat]
        made.do(seat, table.act(_chosen(table, chance)), everybody)
        made.deliver(everybody)
        done += 1
    return transcript_of(made.tables[everybody[0]].ledger), done


def _chosen(table: Table, chance: Chance) -> Action:
    """Return a play while the hand is large, and else a draw: so nobody ever wins."""
    view, legal = table.view(), table.legal()
    hand = len(view.zone("hand", view.viewer))
    for wanted in ("play", "draw") if hand > HAND else ("draw", "play"):
        found = [one for one in legal if one.kind == wanted and len(one.slots("cards")) < hand]
        if found:
            return chance.pick(found)
    return chance.pick(legal)


def _seated(seats: int) -> tuple[Setting, list[Player]]:
    rules = game("macaua")
    players = [
        Player(
            Keyring(GROUP, Seat(seat), filler(f"seed {seat}")),
            SigningKey(filler(f"identity {seat}")),
        )
        for seat in range(seats)
    ]
    terms = Terms(
        lobby=filler("lobby"),
        game=rules.id,
        version=rules.version,
        options=tuple(resolve(rules, seats, {}).items()),
        names=tuple(f"player {player.seat}" for player in players),
        identities=tuple(player.signer.verify_key.raw for player in players),
        clock=CLOCK,
        policy=rules.policies[0],
    )
    charter = charter_of(terms, [accept(terms, player.keyring) for player in players])
    return Setting(check_charter(charter), rules), players
