"""One end of a link: each rule of the page, tried by hand over wires that the test moves."""

from __future__ import annotations

import pytest

from nodealer.kernel import Cause, Ended
from nodealer.kernel.limits import MESSAGE_BYTES_MAX
from nodealer.node.transport import timing
from nodealer.node.transport.frames import Ping, write_frame
from nodealer.node.transport.pulse import Pulse
from nodealer.node.transport.states import FOLLOWING, Happening, LinkState
from nodealer.node.transport.windows import Began
from tests.node.pair import FOLLOWER, LEADER, SECONDS, Pair, Wire
from tests.specs.pages import SPECS

BOTH = (LEADER, FOLLOWER)


@pytest.fixture
def pair() -> Pair:
    return Pair()


def up(pair: Pair) -> Wire:
    return pair.connect()


# --- coming up ---


def test_the_leading_end_speaks_first_and_the_other_answers(pair: Pair) -> None:
    wire = pair.open()
    assert [session.state for session in pair.sessions] == [LinkState.GREETING, LinkState.AWAY]
    assert not wire.waiting[LEADER]
    pair.deliver(wire, FOLLOWER)
    assert [session.state for session in pair.sessions] == [LinkState.GREETING, LinkState.UP]
    pair.deliver(wire, LEADER)
    assert pair.is_up
    assert [pair.take(end) for end in BOTH] == [Began(renewed=False)] * 2


def test_only_one_of_two_connections_is_used(pair: Pair) -> None:
    first, second = pair.open(), pair.open()
    pair.settle()
    assert pair.is_up
    assert first.is_broken
    assert not second.is_broken


def test_a_hello_that_a_newer_one_has_overtaken_is_passed_over(pair: Pair) -> None:
    first = pair.open()
    late = bytes(first.waiting[FOLLOWER])
    second = pair.open()
    pair.deliver(second, FOLLOWER)
    assert pair.sessions[FOLLOWER].state is LinkState.UP
    number = first.numbers[FOLLOWER]
    assert number is not None
    pair.sessions[FOLLOWER].bytes_in(number, late, pair.now)
    assert pair.sessions[FOLLOWER].current == second.numbers[FOLLOWER]
    assert not pair.sessions[FOLLOWER].is_wanted(number)
    pair.deliver(second, LEADER)
    assert pair.is_up


def test_a_newer_connection_takes_over_without_loss(pair: Pair) -> None:
    up(pair)
    for number in range(5):
        pair.send(LEADER, b"%d" % number)
        pair.send(FOLLOWER, b"%d" % number)
    pair.connect()
    assert pair.payloads(LEADER) == pair.payloads(FOLLOWER) == [b"0", b"1", b"2", b"3", b"4"]


def test_a_dead_connection_does_not_stand_in_the_way_of_a_new_one(pair: Pair) -> None:
    up(pair)  # of which nobody hears any more
    pair.connect()


def test_more_candidates_than_are_kept(pair: Pair) -> None:
    wires = [pair.open(FOLLOWER) for _ in range(timing.CANDIDATES_MAX + 2)]
    assert [wire.is_broken for wire in wires] == [True, True] + [False] * timing.CANDIDATES_MAX
    assert not pair.sessions[FOLLOWER].needs_connection


def test_a_flood_of_connections_is_not_taken_up(pair: Pair) -> None:
    wires = [pair.open(LEADER) for _ in range(timing.IDLE.at_once + 5)]
    assert [wire.is_broken for wire in wires[-6:]] == [False, True, True, True, True, True]
    pair.pass_time(SECONDS)
    assert not pair.open(LEADER).is_broken


# --- loss, acknowledgement, restart ---


def test_a_word_about_what_was_taken_is_not_lost_with_its_connection(pair: Pair) -> None:
    wire = up(pair)
    pair.send(LEADER, b"one")
    pair.deliver(wire, FOLLOWER)
    pair.take(FOLLOWER)
    pair.pass_time(timing.ACK_AFTER_US)
    assert wire.waiting[LEADER]  # the word, which nobody will read
    for end in BOTH:
        pair.lose(wire, end)
    pair.connect()
    pair.pass_time(timing.ACK_AFTER_US)
    pair.settle()
    assert len(pair.sessions[LEADER].outbox) == 0


