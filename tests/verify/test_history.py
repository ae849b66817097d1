"""What a report tells of a table: who shuffled which deck, who was left out and why, who won.

What replay knows of decks and games is the second opinion: at every entry the deck itself says who
has shuffled it and which epoch it is of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from high_card.rules import State
from nodealer.cards import STOCK, Board
from nodealer.games.api import Action, Standing, Step
from nodealer.games.base import AnyGame
from nodealer.games.effects import Reshuffle
from nodealer.kernel import Seat
from nodealer.ledger import DueStep, EvictStep, Evidence, Leave, LedgerMessage
from nodealer.ledger.messages import Contributed, Left
from nodealer.ledger.objects import Evict, Keep
from nodealer.table import Replay, Setting, sit_down
from nodealer.verify import (
    JudgedFile,
    Transcript,
    Verdict,
    judge_bytes,
    lines_of,
    story,
    write_transcript,
)
from nodealer.verify.history import (
    Epoch,
    Evicted,
    Eviction,
    GameResult,
    History,
    Shuffle,
    eviction_of,
)
from tests.support.circle import agreed_by, player_of
from tests.verify.forging import empty, ending_with, entry_at, recontent, signed
from tests.verify.forging import story as whole
from tests.verify.make_golden import PLACE, RECORDS
from tests.verify.stage import (
    SMALL,
    Small,
    Stage,
    fall_silent,
    find_small,
    stage,
)
from tests.verify.test_evidence import refusal_of, vote_at
from tests.verify.test_judging import not_installed


def judged(
    transcript: Transcript | bytes, find: Callable[[str, int], AnyGame] = find_small
) -> JudgedFile:
    data = transcript if isinstance(transcript, bytes) else write_transcript(transcript)
    return judge_bytes(data, find_game=find)


def history_of(one: JudgedFile) -> History:
    assert one.report.history is not None
    return one.report.history


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


def points(*counts: int) -> tuple[tuple[Seat, int], ...]:
    return tuple((Seat(seat), count) for seat, count in enumerate(counts))


def printed(one: JudgedFile) -> str:
    return " ".join(" ".join(lines_of("x", one, ["x"])).split())


class Reshuffling(Small):
    """The small game, in which what is left of the deck is shuffled again after every card."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Lay a card, and shuffle."""
        step = super().apply(state, board, seat, chosen)
        return replace(step, effects=(*step.effects, Reshuffle(board.at(STOCK), STOCK)))


RESHUFFLING: AnyGame = Reshuffling()


def find_reshuffling(_: str, __: int) -> AnyGame:
    return RESHUFFLING


def begun(count: int, game: AnyGame = SMALL, loses: Callable[..., bool] | None = None) -> Stage:
    """Return a stage on which some messages are lost from the first one on."""
    players = [player_of(Seat(seat), "stage") for seat in range(count)]
    made = Stage(Setting(agreed_by(players, game, {"cards": 1}, salt="stage"), game))
    made.loses = loses or made.loses
    for player in players:
        made.do(player.seat, sit_down(made.setting, player))
    made.deliver()
    return made


def without(seat: int, kind: str) -> Callable[[Seat, Seat, LedgerMessage], bool]:
    """Lose what a seat contributes to its first step of a kind."""

    def loses(sender: Seat, _: Seat, message: LedgerMessage) -> bool:
        if sender != seat or not isinstance(message, Contributed):
            return False
        labels = [label for label, _ in message.contribution.payloads]
        return any(kind.encode() in label for label in labels)

    return loses


def broken_off(kind: str) -> bytes:
    """Return the record of a game that three go on with, the fourth silent in a step of a kind."""
    made = begun(4, loses=without(3, kind))
    made.wait(lambda: Seat(3) not in made.present().ledger.tip.roster)
    made.finish()
    return made.record()


# Who shuffled.


@cache
def reshuffled() -> bytes:
    made = begun(3, RESHUFFLING)
    made.finish()
    return made.record()


