"""A transcript as people read it: what happened, entry by entry, with the names of the players.

What the rules have to tell they tell themselves, in the sentences of the game. What the table does
around them is told here: who shuffled and who dealt, who was left out and on which grounds, and at
the end what the judge makes of it. Where there are no rules to ask, only the steps are told.

The story ends before the first entry in which a check failed. What stands there, and behind it, may
be made up by whoever made the file, and nobody has done it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodealer.games import AnyGame, Event, joined
from nodealer.kernel import SEATS_MAX, PeerError, Seat
from nodealer.ledger import AuthoredStep, ChainEntry, DueStep, EvictStep, Ground, Part
from nodealer.table import CLOSE, PARTS, Acted, Replay, read_action
from nodealer.verify.history import LEFT, Evicted, eviction_of
from nodealer.verify.judge import JudgedFile, grounds_of
from nodealer.verify.report_text import cheat_line, verdict_lines
from nodealer.verify.report_words import CODES, printable


@dataclass(frozen=True, slots=True)
class Told:
    """One entry in sentences; the charter has height 0, what follows the last entry has none."""

    height: int | None
    sentences: tuple[str, ...]


HAND: Final = "hand"
"""The zone of what a seat holds, as `cards.hand` names it."""

_TOLD: Final[Mapping[str, str]] = {
    **{part.kind: part.told for part in PARTS.values()},
    CLOSE: "All agree that the game is closed",
}
"""What a part of a due step is to people, with `{all}` for the seats that gave it."""


def story(judged: JudgedFile) -> Iterator[Told]:
    """Yield what happened, from the charter to the verdict."""
    if judged.tip is not None:
        names = names_of(judged)
        yield Told(0, tuple(map(printable, _founding(judged))))
        known = grounds_of(judged.signed, judged.report.cheats)
        for link in judged.believed[1:]:
            opened = [
                f"{names[seat]}'s hand is open: {joined(faces)}."
                for seat, faces in opened_hands(link).items()
            ]
            told = (*opened, *entry_sentences(link, names, known))
            yield Told(link.height, tuple(map(printable, told)))
    yield Told(None, tuple(map(printable, _ending(judged))))


def entry_sentences(
    link: ChainEntry, names: Mapping[Seat, str], known: Sequence[Ground] = ()
) -> Iterator[str]:
    """Yield what is told of an entry; `known` are leaves and evidence that hold."""
    assert link.content is not None, "only the charter has no content"
    step = link.content.step
    if isinstance(step, EvictStep):
        yield _eviction(link, step, names, known)
    elif isinstance(step, DueStep):
        yield _due(step.parts, names)
    told = sentences_of(link, names)
    if isinstance(step, AuthoredStep) and not told:
        told = [_action(link, step, names)]
    yield from told
    if link.rank and not isinstance(step, EvictStep):
        voters = joined([names[vote.seat] for vote in link.certificate.votes])
        yield f"(Round {link.rank} kept this, by the votes of {voters}.)"


def sentences_of(link: ChainEntry, names: Mapping[Seat, str]) -> list[str]:
    """Return what the rules tell of an entry."""
    state = link.state
    if not isinstance(state, Replay):
        return []
    position = state.position
    return [_sentence(position.game, event, names) for event in position.events]


def opened_hands(link: ChainEntry) -> Mapping[Seat, tuple[str, ...]]:
    """Return the hands of which a joint step has opened cards, as far as they are open now.

    What a turn plays the game tells. A hand that is opened to be counted lies on the table, where
    players see it; who reads the record could not check the count without.
    """
    below = None if link.below is None else link.below.state
    is_joint = link.content is not None and isinstance(link.content.step, DueStep)
    if not (is_joint and isinstance(link.state, Replay) and isinstance(below, Replay)):
        return {}
    board, known = link.state.position.board, below.position.board.faces
    hands = ((zone.seat, slots) for zone, slots in board.layout.zones.items() if zone.name == HAND)
    return {
        seat: tuple(board.faces[slot] for slot in slots if slot in board.faces)
        for seat, slots in hands
        if seat is not None and any(slot in board.faces and slot not in known for slot in slots)
    }


def _sentence(game: AnyGame, event: Event, names: Mapping[Seat, str]) -> str:
    try:
        return game.sentence(event, names)
    except Exception as error:  # noqa: BLE001 - what the rules cannot tell is told as it is
        return f"{event.kind} ({type(error).__name__} while it was told)"


def names_of(judged: JudgedFile) -> Mapping[Seat, str]:
    """Return the names of the players by seat; where there is nobody these are numbers.

    Without the rules an entry may speak of a seat that the table does not have.
    """
    names = () if judged.agreed is None else judged.agreed.terms.names
    numbers = {Seat(seat): f"seat {seat}" for seat in range(SEATS_MAX)}
    return {**numbers, **{Seat(seat): name for seat, name in enumerate(names)}}


def _founding(judged: JudgedFile) -> Iterator[str]:
    if judged.agreed is None:
        yield "Somebody sits at a table whose charter is not sound."
    else:
        terms = judged.agreed.terms
        players = joined(terms.names)
        yield f"{players} sit down to {terms.game}, version {terms.version}."


def _due(parts: Sequence[Part], names: Mapping[Seat, str]) -> str:
    told = []
    for part in parts:
        players = joined([names[seat] for seat in part.seats])
        sentence = _TOLD.get(part.kind, f"{{all}} give what is due: {part.kind}")
        told.append(sentence.replace("{all}", players))
    return f"{joined(told)}."


def _action(link: ChainEntry, step: AuthoredStep, names: Mapping[Seat, str]) -> str:
    """Say what was done of which the rules have nothing to tell, or are not there to tell it."""
    try:
        action = read_action(step.action)
    except PeerError:
        return f"{names[step.seat]} does what cannot be read."
    if isinstance(action, Acted):
        kinds = link.state.position.game.actions if isinstance(link.state, Replay) else ()
        texts = {kind.kind: kind.text for kind in kinds}
        return f"{names[step.seat]}: {texts.get(action.kind, action.kind)}."
    return f"{names[step.seat]} asks for another game, and all agree."


def _eviction(
    link: ChainEntry, step: EvictStep, names: Mapping[Seat, str], known: Sequence[Ground]
) -> str:
    eviction = eviction_of(link, step, known)
    voters = joined([names[seat] for seat in eviction.voters])
    whys = [f"{names[one.seat]} ({_why(one)})" for one in eviction.evicted]
    return f"Left out in round {step.round}, by the votes of {voters}: {joined(whys)}."


def _why(one: Evicted) -> str:
    """Return the grounds for leaving out a seat: what is known of it, else the votes alone."""
    if one.grounds is None:
        return "on a proof that was not checked"
    told = [CODES[ground] for ground in one.grounds if ground != LEFT]
    proven = f"proven: {joined(told)}" if told else ""
    left = "left" if LEFT in one.grounds else ""
    return ", ".join(filter(None, (left, proven))) or "silent, as the others say"


def _ending(judged: JudgedFile) -> Iterator[str]:
    height = judged.report.height
    if judged.tip is not None and judged.report.failure is not None:
        yield f"What stands from height {height} on is not told: nothing of it is shown."
    yield from verdict_lines(judged)
    for cheat in judged.report.cheats:
        yield cheat_line(judged, cheat)
