"""Transcripts that hold: finished, waiting for each thing there is, cut, left and kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nodealer.games.registry import game
from nodealer.games.take5 import TAKE5
from nodealer.kernel import Seat
from nodealer.ledger import Leave, LedgerMessage, Seal
from nodealer.ledger.messages import Contributed, Left, Sealed, Voted
from nodealer.ledger.objects import Evict
from nodealer.table import sit_down
from nodealer.verify import write_transcript
from scripts.vectors.told import (
    SALT,
    Case,
    begun,
    cards,
    cut,
    first_play,
    kept,
    let_go,
    short,
    stage,
    transcript,
    trio,
    unopened,
    voted_out,
    written,
)
from tests.support.circle import player_of
from tests.verify.forging import signed
from tests.verify.stage import NOTHING, Stage, be_false, fall_silent, false_seal


def cases() -> Iterator[Case]:
    """Return the cases that are sound."""
    yield from _finished()
    yield from _waiting()
    yield from _left_out()
    yield from _kept()
    yield from _open()
    yield from _unknown()


def _finished() -> Iterator[Case]:
    two = short(2)
    two.play()
    yield Case("finished", "6 nimmt! of two, whole", two.record(), "complete", height=7)
    yield Case(
        "finished-three",
        "6 nimmt! of three, with an action of the seat that takes a stack",
        write_transcript(cards()),
        "complete",
        height=8,
    )
    yield Case(
        "opened",
        "Macaua of two, up to a play that opens its cards",
        write_transcript(first_play()),
        "unfinished",
        height=len(first_play().entries),
        waits=((0, "action"),),
    )
    two.again()
    yield Case(
        "again",
        "another game is begun; the deck of the first one stands until a new one is made",
        two.record(),
        "unfinished",
        height=12,
        waits=((0, "choose"), (1, "choose")),
    )


def _waiting() -> Iterator[Case]:
    alone = unopened(2, game("66", 1))
    alone.do(Seat(0), sit_down(alone.setting, player_of(Seat(0), SALT)))
    about = "a charter that one of two has sealed"
    waits = ((1, "seal of the charter"),)
    yield Case("waits-for-charter", about, alone.record(), "unfinished", height=0, waits=waits)
    made = begun(2)
    about = "nobody has acted yet"
    yield Case(
        "waits-for-action", about, made.record(), "unfinished", height=0, waits=((0, "action"),)
    )
    made = stage(2, game("66", 2), {"limit": 20})
    about = "the same by version 2 of the rules, which has an option more"
    waits = ((0, "action"),)
    yield Case("waits-by-version-2", about, made.record(), "unfinished", height=0, waits=waits)
    made = begun()
    made.gone.add(Seat(2))
    made.lay()
    about = "an action that two of three have sealed"
    yield Case("waits-for-seal", about, made.record(), "unfinished", height=0, waits=((2, "seal"),))
    about = "a step to which one has contributed"
    given = trio().entries[1].contributions[0]
    yield Case(
        "waits-for-contributions",
        about,
        written(cut(trio(), 1), Contributed(given)),
        "unfinished",
        height=1,
        waits=((1, "keys, commit"), (2, "keys, commit")),
    )
    about = "a chained step: only the first seat can contribute"
    yield Case(
        "waits-for-chained",
        about,
        write_transcript(trio()),
        "unfinished",
        height=2,
        waits=((0, "shuffle"),),
    )
    about = "a choice that nobody has made"
    yield Case(
        "waits-for-choices",
        about,
        short(2).record(),
        "unfinished",
        height=4,
        waits=((0, "choose"), (1, "choose")),
    )
    first = kept().entries[0]
    by_seals = replace(first, certificate=first.beside[0], beside=())
    about = "seat 0 keeps the last entry, and is held back until the round is complete"
    yield Case(
        "waits-without-who-is-held-back",
        about,
        written(cut(kept(), 0, by_seals), Voted(first.certificate.votes[0], (), by_seals, ())),
        "unfinished",
        height=1,
        waits=((1, "keys, commit"), (2, "keys, commit"), (3, "keys, commit")),
    )
    about = "the close, which one has sealed"
    seal = cards().entries[7].certificate.seals[1]
    yield Case(
        "waits-for-close",
        about,
        written(cut(cards(), 7), Sealed(seal)),
        "unfinished",
        height=7,
        waits=((0, "seal"), (2, "seal")),
    )
    about = "a file that was cut behind an entry is the record of a shorter history"
    yield Case(
        "cut-behind-an-entry",
        about,
        write_transcript(cut(cards(), 2)),
        "unfinished",
        height=2,
        waits=((0, "mask"), (1, "mask"), (2, "mask")),
    )


def _left_out() -> Iterator[Case]:
    about = "two of three leave out the third, who is silent, and go on"
    waits = ((0, "keys, commit"), (1, "keys, commit"))
    yield Case(
        "evicted-by-votes",
        about,
        write_transcript(voted_out()),
        "unfinished",
        height=2,
        waits=waits,
    )
    about = "one of two leaves; its leave is the ground, and the other closes alone"
    yield Case("evicted-with-leave", about, write_transcript(let_go()), "complete", height=2)
    made = begun()
    be_false(made, Seat(1))
    about = "two of three leave out the one that has sealed two things"
    whole = transcript(made)
    yield Case(
        "evicted-with-proof",
        about,
        written(cut(whole, 2), evidence=whole.evidence),
        "unfinished",
        culprit=1,
        height=2,
        proven=((1, "E1"),),
        waits=((0, "keys, commit"), (2, "keys, commit")),
    )
    pair = begun(2)
    _be_false_alone(pair)
    about = "one of two is proven false; the evidence is the ground, and the other closes alone"
    yield Case(
        "evicted-with-proof-alone",
        about,
        pair.record(),
        "complete",
        culprit=1,
        height=3,
        proven=((1, "E1"),),
    )
    made = short(3)
    fall_silent(made, Seat(2))
    about = (
        "a seat falls silent before its choice: its hand goes out, and the others are asked again"
    )
    yield Case(
        "evicted-while-choosing",
        about,
        write_transcript(cut(transcript(made), 5)),
        "unfinished",
        height=5,
        waits=((0, "choose"), (1, "choose")),
    )


def _be_false_alone(made: Stage) -> None:
    made.queue.append((Seat(1), Seat(0), Sealed(false_seal(made, Seat(1), NOTHING))))
    made.lay()
    made.wait(lambda: made.tables[Seat(0)].position.is_closed)


def _kept() -> Iterator[Case]:
    about = "a round keeps an entry of rank 0, whose seals lie beside; the next seals state rank 1"
    yield Case(
        "kept", about, write_transcript(kept()), "unfinished", height=2, waits=((0, "shuffle"),)
    )
    whole = kept()
    entry = whole.entries[1]
    about = "what an earlier entry has brought need not be brought again"
    yield Case(
        "kept-brought-before",
        about,
        write_transcript(cut(whole, 1, replace(entry, beside=()))),
        "unfinished",
        height=2,
        waits=((0, "shuffle"),),
    )


def _open() -> Iterator[Case]:
    """Open messages that a seat would keep, keep aside, or pass over."""
    whole = trio()
    seal = whole.entries[1].certificate.seals[2]

    def elsewhere(height: int) -> Seal:
        return signed(seal, height=height, parent=bytes(range(32)))

    waits = ((0, "shuffle"),)
    for height in (1, 2, 3, 4):
        yield Case(
            f"open-unknown-{height}",
            f"an open seal over an entry that is not here, stating height {height}; the tip is 2",
            written(whole, Sealed(elsewhere(height))),
            "unfinished",
            height=2,
            waits=waits,
        )
    yield Case(
        "open-held-already",
        "an open seal that stands in the last entry is passed over",
        written(whole, Sealed(seal)),
        "unfinished",
        height=2,
        waits=waits,
    )
    made = begun()
    made.gone.add(Seat(2))
    made.lay()
    made.loses = lambda _, __, message: isinstance(message, Voted)
    made.pass_time()
    made.pass_time()
    yield Case(
        "open-votes",
        "two of three have voted to leave the third out, and have not heard of each other",
        made.record(),
        "unfinished",
        height=0,
        waits=((2, "seal"),),
    )
    pair = begun(2)
    pair.do(Seat(1), pair.tables[Seat(1)].leave())
    pair.deliver()
    closed = transcript(pair)
    vote = closed.entries[0].certificate.votes[0]
    (ground,) = closed.entries[0].certificate.grounds
    about = "an open vote whose ground is an open message itself, not beside the vote"
    assert isinstance(ground, Leave)
    messages: tuple[LedgerMessage, ...] = (Left(ground), Voted(vote, (), None, ()))
    yield Case(
        "open-vote-with-open-leave",
        about,
        written(cut(closed, 0), *messages),
        "unfinished",
        height=0,
        waits=((0, "seal"),),
    )
    vote = voted_out().entries[0].certificate.votes[0]
    own = signed(vote, choice=Evict((vote.seat,)))
    about = "an open vote that leaves out its own seat is evidence, and is not dropped"
    yield Case(
        "open-vote-against-itself",
        about,
        written(cut(trio(), 0), Voted(own, (), None, ())),
        "unfinished",
        culprit=0,
        height=0,
        proven=((0, "E5"),),
        waits=((0, "action"),),
    )


def _unknown() -> Iterator[Case]:
    options = {"turn_count": 1, "max_rounds": 1, "stack_size": 2, "deck_size": 6}
    for name, rules, about in (
        ("unknown-version", replace(TAKE5, version=2), "a newer version of rules than is here"),
        ("unknown-game", replace(TAKE5, id="take6"), "rules that are not here"),
    ):
        made = stage(2, rules, options)
        made.play()
        yield Case(name, about, made.record(), "unchecked", height=7)
