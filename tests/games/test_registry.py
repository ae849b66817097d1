"""Games are found by their id, ours and those of others; broken ones hurt nobody else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.cards import Board
from nodealer.games import AnyGame, RoundGame, deal, registry
from nodealer.games.api import Option
from nodealer.games.conformance import check_rules
from nodealer.games.macaua import MACAUA
from nodealer.games.registry import BUILT_IN, parse_options, resolve
from nodealer.kernel import LocalError, Reason, Seat
from nodealer.kernel.chance import Chance
from tests.games.installed import beside_us, install, install_sample


def test_our_games_are_there_without_any_installation() -> None:
    assert registry.game("macaua") is MACAUA
    assert registry.all_games()["macaua"] is MACAUA
    assert set(registry.all_games()) == set(BUILT_IN)


def test_a_game_is_found_in_each_of_its_versions() -> None:
    newest = registry.game("66")
    assert [one.version for one in (newest, *newest.earlier)] == [2, 1]
    assert registry.game("66", 2) is newest
    assert registry.game("66", 1) is newest.earlier[0]
    assert registry.all_games()["66"] is newest, "new tables are of the newest"
    told = "66 is installed in version 2 and 1, and this is version 3"
    with pytest.raises(LocalError, match=told) as caught:
        registry.game("66", 3)
    assert caught.value.reason is Reason.TABLE_RULES


def test_an_unknown_game_names_those_that_there_are() -> None:
    there_are = ", ".join(sorted(BUILT_IN))
    with pytest.raises(LocalError, match=f"there is no game 'poker'; there are {there_are}"):
        registry.game("poker")


@pytest.mark.parametrize("written", ["macua", "Macaua", "maccaua"])
def test_who_mistypes_a_game_is_told_which_is_near(written: str) -> None:
    with pytest.raises(LocalError, match=f"no game '{written}', perhaps macaua; there are"):
        registry.game(written)


def test_the_sample_game_is_found_and_keeps_the_rules(tmp_path: Path) -> None:
    install_sample(tmp_path)
    with beside_us(tmp_path):
        assert registry.game_ids() == tuple(sorted(["high-card", *BUILT_IN]))
        report = check_rules(registry.game("high-card"), rounds=2)
    assert report.games == 5 * 3 * 2
    assert report.left > 20
    with pytest.raises(LocalError):
        registry.game("high-card")


def test_what_is_installed_is_looked_at_once_until_somebody_says_so(tmp_path: Path) -> None:
    install_sample(tmp_path)
    registry.look_again()
    assert "high-card" not in registry.game_ids()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        assert "high-card" not in registry.game_ids()
        registry.look_again()
        assert "high-card" in registry.game_ids()
    assert "high-card" in registry.game_ids()
    registry.look_again()
    assert "high-card" not in registry.game_ids()


BROKEN = [
    # what the module says, what the entry point names, what the error tells
    ("raise RuntimeError('no')", "broken:GAME", r"cannot be loaded from broken:GAME.*RuntimeError"),
    ("import nowhere", "broken:GAME", "No module named 'nowhere'"),
    ("", "broken:GAME", "has no attribute 'GAME'"),
    ("GAME = 3", "broken:GAME", "is not a game, which is a"),
    ("from nodealer.games.macaua import MACAUA as GAME", "broken:GAME", "calls itself 'macaua'"),
    (
        "from nodealer.games import Game\nclass Half(Game):\n    id = 'broken'\nGAME = Half()",
        "broken:GAME",
        "abstract methods? '?actions'?, '?apply'?, '?duty'?, ",
    ),
]


@pytest.mark.parametrize(("text", "point", "told"), BROKEN)
def test_a_broken_game_is_told_of_only_when_asked_for(
    tmp_path: Path, text: str, point: str, told: str
) -> None:
    install(tmp_path, "broken_package", {"broken": point})
    (tmp_path / "broken.py").write_text(text)
    with beside_us(tmp_path):
        assert registry.game("macaua") is MACAUA
        assert registry.game_ids() == tuple(sorted(["broken", *BUILT_IN]))
        assert set(registry.all_games()) == set(BUILT_IN)
        assert tuple(registry.problems()) == ("broken",)
        with pytest.raises(LocalError, match=told):
            registry.game("broken")


def test_an_id_that_two_packages_offer_is_refused(tmp_path: Path) -> None:
    install(tmp_path, "one_package", {"same": "one:GAME"})
    install(tmp_path, "other_package", {"same": "other:GAME"})
    with (
        beside_us(tmp_path),
        pytest.raises(LocalError, match="offer a game 'same': one:GAME, other"),
    ):
        registry.game("same")


def test_nobody_takes_the_id_of_our_games(tmp_path: Path) -> None:
    install(tmp_path, "rival_package", {"macaua": "rival:GAME"})
    with beside_us(tmp_path), pytest.raises(LocalError, match="several packages offer"):
        registry.game("macaua")


def test_our_game_may_be_named_by_an_entry_point_as_well(tmp_path: Path) -> None:
    install(tmp_path, "our_package", {"macaua": registry.BUILT_IN["macaua"]})
    with beside_us(tmp_path):
        assert registry.game("macaua") is MACAUA


def test_options_not_given_have_their_defaults() -> None:
    options = resolve(MACAUA, 2, {"call": True})
    assert options == {
        "call": True,
        "first": "coin",
        "four_skips": False,
        "free_counter": False,
        "red_joker_ten": False,
        "seven_stops": False,
    }
    assert list(options) == sorted(options)


@pytest.mark.parametrize(
    ("seats", "given", "told"),
    [
        (1, {}, "2 to 10 seats, not 1"),
        (11, {}, "2 to 10 seats, not 11"),
        (2, {"cal": True}, "no option 'cal'; it has call, first"),
        (2, {"call": 1}, "call is yes or no, not 1"),
        (2, {"call": "yes"}, "call is yes or no, not 'yes'"),
        (2, {"first": "me"}, "first is one of coin, host, not 'me'"),
        (2, {"first": True}, "first is one of coin, host, not True"),
    ],
)
def test_bad_options_are_refused(seats: int, given: dict[str, int | str | bool], told: str) -> None:
    with pytest.raises(LocalError, match=told):
        resolve(MACAUA, seats, given)


def test_people_write_options_as_text() -> None:
    given = parse_options(MACAUA, ["call=yes", "four_skips=False", "first=host"])
    assert given == {"call": True, "four_skips": False, "first": "host"}
    assert resolve(MACAUA, 2, given)["first"] == "host"


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["call"], "given as name=value"),
        (["call=yes", "call=no"], "given twice"),
        (["call=perhaps"], "yes or no, not 'perhaps'"),
        (["cal=yes"], "no option 'cal'"),
    ],
)
def test_bad_texts_are_refused(texts: list[str], told: str) -> None:
    with pytest.raises(LocalError, match=told):
        resolve(MACAUA, 2, parse_options(MACAUA, texts))


def test_numbers_have_a_range(tmp_path: Path) -> None:
    install_sample(tmp_path)
    with beside_us(tmp_path):
        sample = registry.game("high-card")
    assert resolve(sample, 2, parse_options(sample, ["cards=6"]))["cards"] == 6
    for text in ("cards=7", "cards=0", "cards=-1", "cards=x", "cards=²"):
        with pytest.raises(LocalError, match="a number from 1 to 6"):
            resolve(sample, 2, parse_options(sample, [text]))
    with pytest.raises(LocalError, match="a number from 1 to 6"):
        resolve(sample, 2, {"cards": True})


def test_a_text_may_be_whatever_fits_its_pattern() -> None:
    option = Option("range", "a range", "1-7", pattern="[0-9]-[0-9]", examples=("3-7", "2-2"))
    game = replace(MACAUA, options=(option,))
    assert registry.values_of(option) == "a text such as 3-7"
    assert resolve(game, 2, parse_options(game, ["range=4-9"])) == {"range": "4-9"}
    for text in ("4-", "4-95", " 4-9", "4-9\n", ""):
        with pytest.raises(LocalError, match="range is a text such as 3-7"):
            resolve(game, 2, {"range": text})


def test_a_table_by_letters_has_defaults_of_its_own_where_a_game_says_so() -> None:
    window = Option("window", "seconds", 10, maximum=20, by_letters=0)
    game = replace(MACAUA, options=(window, Option("turns", "turns", 3, maximum=9)))
    assert resolve(game, 2, {}) == {"window": 10, "turns": 3}
    assert resolve(game, 2, {}, by_letters=True) == {"window": 0, "turns": 3}
    assert resolve(game, 2, {"window": 10}, by_letters=True) == {"window": 10, "turns": 3}
    wrong = replace(MACAUA, options=(replace(window, by_letters=21),))
    with pytest.raises(LocalError, match="a number from 0 to 20"):
        resolve(wrong, 2, {}, by_letters=True)


def test_a_game_that_says_nothing_has_defaults() -> None:
    view = deal(HIGH_CARD, [Seat(0), Seat(1)], resolve(HIGH_CARD, 2, {}), Chance("said")).view()
    bare: AnyGame = cast("AnyGame", super(RoundGame, HIGH_CARD))
    assert (bare.options, bare.policies, bare.version) == ((), ("void",), 1)
    assert (bare.status(view, {}), bare.remark(view, "1"), bare.bot()) == ((), "", None)
    assert (bare.milestones(), bare.seed_protocols()) == ((), ())
    assert bare.facts(None, Board(), None) == {}
    assert bare.looks({}) == {}
