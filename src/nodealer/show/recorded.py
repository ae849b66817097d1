"""A recorded game as it is shown: a snapshot for each entry, of what everybody has seen then.

    recording = recording_of(judged)
    snapshot = recorded(recording, height)

A record holds no secrets, so a card that was never opened to everybody has no face in it. Its lines
are those of the log at the table, under the same names; they end where the judge stops believing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.games import AnyGame, Options, Standing, View
from nodealer.kernel import Height, Reach, Seat, TableId, Way
from nodealer.ledger import ChainEntry
from nodealer.show.book import LinePlace, LogLine
from nodealer.show.remarks import looks_of, remarks_of, status_of
from nodealer.show.snapshot import SeatShown, SeatStanding, Sitting, Snapshot, in_order
from nodealer.show.telling import Names, Tone, tone_around
from nodealer.show.text import clean
from nodealer.table import Replay, position_of
from nodealer.verify import JudgedFile, Verdict, sentences_of, story

MARK_DIGITS: Final = 6

NOTHING_SEEN: Final = View(None, (), None, (), MappingProxyType({}))
"""The view where the rules of a game are not installed here."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A judged record, with its lines."""

    title: str
    mark: str
    names: Names
    options: Options
    entries: tuple[ChainEntry, ...]
    """From the charter on, as far as they are believed."""
    lines: tuple[LogLine, ...]
    verdict: Verdict

    @property
    def last(self) -> Height:
        """The greatest height that can be shown."""
        return self.entries[-1].height

    def signed(self, height: int) -> tuple[str, ...]:
        """Return who has signed that an entry is complete."""
        certificate = self.entries[height].certificate
        return tuple(self.names[one.seat] for one in certificate.messages)

    def told(self, height: int) -> tuple[str, ...]:
        """Return what is told of an entry."""
        return tuple(line.text for line in self.lines if line.height == height)


def recording_of(judged: JudgedFile, title: str) -> Recording | None:
    """Return what can be shown of a judged file; nothing of one without a sound charter."""
    if judged.agreed is None or not judged.believed:
        return None
    names = {Seat(seat): name for seat, name in enumerate(judged.agreed.terms.names)}
    return Recording(
        title=clean(title),
        mark=_mark(judged.agreed.charter.table),
        names=names,
        options=judged.agreed.terms.chosen,
        entries=judged.believed,
        lines=tuple(_lines(judged, names)),
        verdict=judged.report.verdict,
    )


def recorded(recording: Recording, height: int) -> Snapshot:
    """Return a table as everybody saw it after an entry."""
    link = recording.entries[height]
    game, games, view, standing = _seen(link)
    return Snapshot(
        title=recording.title,
        mark=recording.mark,
        game="" if game is None else game.title,
        games=games,
        height=link.height,
        now=0,
        state=SeatStanding.WATCHING,
        seats=tuple(_seats(recording, link, view)),
        view=view,
        kinds=(),
        legal=(),
        asked=None,
        waiting=(),
        can_go_on=True,
        may_put_away=False,
        progress=None,
        standing=standing,
        may_ask_again=False,
        log=tuple(line for line in recording.lines if line.at.height <= height),
        chat=(),
        is_held=False,
        counts=MappingProxyType({}),
        rules="" if game is None else game.rules(),
        status=() if game is None else status_of(game, view, recording.names),
        remarks=MappingProxyType({}) if game is None else remarks_of(game, view, ()),
        looks=MappingProxyType({}) if game is None else looks_of(game, recording.options, view),
    )


def _mark(table: TableId) -> str:
    return table.hex()[:MARK_DIGITS]


def _seen(link: ChainEntry) -> tuple[AnyGame | None, int, View, Standing | None]:
    if not isinstance(link.state, Replay):
        return None, 1, NOTHING_SEEN, None
    position = position_of(link)
    return position.game, position.games, in_order(position.view()), position.standing


def _seats(recording: Recording, link: ChainEntry, view: View) -> Iterator[SeatShown]:
    for seat, name in recording.names.items():
        held = [len(zone.cards) for zone in view.zones if zone.seat == seat]
        yield SeatShown(
            seat=seat,
            name=name,
            mark="",
            cards=sum(held),
            sitting=Sitting.THERE if seat in link.roster else Sitting.LEFT_OUT,
            reach=Reach(Way.HERE),
            is_you=False,
            is_bot=False,
            is_muted=False,
        )


def _lines(judged: JudgedFile, names: Names) -> Iterator[LogLine]:
    entries = {link.height: link for link in judged.believed}
    for told in story(judged):
        if told.height is None:
            continue
        for number, text in enumerate(told.sentences):
            tone = _tone(entries[Height(told.height)], text, names)
            yield LogLine(LinePlace(told.height, number), told.height, clean(text), tone)


def _tone(link: ChainEntry, text: str, names: Names) -> Tone:
    if link.content is None:
        return Tone.TABLE
    of_game = [clean(one) for one in sentences_of(link, names)]
    return Tone.GAME if clean(text) in of_game else tone_around(link)
