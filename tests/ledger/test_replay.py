"""Replay judges a content or a contribution, and gives the first reason that applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from nodealer.kernel import Bug, EntryId, Height, PeerError, Seat, TableId
from nodealer.ledger import AuthoredStep, ChainEntry, Content, Contribution, Part
from nodealer.ledger.chain import chain_of, follow, judge_contribution, settled
from nodealer.ledger.objects import DueStep, EntryStep, EvictStep
from tests.ledger.forge import Forger
from tests.ledger.telling import opened
from tests.ledger.toy import BAD, CRASH
from tests.ledger.world import World

UNKNOWN = b"\x05" * 32


def tip(world: World) -> ChainEntry:
    return world.ledgers[Seat(0)].tip


def reason(link: ChainEntry, content: Content, given: Sequence[Contribution] = ()) -> str | None:
    try:
        follow(link, content, given)
    except PeerError as error:
        return error.slug
    return None


def authored(world: World, **changes: object) -> Content:
    content = Forger(world, 0).proposal(tip(world), b"x").content
    names = ("table", "height", "parent", "step", "contributions", "state")
    fields = {name: getattr(content, name) for name in names}
    return Content(**{**fields, **changes})


TURN, DUE, CHAIN = opened(("turn", "close")), opened(("due", "close")), opened(("chain", "close"))


@pytest.mark.parametrize(
    ("content", "slug"),
    [
        (authored(TURN), None),
        (authored(TURN, step=AuthoredStep(Seat(1), b"x")), "ledger/not-on-turn"),
        (authored(TURN, step=AuthoredStep(Seat(0), BAD)), "commit/mismatch"),
        (authored(TURN, step=DueStep(())), "ledger/not-owed"),
        (authored(TURN, step=EvictStep(1, ())), "ledger/not-in-roster"),
        (authored(TURN, step=EvictStep(1, (Seat(0), Seat(1), Seat(2)))), "ledger/not-in-roster"),
        (authored(TURN, step=EvictStep(1, (Seat(7),))), "ledger/not-in-roster"),
        (authored(TURN, step=EvictStep(1, (Seat(2), Seat(1)))), "ledger/not-in-roster"),
        (authored(TURN, step=EvictStep(1, (Seat(1), Seat(1)))), "ledger/not-in-roster"),
        (authored(TURN, height=Height(7)), "ledger/wrong-place"),
        (authored(TURN, table=TableId(UNKNOWN)), "ledger/wrong-place"),
        (authored(TURN, parent=EntryId(UNKNOWN)), "ledger/wrong-place"),
        (authored(TURN, contributions=((Seat(0), UNKNOWN),)), "ledger/contributions-missing"),
        (authored(TURN, state=UNKNOWN), "ledger/state-differs"),
    ],
)
def test_an_authored_content(content: Content, slug: str | None) -> None:
    assert reason(tip(TURN), content) == slug


def given(world: World, data: bytes = b"x") -> list[Contribution]:
    """Return a contribution of every seat, each building on the one before if that is asked."""
    made: list[Contribution] = []
    for seat in range(3):
        on = [made[-1].id] if made and tip(world).parts[0].chained else []
        made.append(Forger(world, seat).contribution(tip(world), data, on))
    return made


def due(world: World, parts: Sequence[Contribution], step: EntryStep | None = None) -> Content:
    content = settled(tip(world), given(world)).content
    named = tuple((one.seat, one.id) for one in parts)
    return replace(content, contributions=named, step=step or content.step)


def test_a_due_content() -> None:
    for world in (DUE, CHAIN):
        whole = given(world)
        assert reason(tip(world), due(world, whole), whole) is None
        other = (replace(tip(world).parts[0], kind="other"),)
        assert reason(tip(world), due(world, whole, DueStep(other)), whole) == "ledger/not-owed"
        for some in (whole[:2], [*whole, whole[2]], whole[::-1]):
            assert reason(tip(world), due(world, some), some) == "ledger/contributions-missing"
        assert reason(tip(world), due(world, whole[:2]), whole) == "ledger/contributions-missing"


def test_a_due_content_whose_parts_build_on_another() -> None:
    whole, others = given(CHAIN), given(CHAIN, b"other")
    mixed = [others[0], *whole[1:]]
    assert reason(tip(CHAIN), due(CHAIN, mixed), mixed) == "ledger/builds-on-other"


def test_a_due_content_with_a_bad_part() -> None:
    bad = [*given(DUE)[:2], Forger(DUE, 2).contribution(tip(DUE), BAD)]
    assert reason(tip(DUE), due(DUE, bad), bad) == "commit/mismatch"


def contribution(world: World, by: int, **changes: object) -> Contribution:
    one = given(world)[by]
    fields = {
        name: getattr(one, name)
        for name in ("table", "height", "parent", "seat", "payloads", "on", "signature")
    }
    return Contribution(**{**fields, **changes})


@pytest.mark.parametrize(
    ("world", "one", "slug"),
    [
        (DUE, contribution(DUE, 0), None),
        (DUE, contribution(DUE, 0, height=Height(4)), "ledger/wrong-place"),
        (DUE, contribution(DUE, 0, parent=EntryId(UNKNOWN)), "ledger/wrong-place"),
        (DUE, contribution(DUE, 0, seat=Seat(8)), "ledger/not-owed"),
        (DUE, contribution(DUE, 0, payloads=((b"label", b"x"),)), "ledger/not-owed"),
        (DUE, contribution(DUE, 0, on=(UNKNOWN,)), "ledger/builds-on-other"),
        (CHAIN, contribution(CHAIN, 1, on=()), "ledger/builds-on-other"),
    ],
)
def test_a_contribution(world: World, one: Contribution, slug: str | None) -> None:
    if slug is None:
        judge_contribution(tip(world), one, ())
    else:
        with pytest.raises(PeerError, match=slug):
            judge_contribution(tip(world), one, ())


def test_what_a_contribution_builds_on_must_be_known_of_its_seat_and_place() -> None:
    whole = given(CHAIN)
    by_id = {one.id: one for one in whole}
    assert chain_of(tip(CHAIN), whole[2], by_id.get) == (whole[0], whole[1])
    assert chain_of(tip(CHAIN), whole[2], lambda _: None) is None
    skips = contribution(CHAIN, 2, on=(whole[0].id,))
    with pytest.raises(PeerError, match="ledger/builds-on-other"):
        chain_of(tip(CHAIN), skips, by_id.get)
    elsewhere = contribution(CHAIN, 1, parent=EntryId(UNKNOWN), on=())
    after = contribution(CHAIN, 2, on=(elsewhere.id,))
    with pytest.raises(PeerError, match="ledger/builds-on-other"):
        chain_of(tip(CHAIN), after, {elsewhere.id: elsewhere}.get)


def test_two_chains_must_agree_on_what_they_build() -> None:
    """Two chained parts with different seats can lead to two contributions of one seat."""
    link = tip(CHAIN)
    label, kind = link.parts[0].label, "chain"
    parts = (
        Part(label, kind, (Seat(0), Seat(1), Seat(2)), binding=False, chained=True),
        Part(label + b"2", kind, (Seat(0), Seat(2)), binding=False, chained=True),
    )
    two = replace(link, parts=parts)
    one, other = (Forger(CHAIN, 0).contribution(two, data) for data in (b"x", b"y"))
    middle = Forger(CHAIN, 1).contribution(two, b"x", [other.id])
    last = Forger(CHAIN, 2).contribution(two, b"x", [one.id, middle.id])
    by_id = {each.id: each for each in (one, other, middle)}
    assert two.predecessors(Seat(2)) == (Seat(0), Seat(1))
    with pytest.raises(PeerError, match="on two of one seat"):
        chain_of(two, last, by_id.get)


def test_an_application_that_fails_is_our_own_error() -> None:
    with pytest.raises(Bug, match="local/application"):
        follow(tip(TURN), authored(TURN, step=AuthoredStep(Seat(0), CRASH)), ())
    world = opened(("turn", "close"))
    author = Forger(world, 0)
    with pytest.raises(Bug, match="local/application"):
        world.ledgers[Seat(1)].receive(author.bad_proposal(tip(world), CRASH))
