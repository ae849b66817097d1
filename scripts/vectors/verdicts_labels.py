"""Transcripts with contributions under one label over two entries, and with refusals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nodealer.games.base import AnyGame
from nodealer.games.sixty_six import FirstSixtySix
from nodealer.kernel import Height, Seat, encode
from nodealer.ledger import (
    AuthoredStep,
    Certificate,
    Contribution,
    DueStep,
    Entry,
    Evidence,
    Part,
    Refusal,
)
from nodealer.ledger.messages import Contributed
from nodealer.verify import Transcript
from scripts.vectors.told import Case, cut, stage, transcript, trio, written
from scripts.vectors.verdicts_evidence import other_payload
from tests.verify.forging import signed
from tests.verify.stage import fall_silent


def cases() -> Iterator[Case]:
    """Return the cases of labels and refusals."""
    yield from _labels()
    yield from _refused()


def _again_over_an_eviction(rules: AnyGame) -> tuple[Transcript, Contribution, Contribution]:
    """Return 66 of three, and what seat 0 has contributed before and after seat 2 was left out."""
    made = stage(3, rules)
    made.loses = lambda sender, _, message: sender == 2 and isinstance(message, Contributed)  # noqa: PLR2004
    made.lay()
    fall_silent(made, Seat(2))
    given = [
        one.contribution
        for sender, one in made.sent
        if sender == 0 and isinstance(one, Contributed) and one.contribution.seat == 0
    ]
    whole = cut(transcript(made), 2)
    before, after = given[0], given[1]
    return whole, before, after


def _labels() -> Iterator[Case]:
    """Contributions under one label, before an eviction and after it."""
    whole, before, after = _again_over_an_eviction(FirstSixtySix())
    waits = ((0, "keys, commit"), (1, "keys, commit"))
    yield Case(
        "label-before-and-after",
        "keys under one label, before an eviction and after it, are two good contributions",
        written(whole, Contributed(before), Contributed(after)),
        "unfinished",
        height=2,
        waits=waits[1:],
    )
    evidence = Evidence("E1", Seat(0), (before, after))
    yield Case(
        "label-as-evidence",
        "the same as evidence: keys do not bind, so it proves nothing",
        written(whole, evidence=(evidence,)),
        "invalid",
        check="liveness",
        height=3,
    )
    unknown, first, second = _again_over_an_eviction(replace(FirstSixtySix(), id="six-and-sixty"))
    yield Case(
        "label-as-evidence-without-rules",
        "the same where the rules are not here: what binds is not known, and nobody is named",
        written(unknown, evidence=(Evidence("E1", Seat(0), (first, second)),)),
        "unchecked",
        height=2,
    )
    made_up = _binding_entry(whole, after)
    yield Case(
        "label-made-up",
        "a content that nobody has sealed says that keys bind: nobody is named",
        written(cut(whole, 2, made_up), Contributed(before), evidence=(evidence,)),
        "invalid",
        check="rules",
        height=3,
    )


def _binding_entry(whole: Transcript, one: Contribution) -> Entry:
    content = whole.entries[1].content
    parts = tuple(
        Part(label, kind, (Seat(0), Seat(1)), binding=True, chained=False)
        for (label, _), kind in zip(one.payloads, ("keys", "commit"), strict=True)
    )
    made = replace(
        content,
        height=Height(3),
        parent=content.id,
        step=DueStep(parts),
        contributions=((one.seat, one.id),),
    )
    return Entry(made, (one,), Certificate(made.id, 0), ())


def _refused() -> Iterator[Case]:
    """Why an action with a number of 64 bits is refused, and evidence by replay without rules."""
    whole = trio()
    action = whole.entries[0].content
    huge = encode((1, "table/action", "start-game", (("card", 1 << 63),), ()))
    bad = replace(action, step=AuthoredStep(Seat(0), huge))
    place = (action.table, action.height, action.parent)
    for reason, is_right in (("encoding/shape", True), ("rules/illegal", False)):
        refusal = signed(Refusal(*place, bad.id, reason, (), Seat(2), b""))
        evidence = Evidence("E6", Seat(2), (refusal,), (bad,))
        yield Case(
            f"refusal-of-a-huge-number-{'right' if is_right else 'wrong'}",
            f"an action with a number of 64 bits, refused for {reason}",
            written(whole, evidence=(evidence,)),
            "invalid" if is_right else "unfinished",
            check="liveness" if is_right else None,
            culprit=None if is_right else 2,
            height=1 if is_right else 2,
            proven=() if is_right else ((2, "E6"),),
            waits=() if is_right else ((0, "shuffle"),),
        )
    made = stage(2, replace(FirstSixtySix(), id="six-and-sixty"))
    made.loses = lambda _, __, message: isinstance(message, Contributed)
    made.lay()
    unknown = transcript(made)
    given = made.sent[-1][1]
    assert isinstance(given, Contributed)
    false = other_payload(given.contribution, 0, b"x")
    yield Case(
        "unknown-with-evidence",
        "evidence that needs a replay, where the rules are not here, is not run",
        written(cut(unknown, 1), evidence=(Evidence("E5", false.seat, (false,)),)),
        "unchecked",
        height=1,
    )
