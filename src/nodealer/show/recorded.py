"""A recorded game as it is shown: a snapshot for each entry, of what everybody has seen then.

    recording = recording_of(judged)
    snapshot = recorded(recording, height)
    snapshot = recorded(recording, height, seat)      from the chair of a seat

A record holds no secrets, so a card that was never opened to everybody has no face in it. From the
chair of a seat its cards are seen before they were opened, as far as they were later; no number of
a slot is used twice at a table. The lines of a record are those of the log at the table, under the
same names; they end where the judge stops believing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from nodealer.games import AnyGame, Options, SeenCard, SeenZone, Standing, View
from nodealer.kernel import Height, Reach, Seat, SlotId, TableId, Way
from nodealer.ledger import ChainEntry
from nodealer.show.book import LinePlace, LogLine
from nodealer.show.card_text import card_text
from nodealer.show.proof_words import proven
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
    opened: Mapping[SlotId, str]
    """The face of every card that was opened to all at some time."""

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

    def proven(self, height: int) -> tuple[str, ...]:
        """Return what is proven of an entry beside who has signed it."""
        return tuple(map(clean, proven(self.entries[height], self.names)))

    def hands(self, height: int) -> tuple[str, ...]:
        """Return, at the end, what everybody was left with, as far as it was ever opened."""
        if height < self.last:
            return ()
        return tuple(_hands(self, recorded(self, height).view.zones))


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
        opened=MappingProxyType(
            {
                slot: face
                for link in judged.believed
                if isinstance(link.state, Replay)
                for slot, face in position_of(link).board.faces.items()
            }
        ),
    )


def recorded(recording: Recording, height: int, seat: Seat | None = None) -> Snapshot:
    """Return a table as everybody saw it after an entry, or as it lay before a seat."""
    link = recording.entries[height]
    game, games, view, standing = _seen(link)
    if seat is not None and game is not None:
        view = in_order(_from_chair(recording, view, seat), game)
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
    return position.game, position.games, position.view(), position.standing


def _from_chair(recording: Recording, view: View, seat: Seat) -> View:
    zones = (
        replace(zone, cards=tuple(_known(recording, card) for card in zone.cards))
        if zone.seat == seat
        else zone
        for zone in view.zones
    )
    return replace(view, viewer=seat, zones=tuple(zones))


def _known(recording: Recording, card: SeenCard) -> SeenCard:
    return replace(card, face=recording.opened.get(card.slot))


def _hands(recording: Recording, zones: Iterable[SeenZone]) -> Iterator[str]:
    for zone in zones:
        if zone.seat is None or not zone.cards:
            continue
        faces = [recording.opened.get(card.slot) for card in zone.cards]
        told = [card_text(face, has_signs=True) for face in faces if face is not None]
        hidden = len(faces) - len(told)
        if hidden:
            told.append(f"{hidden} never opened")
        yield clean(f"{recording.names[zone.seat]}, {zone.name}: {', '.join(told)}.")


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
            is_you=seat == view.viewer,
            is_bot=False,
            is_program=False,
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