GOLDEN = {name: (PLACE / f"{name}.ndt").read_bytes for name in RECORDS}


@pytest.mark.parametrize("name", ["whole", "reshuffled", *RECORDS])
def test_who_shuffled_is_what_the_decks_themselves_say(name: str) -> None:
    if name in GOLDEN:
        one = judge_bytes(GOLDEN[name]())
    elif name == "whole":
        one = judged(whole())
    else:
        one = judged(reshuffled(), find_reshuffling)
    assert one.report.verdict is Verdict.COMPLETE
    assert one.tip is not None
    epochs = history_of(one).epochs
    told = {shuffle.height: shuffle for epoch in epochs for shuffle in epoch.shuffles}
    masks = {shuffle.masked: epoch for epoch in epochs for shuffle in epoch.shuffles}
    seen = 0
    for link in one.tip.downwards():
        assert isinstance(link.state, Replay)
        position = link.state.position
        pile = None if position.work is None else position.work.pile
        if pile is not None and pile.shuffled_by:
            assert told[link.height].seats == pile.shuffled_by
            seen += 1
        if link.height in masks:
            assert position.deck is not None
            assert masks[link.height].name == position.deck.epoch
    assert seen == len(told) > 0
    assert all(shuffle.broken_off is None for shuffle in told.values())


def test_every_deck_and_every_reshuffle_is_told_of() -> None:
    (epoch,) = history_of(judged(reshuffled(), find_reshuffling)).epochs
    assert [len(shuffle.seats) for shuffle in epoch.shuffles] == [3] * 4
    first = f"heights 2 to {epoch.shuffles[-1].height}"
    text = f"{first}: seats 0, 1 and 2 shuffled a deck and reshuffled 3 times"
    assert text in printed(judged(reshuffled(), find_reshuffling))
    told = [
        [shuffle.seats for shuffle in one.shuffles] for one in history_of(judged(whole())).epochs
    ]
    assert told == [[(0, 1, 2, 3)], [(0, 1, 2, 3)], [(0, 1, 2)], [(0, 1)]]


def test_a_deck_that_was_broken_off_before_anybody_shuffled_it() -> None:
    one = judged(broken_off("shuffle"))
    first, second = history_of(one).epochs
    assert first == Epoch(first.name, 1, (), 2)
    assert second.shuffles == (Shuffle(4, seats(0, 1, 2), 5),)
    assert "height 1: a deck was broken off at height 2, before anybody had shuffled" in printed(
        one
    )


def test_a_deck_that_was_broken_off_before_its_masks() -> None:
    one = judged(broken_off("mask"))
    first, second = history_of(one).epochs
    assert first == Epoch(first.name, 1, (Shuffle(2, seats(0, 1, 2, 3), None, 3),), 3)
    assert second.shuffles == (Shuffle(5, seats(0, 1, 2), 6),)
    assert "height 2: seats 0, 1, 2 and 3 shuffled a deck, broken off at height 3" in printed(one)
    assert "height 5: seats 0, 1 and 2 shuffled a deck height" in printed(one)


def test_a_deck_is_broken_off_once() -> None:
    """The next seat falls silent before there are keys for another deck."""
    fourth, third = without(4, "shuffle"), without(3, "keys")

    def loses(sender: Seat, to: Seat, message: LedgerMessage) -> bool:
        is_later = isinstance(message, Contributed) and message.contribution.height > 1
        return fourth(sender, to, message) or (is_later and third(sender, to, message))

    made = begun(5, loses=loses)
    made.wait(lambda: len(made.present().ledger.tip.roster) == 3)
    made.finish()
    history = history_of(judged(made.record()))
    assert [one.height for one in history.evictions] == [2, 3]
    assert [(one.height, one.broken_off) for one in history.epochs] == [(1, 2), (4, None)]


