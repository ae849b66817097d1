"""Real tables whose transcripts are vectors of verdicts, and what can be made of them.

The tables are those of the tests: all seats in one process, on links that lose what they are told
to lose. The games are short: 66 of two or three seats has an action and a step of keys before its
first shuffle, so what concerns the ledger alone takes a few hundred bytes; 6 nimmt! with a card or
two for each seat is a whole game of 13 kB. Nothing here is drawn by chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from nodealer.games.base import AnyGame
from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.ledger import AuthoredStep, Charter, Entry, Evidence, LedgerMessage, Seal
from nodealer.ledger.messages import Contributed, Proposal, Sealed, Voted
from nodealer.table import Acted, Setting, read_action, sit_down
from nodealer.verify import Transcript, read_transcript, write_transcript
from tests.support.circle import agreed_by, player_of
from tests.verify.forging import signed
from tests.verify.stage import Stage, fall_silent, leave

SALT: Final = "stage"
"""What the keys of the players follow from, here and in the tests that sign with them."""

FEW: Final = {"turn_count": 1, "max_rounds": 1, "stack_size": 2}


@dataclass(frozen=True)
class Case:
    """A transcript, and what is to be said of it.

    `check` is the class of the deciding failure; `proven` are the codes of what is proven against
    seats, `waits` who is waited for and for what. `knows` is what the reader knows from elsewhere,
    `beside` the name of another file that it is given together with this one.
    """

    name: str
    about: str
    data: bytes
    verdict: str
    check: str | None = None
    culprit: int | None = None
    height: int | None = None
    proven: tuple[tuple[int, str], ...] = ()
    waits: tuple[tuple[int, str], ...] = ()
    knows: Mapping[str, Any] | None = None
    beside: str | None = None


def stage(seats: int, rules: AnyGame, options: Mapping[str, Any] | None = None) -> Stage:
    """Return a table whose seats sit, with all that they do by themselves."""
    made = unopened(seats, rules, options)
    for seat in map(Seat, range(seats)):
        made.do(seat, sit_down(made.setting, player_of(seat, SALT)))
    made.deliver()
    return made


def unopened(seats: int, rules: AnyGame, options: Mapping[str, Any] | None = None) -> Stage:
    """Return a table at which nobody sits yet."""
    players = [player_of(Seat(seat), SALT) for seat in range(seats)]
    return Stage(Setting(agreed_by(players, rules, options, salt="verdicts"), rules))


def short(seats: int, cards: int = 1) -> Stage:
    """Return a table of 6 nimmt! with a card or two for each seat, which are to be chosen."""
    options = {**FEW, "turn_count": cards, "deck_size": seats * cards + 4}
    return stage(seats, game("take5"), options)


def begun(seats: int = 3) -> Stage:
    """Return a table of version 1 of 66 that nobody has started yet."""
    return stage(seats, game("66", 1))


def transcript(made: Stage, seat: int = 0) -> Transcript:
    """Return what a seat holds."""
    return read_transcript(made.record(seat))


def cut(whole: Transcript, height: int, *more: Entry) -> Transcript:
    """Return the beginning of a history up to a height, and entries behind it."""
    return replace(whole, entries=(*whole.entries[:height], *more), open=(), evidence=())


def written(
    whole: Transcript, *messages: LedgerMessage, evidence: tuple[Evidence, ...] = ()
) -> bytes:
    """Return a transcript as a file, with other open messages and evidence where some are given."""
    if messages or evidence:
        whole = replace(whole, open=messages, evidence=evidence)
    return write_transcript(whole)


def flipped(data: bytes) -> bytes:
    """Return bytes with the last bit turned."""
    return data[:-1] + bytes([data[-1] ^ 1])


@cache
def trio() -> Transcript:
    """Return 66 of three, up to the keys."""
    made = begun()

    def loses(_: Seat, __: Seat, message: LedgerMessage) -> bool:
        return isinstance(message, Contributed) and message.contribution.height == 3  # noqa: PLR2004

    made.loses = loses
    made.lay()
    return cut(transcript(made), 2)


@cache
def cards() -> Transcript:
    """Return a whole game of 6 nimmt! of three."""
    made = short(3)
    made.play()
    return transcript(made)


@cache
def first_play() -> Transcript:
    """Return Macaua of two, up to the first cards that are opened by a play."""
    made = stage(2, game("macaua"))
    made.play(until=lambda _: _openings(transcript(made).entries[-1]) > 0)
    return cut(transcript(made), len(transcript(made).entries))


def _openings(entry: Entry) -> int:
    step = entry.content.step
    action = read_action(step.action) if isinstance(step, AuthoredStep) else None
    return len(action.openings) if isinstance(action, Acted) else 0


@cache
def voted_out() -> Transcript:
    """Return 66 of three, of whom two leave the third out, who is silent, and start."""
    made = begun()
    made.loses = lambda _, __, message: isinstance(message, Contributed)
    fall_silent(made, Seat(2))
    made.play()
    return cut(transcript(made), 2)


@cache
def let_go() -> Transcript:
    """Return 66 of two, of whom one leaves before anything was done; the other closes alone."""
    made = begun(2)
    leave(made, Seat(1))
    made.wait(lambda: made.present().position.is_closed)
    return transcript(made)


@cache
def kept() -> Transcript:
    """Return 66 of four; seat 3 has not heard a seal, and a round keeps the entry for it."""
    made = begun(4)

    def loses(_: Seat, to: Seat, message: LedgerMessage) -> bool:
        match message:
            case Contributed():
                return True
            case Sealed(seal=seal):
                return (seal.seat, to) == (1, 3)
            case Voted(vote=vote):
                return vote.height > 1
            case _:
                return to == 3 and not isinstance(message, Proposal)  # noqa: PLR2004

    made.loses = loses
    made.lay()
    made.wait(lambda: made.tables[Seat(3)].ledger.tip.height == 1)
    made.loses = lambda _, __, message: (
        isinstance(message, Contributed) and message.contribution.height == 3  # noqa: PLR2004
    )
    for seat in made.tables:
        made.do(seat, made.tables[seat].tell())
    made.deliver()
    return cut(transcript(made, 3), 2)


def resealed_charter(whole: Transcript, charter: Charter) -> Transcript:
    """Return another charter, sealed by all, with nothing over it."""
    seals: tuple[Seal, ...] = tuple(
        signed(seal, table=charter.table, entry=charter.table) for seal in whole.seals
    )
    return Transcript(charter, seals)
