"""Forged transcripts: what seats sign that break a rule, and what strangers put together.

The keys of the seats are at hand, so an entry can be sealed anew by all of them as if they had
agreed on it: then no signature and no hash is wrong, and what refuses it is what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nodealer.kernel import EntryId, Height, Seat, encode
from nodealer.ledger import AuthoredStep, Contribution, DueStep, Entry
from nodealer.ledger.objects import Evict
from nodealer.table.actions import ACTED, Acted, read_action
from nodealer.verify import Transcript, write_transcript
from scripts.vectors.told import Case, cards, cut, first_play, flipped, trio, voted_out
from tests.verify.forging import empty, recontent, recontributed, reseal, revote

NOTHING = EntryId(bytes(range(32)))
"""The id of no entry."""

Row = tuple[str, str, Transcript, Entry, str, int | None]


def cases() -> Iterator[Case]:
    """Return the cases of forged entries."""
    for rows in (_heights(), _contributions(), _actions(), _plays(), _votes()):
        for name, about, whole, entry, check, culprit in rows:
            yield _at(name, about, whole, entry, check, culprit)
    yield from _put_together()


def _at(
    name: str, about: str, whole: Transcript, entry: Entry, check: str, culprit: int | None
) -> Case:
    """Return the case of a history whose last entry is a forged one."""
    below = [one.content.id for one in whole.entries]
    parent = entry.content.parent
    height = 2 + below.index(parent) if parent in below else 1
    data = write_transcript(cut(whole, height - 1, entry))
    return Case(name, about, data, "invalid", check=check, culprit=culprit, height=height)


def _heights() -> Iterator[Row]:
    """Heights and parents: what contradicts itself binds, what lies in a wrong place does not."""
    action, keys = trio().entries
    out = voted_out().entries[0]
    yield (
        "height-contribution",
        "a contribution that states another height than its parent has",
        trio(),
        recontributed(keys, 2, height=Height(7)),
        "chain",
        2,
    )
    yield (
        "height-content",
        "an action that states another height, sealed by all",
        trio(),
        recontent(action, height=Height(9)),
        "chain",
        0,
    )
    yield (
        "height-seal",
        "a seal that states another height",
        trio(),
        reseal(action, 2, height=Height(9)),
        "chain",
        2,
    )
    yield (
        "height-vote",
        "a vote that states another height",
        voted_out(),
        revote(out, 1, height=Height(9)),
        "chain",
        1,
    )
    yield (
        "parent-seal",
        "a seal over another entry",
        trio(),
        reseal(keys, 2, parent=NOTHING),
        "chain",
        None,
    )
    yield (
        "parent-contribution",
        "a contribution over another entry: its place is looked at before the content",
        trio(),
        recontributed(keys, 2, parent=NOTHING),
        "chain",
        None,
    )
    yield (
        "parent-vote",
        "a vote over another entry",
        voted_out(),
        revote(out, 1, base=NOTHING),
        "chain",
        None,
    )
    yield (
        "seal-on-another",
        "a good seal on another entry",
        trio(),
        reseal(action, 2, entry=NOTHING),
        "chain",
        None,
    )
    yield (
        "seal-of-another-table",
        "a good seal of another table",
        trio(),
        reseal(action, 2, table=bytes(32)),
        "chain",
        None,
    )


def _given(height: int, seat: int) -> Contribution:
    return cards().entries[height - 1].contributions[seat]


def _payload(height: int, seat: int, payload: bytes) -> Entry:
    """Return an entry of the game of cards in which a seat has contributed another first part."""
    one = _given(height, seat)
    payloads = ((one.payloads[0][0], payload), *one.payloads[1:])
    return recontributed(cards().entries[height - 1], seat, payloads=payloads)


def _contributions() -> Iterator[Row]:
    """What seats contribute, sealed by all."""
    whole = cards()
    first, shuffle = whole.entries[:2]
    zero, one, two = shuffle.contributions
    for name, height, seat, about in (
        ("key", 1, 1, "the key of another seat"),
        ("shuffle", 2, 2, "the shuffle of another seat"),
        ("mask", 3, 0, "the masks of another seat"),
        ("release", 4, 2, "the releases of another seat"),
    ):
        other = _given(height, (seat + 1) % 3).payloads[0][1]
        yield f"bad-{name}", about, whole, _payload(height, seat, other), "cryptography", seat
    yield (
        "bad-encoding",
        "a contribution that is no message",
        whole,
        _payload(1, 2, b"\x00"),
        "cryptography",
        2,
    )
    foreign = encode((1, "table/choice", 0))
    yield (
        "bad-choice",
        "a choice of a card that lies elsewhere, sealed by all",
        whole,
        _payload(5, 1, encode((1, "table/choice", 6))),
        "rules",
        1,
    )
    yield "bad-kind", "a message of another kind", whole, _payload(1, 0, foreign), "cryptography", 0
    label = two.payloads[0][0]
    yield (
        "other-label",
        "a part under another label",
        whole,
        recontributed(shuffle, 2, payloads=((label + b"x", two.payloads[0][1]),)),
        "rules",
        2,
    )
    yield (
        "builds-on-first",
        "a shuffle that names the first one and not the one before it",
        whole,
        recontributed(shuffle, 2, on=(zero.id,)),
        "chain",
        2,
    )
    yield (
        "builds-on-two",
        "a shuffle that names the one before it and another",
        whole,
        recontributed(shuffle, 2, on=(one.id, zero.id)),
        "chain",
        2,
    )
    yield (
        "builds-on-unknown",
        "a shuffle on one that is not here: whoever sealed the step is named",
        whole,
        recontributed(shuffle, 2, on=(bytes(32),)),
        "chain",
        0,
    )
    named = first.content.contributions
    yield (
        "names-in-disorder",
        "a content that names its contributions in another order, sealed by all",
        whole,
        recontent(first, contributions=tuple(reversed(named))),
        "chain",
        0,
    )
    crossed = ((named[0][0], named[1][1]), (named[1][0], named[0][1]), named[2])
    yield (
        "names-of-others",
        "a content that names contributions as those of others, sealed by all",
        whole,
        recontent(first, contributions=crossed),
        "chain",
        0,
    )
    left = (zero, two)
    less = recontent(
        replace(shuffle, contributions=left),
        contributions=tuple((each.seat, each.id) for each in left),
    )
    yield (
        "left-out-sealed",
        "a step without a contribution that another builds on, sealed by all",
        whole,
        less,
        "chain",
        0,
    )
    yield (
        "left-out",
        "the same, sealed by nobody: a missing message is nobody's doing",
        whole,
        replace(less, certificate=empty(replace(less.certificate, entry=less.content.id))),
        "chain",
        None,
    )
    last = recontent(replace(first, contributions=first.contributions[:2]), contributions=named[:2])
    yield (
        "missing-sealed",
        "a step without a contribution that nothing builds on, sealed by all",
        whole,
        last,
        "completeness",
        0,
    )
    yield (
        "other-state",
        "a step that leads to another state, sealed by all",
        whole,
        recontent(first, state=bytes(32)),
        "rules",
        0,
    )
    step = first.content.step
    assert isinstance(step, DueStep)
    parts = tuple(replace(part, kind="mask") for part in step.parts)
    yield (
        "other-parts",
        "another step than is due, sealed by all",
        whole,
        recontent(first, step=DueStep(parts)),
        "rules",
        0,
    )


def _actions() -> Iterator[Row]:
    """What seats do in their turn, sealed by all."""
    whole = trio()
    entry = whole.entries[0]
    start = Acted("start-game", (), ())

    def doing(action: bytes, seat: int = 0) -> Entry:
        return recontent(entry, step=AuthoredStep(Seat(seat), action))

    good = ACTED.write(start)
    huge = encode((1, "table/action", "start-game", (("card", 1 << 63),), ()))
    for name, about, made, culprit in (
        (
            "unknown",
            "an action that does not exist",
            doing(ACTED.write(replace(start, kind="cheat"))),
            0,
        ),
        (
            "field",
            "an action with a field that it does not have",
            doing(ACTED.write(replace(start, fields=(("card", 1),)))),
            0,
        ),
        ("nonsense", "an action that is no message", doing(b"\x00"), 0),
        ("huge", "an action with a number of 64 bits, which is no message", doing(huge), 0),
        ("not-on-turn", "an action of a seat that is not on turn", doing(good, 1), 1),
        ("again", "another game while one is played", doing(encode((1, "table/again"))), 0),
        ("state", "an action that leads to another state", recontent(entry, state=bytes(32)), 0),
    ):
        yield f"action-{name}", about, whole, made, "rules", culprit
    opened = doing(ACTED.write(replace(start, openings=(b"x",))))
    yield "action-openings", "an action with an opening too many", whole, opened, "cryptography", 0
    unsealed = replace(doing(good, 1), certificate=empty(entry.certificate))
    unsealed = replace(
        unsealed, certificate=replace(unsealed.certificate, entry=unsealed.content.id)
    )
    yield (
        "action-unsealed",
        "an action out of turn that nobody has sealed",
        whole,
        unsealed,
        "rules",
        None,
    )


def _plays() -> Iterator[Row]:
    """What the rules or the proofs of a card refuse, sealed by all."""
    taken = cards().entries[6]
    step = taken.content.step
    assert isinstance(step, AuthoredStep)
    wrong = encode((1, "table/action", "take", (("stack", "E"),), ()))
    yield (
        "action-illegal",
        "a stack that there is not",
        cards(),
        recontent(taken, step=AuthoredStep(step.seat, wrong)),
        "rules",
        int(step.seat),
    )
    played = first_play().entries[-1]
    step = played.content.step
    assert isinstance(step, AuthoredStep)
    play = read_action(step.action)
    assert isinstance(play, Acted)
    bent = replace(play, openings=tuple(map(flipped, play.openings)))
    yield (
        "action-opening",
        "a play whose proof of its card is damaged, sealed by both",
        first_play(),
        recontent(played, step=replace(step, action=ACTED.write(bent))),
        "cryptography",
        int(step.seat),
    )


def _votes() -> Iterator[Row]:
    """Votes of a certificate."""
    whole = voted_out()
    out, _ = whole.entries
    yield (
        "vote-against-itself",
        "a vote that leaves out its own seat",
        whole,
        revote(out, 1, choice=Evict((Seat(1), Seat(2)))),
        "completeness",
        1,
    )
    yield (
        "vote-of-another-round",
        "votes of two rounds in one certificate",
        whole,
        revote(out, 1, round=2),
        "completeness",
        None,
    )
    yield (
        "vote-for-others",
        "votes that leave out different seats",
        whole,
        revote(out, 1, choice=Evict((Seat(0),))),
        "completeness",
        None,
    )
    again = replace(out.content, height=Height(2), parent=out.content.id)
    moved = replace(out, content=again, certificate=replace(out.certificate, entry=again.id))
    yield (
        "moved-vote",
        "good votes, put over the entry behind, where the seat is out already",
        whole,
        moved,
        "chain",
        None,
    )
    state = replace(out.content, state=bytes(32))
    yield (
        "eviction-to-another-state",
        "an eviction that leads to another state: no vote is on its content",
        whole,
        replace(out, content=state, certificate=replace(out.certificate, entry=state.id)),
        "rules",
        None,
    )


def _put_together() -> Iterator[Case]:
    """Good entries in a wrong order, and good contributions beside a content that names others."""
    whole = trio()
    action, keys = whole.entries
    for name, about, entries, height in (
        ("order", "two entries that have changed places", (keys, action), 1),
        ("entry-missing", "an entry is missing", (keys,), 1),
        ("entry-twice", "an entry stands twice", (action, action, keys), 2),
        (
            "contributions-swapped",
            "two contributions beside a content have changed places",
            (
                action,
                replace(keys, contributions=(*keys.contributions[1::-1], keys.contributions[2])),
            ),
            2,
        ),
        (
            "contribution-dropped",
            "a contribution that the content names is not here",
            (action, replace(keys, contributions=keys.contributions[:2])),
            2,
        ),
        (
            "contribution-of-another-step",
            "contributions to an action",
            (replace(action, contributions=keys.contributions), keys),
            1,
        ),
    ):
        yield Case(
            name,
            about,
            write_transcript(cut(whole, 0, *entries)),
            "invalid",
            check="chain",
            height=height,
        )
