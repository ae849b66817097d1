"""Two copies of one table that differ: who is guilty, and which copy holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nodealer.kernel import Seat
from nodealer.ledger import Certificate, ChainEntry, Signed
from nodealer.ledger.chain import authored, eviction, extended, settled, with_certificate
from nodealer.ledger.forks import compare_copies
from nodealer.ledger.objects import Evict, Keep
from nodealer.verify.contradictions import contradictions
from tests.ledger.forge import Forger
from tests.ledger.telling import opened
from tests.ledger.world import World

SCRIPT = ("turn", "turn", "due", "turn", "close")


def sealed(
    world: World, link: ChainEntry, action: bytes, who: Sequence[int] | None = None
) -> ChainEntry:
    """Return the link of an authored step over another, with a seal of each seat."""
    duty = link.state.due()
    seat = getattr(duty, "seat", Seat(0))
    followed = authored(link, seat, action)
    content = followed.content
    seals = tuple(
        Forger(world, one).seal(link, content.id) for one in (link.roster if who is None else who)
    )
    return extended(link, followed, Certificate(content.id, 0, seals=seals))


def evicted(world: World, link: ChainEntry, number: int, seats: Sequence[int]) -> ChainEntry:
    """Return the link of an eviction over another, with the votes of who stays."""
    out = tuple(Seat(seat) for seat in seats)
    followed = eviction(link, number, out)
    votes = tuple(
        Forger(world, one).vote(link, number, Evict(out)) for one in link.roster if one not in out
    )
    return extended(link, followed, Certificate(followed.content.id, number, votes=votes))


def kept(world: World, link: ChainEntry, number: int, voters: Sequence[int]) -> ChainEntry:
    """Return a link as it is held by a later round."""
    below = link.below
    assert below is not None
    keep = Keep(link.id, link.rank)
    votes = tuple(Forger(world, one).vote(below, number, keep) for one in voters)
    return with_certificate(link, Certificate(link.id, number, votes=votes), (link.certificate,))


def guilty(
    one: ChainEntry, other: ChainEntry, more: Iterable[Signed] = ()
) -> set[tuple[Seat, str]]:
    """Return who is guilty of two copies that differ, as their judge finds it."""
    links = [*one.downwards(), *other.downwards()]
    signed = dict.fromkeys((*(each for link in links for each in link.signed()), *more))
    return {(evidence.seat, evidence.code) for evidence in contradictions(signed, links)}


def test_equal_copies_and_beginnings_are_no_fork() -> None:
    world = opened(SCRIPT)
    root = world.ledgers[Seat(0)].tip
    one = sealed(world, root, b"x")
    two = sealed(world, one, b"y")
    assert compare_copies(two, two) is None
    assert compare_copies(one, two) is None
    assert compare_copies(two, root) is None


def test_the_same_entry_under_two_certificates_is_no_fork() -> None:
    world = opened(SCRIPT)
    one = sealed(world, world.ledgers[Seat(0)].tip, b"x")
    later = kept(world, one, 2, (0, 1))
    assert compare_copies(sealed(world, one, b"y"), sealed(world, later, b"y")) is None


def test_two_final_copies_have_a_culprit() -> None:
    world = opened(SCRIPT)
    root = world.ledgers[Seat(0)].tip
    one, other = (sealed(world, sealed(world, root, action), b"y") for action in (b"one", b"other"))
    fork = compare_copies(one, other)
    assert fork is not None
    assert (fork.height, fork.holds, fork.is_after_the_end) == (1, None, False)
    assert {(Seat(seat), "E1") for seat in range(3)} <= guilty(one, other)


def test_a_tip_gives_way_to_a_final_copy() -> None:
    world = opened(SCRIPT)
    root = world.ledgers[Seat(0)].tip
    step = sealed(world, root, b"x")
    out = evicted(world, root, 1, [2])
    final = sealed(world, out, b"y")
    for one, other, holds in ((step, final, 1), (final, step, 0)):
        fork = compare_copies(one, other)
        assert fork is not None
        assert (fork.height, fork.holds) == (1, holds)
        assert not guilty(one, other)


def test_of_two_tips_the_one_of_higher_rank_holds() -> None:
    world = opened(SCRIPT)
    root = world.ledgers[Seat(0)].tip
    step = sealed(world, root, b"x")
    first, second = evicted(world, root, 1, [2]), evicted(world, root, 2, [1])
    for one, other, holds in ((step, first, 1), (second, first, 0), (first, second, 1)):
        fork = compare_copies(one, other)
        assert fork is not None
        assert fork.holds == holds
        assert not guilty(one, other)


def test_two_tips_of_one_rank_have_a_culprit() -> None:
    world = opened(SCRIPT)
    root = world.ledgers[Seat(0)].tip
    one, other = evicted(world, root, 1, [2]), evicted(world, root, 1, [1])
    fork = compare_copies(one, other)
    assert fork is not None
    assert fork.holds is None
    assert guilty(one, other) == {(Seat(0), "E2")}


def test_who_sealed_over_an_entry_and_voted_it_away_is_the_culprit() -> None:
    world = opened(SCRIPT)
    root = world.ledgers[Seat(0)].tip
    one = sealed(world, sealed(world, root, b"x"), b"y")
    other = sealed(world, evicted(world, root, 1, [2]), b"z")
    fork = compare_copies(one, other)
    assert fork is not None
    assert fork.holds is None
    assert guilty(one, other) == {(Seat(0), "E4"), (Seat(1), "E4")}


def test_open_messages_count_as_well() -> None:
    world = opened(SCRIPT)
    root = world.ledgers[Seat(0)].tip
    step, out = sealed(world, root, b"x"), evicted(world, root, 1, [2])
    over = Forger(world, 0).seal(step, bytes(32))
    assert guilty(step, out, [over]) == {(Seat(0), "E4")}


def test_two_contributions_make_two_final_copies() -> None:
    world = opened(("due", "turn", "close"))
    root = world.ledgers[Seat(0)].tip
    others = [Forger(world, seat).contribution(root, b"x") for seat in (1, 2)]
    copies = []
    for data in (b"one", b"other"):
        given = [Forger(world, 0).contribution(root, data), *others]
        followed = settled(root, given)
        seals = tuple(
            Forger(world, seat).seal(root, followed.content.id)
            for seat in ((0, 1, 2) if data == b"one" else (0,))
        )
        link = extended(root, followed, Certificate(followed.content.id, 0, seals=seals))
        copies.append(link)
    assert (Seat(0), "E1") in guilty(copies[0], copies[1])


def test_a_binding_label_is_followed_across_copies() -> None:
    world = opened(("bind", "turn", "close"), 4)
    root = world.ledgers[Seat(0)].tip
    first = [Forger(world, seat).contribution(root, b"x") for seat in range(4)]
    followed = settled(root, first)
    seals = tuple(Forger(world, seat).seal(root, followed.content.id) for seat in range(4))
    one = extended(root, followed, Certificate(followed.content.id, 0, seals=seals))
    out = evicted(world, root, 1, [3])
    again = [
        Forger(world, seat).contribution(out, b"y" if seat == 1 else b"x") for seat in range(3)
    ]
    after = settled(out, again)
    seals = tuple(Forger(world, seat).seal(out, after.content.id) for seat in range(3))
    other = extended(out, after, Certificate(after.content.id, 0, seals=seals))
    found = guilty(one, other)
    assert (Seat(1), "E1") in found
    assert (Seat(0), "E1") not in found


def test_after_the_end_both_copies_are_whole() -> None:
    world = opened(("turn", "close", "close"))
    world.play(steps=3)
    over = next(link for link in world.ledgers[Seat(0)].tip.downwards() if link.state.is_over())
    one, other = evicted(world, over, 1, [2]), evicted(world, over, 2, [1])
    fork = compare_copies(one, other)
    assert fork is not None
    assert fork.is_after_the_end


def test_copies_of_another_game_at_the_table_are_no_less_a_fork() -> None:
    world = opened(("turn", "close"))
    world.play(steps=3)
    over = next(link for link in world.ledgers[Seat(0)].tip.downwards() if link.state.is_over())
    copies = []
    for below in (over, evicted(world, over, 1, [2])):
        followed = authored(below, Seat(0), b"again")
        seals = tuple(Forger(world, seat).seal(below, followed.content.id) for seat in below.roster)
        certificate = Certificate(followed.content.id, 0, seals=seals)
        copies.append(extended(below, followed, certificate))
    fork = compare_copies(copies[0], copies[1])
    assert fork is not None
    assert not fork.is_after_the_end