def test_a_reshuffle_that_was_broken_off_leaves_the_epoch_as_it_was() -> None:
    made = begun(3, RESHUFFLING)
    made.loses = without(2, "mask")
    made.lay()
    made.wait(lambda: Seat(2) not in made.present().ledger.tip.roster)
    made.finish()
    one = judged(made.record(), find_reshuffling)
    first, second = history_of(one).epochs
    whole_round, dropped = first.shuffles
    assert (whole_round.masked, whole_round.broken_off, first.broken_off) == (3, None, None)
    assert (dropped.masked, dropped.broken_off) == (None, dropped.height + 1)
    assert second.shuffles[0].seats == (0, 1)
    text = f"reshuffled once, the last was broken off at height {dropped.broken_off}"
    assert text in printed(one)


def test_two_who_vote_the_third_one_out_shuffle_alone_and_the_record_says_so() -> None:
    made = stage(3)
    fall_silent(made, Seat(2))
    made.finish()
    one = judged(made.record())
    assert (one.report.verdict, one.report.culprit) == (Verdict.COMPLETE, None)
    history = history_of(one)
    assert [epoch.shuffles[0].seats for epoch in history.epochs] == [(0, 1, 2), (0, 1)]
    (eviction,) = history.evictions
    assert eviction == Eviction(eviction.height, 1, (Evicted(Seat(2), ()),), seats(0, 1))
    text = f"height {eviction.height}: left out in round 1 by the votes of seats 0 and 1:"
    assert f"{text} seat 2 (player 2), on nobody's proof" in printed(one)
    assert f"height {eviction.height + 2}: seats 0 and 1 shuffled a deck" in printed(one)


# Who was left out.


def test_every_eviction_is_told_with_its_voters_and_its_grounds() -> None:
    assert history_of(judged(whole())).evictions == (
        Eviction(27, 1, (Evicted(Seat(3), ()),), seats(0, 1, 2)),
        Eviction(35, 1, (Evicted(Seat(2), ("left",)),), seats(0, 1)),
        Eviction(43, 1, (Evicted(Seat(1), ("E1",)),), seats(0)),
    )
    text = printed(judged(whole()))
    assert "by the votes of seats 0 and 1: seat 2 (player 2), who had left height 37" in text
    assert "by the votes of seat 0: seat 1 (player 1), on proof E1 height 43" in text


def test_grounds_that_were_cut_off_are_not_told() -> None:
    cut = replace(whole(), open=(), evidence=())
    evictions = history_of(judged(cut)).evictions
    assert [one.evicted[0].grounds for one in evictions] == [(), (), ("E1",)]


@pytest.mark.parametrize(("height", "grounds"), [(27, ("E2",)), (28, ())])
def test_what_somebody_does_later_was_no_ground(height: int, grounds: tuple[str, ...]) -> None:
    tip = judged(whole()).tip
    assert tip is not None
    link = tip.at(27)
    assert link is not None
    assert link.content is not None
    assert isinstance(link.content.step, EvictStep)
    votes = (vote_at(height, 1, Evict(seats(0)), 3), vote_at(height, 1, Evict(seats(1)), 3))
    known = (Evidence("E2", Seat(3), votes), Evidence("E2", Seat(1), votes))
    assert eviction_of(link, link.content.step, known).evicted == (Evicted(Seat(3), grounds),)


def kept() -> Transcript:
    """Return the story up to its first eviction, which a second round has kept."""
    entry = entry_at(27)
    certificate, content = entry.certificate, entry.content
    keepers = zip(certificate.votes, seats(0, 1, 3), strict=True)
    keep = Keep(content.id, 1)
    votes = tuple(signed(vote, round=2, choice=keep, seat=seat) for vote, seat in keepers)
    later = replace(certificate, rank=2, votes=votes)
    return ending_with(replace(entry, certificate=later, beside=(certificate,)), 27)