def test_words_are_few(pair: Pair) -> None:
    wire = up(pair)
    for number in range(100):
        pair.send(LEADER, b"%d" % number)
    pair.deliver(wire, FOLLOWER)
    while pair.take(FOLLOWER) is not None:
        pass
    assert not wire.waiting[LEADER]
    pair.pass_time(timing.ACK_AFTER_US)
    assert len(wire.waiting[LEADER]) < 40


@pytest.mark.parametrize("size", [1, MESSAGE_BYTES_MAX])
def test_a_reader_that_takes_slowly_says_so_before_the_writer_must_wait(
    pair: Pair, size: int
) -> None:
    wire = up(pair)
    sent = 0
    while pair.send(LEADER, bytes([1]) * size):
        sent += 1
    assert sent == min(timing.WINDOW_FRAMES, timing.WINDOW_BYTES // size)
    pair.deliver(wire, FOLLOWER)
    for _ in range(sent // 2):
        pair.take(FOLLOWER)
    pair.deliver(wire, LEADER)
    assert pair.send(LEADER, bytes([1]) * size)


def test_what_was_meant_for_a_former_run_is_not_sent_to_the_next(pair: Pair) -> None:
    wire = up(pair)
    pair.lose(wire, LEADER)
    pair.send(LEADER, b"an answer to the former run")
    pair.restart(FOLLOWER)
    pair.connect()
    assert pair.payloads(FOLLOWER) == []
    assert pair.taken[LEADER][-1] == Began(renewed=True)
    pair.send(LEADER, b"to the new one")
    pair.settle()
    assert pair.payloads(FOLLOWER) == [b"to the new one"]


def test_what_a_former_run_has_sent_can_still_be_taken(pair: Pair) -> None:
    wire = up(pair)
    pair.send(FOLLOWER, b"last words")
    pair.deliver(wire, LEADER)
    pair.restart(FOLLOWER)
    wire = pair.open()
    pair.deliver(wire, FOLLOWER)
    pair.deliver(wire, LEADER)
    pair.send(FOLLOWER, b"first words")
    pair.deliver(wire, LEADER)
    items = [pair.take(LEADER) for _ in range(4)]
    assert items == [b"last words", Began(renewed=True), b"first words", None]
    pair.pass_time(SECONDS)
    pair.settle()
    assert len(pair.sessions[FOLLOWER].outbox) == 0


def test_runs_that_come_and_go_fill_no_queue(pair: Pair) -> None:
    for _ in range(5):
        wire = pair.open()
        pair.deliver(wire, FOLLOWER)
        pair.deliver(wire, LEADER)
        while pair.send(FOLLOWER, b"never taken"):
            pass
        pair.deliver(wire, LEADER)
        assert len(pair.sessions[LEADER].inbox) <= 2 * timing.WINDOW_FRAMES + 2
        pair.restart(FOLLOWER)


def test_both_can_restart(pair: Pair) -> None:
    up(pair)
    for end in BOTH:
        pair.restart(end)
    pair.connect()
    assert [items[-1] for items in pair.taken] == [Began(renewed=False)] * 2


def test_both_ends_have_one_name_for_a_meeting_and_another_for_the_next(pair: Pair) -> None:
    up(pair)
    first, other = (session.name for session in pair.sessions)
    pair.restart(FOLLOWER)
    pair.connect()
    second = {session.name for session in pair.sessions}
    assert first == other
    assert len(second) == 1
    assert first not in second


# --- the heartbeat ---


def test_pings_show_that_both_are_alive_and_how_far_away(pair: Pair) -> None:
    wire = up(pair)
    for _ in range(20):
        for end in BOTH:
            pair.pass_time(SECONDS // 20)
            pair.deliver(wire, end)
    assert pair.is_up
    for session in pair.sessions:
        assert session.pulse.rtt_us is not None
        assert 0 < session.pulse.rtt_us <= SECONDS // 5


def test_how_far_a_peer_is_shows_the_least_of_the_last_round_trips() -> None:
    pulse, now = Pulse(), 0
    pulse.begin(now)
    assert pulse.least_rtt_us is None
    for trip in (50, 7, 90, 60, 60, 60, 60, 60, 60):
        now = pulse.wake
        token = pulse.ping(now)
        assert token is not None
        pulse.answered(token, now + trip)
        assert pulse.least_rtt_us == (50 if trip == 50 else 7)
    token = pulse.ping(pulse.wake)
    assert token is not None
    pulse.answered(token, pulse.wake)
    pulse.begin(now)
    assert pulse.least_rtt_us is None, "the next connection may go another way"


def test_an_answer_that_may_have_waited_here_does_not_tell_how_far_a_peer_is() -> None:
    pulse = Pulse()
    pulse.begin(0)
    before = pulse.ping(0)
    pulse.forgive(5 * SECONDS)
    behind = pulse.ping(pulse.wake)
    assert before is not None
    assert behind is not None
    pulse.answered(before, 5 * SECONDS + 3)
    assert pulse.rtt_us == 3
    assert pulse.least_rtt_us is None
    pulse.answered(behind, 5 * SECONDS + 90)
    assert pulse.least_rtt_us is not None


def test_the_first_pings_follow_one_another_sooner() -> None:
    pulse = Pulse()
    for began in (0, 100 * SECONDS):
        pulse.begin(began)
        told: list[int] = []
        while len(told) < 12:
            told.append(pulse.wake - began)
            assert pulse.ping(pulse.wake - 1) is None
            token = pulse.ping(pulse.wake)
            assert token is not None
            pulse.heard(pulse.wake)
            pulse.answered(token, pulse.wake)
        first = [number * timing.FIRST_BEATS_US for number in range(9)]
        assert told == [*first, *(first[-1] + number * timing.BEAT_US for number in (1, 2, 3))]


def test_a_peer_of_which_nothing_is_heard_is_dead_after_seconds(pair: Pair) -> None:
    wire = up(pair)
    pair.pass_time(timing.SILENT_US - 1)
    assert pair.is_up
    pair.pass_time(1)
    assert [session.cause for session in pair.sessions] == [Cause.SILENT] * 2
    assert [session.state for session in pair.sessions] == [LinkState.AWAY] * 2
    assert wire.is_broken


def test_a_peer_that_sends_and_answers_nothing_is_dead_too(pair: Pair) -> None:
    wire = up(pair)
    session, number = pair.sessions[LEADER], wire.numbers[LEADER]
    assert number is not None
    while session.state is LinkState.UP:
        assert pair.now < timing.DEAF_US + 2 * SECONDS
        session.bytes_in(number, write_frame(Ping(pair.now)), pair.now)
        pair.pass_time(SECONDS)
    assert session.cause is Cause.DEAF
    assert pair.now >= timing.DEAF_US


def test_a_connection_without_a_hello_is_dropped(pair: Pair) -> None:
    wire = pair.open()
    pair.pass_time(timing.HELLO_US)
    assert [session.cause for session in pair.sessions] == [Cause.MUTE] * 2
    assert wire.is_broken
    assert all(session.needs_connection for session in pair.sessions)


def test_who_slept_does_not_hold_it_against_the_others(pair: Pair) -> None:
    wire = up(pair)
    pair.open(FOLLOWER)
    pair.now += 1000 * SECONDS
    for session in pair.sessions:
        session.tick(pair.now)
    assert pair.is_up
    pair.pass_time(SECONDS)
    for end in BOTH:
        pair.deliver(wire, end)
    assert pair.is_up


def test_the_next_look_at_the_clock_is_always_in_the_future(pair: Pair) -> None:
    wire = up(pair)
    session, number = pair.sessions[LEADER], wire.numbers[LEADER]
    assert number is not None
    for _ in range(100):
        # A writer that is stuck fetches nothing, however due.
        pair.now = session.wake
        session.tick(pair.now)
        session.bytes_in(number, b"", pair.now)
        assert session.wake > pair.now


@pytest.mark.parametrize(
    ("gap", "wait", "cause"),
    [
        (timing.SILENT_US, 0, Cause.ASLEEP),
        (timing.SILENT_US, timing.AWAKE_US // SECONDS, Cause.BROKEN),
        (timing.SILENT_US - 1, 0, Cause.BROKEN),
    ],
)
def test_what_is_lost_after_a_long_sleep_was_lost_in_it(
    pair: Pair, gap: int, wait: int, cause: Cause
) -> None:
    wire = up(pair)
    session = pair.sessions[LEADER]
    session.tick(pair.now)
    pair.now += gap
    session.tick(pair.now)
    for _ in range(wait):
        pair.pass_time(SECONDS)
        pair.settle()
    pair.lose(wire, LEADER)
    assert session.ended == Ended(cause, pair.now)
    # Who is greeted again is awake, whatever was before.
    second = pair.open()
    pair.lose(wire, FOLLOWER)
    pair.settle()
    pair.lose(second, LEADER)
    assert session.ended == Ended(Cause.BROKEN, pair.now)


def test_since_when_a_peer_is_reached_is_not_told_anew_by_what_it_survives(pair: Pair) -> None:
    first = up(pair)
    session, since = pair.sessions[LEADER], pair.now
    assert (session.is_reached, session.since, session.ended) == (True, since, None)
    pair.pass_time(SECONDS)
    second = pair.open(LEADER)
    assert session.state is LinkState.GREETING
    assert session.is_reached
    pair.lose(second, LEADER)  # before the hello: now there is none at all
    assert session.ended == Ended(Cause.TURNED_AWAY, pair.now)
    assert (session.is_reached, session.since) == (False, pair.now)
    lost = pair.now
    pair.pass_time(SECONDS)
    pair.lose(pair.open(LEADER), LEADER)
    assert session.since == lost
    del first


# --- the end ---


@pytest.mark.parametrize("end", BOTH)
def test_a_goodbye_waits_until_everything_is_taken(pair: Pair, end: int) -> None:
    wire = up(pair)
    pair.send(end, b"before I go")
    pair.sessions[end].goodbye(pair.now, 5 * SECONDS)
    pair.pump()
    pair.deliver(wire, 1 - end)
    assert pair.sessions[end].state is LinkState.UP
    assert not pair.send(end, b"and another thing")
    pair.take(1 - end)
    pair.pass_time(timing.ACK_AFTER_US)
    pair.deliver(wire, end)
    assert pair.sessions[end].state is LinkState.LEAVING
    pair.settle()
    assert [session.state for session in pair.sessions] == [LinkState.ENDED] * 2
    assert pair.sessions[end].cause is Cause.LEFT
    assert pair.sessions[1 - end].cause is Cause.PEER_LEFT
    assert not pair.send(1 - end, b"too late")


def test_patience_with_a_peer_that_takes_nothing_ends(pair: Pair) -> None:
    wire = up(pair)
    pair.send(LEADER, b"never taken")
    pair.sessions[LEADER].goodbye(pair.now, SECONDS)
    pair.sessions[LEADER].goodbye(pair.now, 100 * SECONDS)  # the first one counts
    pair.pass_time(SECONDS)
    assert pair.sessions[LEADER].state is LinkState.LEAVING
    pair.pass_time(timing.FAREWELL_US)
    assert pair.sessions[LEADER].state is LinkState.ENDED
    assert wire.is_broken


def test_a_goodbye_that_cannot_even_be_written(pair: Pair) -> None:
    up(pair)
    session = pair.sessions[LEADER]
    session.offer(b"x")
    session.goodbye(pair.now, SECONDS)
    while pair.now < SECONDS + timing.FAREWELL_US:
        assert session.state is LinkState.UP
        pair.now = min(session.wake, pair.now + SECONDS // 2)
        session.tick(pair.now)  # and nothing fetches what is to be written
    assert session.state is LinkState.ENDED


def test_a_goodbye_without_a_connection(pair: Pair) -> None:
    session = pair.sessions[LEADER]
    session.offer(b"for whoever comes")
    session.goodbye(pair.now, SECONDS)
    assert session.needs_connection
    pair.pass_time(SECONDS)
    assert session.state is LinkState.ENDED
    other = pair.sessions[FOLLOWER]
    other.goodbye(pair.now, SECONDS)
    assert other.state is LinkState.ENDED
    assert not other.needs_connection


def test_a_connection_lost_during_the_goodbye_is_the_end(pair: Pair) -> None:
    wire = up(pair)
    other = pair.open(FOLLOWER)
    pair.sessions[FOLLOWER].goodbye(pair.now, SECONDS)
    pair.pump()
    assert pair.sessions[FOLLOWER].state is LinkState.LEAVING
    assert other.is_broken
    assert pair.open(FOLLOWER).is_broken
    pair.lose(wire, FOLLOWER)
    assert pair.sessions[FOLLOWER].state is LinkState.ENDED
    assert pair.sessions[FOLLOWER].cause is Cause.LEFT


def test_while_leaving_payloads_are_still_taken(pair: Pair) -> None:
    wire = up(pair)
    pair.send(FOLLOWER, b"crossing")
    pair.sessions[LEADER].goodbye(pair.now, SECONDS)
    pair.pump()
    pair.deliver(wire, LEADER)
    assert pair.take(LEADER) == b"crossing"


def test_both_say_goodbye(pair: Pair) -> None:
    up(pair)
    for session in pair.sessions:
        session.goodbye(pair.now, SECONDS)
    pair.pump()
    pair.settle()
    assert [session.cause for session in pair.sessions] == [Cause.LEFT] * 2


def test_a_link_that_nobody_keeps_is_forgotten(pair: Pair) -> None:
    wire = up(pair)
    pair.sessions[LEADER].is_kept = False
    pair.pass_time(3 * SECONDS)
    for end in BOTH:
        pair.lose(wire, end)
    pair.pass_time(timing.FORGET_US - 1)
    assert pair.sessions[LEADER].state is LinkState.AWAY
    pair.pass_time(1)
    assert pair.sessions[LEADER].cause is Cause.FORGOTTEN
    assert pair.sessions[FOLLOWER].state is LinkState.AWAY


def test_what_has_ended_takes_up_nothing(pair: Pair) -> None:
    wire = up(pair)
    session = pair.sessions[LEADER]
    session.stop(Cause.STOPPED)
    session.stop(Cause.BROKEN)
    assert session.cause is Cause.STOPPED
    session.tick(pair.now)
    session.goodbye(pair.now, 0)
    pair.pump()
    assert wire.is_broken
    assert pair.open(LEADER).is_broken


# --- the table ---


def test_the_table_names_every_state_and_every_happening() -> None:
    assert set(FOLLOWING) == set(LinkState)
    assert {one for row in FOLLOWING.values() for one in row} == set(Happening)


def test_the_page_shows_the_table() -> None:
    page = (SPECS / "08-node.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{diagram()}\n```" in page


def diagram() -> str:
    """Return the diagram of the states, as the specs show it."""
    labels: dict[tuple[LinkState, LinkState], list[str]] = {}
    for state, row in FOLLOWING.items():
        for happening, after in row.items():
            labels.setdefault((state, after), []).append(happening.value)
    arrows = [
        f"    {state.value} --> {after.value}: {', '.join(words)}"
        for (state, after), words in labels.items()
    ]
    return "\n".join(["stateDiagram-v2", "    [*] --> away", *arrows, "    ended --> [*]"])
