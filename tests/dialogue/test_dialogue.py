"""What a page is told and may wish: one choice for all pages, and nothing left behind."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from nodealer.dialogue import (
    AcceptOffer,
    ClockListed,
    Dialogue,
    HomeShown,
    HostLobby,
    LobbyShown,
    PersonListed,
    SeatOffered,
    TableListed,
    TermShown,
    answered,
    dismissed,
    entered,
    gone,
    heard,
    next_text,
    opened,
    with_home,
    with_lobby,
    with_table,
)
from nodealer.dialogue.visit import REPLIES_MAX
from nodealer.games.registry import BUILT_IN, game
from nodealer.kernel import Seat
from nodealer.show import Command, LinePlace, Snapshot, chatted, held
from nodealer.show import opened as book_opened
from tests.dialogue.parlour import Parlour, Said, parlour
from tests.dialogue.schema import require_said
from tests.terminal.scenes import stalled_table

ME, BEA = Seat(0), Seat(1)

SEED = 3
"""Of a deal after which the first player has a card to play beside an ace."""


def kinds(said: list[Said]) -> list[str]:
    return [text["is"] for text in said]


def following() -> tuple[Parlour, Seat, int, Said]:
    """Return a parlour with a page at the seat that is asked, and the table it was told."""
    found = parlour(seed=SEED)
    seat = next(seat for seat in found.dialogues if found.snapshot(seat).legal)
    page = found.enter(seat)
    said = found.wish(seat, page, "follow")
    assert kinds(said) == ["hello", "answer", "table", "lines"]
    return found, seat, page, said[2]


def table_in(said: list[Said]) -> Said:
    """Return the newest table of what was said."""
    return [text for text in said if text["is"] == "table"][-1]


def card_of(table: Said) -> int:
    """Return a card that can be picked, and about which nothing is asked: no ace."""
    cards = [card for zone in table["zones"] for card in zone["cards"] if card.get("can")]
    return next(int(card["card"]) for card in cards if not card["face"].startswith("A"))


def refused(said: list[Said]) -> str:
    (answer,) = [text for text in said if text["is"] == "answer"]
    return str(answer.get("refused", ""))


def picked(table: Said) -> list[int]:
    return [c["card"] for zone in table["zones"] for c in zone["cards"] if c.get("picked")]


# A choice.


def test_nothing_is_said_before_a_page_follows() -> None:
    found = parlour()
    page = found.enter(ME)
    (hello,) = found.said(ME, page)
    assert require_said(hello)["version"] == 1
    found.show()
    assert found.said(ME, page) == []


def test_a_choice_is_made_step_by_step_and_leaves_when_it_is_said() -> None:
    found, seat, page, table = following()
    height, card = table["height"], card_of(table)
    table = table_in(found.wish(seat, page, "pick", height=height, card=card))
    assert picked(table) == [card] == table["choice"]["picked"]
    assert table["choice"]["play"]["says"]
    assert found.made.table.ledger.tip.height == height, "nothing has left"
    said = found.wish(seat, page, "play", height=height, action=table["choice"]["play"]["action"])
    assert kinds(said)[:2] == ["answer", "table"]
    assert found.made.table.ledger.tip.height > height
    assert table_in(said)["choice"]["picked"] == []


def test_steps_are_taken_back() -> None:
    found, seat, page, table = following()
    height, card = table["height"], card_of(table)
    found.wish(seat, page, "pick", height=height, card=card)
    assert kinds(found.wish(seat, page, "pick", height=height, card=card)) == ["answer"]
    for name in ("put-back", "back", "clear"):
        table = table_in(found.wish(seat, page, name, height=height, card=card))
        assert picked(table) == []
        table = table_in(found.wish(seat, page, "pick", height=height, card=card))
        assert picked(table) == [card]
    found.wish(seat, page, "clear", height=height)
    assert kinds(found.wish(seat, page, "put-back", height=height, card=card)) == ["answer"]


def test_what_is_undecided_is_asked_and_answered() -> None:
    found = parlour(game("take5"), options={"turn_count": 3, "deck_size": 10, "win_score": 200})
    seat = next(iter(found.dialogues))
    page = found.enter(seat)
    said = found.wish(seat, page, "follow")
    while not any(one.kind == "take" for one in found.snapshot(seat).legal):
        for other in found.dialogues:
            if legal := found.snapshot(other).legal:
                if legal[0].kind == "take":
                    seat = other
                    break
                found.made.act(other, legal[0])
        if any(one.kind == "take" for one in found.snapshot(seat).legal):
            break
    found.show()
    page = found.enter(seat)
    table = table_in(found.wish(seat, page, "follow"))
    height = table["height"]
    table = table_in(found.wish(seat, page, "choose", height=height, kind="take"))
    assert table["choice"]["play"] is None
    assert len(table["choice"]["asked"]["options"]) > 1
    assert refused(found.wish(seat, page, "play", height=height, action=0)) == "undecided"
    assert refused(found.wish(seat, page, "answer", height=height, option=99)) == "no-such-answer"
    table = table_in(found.wish(seat, page, "answer", height=height, option=1))
    assert table["choice"]["asked"] is None
    assert table["choice"]["play"]["says"]
    assert said


@pytest.mark.parametrize(
    ("what", "fields", "slug"),
    [
        ("pick", {"card": 9_999}, "card-not-playable"),
        ("choose", {"kind": "dance"}, "kind-not-allowed"),
        ("answer", {"option": 0}, "no-question"),
        ("play", {"action": 0}, "nothing-chosen"),
    ],
)
def test_a_step_that_cannot_be_made_is_refused_by_name(
    what: str, fields: dict[str, Any], slug: str
) -> None:
    found, seat, page, table = following()
    said = found.wish(seat, page, what, height=table["height"], **fields)
    assert (kinds(said), refused(said)) == (["answer"], slug)
    assert said[0]["says"]


@pytest.mark.parametrize("what", ["pick", "choose", "answer", "back", "clear", "play", "again"])
def test_what_was_meant_for_another_height_is_refused(what: str) -> None:
    found, seat, page, table = following()
    about = {"card": card_of(table), "kind": "draw", "option": 0, "action": 0}
    for height in (table["height"] - 1, table["height"] + 1):
        said = found.wish(seat, page, what, height=height, **about)
        assert (kinds(said), refused(said)) == (["answer"], "late")


def test_two_pages_are_one_player() -> None:
    found, seat, page, table = following()
    other = found.enter(seat)
    found.wish(seat, other, "follow")
    height, card = table["height"], card_of(table)
    here = table_in(found.wish(seat, page, "pick", height=height, card=card))
    there = table_in([json.loads(text) for text in found.said(seat, other)])
    assert here == there
    assert picked(there) == [card]
    action = there["choice"]["play"]["action"]
    found.wish(seat, other, "clear", height=height)
    table = table_in(found.wish(seat, other, "choose", height=height, kind="draw"))
    assert table["choice"]["play"]["action"] != action
    late = found.wish(seat, page, "play", height=height, action=action)
    assert refused(late) == "late", "this page has not seen what would be played"
    assert found.made.table.ledger.tip.height == height


def test_a_second_click_plays_nothing() -> None:
    found, seat, page, table = following()
    height = table["height"]
    table = table_in(found.wish(seat, page, "choose", height=height, kind="draw"))
    action = table["choice"]["play"]["action"]
    dialogue, request = heard(found.dialogues[seat], page, wish("play", height, action=action))
    assert request is not None
    _, again = heard(dialogue, page, wish("play", height, action=action))
    assert again is None


def wish(what: str, height: int, **fields: object) -> str:
    return json.dumps({"n": 5, "do": what, "height": height, **fields})


def test_who_is_not_asked_is_told_why() -> None:
    found, seat, page, table = following()
    other = next(one for one in found.dialogues if one != seat)
    page = found.enter(other)
    said = found.wish(other, page, "follow")
    assert not table_in(said)["is_asked"]
    said = found.wish(other, page, "pick", height=table["height"], card=card_of(table))
    assert refused(said) == "not-asked"
    assert "It is not your turn" in said[0]["says"]
    snapshot = snapshot_with_held(found, seat)
    dialogue, page = entered(with_table(opened(), snapshot))
    dialogue, _ = heard(dialogue, page, wish("pick", snapshot.height, card=card_of(table)))
    dialogue, _ = next_text(dialogue, page)
    assert "leaves in a moment" in str(next_text(dialogue, page)[1])


def snapshot_with_held(found: Parlour, seat: Seat) -> Snapshot:
    found.made.others[seat] = held(found.made.others[seat], is_held=True)
    return found.snapshot(seat)


# Wishes.


@pytest.mark.parametrize(
    ("text", "to", "slug"),
    [
        ("", None, "malformed"),
        ("[1]", None, "malformed"),
        ("{}", None, "malformed"),
        ('{"n": true, "do": "follow"}', None, "malformed"),
        ('{"n": -1, "do": "follow"}', None, "malformed"),
        ('{"n": 9007199254740992, "do": "follow"}', None, "malformed"),
        ('{"n": 1.0, "do": "follow"}', None, "malformed"),
        ('{"n": 1}', 1, "malformed"),
        ("[" * 60_000, None, "malformed"),
        ("1" * 60_000, None, "malformed"),
        (json.dumps({"n": 1, "do": "say", "text": "x" * 70_000}), None, "too-long"),
        ('{"n": 1, "do": "say", "text": "' + "王" * 30_000 + '"}', None, "too-long"),
        ('{"n": 2, "do": "dance"}', 2, "unknown-wish"),
        ('{"n": 3, "do": "pick", "height": 1}', 3, "bad-field"),
        ('{"n": 3, "do": "pick", "height": 1, "card": "1"}', 3, "bad-field"),
        ('{"n": 3, "do": "choose", "height": 1, "kind": "' + "x" * 201 + '"}', 3, "bad-field"),
        ('{"n": 3, "do": "leave"}', 3, "bad-field"),
        ('{"n": 3, "do": "mute", "seat": 10}', 3, "bad-field"),
        ('{"n": 3, "do": "mute", "seat": 9}', 3, "bad-field"),
        ('{"n": 3, "do": "follow", "log": [1]}', 3, "bad-field"),
        ('{"n": 3, "do": "follow", "log": [1, -1]}', 3, "bad-field"),
        ('{"n": 3, "do": "practise", "game": "x", "seats": 2, "options": []}', 3, "bad-field"),
        (
            '{"n": 3, "do": "practise", "game": "x", "seats": 2, "options": {"a": 0.5}}',
            3,
            "bad-field",
        ),
        ('{"n": 3, "do": "piece", "data": "§"}', 3, "bad-field"),
        (json.dumps({"n": 3, "do": "piece", "data": "A" * 60_004}), 3, "bad-field"),
        ('{"n": 3, "do": "step", "to": 3}', 3, "not-here"),
        ('{"n": 3, "do": "accept", "offer": 3}', 3, "not-here"),
        ('{"n": 3, "do": "again", "height": 0}', 3, "late"),
    ],
)
def test_what_is_no_wish_is_refused_by_name(text: str, to: int | None, slug: str) -> None:
    found, seat, page, _ = following()
    found.hear(seat, page, text)
    (said,) = [require_said(one) for one in found.said(seat, page)]
    assert (said["to"], said["refused"]) == (to, slug)


def test_what_is_unknown_in_a_wish_is_passed_over() -> None:
    found, seat, page, table = following()
    said = found.wish(seat, page, "back", height=table["height"], colour="green")
    assert said == [{"is": "answer", "to": 1}]


def test_rules_and_links_are_sent_when_asked_for() -> None:
    found, seat, page, _ = following()
    said = found.wish(seat, page, "rules")
    assert kinds(said) == ["answer", "rules"]
    assert said[1]["text"].startswith("# Macaua\n")
    said = found.wish(seat, page, "links")
    assert kinds(said) == ["answer", "links"]
    require_said(json.dumps(said[1]))


def test_people_talk_are_muted_and_leave() -> None:
    found, seat, page, _ = following()
    other = next(one for one in found.dialogues if one != seat)
    said = found.wish(seat, page, "say", text="hm")
    assert kinds(said) == ["answer", "chat"]
    assert said[1]["lines"] == [{"seat": seat, "number": 1, "text": "hm"}]
    assert refused(found.wish(seat, page, "mute", seat=seat)) == "bad-field"
    table = table_in(found.wish(seat, page, "mute", seat=other))
    assert table["seats"][other]["is_muted"]
    assert not table_in(found.wish(seat, page, "unmute", seat=other))["seats"][other]["is_muted"]
    assert refused(found.wish(seat, page, "again", height=table["height"])) == "not-here"
    assert table_in(found.wish(seat, page, "leave", sure=True))["state"] == "left"


def test_a_table_is_put_away_where_nobody_can_go_on() -> None:
    found, seat, page, _ = following()
    assert refused(found.wish(seat, page, "put-away")) == "not-here"
    dialogue, page = entered(with_table(opened(), stalled_table().snapshot()))
    _, request = heard(dialogue, page, '{"n": 1, "do": "put-away"}')
    assert request is not None
    assert request.wish == Command("put-away")


def test_another_game_can_be_asked_for_when_one_is_over() -> None:
    found, seat, page, _ = following()
    found.made.bots_play(400)
    found.show()
    said = [require_said(text) for text in found.said(seat, page)]
    table = table_in(said)
    assert table["may_again"]
    assert refused(found.wish(seat, page, "again", height=table["height"] - 1)) == "late"
    table = table_in(found.wish(seat, page, "again", height=table["height"]))
    assert table["games"] == 2


def test_who_may_not_begin_another_game_says_that_it_would_be_welcome() -> None:
    found, seat, page, _ = following()
    found.made.bots_play(400)
    found.show()
    host = table_in([require_said(text) for text in found.said(seat, page)])
    assert (host["may_again"], host["may_wish_again"], host["wishes_again"]) == (True, False, "")
    guest = next(one for one in found.dialogues if one != seat)
    other = found.enter(guest)
    table = table_in(found.wish(guest, other, "follow"))
    assert (table["may_again"], table["may_wish_again"]) == (False, True)
    said = found.wish(guest, other, "again", height=table["height"])
    assert not table_in(said)["may_wish_again"]
    assert found.made.snapshot().games == 1
    host = table_in([require_said(text) for text in found.said(seat, page)])
    assert host["wishes_again"] == f"Would like to play again: {host['seats'][guest]['name']}."
    assert refused(found.wish(guest, other, "again", height=table["height"])) == "not-here"


def test_what_is_refused_by_whoever_carries_it_out_is_told() -> None:
    found, seat, page, _ = following()
    dialogue, request = heard(found.dialogues[seat], page, '{"n": 4, "do": "say", "text": "x"}')
    assert request is not None
    found.dialogues[seat] = answered(dialogue, request, "too many lines")
    (said,) = [require_said(one) for one in found.said(seat, page)]
    assert (said["refused"], said["says"]) == ("not-granted", "too many lines")
    found.dialogues[seat] = answered(found.dialogues[seat], request, says="done")
    assert json.loads(found.said(seat, page)[0]) == {"is": "answer", "to": 4, "says": "done"}


# Lines.


def lines_in(said: list[Said]) -> list[tuple[int, int]]:
    return [(one["at"][0], one["at"][1]) for t in said if t["is"] == "lines" for one in t["lines"]]


def test_a_page_that_comes_back_gets_the_lines_since() -> None:
    found, seat, _, table = following()
    whole = [one.at for one in found.snapshot(seat).log]
    for known in whole:
        page = found.enter(seat)
        said = found.wish(seat, page, "follow", mark=table["mark"], log=list(known))
        (lines,) = [text for text in said if text["is"] == "lines"]
        kept = [at for at in whole if at.height < lines["from"]]
        assert [*kept, *lines_in(said)] == whole
        assert lines["from"] == known.height
        assert "gone" not in lines
        assert found.wish(seat, page, "back", height=table["height"]) == [{"is": "answer", "to": 1}]


def test_lines_of_another_table_are_not_taken_for_those_of_this_one() -> None:
    found, seat, _, _ = following()
    page = found.enter(seat)
    said = found.wish(seat, page, "follow", mark="other", log=[999, 0], chat=[0, 7])
    assert lines_in(said) == [one.at for one in found.snapshot(seat).log]
    page = found.enter(seat)
    said = found.wish(seat, page, "follow", mark=found.snapshot(seat).mark, log=[999, 0])
    (lines,) = [text for text in said if text["is"] == "lines"]
    tip = found.snapshot(seat).log[-1].at
    assert (lines["from"], lines_in(said)[-1]) == (tip.height, tip), "more than there is"


def test_names_of_lines_outlive_a_restart() -> None:
    found, seat, page, table = following()
    found.wish(seat, page, "say", text="hm")
    table = table_in(found.wish(seat, page, "choose", height=table["height"], kind="draw"))
    said = found.wish(
        seat, page, "play", height=table["height"], action=table["choice"]["play"]["action"]
    )
    before = {one.at: one.text for one in found.snapshot(seat).log}
    fresh = book_opened(replace(found.made.others[seat], log=()), found.made.tables[seat], 0)
    assert {one.at: one.text for one in fresh.log} == before
    assert lines_in(said)


def test_lines_that_are_gone_are_told_to_be_gone() -> None:
    found, seat, page, table = following()
    book = found.made.others[seat]
    found.made.others[seat] = replace(book, log=book.log[3:])
    found.show()
    said = found.wish(seat, found.enter(seat), "follow", mark=table["mark"], log=[0, 0])
    (lines,) = [text for text in said if text["is"] == "lines"]
    assert lines["gone"]
    assert found.said(seat, page) == [], "who has them misses nothing"
    said = found.wish(seat, found.enter(seat), "follow")
    assert [text["gone"] for text in said if text["is"] == "lines"] == [True]
    known = list(book.log[-1].at)
    said = found.wish(seat, found.enter(seat), "follow", mark=table["mark"], log=known)
    assert not [text for text in said if text.get("gone")]


def test_long_logs_and_chats_come_in_several_texts() -> None:
    found, seat, _, _ = following()
    book, long = found.made.others[seat], "x" * 1_900
    line = book.log[-1]
    log = [replace(line, at=LinePlace(50, n), text=f"{n} {long}") for n in range(100)]
    found.made.others[seat] = replace(book, log=tuple(log))
    for number in range(1, 301):
        book = found.made.others[seat]
        found.made.others[seat] = chatted(book, BEA, number, f"{number} {long}")
    found.show()
    page = found.enter(seat)
    said = found.wish(seat, page, "follow")
    assert lines_in(said) == [one.at for one in log]
    talk = [text for text in said if text["is"] == "chat"]
    assert [one["number"] for text in talk for one in text["lines"]] == list(range(1, 301))
    assert len(talk) > 1
    assert max(len(text.encode()) for text in found.texts[seat]) <= 65_536
    assert not any(text["anew"] for text in talk)


def test_chat_goes_on_behind_the_line_that_is_known() -> None:
    found, seat, page, table = following()
    for text in ("a", "b", "c"):
        found.wish(seat, page, "say", text=text)
    mark = table["mark"]
    said = found.wish(seat, found.enter(seat), "follow", mark=mark, chat=[seat, 2])
    (talk,) = [text for text in said if text["is"] == "chat"]
    assert ([one["text"] for one in talk["lines"]], talk["anew"]) == (["c"], False)
    said = found.wish(seat, found.enter(seat), "follow", mark=mark, chat=[seat, 9])
    (talk,) = [text for text in said if text["is"] == "chat"]
    assert (len(talk["lines"]), talk["anew"]) == (3, True)


# Pages.


def test_a_page_that_reads_nothing_costs_nothing_and_is_whole_again_at_once() -> None:
    found, seat, page, _ = following()
    asleep = found.dialogues[seat].visits[page]
    found.made.bots_play(400)
    found.show()
    assert found.made.table.position.is_closed
    assert found.dialogues[seat].visits[page] == asleep
    said = [require_said(text) for text in found.said(seat, page)]
    assert kinds(said)[0] == "table"
    assert kinds(said).count("table") == 1
    assert said[0]["state"] == "over"
    assert lines_in([require_said(text) for text in found.texts[seat]]) == [
        one.at for one in found.snapshot(seat).log
    ]


def test_who_wishes_and_never_reads_is_not_heard_any_more() -> None:
    found, seat, page, table = following()
    for _ in range(3 * REPLIES_MAX):
        found.hear(seat, page, wish("back", table["height"]))
    assert len(found.dialogues[seat].visits[page].replies) == 1
    (bye,) = [require_said(text) for text in found.said(seat, page)]
    assert (bye["is"], bye["why"]) == ("bye", "flood")
    found.hear(seat, page, wish("back", table["height"]))
    assert found.said(seat, page) == []


def test_pages_come_and_go_without_leaving_anything() -> None:
    found, seat, page, _ = following()
    before = found.dialogues[seat]
    for _ in range(10):
        dialogue, other = entered(found.dialogues[seat])
        found.dialogues[seat] = gone(dialogue, other)
    assert replace(found.dialogues[seat], pages=before.pages) == before
    dialogue = gone(before, page)
    assert dialogue.visits == {}
    assert heard(dialogue, page, wish("back", 0)) == (dialogue, None)
    assert next_text(dialogue, page) == (dialogue, None)
    request = heard(before, page, '{"n": 4, "do": "say", "text": "x"}')[1]
    assert request is not None
    assert answered(dialogue, request) == dialogue


def test_a_page_is_told_that_nothing_more_comes() -> None:
    found, seat, page, _ = following()
    before = found.dialogues[seat]
    found.dialogues[seat] = dismissed(found.dialogues[seat], page, "shutdown")
    assert [require_said(text)["why"] for text in found.said(seat, page)] == ["shutdown"]
    found.show()
    assert found.said(seat, page) == []
    dialogue, request = heard(before, page, '{"n": 4, "do": "say", "text": "x"}')
    assert request is not None
    dialogue, said = told(answered(dismissed(dialogue, page, "shutdown"), request), page)
    assert kinds(said) == ["bye"]


def test_what_has_not_changed_is_not_said_again() -> None:
    found, seat, page, _ = following()
    found.show()
    assert found.said(seat, page) == []
    other = next(one for one in found.dialogues if one != seat)
    page, over = found.enter(other), replace(found.snapshot(other), waiting=())
    found.dialogues[other] = with_table(found.dialogues[other], over)
    found.wish(other, page, "follow")
    found.dialogues[other] = with_table(found.dialogues[other], replace(over, now=9_000))
    assert found.said(other, page) == [], "that time passes is no news by itself"
    (table, *_) = found.wish(other, page, "follow")[1:]
    assert table["now"] == 9_000


# Home and lobby.

HOME = HomeShown(
    "Ana",
    tuple(map(game, BUILT_IN)),
    (TableListed("a1b2c3", "Macaua", "Bea and Cem", "your turn"),),
    (PersonListed("Bea", "one two three four", "words compared on 2026-01-02"),),
    clocks=(ClockListed("calm", "2 minutes for a turn"),),
)
LOBBY = LobbyShown(
    mark="ffee",
    game="Macaua",
    is_host=False,
    offer=3,
    headline="Bea asks whether you play.",
    seats=(
        SeatOffered("Bea", "known to you", "one two", has_accepted=True),
        SeatOffered("", "free"),
    ),
    terms=(TermShown("seats", "3", "2"), TermShown("clock", "calm")),
    may_accept=True,
    invite="nodealer1" + "x" * 3_000,
    squares=("101", "010", "111"),
    rules="# Macaua",
)


def told(dialogue: Dialogue, page: int) -> tuple[Dialogue, list[Said]]:
    found: list[Said] = []
    while True:
        dialogue, text = next_text(dialogue, page)
        if text is None:
            return dialogue, found
        found.append(require_said(text))


def at_home() -> tuple[Dialogue, int]:
    dialogue, page = entered(with_home(opened(), HOME))
    return heard(dialogue, page, '{"n": 1, "do": "follow"}')[0], page


def test_a_home_becomes_a_lobby_and_a_table() -> None:
    dialogue, page = at_home()
    dialogue, said = told(dialogue, page)
    assert kinds(said) == ["hello", "answer", "home"]
    assert [one["id"] for one in said[2]["games"]] == list(BUILT_IN)
    dialogue, said = told(with_lobby(dialogue, LOBBY), page)
    assert kinds(said) == ["lobby"]
    assert said[0]["invite"] == LOBBY.invite
    dialogue, _ = heard(dialogue, page, '{"n": 2, "do": "rules"}')
    dialogue, said = told(dialogue, page)
    assert kinds(said) == ["answer", "rules"]
    snapshot = parlour().snapshot(ME)
    dialogue, said = told(with_table(dialogue, snapshot), page)
    assert kinds(said) == ["table", "lines"]
    other = replace(snapshot, mark="other", log=snapshot.log[:2])
    dialogue, said = told(with_table(dialogue, other), page)
    assert kinds(said) == ["table", "lines"]
    assert "from" not in said[1]
    dialogue, said = told(with_home(dialogue, HOME), page)
    assert kinds(said) == ["home"]
    for text in ('{"n": 3, "do": "rules"}', wish("pick", 0, card=0), '{"n": 3, "do": "links"}'):
        dialogue, _ = heard(dialogue, page, text)
        dialogue, said = told(dialogue, page)
        assert refused(said) == "not-here"


def test_a_yes_is_a_yes_to_the_offer_that_was_read() -> None:
    dialogue, page = at_home()
    dialogue, _ = told(with_lobby(dialogue, LOBBY), page)
    for offer in (2, 4):
        dialogue, request = heard(
            dialogue, page, json.dumps({"n": 1, "do": "accept", "offer": offer})
        )
        assert request is None
        dialogue, said = told(dialogue, page)
        assert refused(said) == "late"
    dialogue, request = heard(dialogue, page, '{"n": 1, "do": "accept", "offer": 3}')
    assert request is not None
    assert request.wish == AcceptOffer(3)
    dialogue, said = told(answered(dialogue, request), page)
    assert said == [{"is": "answer", "to": 1}]


HOME_WISHES: list[dict[str, object]] = [
    {"do": "practise", "game": "macaua", "seats": 3, "options": {"call": True, "first": "host"}},
    {"do": "host", "game": "66", "seats": 2, "clock": "calm", "name": "Ana", "options": {"x": 1}},
    {"do": "join", "invite": "nodealer1abc", "name": "Ana"},
    {"do": "open", "mark": "a1b2"},
    {"do": "close"},
    {"do": "take-back"},
    {"do": "renew-invites"},
    {"do": "host", "game": "66", "seats": 2, "clock": "calm", "name": "Ana", "policy": "void"},
    {"do": "send-away", "name": "Bea"},
    {"do": "confirm", "name": "Bea"},
    {"do": "change", "what": "seats", "value": "3"},
    {"do": "end"},
    {"do": "replay", "mark": "a1b2"},
    {"do": "judge", "name": "game.ndt", "size": 12},
    {"do": "piece", "data": "AAAA"},
]


@pytest.mark.parametrize("wished", HOME_WISHES, ids=lambda one: str(one["do"]))
def test_what_concerns_the_home_leaves_as_a_value(wished: dict[str, object]) -> None:
    dialogue, page = at_home()
    _, request = heard(dialogue, page, json.dumps({"n": 9, **wished}))
    assert request is not None
    assert (request.number, request.page) == (9, page)
    shown = set(wished) - {"do", "data", "invite", "options"}
    assert all(repr(wished[name]) in repr(request.wish) for name in shown)
    assert "nodealer1abc" not in repr(request.wish), "an invite is a secret"


@pytest.mark.parametrize("friends", [["Bea", "Čeněk"], []])
def test_friends_are_invited_by_a_list_of_names(friends: list[str]) -> None:
    dialogue, page = at_home()
    wished = {"do": "host", "game": "66", "seats": 3, "clock": "calm", "name": "Ana"}
    text = json.dumps({"n": 9, **wished, "friends": friends})
    _, request = heard(dialogue, page, text)
    assert request is not None
    assert isinstance(request.wish, HostLobby)
    assert request.wish.friends == tuple(friends)


@pytest.mark.parametrize("friends", ["Bea", {"Bea": 1}, [1], ["B"] * 1000])
def test_anything_else_invites_no_friends(friends: object) -> None:
    dialogue, page = at_home()
    wished = {"do": "host", "game": "66", "seats": 3, "clock": "calm", "name": "Ana"}
    text = json.dumps({"n": 9, **wished, "friends": friends})
    dialogue, _ = told(dialogue, page)
    dialogue, request = heard(dialogue, page, text)
    assert request is None
    assert refused(told(dialogue, page)[1]) == "bad-field"
