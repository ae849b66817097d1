"""Friends are known by their keys; a name under another key is told as what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nodealer.kernel import PeerError
from nodealer.store.friends import (
    Changed,
    Friend,
    Friends,
    Known,
    Lookalike,
    Renamed,
    Stranger,
    alike,
)
from nodealer.store.trouble import Trouble
from tests.store.damage import broken_into
from tests.store.players import identity_of
from tests.store.troubles import trouble

ANA, BEA, EVE = (identity_of(seat).public for seat in range(3))


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Friends]:
    made = Friends(tmp_path / "friends")
    made.remember("Ana", ANA, 100)
    made.remember("Bea", BEA, 100)
    yield made
    made.close()


def test_a_friend_is_known_again(book: Friends) -> None:
    assert book.meet("Ana", ANA) == Known(Friend(ANA, "Ana", 100, 100))
    book.remember("Ana", ANA, 200)
    assert book.meet("Ana", ANA) == Known(Friend(ANA, "Ana", 100, 200))


def test_a_friend_may_take_another_name(book: Friends) -> None:
    friend = Friend(ANA, "Ana", 100, 100)
    for name in ("Anna", "ana", "Ána"):
        assert book.meet(name, ANA) == Renamed(friend)
    book.remember("Anna", ANA, 300)
    assert book.meet("Anna", ANA) == Known(Friend(ANA, "Anna", 100, 300))
    assert book.meet("Ana", EVE) == Stranger()


def test_a_stranger_is_one(book: Friends) -> None:
    assert book.meet("Eve", EVE) == Stranger()


@pytest.mark.parametrize("name", ["Ana", "ANA", "\uff21na"])
def test_another_key_under_the_name_of_a_friend_is_shouted(book: Friends, name: str) -> None:
    assert book.meet(name, EVE) == Changed((Friend(ANA, "Ana", 100, 100),))


def test_a_friend_under_the_name_of_another_friend_is_shouted(book: Friends) -> None:
    assert book.meet("Bea", ANA) == Changed((Friend(BEA, "Bea", 100, 100),))


def test_two_friends_of_one_name_are_both_known_once_both_are_remembered(book: Friends) -> None:
    book.remember("Ana", EVE, 100)
    for key in (ANA, EVE):
        assert book.meet("Ana", key) == Known(Friend(key, "Ana", 100, 100))
    third = identity_of(3).public
    met = book.meet("Ana", third)
    assert isinstance(met, Changed)
    assert {one.key for one in met.friends} == {ANA, EVE}


@pytest.mark.parametrize("name", ["Аnа", "Αna", "An\u00e0", "A n a", "A.n.a", "An-a"])
def test_a_name_that_looks_like_that_of_a_friend_is_told(book: Friends, name: str) -> None:
    assert book.meet(name, EVE) == Lookalike((Friend(ANA, "Ana", 100, 100),))


def test_looking_remembers_nothing(book: Friends) -> None:
    before = list(book)
    for name, key in (("Ana", EVE), ("Eve", EVE), ("Anna", ANA)):
        book.meet(name, key)
    assert list(book) == before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lan", "Ian"),
        ("l00p", "loop"),
        ("MARTA", "МАRТА"),
        ("B8", "bb"),
        ("Zoë", "zoe"),
        ("\u00df", "ss"),
    ],
)
def test_what_looks_alike_is_alike(one: str, other: str) -> None:
    assert alike(one) == alike(other)


def test_what_looks_different_is_not_alike() -> None:
    names = ["Ana", "Bea", "Anab", "Na", "!!", "??", "李", "木"]
    assert len({alike(name) for name in names}) == len(names)


def test_names_that_cannot_be_shown_are_refused(book: Friends) -> None:
    for name in ("", "a" * 25, "a\u202eb", "a\nb", " a", "a\u200b"):
        with pytest.raises(PeerError, match="table/name"):
            book.meet(name, EVE)
        with pytest.raises(PeerError, match="table/name"):
            book.remember(name, EVE, 1)
    with pytest.raises(PeerError, match="signature/"):
        book.remember("Eve", bytes(31), 1)


def test_words_that_were_compared_are_remembered(book: Friends) -> None:
    book.confirm(ANA, 500)
    met = book.meet("Ana", ANA)
    assert met == Known(Friend(ANA, "Ana", 100, 100, 500))
    book.remember("Ana", ANA, 600)
    assert book.meet("Ana", ANA) == Known(Friend(ANA, "Ana", 100, 600, 500))
    assert book.meet("Ana", EVE) == Changed((Friend(ANA, "Ana", 100, 600, 500),))


def test_a_friend_can_be_forgotten(book: Friends) -> None:
    book.forget(ANA)
    assert book.meet("Ana", ANA) == Stranger()
    assert [one.name for one in book] == ["Bea"]


def test_the_book_is_kept_and_open_to_several(book: Friends, tmp_path: Path) -> None:
    other = Friends(tmp_path / "friends")
    other.remember("Eve", EVE, 7)
    assert [one.name for one in book] == ["Ana", "Bea", "Eve"]
    other.restore(Friend(EVE, "Mallory", 1, 1, 1))
    other.restore(Friend(identity_of(5).public, "Dan", 1, 2, 3))
    assert [(one.name, one.confirmed) for one in book] == [
        ("Ana", None),
        ("Bea", None),
        ("Dan", 3),
        ("Eve", None),
    ]
    other.close()
    assert (tmp_path / "friends").stat().st_mode & 0o777 == 0o600
    assert repr(book) == f"<friends in {tmp_path / 'friends'}>"


def test_a_book_that_two_make_at_once_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, exists = tmp_path / "friends", Path.exists
    first = Friends(path)
    first.remember("Ana", ANA, 1)
    answers = iter([False])
    monkeypatch.setattr(
        Path, "exists", lambda one: next(answers, exists(one)) if one == path else exists(one)
    )
    second = Friends(path)
    assert [one.name for one in second] == ["Ana"]
    first.close()
    second.close()


def test_a_damaged_book_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "friends"
    Friends(path).close()
    with broken_into(path) as database:
        database.execute("PRAGMA user_version = 9")
    with trouble(Trouble.NEWER):
        Friends(path)
    path.write_bytes(b"nonsense, and long enough to be none" * 20)
    with trouble(Trouble.FOREIGN):
        Friends(path)