def test_an_eviction_that_was_kept_names_those_who_left_the_seat_out() -> None:
    one = judged(kept())
    assert one.report.failures == ()
    (eviction,) = history_of(one).evictions
    assert (eviction.round, eviction.voters) == (1, (0, 1, 2))
    assert one.tip is not None
    assert one.tip.rank == 2


def refuted() -> Transcript:
    """Return the story with an eviction on the ground of a refusal, which only rules can judge."""
    content = entry_at(10).content
    refusal = refusal_of(10, content.id, "rules/illegal")
    refusal = signed(refusal, seat=Seat(1))
    ground = Evidence("E6", Seat(1), (refusal,), (content,))
    entry = entry_at(43)
    certificate = replace(entry.certificate, grounds=(ground,))
    return ending_with(replace(entry, certificate=certificate), 43)


def test_a_proof_that_nobody_can_check_is_not_told_as_one() -> None:
    with_rules, without_rules = judged(refuted()), judged(refuted(), not_installed)
    assert history_of(with_rules).evictions[-1].evicted == (Evicted(Seat(1), ("E6",)),)
    assert without_rules.report.verdict is Verdict.UNCHECKED
    assert history_of(without_rules).evictions[-1].evicted == (Evicted(Seat(1), None),)
    assert "seat 1 (player 1), on a proof that was not checked" in printed(without_rules)
    told = {entry.height: entry.sentences for entry in story(without_rules)}
    assert told[43][0].endswith("player 1 (on a proof that was not checked).")
    told = {entry.height: entry.sentences for entry in story(with_rules)}
    assert told[43][0].endswith("player 1 (proven: refused what is good, or sealed what is not).")


@pytest.mark.parametrize("find", [find_small, not_installed])
def test_a_proof_that_lies_beside_a_majority_is_not_told(
    find: Callable[[str, int], AnyGame],
) -> None:
    """Whoever makes the file can lay it there; the seat is out by the votes alone."""
    good = next(one for one in entry_at(1).contributions if one.seat == 3)
    entry = entry_at(27)
    certificate = replace(entry.certificate, grounds=(Evidence("E5", Seat(3), (good,)),))
    one = judged(ending_with(replace(entry, certificate=certificate), 27), find)
    assert "not checked" not in printed(one)
    assert one.report.culprit is None


def test_a_seat_can_have_left_and_be_proven_false() -> None:
    place = entry_at(42).content
    leave = signed(Leave(place.table, place.height, place.id, 0, Seat(1), bytes(64)))
    one = judged(replace(whole(), open=(*whole().open, Left(leave))))
    assert history_of(one).evictions[-1].evicted == (Evicted(Seat(1), ("left", "E1")),)
    assert "seat 1 (player 1), who had left, on proof E1" in printed(one)
    told = {entry.height: entry.sentences for entry in story(one)}
    assert "player 1 (left, proven: signed two" in told[43][0]


# Who won.


def test_every_game_has_its_result() -> None:
    history = history_of(judged(whole()))
    assert history.results == (
        GameResult(15, (seats(1), seats(0, 2, 3)), points(0, 2, 0, 0)),
        GameResult(43, (seats(0), seats(1), seats(2), seats(3)), points(0)),
    )
    text = printed(judged(whole()))
    assert "height 15: game 1 was won by seat 1 (player 1), then seats 0, 2 and 3;" in text
    assert "points: 0 for seat 0, 2 for seat 1, 0 for seat 2 and 0 for seat 3" in text
    assert "height 43: game 2 was won by seat 0 (player 0), then seat 1, then seat 2" in text
    without_points = printed(judge_bytes(GOLDEN["two-players"]()))
    assert "height 49: game 1 was won by seat 1 (player 1), then seat 0 checks" in without_points


def test_a_game_that_is_not_over_has_none() -> None:
    cut = replace(whole(), entries=whole().entries[:30], open=(), evidence=())
    results = history_of(judged(cut)).results
    assert results is not None
    assert [result is None for result in results] == [False, True]


