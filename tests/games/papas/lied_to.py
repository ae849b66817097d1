"""A real table of Papas at which a seat gives something else than it owes, once.

The whole deck is there, with keys, proofs and a countersigned history. Seats end their turns until
a hand has the cards that a test is about, and say nothing when they are asked. Then one seat
forges: what its own table would refuse it signs by hand, after everybody else, and is silent from
there on. The others judge that, and so does whoever gets the transcript of one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from nodealer.deck import deck_messages, make_commit
from nodealer.games.api import Action, action
from nodealer.games.encoding import encode_named
from nodealer.games.papas import PAPAS
from nodealer.kernel import PeerError, Reason, Seat, SlotId, encode
from nodealer.ledger import (
    DOMAINS,
    Contributed,
    Contribution,
    Moment,
    Part,
    judge_contribution,
)
from nodealer.table import Player, Position, Replay, Table
from nodealer.table.operation import Place
from nodealer.verify import Report, judge_bytes, transcript_of
from tests.games.papas.positions import faces
from tests.support.circle import Circle, circle

SEATS = 3
TURNS_MAX = 200

Payload = tuple[bytes, bytes]

Forging = Callable[[Place, Player, str], Payload | None]
"""What a seat gives for a part of a kind in place of what it owes; nothing where it is honest."""


class Forger(Player):
    """A player that gives something else where it can; its own table waits for that for ever."""

    __slots__ = ("forging", "lie")

    def __init__(self, player: Player, forging: Forging) -> None:
        super().__init__(player.keyring, player.signer)
        self.forging = forging
        self.lie: Contribution | None = None

    def payloads(  # type: ignore[override]  # a table that hears of no payloads waits for them
        self, state: Replay, moment: Moment, parts: Sequence[Part], earlier: object
    ) -> list[bytes] | None:
        """Return what is owed, or nothing where something else is to be given."""
        assert not earlier, "nothing is forged that builds on others"
        given = [
            self.forging(state.place_of(moment, part.label, ()), self, part.kind) for part in parts
        ]
        forged = tuple(payload for payload in given if payload is not None)
        if not forged:
            return super().payloads(state, moment, parts, ())
        place = (moment.table, moment.height, moment.parent)
        unsigned = Contribution(*place, self.seat, forged, (), b"")
        signature = self.signer.sign(DOMAINS[Contribution], unsigned.body())
        self.lie = replace(unsigned, signature=signature)
        return None


@dataclass
class LiedTo(Circle):
    """A circle at which one seat forges; it does so when all others have given their parts."""

    reason: Reason | None = None
    """Why the lie was refused."""

    def deliver(self) -> None:
        """Deliver everything that is under way, and then the lie, if there is one."""
        super().deliver()
        for seat, table in list(self.tables.items()):
            if isinstance(table.player, Forger) and table.player.lie is not None:
                del self.tables[seat]
                self.asked.pop(seat, None)
                self._tell(table.player.lie)
                super().deliver()

    def fork(self) -> LiedTo:
        """Return the same point of the game, to go on from apart."""
        return LiedTo(self.setting, dict(self.tables), asked=dict(self.asked))

    def forge(self, seat: Seat, forging: Forging) -> None:
        """Let a seat forge from now on."""
        table = self.tables[seat]
        assert table.player is not None
        self.tables[seat] = Table(table.ledger, Forger(table.player, forging))

    def say(self, seat: Seat, said: Action) -> None:
        """Let a seat that is asked commit to what its own table would never let it say."""
        table = self.tables[seat]
        (part,) = table.ledger.tip.owed_by(seat)
        assert table.player is not None
        made = committed(table.position, table.player, part.label, said)
        self.asked.pop(seat)
        ledger, ready = table.ledger.contribute([made])
        self.do(seat, (Table(ledger, table.player), ready))
        self.deliver()

    def until(self, words: str, beside: str = "") -> tuple[Seat, Seat]:
        """Go on until the seat on turn holds cards, and another one some others; return both."""
        wanted, others = Counter(faces(words)), Counter(faces(beside))
        for _ in range(TURNS_MAX):
            seat = self.silent()
            cards = held(self, seat)
            if self.tables[seat].legal()[0].kind == "discard-card":
                useless = next(s for s, face in cards.items() if face not in wanted | others)
                self.act(seat, action("discard-card", card=(useless,)))
                continue
            for other in (one for one in self.tables if one != seat):
                lacking = (
                    wanted - Counter(cards.values()),
                    others - Counter(held(self, other).values()),
                )
                if not any(lacking):
                    return seat, other
            self.act(seat, action("end-turn"))
        raise AssertionError(f"{words} and {beside} are rare")

    def silent(self) -> Seat:
        """Let all say nothing who are asked; return whose turn it is."""
        while (seat := self.on_turn()) is not None and self.tables[seat].view().owes_choice:
            self.act(seat, action("skip-reaction"))
        assert seat is not None, "the game is not over"
        return seat

    def report(self) -> Report:
        """Return what is judged of the transcript of the lowest of the others."""
        return judge_bytes(transcript_of(self.tables[min(self.tables)].ledger)).report

    def _tell(self, lie: Contribution) -> None:
        """Send the lie to everybody, none of whom has taken the next entry without it."""
        for to, table in self.tables.items():
            assert table.ledger.tip.id == lie.parent, "all wait for the liar"
            try:
                judge_contribution(table.ledger.tip, lie, ())
            except PeerError as refused:
                self.reason = refused.reason
            self.queue.append((lie.seat, to, Contributed(lie)))
        assert self.reason is not None, "it is refused"


@cache
def _dealt() -> LiedTo:
    made = circle(SEATS, PAPAS, salt="lied to")
    return LiedTo(made.setting, made.tables, asked=made.asked)


def dealt() -> LiedTo:
    """Return a table at the first turn."""
    return _dealt().fork()


def held(made: Circle, seat: Seat) -> dict[SlotId, str]:
    """Return the hand of a seat, as it sees it."""
    cards = made.tables[seat].view().zone("hand", seat)
    return {card.slot: card.face for card in cards if card.face is not None}


def slots_of(made: Circle, seat: Seat, words: str) -> tuple[SlotId, ...]:
    """Return cards of a hand, in the order in which they lie."""
    wanted, found = Counter(faces(words)), []
    for slot, face in held(made, seat).items():
        if wanted[face]:
            wanted[face] -= 1
            found.append(slot)
    assert not +wanted, f"{words} is not in the hand"
    return tuple(found)


def committed(position: Position, player: Player, label: bytes, said: Action) -> bytes:
    """Return a commitment to any action."""
    table, ring = position.setting.agreed.charter.table, player.keyring
    part = make_commit(ring, table, label, encode(encode_named(said)))
    return deck_messages(ring.group).write(part)
