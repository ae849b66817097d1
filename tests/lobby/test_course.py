"""How a lobby goes when all are honest: coming, going, accepting, and a table at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from nodealer.games.base import AnyGame
from nodealer.kernel import LocalError, Reason, Seat
from nodealer.ledger.ready import Took
from nodealer.lobby import address_record, hosting, visiting
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.terms import NewSeat
from nodealer.table import Setting, Table, sit_down
from tests.lobby.world import (
    ADDRESS,
    HOST,
    RULES,
    World,
    accepted,
    gathered,
    key_of,
    plan,
    player_of,
    secret_of,
    signer_of,
)

OTHER_RULES: AnyGame = replace(RULES, version=RULES.version + 1)  # type: ignore[type-var]


def founding_of(world: World, name: str) -> NewSeat:
    founding = world.host.founding if name == HOST else world.guest(name).founding
    assert founding is not None
    return founding


def test_all_accept_and_sit_at_one_table() -> None:
    world = gathered("ben", "cleo")
    world.play()
    tables = [founding_of(world, name).table for name in (HOST, "ben", "cleo")]
    assert len(set(tables)) == 1
    assert [founding_of(world, name).seat for name in (HOST, "ben", "cleo")] == [0, 1, 2]
    assert founding_of(world, "ben").agreed.terms.names == (HOST, "ben", "cleo")
    assert not world.dropped(HOST)


def test_the_ledger_goes_on_with_the_seals_of_all() -> None:
    world = gathered("ben", "cleo")
    world.play()
    tables: dict[Seat, Table] = {}
    queue = []
    for name in (HOST, "ben", "cleo"):
        founding = founding_of(world, name)
        setting = Setting(founding.agreed, RULES)
        table, ready = sit_down(setting, player_of(founding, signer_of(name)))
        assert table.seat is not None
        tables[table.seat] = table
        queue += [(table.seat, one.message) for one in ready.send]
    took: set[Seat] = set()
    while queue and len(took) < 3:
        sender, message = queue.pop(0)
        for seat, table in tables.items():
            if seat != sender:
                tables[seat], ready = table.receive(message, sender)
                queue += [(seat, one.message) for one in ready.send]
                took |= {seat for event in ready.show if isinstance(event, Took)}
    assert len(took) == 3


def test_a_seat_is_freed_and_taken_by_somebody_else() -> None:
    world = gathered("ben", "cleo")
    world.accept("cleo")
    world.settle()
    world.do("ben", lambda: visiting.leave(world.guest("ben")))
    world.settle()
    assert world.phase(HOST) == "gathering"
    assert world.phase("ben") == "out"
    assert world.phase("cleo") == "waiting"
    world.comes("dora")
    world.play()
    assert world.tables("dora") == world.tables("cleo") == world.tables(HOST) != set()
    assert founding_of(world, "dora").seat == 1


def test_an_answer_can_be_taken_back_and_given_again() -> None:
    world = accepted("ben")
    assert world.phase(HOST) == "ready"
    world.do("ben", lambda: visiting.withdraw(world.guest("ben")))
    world.settle()
    assert world.phase(HOST) == "offering"
    assert world.phase("ben") == "asked"
    world.do(HOST, lambda: hosting.withdraw(world.host))
    assert not world.host.answers
    assert world.host.seed is None
    world.play()
    assert world.tables("ben") == world.tables(HOST)


def test_what_was_taken_back_while_the_link_was_down_does_not_count() -> None:
    world = accepted("ben")
    world.cut = {("ben", HOST)}
    world.do("ben", lambda: visiting.withdraw(world.guest("ben")))
    world.settle()
    assert world.phase(HOST) == "ready"
    world.cut.clear()
    world.connect("ben")
    world.settle()
    assert world.phase(HOST) == "offering"
    assert list(world.host.answers) == [0]
    with pytest.raises(LocalError):
        hosting.start(world.host)


@pytest.mark.parametrize("is_closed", [False, True], ids=["open", "closed meanwhile"])
@pytest.mark.parametrize("is_linked", [False, True], ids=["without a link", "with a link"])
def test_who_answers_anew_while_the_host_begins_with_the_first_answer_has_its_seat(
    is_closed: bool, is_linked: bool
) -> None:
    world = accepted("ben", "cleo")
    world.cut = {("ben", HOST)} if not is_linked else set()
    world.do("ben", lambda: visiting.withdraw(world.guest("ben")))
    if is_closed:
        world.restart("ben")
    world.accept("ben")
    world.do(HOST, lambda: hosting.start(world.host))
    if not is_linked:
        world.cut.clear()
        world.connect("ben")
    world.settle()
    founding = founding_of(world, "ben")
    assert world.tables("ben") == world.tables("cleo") == world.tables(HOST) == {founding.table}
    assert player_of(founding, signer_of("ben")) is not None


def test_a_changed_plan_makes_all_answers_void() -> None:
    world = accepted("ben")
    world.do(HOST, lambda: hosting.change(world.host, plan(2, call=True)))
    world.settle()
    assert world.phase(HOST) == "offering"
    assert world.guest("ben").accepted is None
    world.play()
    assert dict(founding_of(world, "ben").agreed.terms.options)["call"] is True


def test_the_number_of_seats_can_change() -> None:
    world = gathered("ben", seats=3)
    assert world.phase(HOST) == "gathering"
    world.do(HOST, lambda: hosting.change(world.host, plan(2)))
    assert world.phase(HOST) == "offering"
    world.do(HOST, lambda: hosting.change(world.host, plan(4)))
    assert world.phase(HOST) == "gathering"
    world.comes("cleo")
    world.settle()
    with pytest.raises(LocalError, match="3 people sit here"):
        hosting.change(world.host, plan(2))


def test_the_host_removes_somebody_who_does_not_come_back() -> None:
    world = accepted("ben", "cleo")
    world.do(HOST, lambda: hosting.remove(world.host, key_of("ben")))
    world.settle()
    assert world.phase("ben") == "out"
    assert world.phase(HOST) == "gathering"
    world.comes("ben")
    world.settle()
    assert world.guest("ben").over == r.LobbyOver(Reason.LOBBY_REMOVED)
    for nobody in (HOST, "ben", "nobody"):
        with pytest.raises(LocalError):
            hosting.remove(world.host, key_of(nobody))


def test_new_secrets_keep_old_invites_out_and_guests_in() -> None:
    world = gathered("ben", seats=3)
    old = world.host.invite((ADDRESS,))
    world.do(HOST, lambda: hosting.renew(world.host, secret_of("new"), secret_of("newer")))
    world.connect("ben")
    world.settle()
    assert world.phase("ben") == "waiting"
    world.comes("cleo")
    world.invites["cleo"] = old, "cleo"
    world.kept.pop("cleo")
    world.restart("cleo")
    world.settle()
    assert world.guest("cleo").over == r.LobbyOver(Reason.LOBBY_SECRET)
    world.do("cleo", lambda: visiting.again(world.guest("cleo"), world.host.invite(()), "cleo"))
    world.connect("cleo")
    world.play()
    assert world.tables("cleo") == world.tables("ben") != set()


def test_a_closed_lobby_tells_everybody() -> None:
    world = gathered("ben", seats=3)
    world.do(HOST, lambda: hosting.leave(world.host))
    world.comes("cleo")
    world.settle()
    for name in ("ben", "cleo"):
        assert world.guest(name).over == r.LobbyOver(Reason.LOBBY_CLOSED)
    assert world.phase(HOST) == "closed"


def test_spectators_see_everything_and_answer_nothing() -> None:
    world = gathered("ben")
    world.comes("vera", watches=True)
    world.settle()
    assert world.phase(HOST) == "offering", "spectators take no seat"
    assert world.phase("vera") == "waiting"
    assert world.guest("vera").problem is None
    progress = world.guest("ben").progress
    assert progress is not None
    assert [one.name for one in progress.watchers] == ["vera"]
    world.play()
    founding = founding_of(world, "vera")
    assert (founding.seat, founding.seed) == (None, None)
    assert founding.table == founding_of(world, "ben").table


def test_a_spectator_leaves_and_comes_when_the_table_is_founded() -> None:
    world = gathered("ben")
    world.comes("vera", watches=True)
    world.settle()
    number = world.host.number
    world.do("vera", lambda: visiting.leave(world.guest("vera")))
    world.settle()
    assert world.host.number == number
    assert not world.host.watchers
    world.play()
    world.comes("will", watches=True)
    world.settle()
    assert world.tables("will") == world.tables("ben")
    world.do(HOST, lambda: hosting.receive(world.host, left(world), world.peer("will")))
    assert not world.host.watchers


def left(world: World) -> m.Leaving:
    return m.Leaving(world.host.keys.lobby)


def test_a_spectator_takes_a_seat_and_the_other_way_round() -> None:
    world = gathered("ben", seats=3)
    world.comes("vera", watches=True)
    world.settle()
    world.kept.pop("vera")
    world.comes("vera")
    world.settle()
    assert not world.host.watchers
    assert world.phase(HOST) == "offering"
    world.comes("ben", watches=True)
    world.settle()
    assert [one.name for one in world.host.watchers] == ["ben"]
    assert world.phase(HOST) == "gathering"


def test_a_guest_comes_back_to_its_seat_by_its_key_under_another_name() -> None:
    world = gathered("ben", "cleo")
    world.invites["ben"] = world.host.invite(()), "benjamin"
    world.kept.pop("ben")
    world.restart("ben")
    world.settle()
    assert [one.name for one in world.host.people] == [HOST, "benjamin", "cleo"]
    world.play()
    assert founding_of(world, "cleo").agreed.terms.names[1] == "benjamin"
    assert founding_of(world, "ben").seat == 1


def test_a_spectator_comes_back_under_another_name() -> None:
    world = gathered("ben")
    world.comes("vera", watches=True)
    world.settle()
    world.invites["vera"] = world.host.invite((), watches=True), "verena"
    world.kept.pop("vera")
    world.restart("vera")
    world.settle()
    assert [one.name for one in world.host.watchers] == ["verena"]


def test_addresses_reach_everybody_with_a_seat() -> None:
    world = gathered("ben", seats=3)
    world.comes("vera", watches=True)
    world.settle()
    for number, name in enumerate(("ben", HOST), 1):
        record = address_record(signer_of(name), number, (f"/dns4/{name}.example.org/tcp/1",))
        if name == HOST:
            world.do(HOST, lambda r=record: hosting.moved(world.host, r))  # type: ignore[misc]
        else:
            world.do(name, lambda r=record: visiting.moved(world.guest("ben"), r))  # type: ignore[misc]
        world.settle()
    world.comes("cleo")
    world.settle()
    assert world.guest("cleo").book.of(key_of("ben")) == ("/dns4/ben.example.org/tcp/1",)
    assert world.guest("cleo").book.of(key_of(HOST)) == ("/dns4/ana.example.org/tcp/1",)
    assert world.guest("ben").book.of(key_of(HOST)) == ("/dns4/ana.example.org/tcp/1",)
    assert world.guest("ben").book.of(key_of("cleo")) == ()
    assert not world.guest("vera").book.records
    world.connect("ben")
    world.settle()
    assert "lobby/address" in world.dropped(HOST), "told again, and no news"
    record = address_record(signer_of("ben"), 7, ())
    world.play()
    world.do(HOST, lambda: hosting.receive(world.host, record, world.peer("cleo")))
    world.settle()
    assert world.guest("cleo").book.records[key_of("ben")].number == 7


def test_wishes_that_do_not_fit_the_phase_are_local_errors() -> None:
    world = gathered("ben")
    ben, host = world.guest("ben"), world.host
    record = address_record(signer_of(HOST), 1, ())
    wishes: list[Callable[[], object]] = [
        lambda: visiting.withdraw(ben),
        lambda: visiting.again(ben, ben.invite, "ben"),
        lambda: visiting.accept(ben, 1, bytes(32), RULES),
        lambda: visiting.accept(ben, host.number, bytes(32), OTHER_RULES),
        lambda: hosting.start(host),
        lambda: hosting.withdraw(host),
        lambda: hosting.accept(host, 1, bytes(32)),
        lambda: hosting.moved(host, address_record(signer_of("nobody"), 1, ())),
        lambda: hosting.moved(hosting.moved(host, record)[0], record),
        lambda: hosting.moved(host, address_record(signer_of("ben"), 1, ())),
        lambda: visiting.knocking(host.invite(()), "ana", signer_of(HOST)),
        lambda: visiting.knocking(host.invite(()), "\n", signer_of("ben")),
        lambda: hosting.opened(plan(), " ", signer_of(HOST), host.keys),
    ]
    for wish in wishes:
        with pytest.raises(LocalError):
            wish()
    out, _ = visiting.leave(ben)
    with pytest.raises(LocalError):
        visiting.again(out, World(salt=1).host.invite(()), "ben")
