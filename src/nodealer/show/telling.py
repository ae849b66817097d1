"""Events of a table in words: what the ledger shows, told for the people at this table.

Entries are told by the sentences of `verify.story`, which also tell a recorded game, so that a
player at the table and a reader years later read the same. What stands in no entry is told here:
who was missed, who voted, what was proven and refused, what became of this seat.

Every event has its words; `event_told` knows them all, and a new one does not pass the type checker
before it has some.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, assert_never

from nodealer.kernel import Reason, Seat
from nodealer.ledger import (
    AuthoredStep,
    ChainEntry,
    Content,
    Contribution,
    Dropped,
    DueStep,
    Evict,
    EvictStep,
    Evidence,
    Leave,
    LedgerEvent,
    LeftOut,
    Refusal,
    Stalled,
    Suspect,
    Suspended,
    Took,
    Vote,
)
from nodealer.show.times import duration
from nodealer.table import Table
from nodealer.verify import CODES, entry_sentences, joined, sentences_of

Names = Mapping[Seat, str]


class Tone(Enum):
    """The concern of a line of the log."""

    GAME = "game"
    PROTOCOL = "protocol"
    """What all had to do so that nobody has to be believed; who wants to can fold it away."""
    TABLE = "table"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, the height that they are about, and their tone."""

    text: str
    tone: Tone = Tone.TABLE
    height: int | None = None


def names_at(table: Table) -> Names:
    """Return the names of all players, by seat."""
    names = table.position.setting.agreed.terms.names
    return {Seat(seat): name for seat, name in enumerate(names)}


def entry_told(link: ChainEntry, names: Names, table: Table) -> Iterator[Words]:
    """Yield the sentences of an entry: what the table does around the game is told more quietly."""
    ledger = table.ledger
    checked = link.certificate.grounds  # when the entry was taken
    known: tuple[Leave | Evidence, ...] = (*checked, *ledger.reading().grounds)
    of_game = sentences_of(link, names)
    around = tone_around(link)
    for text in entry_sentences(link, names, known):
        yield Words(text, Tone.GAME if text in of_game else around, link.height)


def tone_around(link: ChainEntry) -> Tone:
    """Return the tone of what is told of an entry beside the sentences of the game."""
    assert link.content is not None, "only the charter has no content"
    return _AROUND[type(link.content.step)]


_AROUND: Final[Mapping[type, Tone]] = MappingProxyType(
    {AuthoredStep: Tone.GAME, DueStep: Tone.PROTOCOL, EvictStep: Tone.ALARM}
)


def event_told(shown: LedgerEvent, table: Table, now: int) -> Iterator[Words]:
    """Yield what is said of an event of the ledger."""
    names = names_at(table)
    match shown:
        case Took():
            yield from _took(shown, names, table)
        case Dropped(slug, sender):
            whose = "A message" if sender is None else f"A message of {names[sender]}"
            yield Words(f"{whose} was dropped: {_why(slug)}.")
        case Suspended():
            yield Words(_suspended(shown, names, table, now), Tone.ALARM)
        case Stalled() | Vote() | Leave():
            yield Words(_going_on(shown, names), Tone.ALARM)
        case _:
            yield Words(_wrong(shown, names, table), Tone.ALARM)


def _suspended(shown: Suspended, names: Names, table: Table, now: int) -> str:
    who, tip = _listed(shown.missed, names), table.ledger.tip
    if not tip.is_majority(len(tip.roster) - len(shown.missed)):
        return f"{who} could not be heard in time."
    left = duration(shown.until - now)
    text = f"{who} could not be heard in time."
    return f"{text} In {left} the others vote on going on without them."


def _going_on(shown: Stalled | Vote | Leave, names: Names) -> str:
    """Say who is missed or gone, and how it goes on without them."""
    match shown:
        case Stalled(missed):
            who = _listed(missed, names)
            return f"Without {who} there is no majority: the table waits for {who}."
        case Vote():
            voter = names[shown.seat]
            if isinstance(shown.choice, Evict):
                gone = _listed(shown.choice.seats, names)
                return f"{voter} votes in round {shown.round} to go on without {gone}."
            return f"{voter} votes in round {shown.round} to keep what is there."
        case Leave():
            return f"{names[shown.seat]} has left the table."
    assert_never(shown)


def _wrong(shown: Evidence | Refusal | LeftOut | Suspect, names: Names, table: Table) -> str:
    """Say what is wrong: with somebody, or with this seat."""
    match shown:
        case Evidence():
            return _proven(shown, names, table)
        case Refusal():
            return f"{names[shown.seat]} refuses what was signed: {_why(shown.reason)}."
        case LeftOut(height):
            return f"The others go on without you, from height {height} on."
        case Suspect():
            told = "Your record may be an old copy"
            return f"{told}: you sign nothing until all others have said what you have signed."
    assert_never(shown)


def _took(shown: Took, names: Names, table: Table) -> Iterator[Words]:
    if shown.replaced:
        text = f"What stood at height {shown.height} is replaced by a later round."
        yield Words(text, Tone.ALARM, shown.height)
    link = table.ledger.tip.find(shown.entry)
    if link is not None:
        yield from entry_told(link, names, table)


def _proven(evidence: Evidence, names: Names, table: Table) -> str:
    text = f"Proven: {names[evidence.seat]} {CODES[evidence.code]} ({evidence.code})"
    slug = _refused_for(evidence, table)
    return f"{text}: {_why(slug)}." if slug is not None else f"{text}."


def _refused_for(evidence: Evidence, table: Table) -> str | None:
    """Return why replay refuses what a seat is accused of, where this table has just judged it."""
    accused: list[Content | Contribution] = list(evidence.contents)
    accused.extend(one for one in evidence.messages if isinstance(one, Contribution))
    for desk in (table.ledger.desk, table.ledger.past):
        for one in accused:
            if one.id in desk.refused:
                return desk.refused[one.id]
    return None


def _why(slug: str) -> str:
    try:
        return f"{Reason(slug).meaning} ({slug})"
    except ValueError:
        return slug


def _listed(seats: Sequence[Seat], names: Names) -> str:
    return joined([names[seat] for seat in seats]) or "somebody"
