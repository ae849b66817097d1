"""A table without a ledger: the replayed states alone, and what honest seats contribute to them.

A `Rehearsal` goes from state to state as a ledger would: it makes the contributions of all seats,
lets each be checked, settles, acts, leaves seats out. There are no signatures, so every point of a
history can be reached, copied and gone on from in another way, which is what tests of the table do.
Heights, parents and labels are those that a ledger would give, with made-up ids of entries.

What was sent is kept with the deck that it was sent over, for the checker of secrecy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from nodealer.bots import bot_for
from nodealer.crypto import SECP256K1
from nodealer.crypto.signing import SigningKey
from nodealer.deck import Deck
from nodealer.games.api import Action, Event, Turn, View
from nodealer.games.base import AnyGame
from nodealer.games.registry import game
from nodealer.kernel import EntryId, Height, Seat, SlotId, Value
from nodealer.kernel.chance import Chance
from nodealer.ledger import Authored, Closed, Due, Given, Moment, Owed
from nodealer.ledger.objects import label_of
from nodealer.table import Player, Position, Replay, Setting, begin
from nodealer.table.acting import write_again
from nodealer.table.actions import CHOSEN
from nodealer.table.carrying import make
from nodealer.table.operations.ask import ASK, write_said
from nodealer.table.operations.choose import CHOICE, write_choice
from tests.support.circle import agreed_by, hashed
from tests.support.fleet import WatchedKeyring

DECIDED = (CHOICE.kind, ASK.kind)
"""The parts that players decide."""


@dataclass
class Rehearsal:
    """A state, where it stands in a history, and the players."""

    setting: Setting
    players: Mapping[Seat, Player]
    state: Replay
    moment: Moment
    anchor: EntryId
    events: list[Event] = field(default_factory=list)
    sent: list[tuple[Deck, Seat, str, bytes]] = field(default_factory=list)
    bound: dict[tuple[Seat, bytes], bytes] = field(default_factory=dict)
    """What seats have chosen under which label: the same is chosen again."""

    @property
    def position(self) -> Position:
        """What is public now."""
        return self.state.position

    @property
    def duty(self) -> Authored | Due | Closed:
        """What is due now."""
        return self.state.due()

    @property
    def owed(self) -> tuple[Owed, ...]:
        """The parts that are due now."""
        return self.duty.parts if isinstance(self.duty, Due) else ()

    def fork(self) -> Rehearsal:
        """Return the same point of the history, to go on from apart, with nothing remembered."""
        twin = copy(self)
        twin.events, twin.sent, twin.bound = list(self.events), list(self.sent), dict(self.bound)
        twin.state = Replay(self.position)
        return twin

    def view(self, seat: Seat) -> View:
        """Return what a seat sees."""
        player = self.players[seat]
        return self.position.view(seat, player.notebook(self.position))

    def label(self, part: Owed) -> bytes:
        """Return the label of a part that is due."""
        return label_of(part.kind, part.purpose, self.anchor)

    def given(self, seat: Seat, earlier: Sequence[Given] = ()) -> Given:
        """Return what a seat that follows the rules contributes."""
        keyring = self.players[seat].keyring
        payloads = []
        for part in self.owed:
            if seat in part.seats:
                label = self.label(part)
                if part.kind in DECIDED:
                    payloads.append(
                        (label, self.bound.get((seat, label)) or self.pick(seat, label))
                    )
                    continue
                place = self.state.place_of(self.moment, label, tuple(earlier))
                payloads.append((label, make(place, part.kind, keyring)))
        return Given(seat, tuple(payloads))

    def pick(self, seat: Seat, label: bytes = b"") -> bytes:
        """Return what a bot of a seat that is asked to choose does, as bytes."""
        view = self.view(seat)
        chance = Chance("rehearsal", "pick", seat, self.moment.height)
        rules = self.setting.game
        chosen = bot_for(rules).choose(view, rules.legal(view), chance)
        if self.owed[0].kind == ASK.kind:
            return write_said(self.position, self.players[seat].keyring, label, chosen)
        return write_choice(self.position, seat, chosen)

    def owing(self) -> tuple[Seat, ...]:
        """Return the seats that owe something, in ascending order."""
        return tuple(sorted({seat for part in self.owed for seat in part.seats}))

    def is_chained(self) -> bool:
        """Say whether each contribution builds on those before it."""
        return any(part.chained for part in self.owed)

    def contributions(self) -> tuple[Given, ...]:
        """Return what all owing seats contribute, each found good by the others."""
        made: list[Given] = []
        for seat in self.owing():
            earlier = tuple(made) if self.is_chained() else ()
            one = self.given(seat, earlier)
            self.state.check(self.moment, seat, one.payloads, earlier)
            made.append(one)
        return tuple(made)

    def settle(self) -> None:
        """Carry out the due step."""
        made = self.contributions()
        self._note(made)
        self._follow(self.state.settle(self.moment, made), hashed("due", self.moment.parent))

    def act(self, seat: Seat, chosen: Action) -> bytes:
        """Let a seat act."""
        data = self.players[seat].write(self.position, self.moment, chosen)
        self.act_bytes(seat, data)
        return data

    def again(self) -> None:
        """Begin another game."""
        self.act_bytes(self.position.roster[0], write_again())

    def act_bytes(self, seat: Seat, data: bytes) -> None:
        """Let a seat act with bytes of any origin."""
        after = self.state.act(self.moment, seat, data)
        if self.position.deck is not None:
            self.sent.append((self.position.deck, seat, "action", data))
        self._follow(after, hashed("act", self.moment.parent, data))

    def evict(self, *seats: Seat) -> None:
        """Leave seats out."""
        after = self.state.evicted(self.moment, seats)
        self._follow(after, hashed("evict", self.moment.parent, seats), evicts=True)

    def choose(self, salt: Value = 0) -> tuple[Seat, Action]:
        """Return whose turn it is, and what a bot would do."""
        duty = self.position.duty
        assert isinstance(duty, Turn), "somebody has the turn"
        view = self.view(duty.seat)
        legal = self.setting.game.legal(view)
        chance = Chance("rehearsal", salt, self.moment.height)
        return duty.seat, bot_for(self.setting.game).choose(view, legal, chance)

    def step(self, salt: Value = 0) -> None:
        """Go on by one entry: the due step, or what a bot does."""
        if isinstance(self.duty, Due):
            self.settle()
        else:
            self.act(*self.choose(salt))

    def run(self, entries: int = 10_000) -> None:
        """Go on by so many entries, at most until the table is closed."""
        for _ in range(entries):
            if isinstance(self.duty, Closed):
                return
            self.step()

    def until_turn(self) -> None:
        """Go on until somebody has the turn, or the game is over."""
        while isinstance(self.duty, Due):
            self.settle()

    def _note(self, made: Sequence[Given]) -> None:
        for index, one in enumerate(made):
            earlier = tuple(made[:index]) if self.is_chained() else ()
            kinds = [part.kind for part in self.owed if one.seat in part.seats]
            for kind, (label, data) in zip(kinds, one.payloads, strict=True):
                deck = self.state.place_of(self.moment, label, earlier).deck
                if kind in DECIDED:
                    self.bound[one.seat, label] = data
                elif deck is not None:
                    self.sent.append((deck, one.seat, kind, data))

    def _follow(self, after: Replay, entry: bytes, *, evicts: bool = False) -> None:
        moment = self.moment
        self.state = after
        self.moment = Moment(moment.table, Height(moment.height + 1), EntryId(entry))
        self.anchor = self.anchor if evicts else EntryId(entry)
        self.events.extend(after.position.events)


def rehearsal(
    seats: int,
    rules: AnyGame | None = None,
    *,
    options: Mapping[str, int | str | bool] | None = None,
    policy: str | None = None,
    salt: object = 0,
) -> Rehearsal:
    """Return a rehearsal at the beginning of a game; where no rules are given, of Macaua."""
    rules = game("macaua") if rules is None else rules
    players = [
        Player(
            WatchedKeyring(SECP256K1, Seat(seat), hashed("seed", salt, seat)),
            SigningKey(hashed("identity", salt, seat)),
        )
        for seat in range(seats)
    ]
    setting = Setting(agreed_by(players, rules, options, policy, salt), rules)
    table = setting.agreed.charter.table
    moment = Moment(table, Height(1), EntryId(table))
    by_seat = {player.seat: player for player in players}
    return Rehearsal(setting, by_seat, begin(setting), moment, EntryId(table))


def choice_in(payloads: Sequence[tuple[bytes, bytes]]) -> SlotId:
    """Return the slot that a good contribution to a choice names."""
    ((_, data),) = payloads
    return CHOSEN.read(data).slot