def test_without_the_rules_nobody_knows_who_won_but_who_shuffled() -> None:
    one, other = judged(whole(), not_installed), judged(whole())
    assert history_of(one).results is None
    assert history_of(one).epochs == history_of(other).epochs
    assert history_of(one).evictions == history_of(other).evictions
    assert "without the rules no proof was checked" in printed(one)
    assert "without the rules" not in printed(other)


@pytest.mark.parametrize(
    "standing",
    [
        Standing(((Seat(9),),)),
        Standing(()),
        Standing(((), (Seat(0),))),
        Standing(((Seat(0),),), {Seat(9): 1}),
    ],
)
def test_a_standing_that_makes_no_sense_says_nothing(standing: Standing) -> None:
    class Senseless(Small):
        def result(self, state: State) -> Standing | None:
            return None if super().result(state) is None else standing

    transcript = replace(whole(), open=(), evidence=())
    one = judge_bytes(write_transcript(transcript), find_game=lambda _, __: Senseless())
    assert history_of(one).results == (None, None)


def test_rules_that_fail_where_nothing_depends_on_it_say_nothing() -> None:
    asked: list[State] = []

    class Late(Small):
        def result(self, state: State) -> Standing | None:
            if any(one is state for one in asked):
                raise ZeroDivisionError
            asked.append(state)
            return super().result(state)

    transcript = replace(whole(), entries=whole().entries[:10], open=(), evidence=())
    one = judge_bytes(write_transcript(transcript), find_game=lambda _, __: Late())
    assert history_of(one).results == (None,)


# What is not believed.


def test_of_an_entry_in_which_a_check_failed_nothing_is_believed() -> None:
    for height in (2, 19, 27, 35):
        entry = entry_at(height)
        entries = list(whole().entries)
        entries[height - 1] = replace(entry, certificate=empty(entry.certificate))
        for find in (find_small, not_installed):
            one = judged(replace(whole(), entries=tuple(entries)), find)
            assert one.report.verdict is Verdict.INVALID
            history, sound = history_of(one), history_of(judged(whole(), find))
            heights = [shuffle.height for epoch in history.epochs for shuffle in epoch.shuffles]
            assert heights == [one for one in (2, 19, 29, 37) if one < height]
            assert history.evictions == tuple(
                eviction for eviction in sound.evictions if eviction.height < height
            )


def test_of_a_table_without_a_sound_charter_nothing_is_told() -> None:
    one = judged(replace(whole(), seals=whole().seals[:2]))
    assert one.report.history is None
    assert "shuffled" not in printed(one)


def unruled(height: int, kinds: dict[str, str]) -> JudgedFile:
    """Judge the story up to a height, with other kinds of parts in it, and without its rules."""
    entry = entry_at(height)
    assert isinstance(entry.content.step, DueStep)
    parts = tuple(
        replace(part, kind=kinds.get(part.kind, part.kind)) for part in entry.content.step.parts
    )
    made = recontent(entry, step=DueStep(parts))
    return judged(ending_with(made, height), not_installed)


def test_without_rules_a_deck_that_nobody_shuffled_has_no_shufflers() -> None:
    (epoch,) = history_of(unruled(2, {"shuffle": "mask"})).epochs
    assert epoch.shuffles == (Shuffle(2, (), 2),)
    assert "height 2: nobody shuffled a deck" in printed(unruled(2, {"shuffle": "mask"}))


def test_without_rules_what_is_only_called_a_shuffle_is_none_of_anybody() -> None:
    """The parts of an entry say what was due; the label says for what a seat has signed."""
    (epoch,) = history_of(unruled(3, {"mask": "shuffle"})).epochs
    assert [shuffle.seats for shuffle in epoch.shuffles] == [(0, 1, 2, 3), ()]


@pytest.mark.parametrize("kind", ["shuffle", "mask"])
def test_without_rules_there_may_be_steps_without_any_deck(kind: str) -> None:
    assert history_of(unruled(1, {"keys": kind})).epochs == ()
