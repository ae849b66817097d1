"""The three sentences before a report, and hands that a record opens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nodealer.games import registry
from nodealer.games.base import AnyGame
from nodealer.kernel import Seat
from nodealer.ledger import AuthoredStep
from nodealer.verify import (
    JudgedFile,
    Transcript,
    exported,
    gist_of,
    joined,
    judge_bytes,
    lines_of,
    proven_counts,
    story,
    transcript_of,
    unreadable,
    write_transcript,
)
from tests.support.circle import Circle, circle
from tests.verify.forging import ending_with, entry_at, recontent
from tests.verify.forging import story as whole
from tests.verify.stage import fall_silent, find_small, stage
from tests.verify.test_judging import not_installed, open_end


def judged(
    transcript: Transcript | bytes, find: Callable[[str, int], AnyGame] = find_small
) -> JudgedFile:
    data = transcript if isinstance(transcript, bytes) else write_transcript(transcript)
    return judge_bytes(data, find_game=find)


def test_a_sound_game_has_a_winner_nobody_who_cheated_and_numbers() -> None:
    made = stage(3)
    made.finish()
    one = judged(made.record())
    assert one.report.history is not None
    assert one.report.history.results is not None
    (result,) = one.report.history.results
    assert result is not None
    won, honest, proven = gist_of(one)
    first, *others = (
        joined([f"seat {seat} (player {seat})" for seat in seats]) for seats in result.places
    )
    assert won == f"S{first[1:]} won" + "".join(f", then {seat}" for seat in others) + "."
    assert honest == "Nobody cheated: every signature, every proof and every move holds."
    counts = proven_counts(one)
    assert counts.shuffles == 3, "each seat shuffles the deck once"
    seals = sum(
        len(entry.certificate.seals) for entry in made.tables[Seat(0)].ledger.tip.downwards()
    )
    assert counts.countersignatures == seals
    assert f"3 shuffles with a proof each, {counts.proofs - 3} proofs of keys and cards" in proven
    assert f"{seals} countersignatures on {counts.steps} steps" in proven


def test_the_sentences_stand_before_the_table() -> None:
    one = judged(whole())
    lines = list(lines_of("x", one, ["x"]))
    assert lines[1] == f"  {gist_of(one)[0]}"
    assert lines.index("") < lines.index(f"  table {whole().charter.table.hex()}")


def test_who_cheated_is_named_and_who_won_each_game() -> None:
    won, cheated, _ = gist_of(judged(whole()))
    assert won.startswith("Game 1 was won by seat ")
    assert "; game 2 was won by seat 0 (player 0)." in won
    assert cheated == (
        "Somebody cheated, and that is proven: seat 1 (player 1) signed two different things where"
        " there may be one."
    )


def test_the_first_game_has_its_winner_while_the_second_is_played() -> None:
    made = stage(2)
    made.finish()
    made.again()
    won, _, _ = gist_of(judged(made.record()))
    assert won.startswith("Game 1 was won by seat ")
    assert won.endswith("; game 2 is not over.")


def test_a_game_that_is_not_over() -> None:
    _, transcript = open_end()
    won, honest, _ = gist_of(judged(transcript))
    assert won == "The game is not over: nobody has won yet."
    assert honest.startswith("Nobody cheated so far: ")


def test_who_was_silent_did_not_cheat() -> None:
    made = stage(4)
    fall_silent(made, Seat(3))
    _, honest, _ = gist_of(judged(made.record()))
    assert honest.endswith("; seat 3 (player 3) was left out on the word of the others alone.")


def test_a_record_that_is_wrong_names_its_culprit_or_nobody() -> None:
    step = entry_at(8).content.step
    assert isinstance(step, AuthoredStep)
    bad = recontent(entry_at(8), step=AuthoredStep(step.seat, b"\x00"))
    won, guilty, proven = gist_of(judged(ending_with(bad, 8)))
    assert won == "The game is not over: nobody has won yet."
    assert guilty == "The record is wrong at height 8, and seat 0 (player 0) is guilty of that."
    assert proven.startswith("Proven, as far as it holds, by 4 shuffles")
    assert " on 7 steps:" in proven
    entry = entry_at(8)
    seals = tuple(replace(seal, signature=bytes(64)) for seal in entry.certificate.seals)
    made_up = replace(entry, certificate=replace(entry.certificate, seals=seals))
    _, nobody, _ = gist_of(judged(ending_with(made_up, 8)))
    assert nobody == "The record is wrong at height 8, and nobody is proven guilty of that."


def test_without_the_rules_nothing_is_said_of_moves() -> None:
    made = stage(2)
    made.finish()
    won, honest, checked = gist_of(judged(made.record(), not_installed))
    assert won == "Who won only the rules can say, and they were not applied."
    assert honest.startswith("Nobody is proven to have cheated, but no move")
    assert checked.startswith("Checked: ")
    assert "legal" not in checked


def test_what_is_no_record_of_a_table_has_no_gist() -> None:
    assert gist_of(unreadable("nothing")) == ()
    assert gist_of(judged(replace(whole(), charter=replace(whole().charter, terms=b"x")))) == ()


def scored(made: Circle) -> bool:
    board = made.tables[Seat(0)].position.board
    hands = [slots for zone, slots in board.layout.zones.items() if zone.name == "hand"]
    return bool(hands) and all(slot in board.faces for slots in hands for slot in slots)


def test_hands_that_are_opened_to_be_counted_are_told() -> None:
    made = circle(2, registry.game("66"))
    made.play(until=scored)
    one = judge_bytes(transcript_of(made.tables[Seat(0)].ledger))
    (told,) = [
        entry.sentences
        for entry in story(one)
        if any(" wins round 1" in s for s in entry.sentences)
    ]
    board = made.tables[Seat(0)].position.board
    hands = {
        zone.seat: [board.faces[slot] for slot in slots]
        for zone, slots in board.layout.zones.items()
        if zone.name == "hand"
    }
    for seat, faces in hands.items():
        *some, last = faces
        assert f"player {seat}'s hand is open: {', '.join(some)} and {last}." in told
    entries = exported(one)["entries"]
    assert isinstance(entries, list)
    opened = [entry["hands"] for entry in entries if entry["hands"]]
    assert opened[-1] == [{"seat": seat, "faces": faces} for seat, faces in hands.items()]
