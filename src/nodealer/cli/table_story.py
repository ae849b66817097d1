"""The story of a table as it is played, for whoever reads the output of this program.

Where no screen shows a table, every line is told when it happens: who shuffles, and how long the
shuffle and its proof took; the deal; the moves. A shuffle is measured where it is made: each seat
that plays in this program gets a player that looks at the clock. What others compute on machines of
their own is told without a time. That cards are unlocked and notices taken is left out.

Of the shuffles there is one sentence that stands wherever the table is shown: on the screen, and at
the end in front of what the judge says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from nodealer.home import SeatDriver
from nodealer.kernel import Seat
from nodealer.ledger import ChainEntry, Contribution, DueStep, Moment, Part, Ready, Took
from nodealer.node import Keeper
from nodealer.table import Player, Replay, Table
from nodealer.verify import entry_sentences, joined, printable

SHUFFLE: Final = "shuffle"

_TOLD: Final = frozenset({"keys", "mask"})
"""The parts of joint steps that are told beside what the game says; shuffles one by one."""

SHUFFLES_LISTED_MAX: Final = 10
"""As many as a table has seats: of more of them only the quickest and the slowest are told."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TimedShuffle:
    """A shuffle with its proof that a seat of this program has made, and how long that took."""

    seat: Seat
    ms: float


class TimedPlayer(Player):
    """A player whose shuffles are measured."""

    __slots__ = ("_note",)

    def __init__(self, player: Player, note: Callable[[TimedShuffle], None]) -> None:
        """Play with the keys of another player of the same seat."""
        super().__init__(player.keyring, player.signer)
        self._note = note

    def payloads(
        self,
        state: Replay,
        moment: Moment,
        parts: Sequence[Part],
        earlier: Sequence[Contribution],
    ) -> list[bytes]:
        """Return what this seat owes to a due step."""
        start = perf_counter()
        made = super().payloads(state, moment, parts, earlier)
        took = perf_counter() - start
        if any(part.kind == SHUFFLE for part in parts):
            self._note(TimedShuffle(self.seat, round(took * 1000, 1)))
        return made


class TableStory:
    """The story of one table in one sitting."""

    def __init__(self, tell: Tell | None) -> None:
        """Tell it line by line, or keep what was measured and say nothing."""
        self._tell = tell
        self._names: tuple[str, ...] = ()
        self._drivers: list[SeatDriver] = []
        self._untold: list[TimedShuffle] = []
        """What was made within an input that has not been told yet."""
        self.shuffles: list[TimedShuffle] = []
        """What was measured so far."""

    def meet(self, keeper: Keeper) -> None:
        """Measure what a seat of this program does, from its first input on."""
        self._names = keeper.table.position.setting.agreed.terms.names
        player = keeper.table.player
        if player is not None:
            keeper.seat_player(TimedPlayer(player, self._made))

    def follow(self, keeper: Keeper) -> None:
        """Tell the table of this seat from now on."""
        position, height = keeper.table.position, keeper.table.ledger.tip.height
        players, title = joined(self._names), position.game.title
        if not height:
            self._say(f"{players} sit down to {title}. Nobody deals: all shuffle, and prove it.")
        elif not position.is_closed:
            self._say(f"{players} go on with {title}, after step {height}.")
        keeper.observers.add(self._noted)

    def show_to(self, driver: SeatDriver) -> None:
        """Have what was measured stand on a screen too."""
        self._drivers.append(driver)

    def sentence(self) -> str:
        """Return what is said of the shuffles of this sitting; nothing if there were none."""
        return shuffles_told(self.shuffles, len(self._names))

    def _made(self, shuffle: TimedShuffle) -> None:
        self.shuffles.append(shuffle)
        self._untold.append(shuffle)

    def _noted(self, table: Table, ready: Ready) -> None:
        for shown in ready.show:
            link = table.ledger.tip.find(shown.entry) if isinstance(shown, Took) else None
            if link is not None:
                self._took(link, table)
        self._tell_made()

    def _took(self, link: ChainEntry, table: Table) -> None:
        kinds = _kinds(link)
        if SHUFFLE in kinds:
            self._tell_made()
            for driver in self._drivers:
                driver.tell(self.sentence())
        for text in self._sentences(link, table, kinds):
            self._say(text)

    def _tell_made(self) -> None:
        untold, self._untold = self._untold, []
        for one in untold:
            name = self._names[one.seat]
            self._say(f"{name} shuffles the deck and proves it: {one.ms:.0f} ms.")

    def _sentences(self, link: ChainEntry, table: Table, kinds: frozenset[str]) -> Iterator[str]:
        names = {Seat(seat): name for seat, name in enumerate(self._names)}
        ledger = table.ledger
        known = (*link.certificate.grounds, *ledger.reading().grounds)
        told = entry_sentences(link, names, known)
        is_measured = len(self.shuffles) >= len(ledger.tip.roster)
        if kinds and not kinds & _TOLD and (SHUFFLE not in kinds or is_measured):
            next(told)  # the sentence of the joint step, which comes first
        yield from told

    def _say(self, text: str) -> None:
        if self._tell is not None:
            self._tell(printable(text))


def shuffles_told(shuffles: Sequence[TimedShuffle], seats: int) -> str:
    """Return one sentence on the shuffles that were made in this program."""
    if not shuffles:
        return ""
    times = sorted(one.ms for one in shuffles)
    if len(shuffles) > SHUFFLES_LISTED_MAX:
        told = f"{len(shuffles)} times, in {times[0]:.0f} to {times[-1]:.0f} ms each"
    else:
        told = f"in {joined([f'{one.ms:.0f}' for one in shuffles])} ms"
    who = "Each seat" if len({one.seat for one in shuffles}) >= seats else "This seat"
    return f"{who} shuffled the deck and proved it, {told}; all others checked the proof."


def _kinds(link: ChainEntry) -> frozenset[str]:
    """Return the parts of a joint step."""
    if link.content is None or not isinstance(link.content.step, DueStep):
        return frozenset()
    return frozenset(part.kind for part in link.content.step.parts)
