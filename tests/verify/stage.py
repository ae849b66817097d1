"""Tables that live through everything a record can tell of: real tables on links that fail.

A `Stage` is a circle whose seats can fall silent, whose links can lose messages, and whose time
passes. `whole_story` plays on it a history with every kind of entry: two games, a round that keeps
an entry, and a seat that is left out because it is silent, one because it has left, and one because
it is proven false.

The game is the sample game with a small deck and a coin, so that shuffles are quick and there is a
commitment to open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from high_card.rules import Rules, State
from nodealer.cards import STOCK, Board, Composition
from nodealer.games.api import Options, Step
from nodealer.games.base import AnyGame
from nodealer.games.effects import Coin, Effect, NewDeck
from nodealer.kernel import EntryId, Seat
from nodealer.ledger import AskAction, LedgerMessage, Ready, Seal
from nodealer.ledger.messages import Proposal, Sealed, Voted
from nodealer.ledger.objects import SEAL
from nodealer.table import Setting, Table, sit_down
from nodealer.verify import transcript_of
from tests.support.circle import Circle, agreed_by, player_of

NOTHING = EntryId(bytes(range(32)))
"""The id of no entry."""

SMALL_DECK = Composition(tuple(str(number) for number in range(1, 9)))


class Small(Rules):
    """High card with eight cards and a coin that nobody looks at."""

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Shuffle a small deck."""
        return _small(super().setup(seats, options))

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        """Begin anew without these seats."""
        return _small(super().leave(state, board, seats, policy))


def _small(step: Step[State]) -> Step[State]:
    effects: list[Effect] = [
        NewDeck(SMALL_DECK, STOCK, coin=Coin("first", 6)) if isinstance(one, NewDeck) else one
        for one in step.effects
    ]
    return replace(step, effects=tuple(effects))


SMALL: AnyGame = Small()


def find_small(_: str, __: int) -> AnyGame:
    """Return the small game, whatever is asked for."""
    return SMALL


@dataclass
class Stage(Circle):
    """A circle with silent seats, lossy links and a clock."""

    gone: set[Seat] = field(default_factory=set)
    loses: Callable[[Seat, Seat, LedgerMessage], bool] = lambda _, __, ___: False
    now: int = 0
    wakes: dict[Seat, int | None] = field(default_factory=dict)

    def do(self, seat: Seat, done: tuple[Table, Ready]) -> None:
        """Take what a table has come to."""
        super().do(seat, done)
        self.wakes[seat] = done[1].wake

    def deliver(self) -> None:
        """Deliver everything that is under way and not lost."""
        while self.queue:
            sender, to, message = self.queue.pop(0)
            is_lost = {sender, to} & self.gone or self.loses(sender, to, message)
            if not is_lost:
                self.do(to, self.tables[to].receive(message, sender))

    def pass_time(self) -> None:
        """Let time pass until the next table wants to be woken."""
        wakes = [wake for seat, wake in self.wakes.items() if wake and seat not in self.gone]
        self.now = max(self.now, min(wakes))
        for seat in self.tables:
            if seat not in self.gone:
                self.do(seat, self.tables[seat].tick(self.now))
        self.deliver()

    def wait(self, until: Callable[[], bool]) -> None:
        """Let time pass until something is so."""
        for _ in range(50):
            if until():
                return
            self.pass_time()
        raise AssertionError("it never comes")

    def present(self) -> Table:
        """Return the table of the lowest seat that is there."""
        return self.tables[min(set(self.tables) - self.gone)]

    def lay(self) -> None:
        """Let the seat on turn lay a card."""
        seat = self.on_turn()
        assert seat is not None
        self.act(seat, self.tables[seat].legal()[0])

    def finish(self) -> None:
        """Lay cards until the game is closed."""
        while self.on_turn() is not None:
            self.lay()

    def again(self) -> None:
        """Begin another game."""
        seat = self.present().ledger.tip.roster[0]
        self.do(seat, self.tables[seat].again())
        self.deliver()

    def on_turn(self) -> Seat | None:
        """Return the seat that is to act now."""
        for seat, ask in self.asked.items():
            if seat in self.gone or seat not in self.present().ledger.tip.roster:
                continue
            is_again = isinstance(ask, AskAction) and ask.again
            if ask.parent == self.present().ledger.tip.id and not is_again:
                return seat
        return None

    def record(self, seat: int = 0) -> bytes:
        """Return the transcript that a seat holds."""
        return transcript_of(self.tables[Seat(seat)].ledger)


def stage(seats: int, cards: int = 1) -> Stage:
    """Return a stage whose first deal is done."""
    players = [player_of(Seat(seat), "stage") for seat in range(seats)]
    setting = Setting(agreed_by(players, SMALL, {"cards": cards}, salt="stage"), SMALL)
    made = Stage(setting)
    for player in players:
        made.do(player.seat, sit_down(setting, player))
    made.deliver()
    return made


def keep_an_entry(made: Stage) -> None:
    """Lay a card of which one seal never reaches the last seat, so that a round has to keep it."""
    roster = made.present().ledger.tip.roster
    last = roster[-1]
    (silent, *_) = [seat for seat in roster if seat not in (last, made.on_turn())]

    def loses(_: Seat, to: Seat, message: LedgerMessage) -> bool:
        is_let_through = isinstance(message, Proposal | Voted) or (
            isinstance(message, Sealed) and message.seal.seat != silent
        )
        return to == last and not is_let_through

    made.loses = loses
    made.lay()
    behind = made.tables[last].ledger.tip.height
    made.wait(lambda: made.tables[last].ledger.tip.height > behind)
    made.loses = lambda _, __, ___: False
    for seat in roster:
        made.do(seat, made.tables[seat].tell())
    made.deliver()


def fall_silent(made: Stage, seat: Seat) -> None:
    """Let a seat fall silent, and the others leave it out."""
    made.gone.add(seat)
    if made.on_turn() is not None:
        made.lay()
    made.wait(lambda: seat not in made.present().ledger.tip.roster)


def leave(made: Stage, seat: Seat) -> None:
    """Let a seat leave, and the others go on without it."""
    made.do(seat, made.tables[seat].leave())
    made.deliver()
    made.wait(lambda: seat not in made.present().ledger.tip.roster)
    made.gone.add(seat)


def false_seal(made: Stage, seat: Seat, entry: EntryId = NOTHING) -> Seal:
    """Return a seal of a seat over its tip, on what is nothing."""
    table = made.tables[seat]
    moment, player = table.ledger.tip.moment(), table.player
    assert player is not None
    rank = table.ledger.tip.rank
    seal = Seal(moment.table, moment.height, moment.parent, entry, rank, seat, b"")
    return replace(seal, signature=player.signer.sign(SEAL, seal.body()))


def be_false(made: Stage, seat: Seat) -> None:
    """Let a seat seal two things over one parent, and the others find out."""
    for to in made.present().ledger.tip.roster:
        if to != seat:
            made.queue.append((seat, to, Sealed(false_seal(made, seat))))
    made.lay()
    made.wait(lambda: seat not in made.present().ledger.tip.roster)
    made.gone.add(seat)


@cache
def whole_story() -> Stage:
    """Return a finished table with every kind of entry; do not change it."""
    made = stage(4, cards=2)
    made.finish()
    made.again()
    made.lay()
    keep_an_entry(made)
    fall_silent(made, Seat(3))
    made.lay()
    leave(made, Seat(2))
    made.lay()
    be_false(made, Seat(1))
    return made
