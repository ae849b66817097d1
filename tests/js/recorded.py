"""A recorded game as a page is told it: the same texts on any machine, and in a browser."""

from __future__ import annotations

import json

from nodealer.dialogue import entered, heard, next_text, opened, verdict_on, with_recording
from nodealer.dialogue import with_verdict as told_verdict
from nodealer.show import recording_of
from nodealer.verify import judge_bytes

STEPS = 12
"""So many entries are looked at, from the first to the last."""


def texts_of(data: bytes) -> list[str]:
    """Return all texts to a page that looks through a record, and the verdict."""
    judged = judge_bytes(data)
    recording = recording_of(judged, "game.ndt")
    assert recording is not None, "it is sound"
    dialogue, page = entered(with_recording(opened(), recording))
    wishes: list[dict[str, object]] = [{"do": "follow"}, {"do": "rules"}]
    for step in range(STEPS + 1):
        height = recording.last * step // STEPS
        wishes.append({"do": "step", "to": height, "seat": step % 2 or None})
    told = []
    for number, wish in enumerate(wishes):
        dialogue, request = heard(dialogue, page, json.dumps({"n": number, **wish}))
        assert request is None, "all of it is answered at once"
        while True:
            dialogue, text = next_text(dialogue, page)
            if text is None:
                break
            told.append(text)
    dialogue = told_verdict(dialogue, page, verdict_on("game.ndt", judged))
    dialogue, text = next_text(dialogue, page)
    return [*told, str(text)]
