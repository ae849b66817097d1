"""Transcripts with certificates, ranks, grounds and open messages, good and bad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from nodealer.games.registry import game
from nodealer.kernel import EntryId, Seat
from nodealer.ledger import (
    Entry,
    Evidence,
    LedgerMessage,
)
from nodealer.ledger.messages import Contributed, Proposal, Sealed, Voted
from nodealer.ledger.objects import Evict, Keep
from nodealer.table import sit_down
from nodealer.verify import Transcript, write_transcript
from scripts.vectors.told import (
    FEW,
    SALT,
    Case,
    cut,
    kept,
    let_go,
    transcript,
    trio,
    unopened,
    voted_out,
    written,
)
from scripts.vectors.verdicts_evidence import seal_at, vote_at
from tests.support.circle import player_of
from tests.verify.forging import empty, reseal, resealed, signed

NOTHING: Final = EntryId(bytes(range(32)))
"""The id of no entry."""


def cases() -> Iterator[Case]:
    """Return the cases of ranks, grounds and open messages."""
    yield from _certificates()
    yield from _settled()
    yield from _grounds()
    yield from _dropped()


def _certificates() -> Iterator[Case]:
    whole = trio()
    action, keys = whole.entries
    certificate = action.certificate
    first, second = kept().entries
    evicted, going_on = voted_out().entries
    by_seals = resealed(action, evicted.content)
    rows: list[tuple[str, str, Transcript, tuple[Entry, ...]]] = [
        (
            "seal-missing",
            "a seal is missing",
            whole,
            (replace(action, certificate=replace(certificate, seals=certificate.seals[:2])),),
        ),
        (
            "seal-twice",
            "a seal stands twice",
            whole,
            (
                replace(
                    action,
                    certificate=replace(
                        certificate, seals=(*certificate.seals, certificate.seals[2])
                    ),
                ),
            ),
        ),
        (
            "seals-in-disorder",
            "seals in another order",
            whole,
            (replace(action, certificate=replace(certificate, seals=certificate.seals[::-1])),),
        ),
        (
            "certificate-empty",
            "no certificate at all",
            whole,
            (replace(action, certificate=empty(certificate)),),
        ),
        (
            "rank-unbacked",
            "a seal that states a rank of which nothing is here",
            whole,
            (action, reseal(keys, 2, rank=1)),
        ),
        (
            "evicted-by-seals",
            "an eviction that all have sealed is not complete",
            whole,
            (by_seals,),
        ),
        (
            "kept-without-seals",
            "a kept entry of rank 0 without its seals beside",
            kept(),
            (replace(first, beside=()),),
        ),
        (
            "kept-in-disorder",
            "the certificates beside in another order",
            kept(),
            (first, replace(second, beside=second.beside[::-1])),
        ),
        (
            "kept-twice",
            "a certificate twice beside",
            kept(),
            (replace(first, beside=first.beside * 2),),
        ),
        (
            "beside-needless",
            "a certificate beside on which nothing rests",
            whole,
            (action, replace(keys, beside=(certificate,))),
        ),
        (
            "beside-unknown",
            "a certificate beside of an entry that is not here",
            voted_out(),
            (evicted, replace(going_on, beside=(*going_on.beside, keys.certificate))),
        ),
        (
            "beside-empty",
            "an empty certificate beside",
            voted_out(),
            (evicted, replace(going_on, beside=(empty(going_on.beside[0]),))),
        ),
        (
            "votes-too-few",
            "the votes of one of two who stay",
            voted_out(),
            (
                replace(
                    evicted,
                    certificate=replace(evicted.certificate, votes=evicted.certificate.votes[:1]),
                ),
            ),
        ),
    ]
    for name, about, start, entries in rows:
        data = write_transcript(cut(start, 0, *entries))
        height = len(entries)
        yield Case(name, about, data, "invalid", check="completeness", height=height)


@cache
def kept_for_long() -> Transcript:
    """Return 6 nimmt! of three as seat 2 holds it, which hears no seal of seat 1, only votes."""
    options = {**FEW, "turn_count": 2, "deck_size": 10}
    made = unopened(3, game("take5"), options)

    def loses(_: Seat, to: Seat, message: LedgerMessage) -> bool:
        match message:
            case Contributed() | Proposal() | Voted():
                return False
            case Sealed(seal=seal):
                return (seal.seat, to) == (1, 2) and seal.height > 0
            case _:
                return to == 2  # noqa: PLR2004

    made.loses = loses
    for seat in map(Seat, range(3)):
        made.do(seat, sit_down(made.setting, player_of(seat, SALT)))
    made.deliver()
    while not made.tables[Seat(2)].position.is_closed:
        waiting = [
            seat
            for seat, ask in made.asked.items()
            if ask.parent == made.tables[seat].ledger.tip.id and not getattr(ask, "again", False)
        ]
        for seat in waiting:
            made.act(seat, made.tables[seat].legal()[0])
        if not waiting:  # the patience of seat 2 ends, and that of no other
            made.now = made.wakes[Seat(2)] or made.now
            made.do(Seat(2), made.tables[Seat(2)].tick(made.now))
            made.deliver()
    return transcript(made, 2)


def _settled() -> Iterator[Case]:
    """Rows of kept entries, of which the lowest are settled in the end."""
    whole = kept_for_long()
    about = "all entries kept by rounds; certificates of settled ones lie beside as well"
    yield Case("kept-for-long", about, write_transcript(whole), "complete", height=10)
    bare = replace(whole.entries[1], beside=())
    yield Case(
        "kept-next-without-seals",
        "a kept entry behind a kept one, without its seals beside, which no entry has brought",
        write_transcript(cut(whole, 1, bare)),
        "invalid",
        check="completeness",
        height=2,
    )


def _grounds() -> Iterator[Case]:
    whole = let_go()
    alone, closed = whole.entries
    certificate = alone.certificate
    vote = signed(certificate.votes[0], seat=Seat(1))
    no_proof = Evidence("E2", Seat(1), (vote, vote))
    bad_signature = Evidence("E2", Seat(1), (vote, replace(vote, round=2)))
    other = Evidence("E2", Seat(0), (certificate.votes[0], certificate.votes[0]))
    for name, about, grounds, check in (
        (
            "ground-missing",
            "an eviction without a majority and without a ground",
            (),
            "completeness",
        ),
        ("ground-against-another", "a ground against another seat", (other,), "completeness"),
        (
            "ground-false",
            "a ground that is an evidence which does not hold",
            (no_proof,),
            "liveness",
        ),
        ("ground-unsigned", "a ground with a bad signature", (bad_signature,), "signatures"),
        (
            "ground-twice",
            "a ground twice",
            (*certificate.grounds, *certificate.grounds),
            "completeness",
        ),
    ):
        bad = replace(alone, certificate=replace(certificate, grounds=grounds))
        data = write_transcript(cut(whole, 0, bad, closed))
        proven = ((1, "E7"),) if check != "completeness" else ()
        yield Case(name, about, data, "invalid", check=check, height=1, proven=proven)


def _dropped() -> Iterator[Case]:
    """Open messages that no seat would keep."""
    whole = trio()
    tip = whole.entries[1].content
    seal = signed(seal_at(2, 2), height=3, parent=tip.id)
    vote = signed(vote_at(2, 1, Evict((Seat(1),))), height=3, base=tip.id)
    action = whole.entries[0]
    out = voted_out()
    late = signed(seal_at(1, 2), height=3, parent=out.entries[1].content.id)
    pair = let_go()
    alone = pair.entries[0].certificate.votes[0]
    rows: list[tuple[str, str, Transcript, LedgerMessage, int]] = [
        (
            "height",
            "a seal over the tip, stating another height",
            whole,
            Sealed(signed(seal, height=5)),
            5,
        ),
        (
            "rank",
            "a seal that states a rank of which nothing is here",
            whole,
            Sealed(signed(seal, rank=1)),
            3,
        ),
        (
            "far-ahead",
            "a seal over an entry that is not here, stating a height 3 above the tip",
            whole,
            Sealed(signed(seal, parent=NOTHING, height=5)),
            5,
        ),
        ("not-in-roster", "a seal of a seat that is out", out, Sealed(late), 3),
        (
            "round-far-ahead",
            "a vote 65 rounds ahead",
            whole,
            Voted(signed(vote, round=65), (), None, ()),
            3,
        ),
        (
            "kept-unknown",
            "a vote that keeps an entry that is not here",
            whole,
            Voted(signed(vote, choice=Keep(NOTHING, 0)), (), None, ()),
            3,
        ),
        (
            "no-grounds",
            "a vote of one of two, without a ground",
            cut(pair, 0),
            Voted(alone, (), None, ()),
            1,
        ),
        (
            "not-its-seal",
            "an action with a seal of another seat",
            cut(whole, 0),
            Proposal(action.content, seal_at(1, 2), ()),
            1,
        ),
    ]
    for name, about, start, message, height in rows:
        data = written(replace(start, open=()), message)
        yield Case(f"open-{name}", about, data, "invalid", check="liveness", height=height)
    entry = Voted(signed(vote, choice=Keep(NOTHING, 3), round=2), (), None, ())
    yield Case(
        "open-keep-of-a-later-rank",
        "an open vote that keeps an unknown entry with a rank above its round is evidence",
        written(whole, entry),
        "unfinished",
        culprit=2,
        height=2,
        proven=((2, "E5"),),
        waits=((0, "shuffle"),),
    )
