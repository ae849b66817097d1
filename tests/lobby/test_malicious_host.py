"""What a host tries that wants its guests to sit at another table than the one they accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from nodealer.crypto.signing import SigningKey
from nodealer.kernel import LocalError, Reason, Seat, encode
from nodealer.lobby import hosting, visiting
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.signed import UNSIGNED, check_offer, sign_offer
from nodealer.lobby.terms import answer_of, terms_of
from tests.lobby.world import HOST, World, accepted, gathered, key_of, player_of, signer_of
from tests.support.circle import hashed

ANA, BEN, CLEO = Seat(0), Seat(1), Seat(2)


def signed(offer: m.Offer, signer: SigningKey | None = None, **changes: object) -> m.Offer:
    """Return an offer with changes, signed by the host."""
    changed = replace(offer, **changes)  # type: ignore[arg-type]
    return replace(changed, signature=sign_offer(changed, signer or signer_of(HOST)))


def answer_to(offer: m.Offer, name: str, seat: Seat, salt: object = 0) -> m.SignedAnswer:
    """Return a good answer of somebody to an offer."""
    whole = answer_of(offer, key_of(HOST), seat, hashed("seed", salt, name), signer_of(name))
    return m.SignedAnswer(whole.sealing, whole.signature)


def tell(world: World, name: str, *messages: m.LobbyMessage, by: str = HOST) -> None:
    """Let a guest get messages of the host, or of somebody else."""
    for one in messages:
        data = m.write(one)
        world.do(name, partial(visiting.receive_bytes, world.guest(name), data, key_of(by)))


def completed(world: World) -> m.Complete:
    """Return the charter that an honest host would send now."""
    return world.host.complete


def test_the_charter_of_an_honest_host_is_taken() -> None:
    world = accepted("ben", "cleo")
    tell(world, "ben", completed(world))
    assert world.phase("ben") == "founded"


def test_different_terms_for_different_seats_come_to_nothing() -> None:
    world = gathered("ben", "cleo")
    one = world.host.offer
    other = signed(one, policy="void")
    tell(world, "cleo", signed(other, number=one.number + 1))
    mine = signed(one, number=one.number + 1)
    tell(world, "ben", mine)
    world.accept("ben")
    world.accept("cleo")
    own, theirs = world.guest("ben").accepted, world.guest("cleo").accepted
    assert own is not None
    assert theirs is not None
    ours = answer_to(mine, HOST, ANA)
    for forged in (theirs, answer_to(mine, HOST, CLEO)):
        answers = (ours, own, forged)
        tell(world, "ben", m.Complete(one.lobby, mine.number, answers))
        assert world.dropped("ben")[-1] == "signature/bad"
    assert world.phase("ben") == "accepted"
    assert not world.tables("ben") | world.tables("cleo")


def test_two_offers_under_one_number_show_the_host() -> None:
    world = accepted("ben")
    one = world.host.offer
    other = signed(one, policy="void")
    tell(world, "ben", other)
    assert world.guest("ben").over == r.LobbyOver(Reason.LOBBY_TWO_OFFERS)
    assert world.guest("ben").accepted is None
    (shown,) = world.events("ben", r.TwoOffers)
    assert isinstance(shown, r.TwoOffers)
    for offer in (shown.one, shown.other):
        check_offer(offer, key_of(HOST))
    tell(world, "ben", completed(world))
    assert not world.tables("ben")


def test_a_host_of_another_version_is_told_of_whatever_it_says() -> None:
    world = gathered("ben")
    host, lobby = key_of(HOST), world.host.keys.lobby
    for older in (
        encode((1, "lobby/offer", lobby)),
        encode((1, "lobby/refused", lobby, "lobby/version")),
        encode((3, "lobby/anything")),
    ):
        guest, ready = visiting.receive_bytes(world.guest("ben"), older, host)
        assert guest.over == r.LobbyOver(Reason.LOBBY_VERSION)
        assert ready.keep is not None
        assert not ready.send
        again, ready = visiting.receive_bytes(guest, older, host)
        assert (again.over, ready.keep) == (guest.over, None)
    guest, _ = visiting.receive_bytes(world.guest("ben"), encode((1, "lobby/offer")), key_of("x"))
    assert guest.over is None, "only the host's version matters"
    world = accepted("ben")
    world.do(HOST, lambda: hosting.start(world.host))
    world.settle()
    guest, _ = visiting.receive_bytes(world.guest("ben"), encode((1, "lobby/offer")), host)
    assert guest.over is None, "its table is founded"


def test_keys_that_the_host_has_swapped_are_noticed() -> None:
    world = accepted("ben", "cleo")
    good = completed(world)
    offer = world.host.offer
    swapped = answer_to(offer, HOST, CLEO)
    for answers, slug in (
        ((*good.answers[:2], swapped), "signature/bad"),
        ((*good.answers[:2], replace(good.answers[2], sealing=swapped.sealing)), "signature/bad"),
        ((good.answers[0], good.answers[2], good.answers[1]), "signature/bad"),
        (good.answers[:2], "lobby/answer"),
    ):
        tell(world, "ben", replace(good, answers=answers))
        assert world.dropped("ben")[-1] == slug
    assert world.phase("ben") == "accepted"


@pytest.mark.parametrize("is_anew", [False, True], ids=["taken back", "another answer"])
def test_a_charter_without_an_answer_of_the_moment_names_the_table_and_gives_no_seat_there(
    is_anew: bool,
) -> None:
    """Who has taken its answer back, or was put back to an older state, cannot seal any more."""
    world = accepted("ben", "cleo")
    first = completed(world)
    if is_anew:
        mine = (first.answers[0], answer_to(world.host.offer, "ben", BEN, "elsewhere"))
        first = replace(first, answers=(*mine, first.answers[2]))
    else:
        world.do("ben", lambda: visiting.withdraw(world.guest("ben")))
    phase = world.phase("ben")
    forged = answer_to(world.host.offer, "ben", BEN, "again")
    for answers in ((first.answers[0], forged, first.answers[1]), first.answers[:2]):
        tell(world, "ben", replace(first, answers=answers))
        assert world.phase("ben") == phase
    tell(world, "ben", first)
    for _ in range(2):
        founding = world.guest("ben").founding
        assert founding is not None
        assert (founding.seat, founding.seed) == (BEN, None)
        assert player_of(founding, signer_of("ben")) is None
        assert world.guest("ben").seed is None
        world.restart("ben")
    tell(world, "ben", replace(first, answers=(first.answers[0], forged, first.answers[2])))
    assert world.dropped("ben")[-1] == "lobby/unexpected"
    assert len(world.tables("ben")) == 1


def test_a_charter_of_an_offer_that_seats_somebody_else_is_not_followed() -> None:
    world = gathered("ben", "cleo")
    seats = (*world.host.offer.seats[:1], m.Attendee(key_of("dora"), "dora"))
    offer = signed(world.host.offer, number=world.host.number + 1, seats=seats)
    answers = (answer_to(offer, HOST, ANA), answer_to(offer, "dora", BEN))
    tell(world, "ben", offer, m.Complete(offer.lobby, offer.number, answers))
    assert world.dropped("ben")[-1] == "lobby/stale"
    assert world.phase("ben") == "waiting"


def test_options_changed_after_the_answer_need_another_answer() -> None:
    world = accepted("ben")
    old = completed(world)
    offer = signed(world.host.offer, number=old.number + 1, policy="void")
    tell(world, "ben", offer, old)
    assert world.phase("ben") == "asked"
    own = world.host.answers[BEN]
    tell(world, "ben", m.Complete(old.lobby, offer.number, (answer_to(offer, HOST, ANA), own)))
    world.accept("ben")
    for answers in ((answer_to(offer, HOST, ANA), own), old.answers):
        tell(world, "ben", m.Complete(old.lobby, offer.number, answers))
        assert world.dropped("ben")[-1] == "signature/bad"
    tell(world, "ben", old)
    assert world.dropped("ben")[-1] == "lobby/stale"
    assert world.phase("ben") == "accepted"


@pytest.mark.parametrize("name", ["nobody", "Ben"])
def test_who_is_dropped_or_renamed_cannot_accept(name: str) -> None:
    world = accepted("ben", "cleo")
    ana, _, cleo = world.host.seats
    other = m.Attendee(key_of("ben") if name == "Ben" else key_of(name), name)
    offer = signed(world.host.offer, number=world.host.number + 1, seats=(ana, other, cleo))
    tell(world, "ben", offer)
    assert world.phase("ben") == "waiting"
    assert world.guest("ben").problem is Reason.LOBBY_OFFER
    own = world.host.answers[BEN]
    answers = (answer_to(offer, HOST, ANA), own, answer_to(offer, "cleo", CLEO))
    tell(world, "ben", m.Complete(offer.lobby, offer.number, answers))
    assert world.dropped("ben")[-1] == ("signature/bad" if name == "Ben" else "lobby/stale")
    tell(world, "cleo", offer)
    assert world.phase("cleo") == "asked", "whose keys these are, the people must say"


def test_every_offer_has_terms_of_its_own() -> None:
    offer, host = gathered("ben").host.offer, key_of(HOST)
    others = [
        (replace(offer, number=offer.number + 1), host),
        (replace(offer, lobby=bytes(16)), host),
        (offer, key_of("ben")),
    ]
    made = [terms_of(one, by) for one, by in ((offer, host), *others)]
    assert len({one.hash for one in made if one is not None}) == 4
    assert len({one.lobby for one in made if one is not None}) == 4


def test_answers_of_another_lobby_do_not_fit() -> None:
    first, second = accepted("ben", "cleo"), World(3, salt="other")
    for name in ("ben", "cleo"):
        second.comes(name)
    second.settle()
    for name in (HOST, "ben"):
        second.accept(name)
    assert first.host.number == second.host.number
    own, mine = second.guest("ben").accepted, second.host.answers[ANA]
    assert own is not None
    foreign = first.host.answers[CLEO]
    complete = m.Complete(second.host.keys.lobby, second.host.number, (mine, own, foreign))
    tell(second, "ben", complete)
    assert second.dropped("ben")[-1] == "signature/bad"
    tell(second, "ben", completed(first))
    assert second.dropped("ben")[-1] == "lobby/unknown"


def test_a_host_that_never_completes_keeps_nobody() -> None:
    world = accepted("ben")
    world.connect("ben")
    world.settle()
    assert world.phase("ben") == "accepted"
    world.do("ben", lambda: visiting.leave(world.guest("ben")))
    tell(world, "ben", completed(world))
    assert not world.tables("ben")


def test_a_charter_that_is_shown_to_some_is_handed_on() -> None:
    world = accepted("ben", "cleo")
    world.cut = {(HOST, "cleo")}
    world.do(HOST, lambda: hosting.start(world.host))
    world.settle()
    assert world.tables("cleo") == world.tables("ben") == world.tables(HOST) != set()


def test_only_one_charter_is_ever_taken_in_a_lobby() -> None:
    world = accepted("ben")
    first = completed(world)
    other = replace(
        first, answers=(answer_to(world.host.offer, HOST, ANA, "new"), first.answers[1])
    )
    assert other != first
    tell(world, "ben", first, other)
    assert world.dropped("ben")[-1] == "lobby/unexpected"
    assert len(world.tables("ben")) == 1
    world.restart("ben")
    tell(world, "ben", other, signed(world.host.offer, number=9))
    assert len(world.tables("ben")) == 1
    for wish in (visiting.leave, visiting.withdraw):
        with pytest.raises(LocalError):
            wish(world.guest("ben"))


def test_who_was_refused_takes_no_charter() -> None:
    world = accepted("ben", "cleo")
    tell(world, "ben", m.NotAdmitted(world.host.keys.lobby, Reason.LOBBY_REMOVED))
    tell(world, "ben", completed(world), by="cleo")
    assert not world.tables("ben")


def test_what_only_the_host_may_say_is_not_taken_from_others() -> None:
    world = accepted("ben", "cleo")
    lobby, number = world.host.keys.lobby, world.host.number
    for message in (
        m.NotAdmitted(lobby, Reason.LOBBY_REMOVED),
        m.Progress(lobby, number, 0, ()),
    ):
        tell(world, "ben", message, by="cleo")
        assert world.dropped("ben")[-1] == "lobby/sender"
    tell(world, "ben", signed(world.host.offer, signer_of("cleo"), number=number + 1), by="cleo")
    assert world.dropped("ben")[-1] == "signature/bad"
    tell(world, "ben", m.Progress(lobby, number + 1, 0, ()))
    assert world.dropped("ben")[-1] == "lobby/stale"
    tell(world, "ben", m.Progress(lobby, number, 0, (m.Attendee(key_of("x"), "\x1b[2J"),)))
    assert world.dropped("ben")[-1] == "table/name"
    tell(world, "ben", completed(world), world.host.offer, by="eve")
    assert world.dropped("ben")[-2:] == ["lobby/sender"] * 2
    tell(world, "ben", m.Leaving(lobby))
    assert world.dropped("ben")[-1] == "lobby/unexpected"
    world.do("ben", lambda: visiting.receive_bytes(world.guest("ben"), b"\xff", key_of(HOST)))
    assert world.dropped("ben")[-1] == "encoding/indefinite"
    assert world.phase("ben") == "accepted"


Change = Callable[[m.Offer], m.Offer]


def seats(*people: tuple[str, str]) -> Change:
    made = tuple(m.Attendee(key_of(key), name) for key, name in people)
    return lambda offer: signed(offer, seats=made)


UNSOUND: dict[str, tuple[Change, str]] = {
    "nobody has signed": (lambda one: replace(one, signature=UNSIGNED), "signature/bad"),
    "a guest has signed": (lambda one: signed(one, signer_of("ben")), "signature/bad"),
    "an older number": (lambda one: signed(one, number=0), "lobby/stale"),
    "names alike": (seats((HOST, "Ben"), ("ben", "ben")), "table/name"),
    "a name that cannot be shown": (seats((HOST, "a\u202eb"), ("ben", "ben")), "table/name"),
    "one key twice": (seats(("ben", "ana"), ("ben", "ben")), "lobby/offer"),
    "no host": (seats(("cleo", "cleo"), ("ben", "ben")), "lobby/offer"),
    "a weak key": (
        lambda one: signed(one, seats=(one.seats[0], m.Attendee(bytes(32), "zero"))),
        "signature/weak-key",
    ),
    "a game that cannot be shown": (lambda one: signed(one, game="\x1b"), "lobby/offer"),
    "a policy that cannot be shown": (lambda one: signed(one, policy="é"), "lobby/offer"),
    "an option that cannot be shown": (
        lambda one: signed(one, options=(("a\n", 1),)),
        "lobby/offer",
    ),
    "a value that cannot be shown": (
        lambda one: signed(one, options=(("a", "\x07"),)),
        "lobby/offer",
    ),
    "an option of several values": (lambda one: signed(one, options=(("a", (1,)),)), "lobby/offer"),
    "no time": (lambda one: signed(one, clock=replace(one.clock, act=0)), "table/charter"),
}


@pytest.mark.parametrize("case", UNSOUND)
def test_an_offer_that_is_not_sound_is_not_shown(case: str) -> None:
    world = accepted("ben")
    change, slug = UNSOUND[case]
    later = signed(world.host.offer, number=world.host.number + 1)
    tell(world, "ben", change(later))
    assert world.dropped("ben") == [slug]
    assert world.phase("ben") == "accepted"


def test_a_lobby_that_one_is_out_of_can_be_tried_again_but_not_its_old_offers() -> None:
    world = accepted("ben")
    old, complete = world.host.offer, completed(world)
    world.do("ben", lambda: visiting.leave(world.guest("ben")))
    world.settle()
    guest = world.guest("ben")
    world.do("ben", lambda: visiting.again(guest, guest.invite, "benno"))
    tell(world, "ben", signed(old, number=old.number - 1))
    assert world.dropped("ben") == ["lobby/stale"]
    world.do("ben", lambda: visiting.leave(world.guest("ben")))
    world.do("ben", lambda: visiting.again(world.guest("ben"), guest.invite, "ben"))
    tell(world, "ben", old)
    assert world.phase("ben") == "asked", "it has to be accepted anew"
    world.accept("ben")
    tell(world, "ben", complete)
    founding = world.guest("ben").founding
    assert founding is not None
    assert founding.seed is None, "it had left, with the seed of the answer that is in there"
