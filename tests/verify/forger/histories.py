"""Histories by their names, each made once: honest ones, waiting ones, and those with a liar."""

from __future__ import annotations

from functools import cache

from nodealer.verify import read_transcript
from tests.support.circle import player_of
from tests.verify.forger.known import History
from tests.verify.forger.lied import LIED, lied_history
from tests.verify.forger.scenes import SCENES, WAITING


@cache
def history(name: str) -> History:
    """Return a history."""
    if name in LIED:
        return lied_history(name)
    made = (SCENES if name in SCENES else WAITING)[name]()
    messages = [message for _, message in made.sent]
    messages += [message for stored in made.stored.values() for message in stored]
    return History(
        name=name,
        game=made.setting.game,
        charter=made.setting.agreed.charter,
        files=tuple(read_transcript(data) for data in made.files),
        sent=tuple(dict.fromkeys(messages)),
        players={seat: player_of(seat, "stage") for seat in made.setting.agreed.charter.seats},
        tables=dict(made.tables),
        earlier=tuple(made.seated),
    )
