"""A crash at every point of a lobby: nothing is lost, and nobody seals two charters.

A node crashes before it has stored what it did, after that, and between any two sends; then it is
opened again from what it stored. A random lobby does that with everything else that can happen.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodealer.kernel import LocalError, Reason
from nodealer.kernel.chance import Chance
from nodealer.lobby import Kept, hosting, visiting
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.moves import GuestPhase, HostPhase
from nodealer.lobby.record import (
    keep_guest,
    keep_host,
    look_at_guest,
    look_at_host,
    reopen_guest,
    reopen_host,
)
from tests.lobby.world import HOST, World, accepted, gathered, key_of, plan, secret_of, signer_of

NAMES = ("ben", "cleo")


def story(fuse: tuple[str, int] | None) -> World:
    """Tell how two come, one thinks again, and all sit down; somebody crashes on the way."""
    world = World(3)
    world.fuse = fuse
    for name in NAMES:
        world.comes(name)
    world.settle()
    if world.phase("ben") == "asked":
        world.accept("ben")
    world.settle()
    if world.phase("ben") == "accepted":
        world.do("ben", lambda: visiting.withdraw(world.guest("ben")))
    world.play()
    return world


def points(name: str) -> int:
    """Return how many points there are at which somebody can crash."""
    world = story((name, 1 << 20))
    assert world.fuse is not None
    return (1 << 20) - world.fuse[1]


POINTS = [(name, number) for name in (HOST, *NAMES) for number in range(1, points(name) + 1)]


@pytest.mark.parametrize("fuse", POINTS, ids=str)
def test_a_crash_at_any_point_changes_nothing_in_the_end(fuse: tuple[str, int]) -> None:
    world = story(fuse)
    assert world.fuse is None, "somebody has crashed"
    tables = [world.tables(name) for name in (HOST, *NAMES)]
    # The event may be lost with the crash; then it is in the lobby as it was opened again.
    assert len(set().union(*tables)) == 1
    foundings = [world.host.founding, *(world.guest(name).founding for name in NAMES)]
    assert {one.table for one in foundings if one is not None} == set().union(*tables)
    assert None not in foundings
    assert [one.seat for one in foundings if one is not None] == [0, 1, 2]


def test_after_a_restart_the_seed_is_that_of_the_answer() -> None:
    world = accepted("ben")
    before = world.guest("ben").seed
    world.restart("ben")
    world.settle()
    assert before is not None
    assert world.guest("ben").phase is GuestPhase.ACCEPTED
    assert world.guest("ben").seed == before
    world.restart(HOST)
    world.play()
    founding = world.guest("ben").founding
    assert founding is not None
    assert founding.seed == before


def test_a_host_never_uses_a_number_for_two_offers() -> None:
    world = gathered("ben", seats=3)
    world.do(HOST, lambda: hosting.change(world.host, plan(3, call=True)))
    offers = {world.host.number: world.host.offer}
    world.restart(HOST)
    assert world.host.offer == offers[world.host.number]
    world.do(HOST, lambda: hosting.change(world.host, plan(3)))
    assert world.host.number not in offers


def wishes(world: World, chance: Chance) -> list[Callable[[], None]]:
    """Return what could happen now, besides a message that arrives."""
    host = world.host
    found: list[Callable[[], None]] = [lambda: world.restart(HOST)]
    names = [name for name in world.nodes if name != HOST]
    for name in names:
        guest = world.guest(name)
        found += [lambda n=name: world.restart(n), lambda n=name: world.connect(n)]  # type: ignore[misc]
        if guest.phase is GuestPhase.ASKED:
            found += [lambda n=name: world.accept(n)] * 8  # type: ignore[misc]
        if guest.phase is GuestPhase.ACCEPTED:
            found.append(lambda n=name: world.do(n, lambda: visiting.withdraw(world.guest(n))))  # type: ignore[misc]
        if guest.phase is GuestPhase.OUT:
            invite = host.invite((), watches=guest.invite.watches)
            found.append(
                lambda n=name, i=invite: world.do(n, lambda: visiting.again(world.guest(n), i, n))  # type: ignore[misc]
            )
        elif guest.phase is not GuestPhase.FOUNDED and chance.happens(20):
            found.append(lambda n=name: world.do(n, lambda: visiting.leave(world.guest(n))))  # type: ignore[misc]
    come = f"guest {len(names)}"
    if len(names) < 5:
        watches = chance.happens(30)
        found += [lambda: world.comes(come, watches=watches)] * 2
    return found + of_host(world, chance)


def of_host(world: World, chance: Chance) -> list[Callable[[], None]]:
    """Return what the host could do now."""
    host, found = world.host, list[Callable[[], None]]()
    if host.phase is HostPhase.OFFERING and host.seed is None:
        found += [lambda: world.accept(HOST)] * 8
    if host.phase is HostPhase.READY:
        found += [lambda: world.do(HOST, lambda: hosting.start(host))] * 4
    if host.phase in (HostPhase.GATHERING, HostPhase.OFFERING, HostPhase.READY):
        if chance.happens(20) and host.guests:
            key = chance.pick(host.guests)
            found.append(lambda: world.do(HOST, lambda: hosting.remove(host, key)))
        if chance.happens(20):
            secrets = secret_of(world.draw()), secret_of(world.draw())
            found.append(lambda: world.do(HOST, lambda: hosting.renew(host, *secrets)))
        if chance.happens(20):
            people = sum(one is not None for one in host.seats)
            seats = max(2, people, chance.below(4) + 1)
            found.append(lambda: world.do(HOST, lambda: hosting.change(host, plan(seats))))
    return found


def require_one_table_at_most(world: World) -> None:
    """Raise if anybody has found itself at two tables, or two at different ones."""
    seen = set().union(*(world.tables(name) for name in world.nodes))
    foundings = [world.host.founding]
    foundings += [world.guest(name).founding for name in world.nodes if name != HOST]
    assert len(seen | {one.table for one in foundings if one is not None}) <= 1


def test_whatever_happens_nobody_sits_down_at_two_tables(is_full: bool) -> None:
    founded, count = 0, 600 if is_full else 12
    for seed in range(count):
        chance = Chance("lobby", seed)
        world = World(2 + chance.below(3), salt=seed)
        for _ in range(150):
            if world.wires and chance.happens(60):
                world.step()
                continue
            if chance.happens(30):
                node = chance.pick(sorted(world.nodes))
                world.fuse = (node, 1 + chance.below(6))
            chance.pick(wishes(world, chance))()
            require_one_table_at_most(world)
        founded += world.host.is_founded
    assert founded * 4 > count, "many of them get to a table"


def test_what_is_stored_comes_back_whole() -> None:
    world = accepted("ben", "cleo")
    world.comes("vera", watches=True)
    world.settle()
    host, guest = world.host, world.guest("ben")
    again = reopen_host(keep_host(host), signer_of(HOST))
    assert keep_host(again) == keep_host(host)
    assert again.offer == host.offer
    assert (again.answers, again.seed, again.turns) == (host.answers, host.seed, host.turns)
    assert again.links == {}
    twin = reopen_guest(keep_guest(guest), signer_of("ben"))
    assert keep_guest(twin) == keep_guest(guest)
    assert twin.phase is GuestPhase.ACCEPTED
    out, _ = visiting.leave(guest)
    assert reopen_guest(keep_guest(out), signer_of("ben")).over == r.LobbyOver()
    refused = m.NotAdmitted(guest.invite.lobby, Reason.LOBBY_CLOSED)
    told, _ = visiting.receive(guest, refused, key_of(HOST))
    over = reopen_guest(keep_guest(told), signer_of("ben")).over
    assert over == r.LobbyOver(Reason.LOBBY_CLOSED)


def test_a_seed_that_the_journal_has_is_forgotten_and_the_table_is_not() -> None:
    world = accepted("ben")
    world.play()
    for name, settle in (
        (HOST, lambda: hosting.settled(world.host)),
        ("ben", lambda: settled(world)),
    ):
        before = world.nodes[name].founding
        assert before is not None
        assert before.seed is not None
        assert before.seed in world.kept[name].data
        world.do(name, settle)
        assert before.seed not in world.kept[name].data
        world.restart(name)
        after = world.nodes[name].founding
        assert after is not None
        assert (after.agreed, after.seat, after.seed) == (before.agreed, before.seat, None)
    world.settle()
    assert world.tables("ben") == world.tables(HOST), "who comes back is told the charter still"
    assert len(world.tables(HOST)) == 1


def settled(world: World) -> visiting.Visit:
    return visiting.settled(world.guest("ben"))


def test_what_was_stored_of_another_or_is_damaged_is_refused() -> None:
    world = accepted("ben")
    host, guest = keep_host(world.host), keep_guest(world.guest("ben"))
    with pytest.raises(LocalError, match="another key"):
        reopen_host(host, signer_of("ben"))
    with pytest.raises(LocalError, match="another key"):
        reopen_guest(guest, signer_of(HOST))
    for kept in (Kept(host.data[:-1]), Kept(b""), guest):
        with pytest.raises(LocalError, match="encoding/"):
            reopen_host(kept, signer_of(HOST))
    for kept in (Kept(guest.data + b"\0"), host):
        with pytest.raises(LocalError, match="encoding/"):
            reopen_guest(kept, signer_of("ben"))


def test_no_secret_is_ever_shown() -> None:
    world = accepted("ben", "cleo")
    world.play()
    host, guest = world.host, world.guest("ben")
    assert guest.seed is not None
    assert host.seed is not None
    secrets = [host.keys.play.reveal(), host.keys.watch.reveal(), host.seed, guest.seed]
    values = [host, guest, host.keys, guest.invite, host.founding, guest.founding]
    values += [str(guest.invite), *world.kept.values(), *world.shown]
    for text in map(repr, values):
        for secret in secrets:
            assert repr(secret)[2:-1] not in text
            assert secret.hex() not in text
    sent = b"".join(m.write(message) for _, _, message in world.sent)
    assert not [secret for secret in secrets if secret in sent], "nor sent"


def test_a_guest_uses_a_newer_invite_to_the_same_lobby_and_no_other() -> None:
    world = accepted("ben")
    ben, newer = world.guest("ben"), world.host.invite(("/ip4/192.0.2.9/tcp/4009",))
    world.do("ben", lambda: visiting.redirected(ben, newer))
    assert world.guest("ben").invite.addresses == newer.addresses
    assert world.phase("ben") == "accepted"
    world.restart("ben")
    assert world.guest("ben").invite == newer
    with pytest.raises(LocalError) as caught:
        visiting.redirected(ben, World(salt=1).host.invite(()))
    assert caught.value.reason is Reason.LOBBY_UNKNOWN
    with pytest.raises(LocalError, match="who plays does not watch"):
        visiting.redirected(ben, world.host.invite((), watches=True))


def test_a_lobby_can_be_seen_without_the_key_of_its_owner() -> None:
    world = accepted("ben", "cleo")
    for seen in (look_at_host(world.kept[HOST]), look_at_guest(world.kept["ben"])):
        assert seen.offer == world.host.offer
        assert (seen.is_founded, seen.is_over) == (False, False)
    world.play()
    assert look_at_host(world.kept[HOST]).is_founded
    assert look_at_guest(world.kept["ben"]).is_founded
    gone = gathered("ben")
    gone.do("ben", lambda: visiting.leave(gone.guest("ben")))
    gone.do(HOST, lambda: hosting.leave(gone.host))
    assert look_at_host(gone.kept[HOST]).is_over
    assert look_at_guest(gone.kept["ben"]).is_over
    for look in (look_at_host, look_at_guest):
        with pytest.raises(LocalError, match="encoding/"):
            look(Kept(b""))


def test_a_record_of_another_version_says_so() -> None:
    world = gathered("ben")
    for kept, reopen in ((world.kept[HOST], reopen_host), (world.kept["ben"], reopen_guest)):
        older = Kept(kept.data.replace(b"\x02", b"\x01", 1))
        with pytest.raises(LocalError, match="another version of nodealer has written it"):
            reopen(older, signer_of(HOST))
