"""Positions along a ledger: what the ledger asks of the layer above it.

A `Replay` is a position with the answers that a ledger needs: what is due, whether a contribution
is good, which position comes next. It is immutable but for a memory of what was already computed
from it. The same question has the same answer for ever, so the memory changes how long an answer
takes and never the answer. It is there for two reasons:

- a contribution is checked when it arrives and taken in when all are there; proofs are not checked
  twice for that;
- seats that are simulated in one process may start from the same `Replay`; then the same bytes are
  checked once for all of them. Seats that start from copies of their own share nothing.

The memory is bounded, for a peer may send any number of contributions that are refused. And it does
not hold what comes after: the states that follow are known as long as somebody else holds them, so
a table that goes on and on is not kept in memory by its beginning.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar, cast
from weakref import WeakValueDictionary

from nodealer.deck import Deck, ProofMoment
from nodealer.games import Turn
from nodealer.kernel import EntryId, PeerError, Reason, Seat, changed
from nodealer.ledger import Authored, Closed, Due, Given, LedgerDuty, Moment, Owed
from nodealer.table import carrying
from nodealer.table.acting import act
from nodealer.table.operation import Checked, Place
from nodealer.table.position import Position, Setting

T = TypeVar("T")

MEMORY_MAX: Final = 64
"""Answers remembered at one point of the history: a few for each seat of the largest table."""

CLOSE: Final = "close"

Payloads: TypeAlias = Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class _Refusal:
    """An answer that is no, remembered like any other.

    It is not the error itself, which holds on to where it was raised.
    """

    reason: Reason
    detail: str
    seats: tuple[int, ...]


class Replay:
    """A position, as a ledger carries it."""

    __slots__ = ("__weakref__", "_digest", "_following", "_ground", "_memory", "position")

    def __init__(self, position: Position) -> None:
        self.position = position
        self._digest: bytes | None = None
        self._ground: tuple[EntryId, Deck | None] | None = None
        self._memory: dict[Hashable, object] = {}
        self._following: WeakValueDictionary[Hashable, Replay] = WeakValueDictionary()

    def due(self) -> LedgerDuty:
        """Return what is due now."""
        position = self.position
        if position.is_closed:
            return Closed()
        if position.underway:
            return Due(carrying.owed(position))
        if position.standing is not None:
            return Due((Owed(CLOSE, "", ()),))
        duty = position.duty
        assert isinstance(duty, Turn), "a game is over, or somebody has the turn"
        return Authored(duty.seat)

    def act(self, moment: Moment, seat: Seat, action: bytes) -> Replay:
        """Return the state after an authored action, or raise `PeerError`."""
        step = ("act", moment, seat, action)
        if (known := self._known(step)) is None:
            with _Remembering(self, step):
                known = self._then(step, act(self.position, moment, seat, action))
        return known

    def check(
        self, moment: Moment, seat: Seat, payloads: Payloads, earlier: Sequence[Given]
    ) -> None:
        """Raise `PeerError` unless the payloads are what this seat may contribute here."""
        self._checked(moment, Given(seat, tuple(payloads)), tuple(earlier))

    def settle(self, moment: Moment, contributions: Sequence[Given]) -> Replay:
        """Return the state after a due step whose contributions were all checked.

        Parts that are good one by one make no whole in one case only, that the keys of all seats
        add up to nothing. It takes all seats together, so `PeerError` then names nobody.
        """
        whole = tuple(contributions)
        step = ("settle", moment, whole)
        if (known := self._known(step)) is None:
            with _Remembering(self, step):
                known = self._then(step, self._settled(moment, whole))
        return known

    def evicted(self, moment: Moment, seats: Sequence[Seat]) -> Replay:
        """Return the state after these seats were left out."""
        gone = tuple(seats)
        step = ("evicted", moment, gone)
        if (known := self._known(step)) is None:
            with _Remembering(self, step):
                known = self._then(step, carrying.left_out(self.position, gone))
        return known

    def digest(self) -> bytes:
        """Return the hash of the public state."""
        if self._digest is None:
            self._digest = self.position.digest()
        return self._digest

    def is_over(self) -> bool:
        """Say whether the result of the game stands."""
        return self.position.standing is not None

    def place_of(self, moment: Moment, label: bytes, earlier: tuple[Given, ...]) -> Place:
        """Return the place of a part that builds on these contributions."""
        return self._place(self._under(moment, earlier), moment, label)

    def _settled(self, moment: Moment, whole: tuple[Given, ...]) -> Position:
        if not self.position.underway:
            return _closed(self.position)
        parts: dict[str, list[Checked]] = {}
        chained = any(part.chained for part in carrying.owed(self.position))
        for index, given in enumerate(whole):
            checked = self._checked(moment, given, whole[:index] if chained else ())
            for kind, one in zip(self._kinds(given.seat), checked, strict=True):
                parts.setdefault(kind, []).append(one)
        ground = self._under(moment, whole if chained else ())
        return carrying.taken(self.position, ground, parts)

    def _checked(
        self, moment: Moment, given: Given, earlier: tuple[Given, ...]
    ) -> tuple[Checked, ...]:
        question = ("check", moment, given, earlier)
        found = self._memory.get(question)  # no answer is None
        if found is None:
            parts = zip(self._kinds(given.seat), given.payloads, strict=True)
            checked: list[Checked] = []
            with _Remembering(self, question):
                deck = self._under(moment, earlier)
                for kind, (label, data) in parts:
                    where = self._place(deck, moment, label)
                    checked.append(carrying.judge_of(kind)(where, given.seat, data))
            found = tuple(checked)
            self._remember(question, found)
        return cast("tuple[Checked, ...]", _unless_refused(found))

    def _place(self, deck: Deck | None, moment: Moment, label: bytes) -> Place:
        at = ProofMoment(moment.table, moment.height, moment.parent, label)
        return Place(self.position, deck, at)

    def _under(self, moment: Moment, earlier: tuple[Given, ...]) -> Deck | None:
        """Return the deck under a part that builds on these contributions."""
        if not earlier:
            return self._ground_at(moment)

        question = ("under", moment, earlier)
        found = self._memory.get(question)
        if found is None:
            (chained,) = self._checked(moment, earlier[-1], earlier[:-1])
            (kind,) = self._kinds(earlier[-1].seat)
            found = carrying.leaves(kind, chained)
            self._remember(question, found)
        return cast("Deck", found)

    def _kinds(self, seat: Seat) -> tuple[str, ...]:
        return tuple(part.kind for part in carrying.owed(self.position) if seat in part.seats)

    def _ground_at(self, moment: Moment) -> Deck | None:
        if self._ground is None or self._ground[0] != moment.parent:
            self._ground = (moment.parent, carrying.ground_of(self.position, moment.parent))
            self._memory.clear()
        return self._ground[1]

    def _known(self, step: Hashable) -> Replay | None:
        """Return the state after a step, if somebody holds it, or refuse it as before."""
        known = self._following.get(step)
        if known is None:
            _unless_refused(self._memory.get(step))
        return known

    def _then(self, step: Hashable, position: Position) -> Replay:
        """Return the state that a step leads to, and know it as long as somebody holds it."""
        self._following[step] = made = Replay(position)
        return made

    def remember_refusal(self, question: Hashable, refused: PeerError) -> None:
        """Remember that the answer to a question is no."""
        self._remember(question, _Refusal(refused.reason, refused.detail, refused.seats))

    def _remember(self, question: Hashable, answer: object) -> None:
        if len(self._memory) >= MEMORY_MAX:
            del self._memory[next(iter(self._memory))]
        self._memory[question] = answer


def _unless_refused(found: object) -> object:
    if isinstance(found, _Refusal):
        raise PeerError(found.reason, found.detail, found.seats)
    return found


class _Remembering:
    """Around the answer to a question: a refusal is remembered like any other answer."""

    __slots__ = ("_question", "_replay")

    def __init__(self, replay: Replay, question: Hashable) -> None:
        self._replay, self._question = replay, question

    def __enter__(self) -> None:
        """Answer."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Remember what was refused."""
        if isinstance(error, PeerError):
            self._replay.remember_refusal(self._question, error)


def begin(setting: Setting) -> Replay:
    """Return the state of a table whose charter all seats have sealed."""
    return Replay(carrying.set_up(Position(setting, setting.agreed.charter.seats)))


def _closed(position: Position) -> Position:
    return changed(position, is_closed=True, events=())
