"""What is to be seen at the moments that matter, as text files that people can read.

Every scene is a real table brought to a moment, and drawn; what is drawn stands in `golden/`. After
a change that is meant, write the files anew and read the difference:

    python -m tests.terminal.scenes
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from nodealer.games.base import AnyGame
from nodealer.games.registry import game
from nodealer.kernel import Cause, Counts, Ended, Reach, Reason, Seat, Tallied, Traffic, Way
from nodealer.show.book import chatted, counted, muted, reached
from nodealer.show.snapshot import Snapshot, snapshot_of
from nodealer.table import come_back
from nodealer.terminal.aloud import Aloud, tell
from nodealer.terminal.control import Control, Size, control_for, press
from nodealer.terminal.keyboard import Decoder
from nodealer.terminal.screen import draw
from nodealer.terminal.spans import text_of
from tests.show.watching import ME, Watched, dealt, seated
from tests.verify.stage import be_false, fall_silent

FOLDER = Path(__file__).with_name("golden")

USUAL, NARROW, SMALL, BROAD = Size(80, 24), Size(60, 18), Size(60, 20), Size(120, 30)


def pressed(snapshot: Snapshot, control: Control, keys: bytes) -> Control:
    """Return the control after some bytes."""
    for key in Decoder().feed(keys)[1]:
        control, _ = press(control, key, snapshot)
    return control


def picture(
    snapshot: Snapshot, size: Size = USUAL, keys: bytes = b"", *, has_signs: bool = True
) -> str:
    """Return a drawing as text."""
    control = pressed(snapshot, control_for(snapshot, size, has_signs=has_signs), keys)
    drawing = draw(snapshot, control)
    return "\n".join(text_of(one).rstrip() for one in drawing.lines)


def reaching(
    seats: int, holds: Callable[[Snapshot], bool], rules: AnyGame | None = None
) -> Watched:
    """Return the first table, of many deals, at which something comes to be so."""
    for seed in range(50):
        made = dealt(seats, rules, seed=seed)
        while True:
            if holds(made.snapshot()):
                return made
            if made.on_turn() is None:
                break
            made.bots_play(1)
    raise AssertionError("it never comes")


def has_turn(one: Snapshot) -> bool:
    """Say whether the player is asked."""
    return bool(one.legal)


def shuffling() -> str:
    """The deck is being shuffled; the second of three is at it."""
    made = seated(3)
    while made.table.ledger.tip.height < 1:
        made.deliver_one()
    made.deliver_one()
    return picture(made.snapshot(later=700))


def own_turn() -> str:
    """The player has the turn and has chosen a card."""
    made = reaching(3, lambda one: len(one.legal) > 3)
    (number, *_) = numbers(made.snapshot())
    made.book = chatted(made.book, Seat(1), 1, "hurry up")
    return picture(made.snapshot(later=12_000), USUAL, str(number).encode())


def numbers(snapshot: Snapshot) -> list[int]:
    """Return the numbers of the cards that can be chosen."""
    control = control_for(snapshot, USUAL)
    able = control.decision.pickable
    return [number for number, slot in enumerate(control.cards, 1) if slot in able]


def asking_for_a_suit() -> Watched:
    """Return a table at which the player can play an ace by itself."""

    def can_play_ace(one: Snapshot) -> bool:
        return any(action.get("suit") and len(action.slots("cards")) == 1 for action in one.legal)

    return reaching(3, can_play_ace)


def question() -> str:
    """An ace is played; which suit it asks for is not decided yet."""
    snapshot = asking_for_a_suit().snapshot()
    (ace, *_) = [one.slots("cards")[0] for one in snapshot.legal if one.get("suit")]
    number = control_for(snapshot, USUAL).cards.index(ace) + 1
    return picture(snapshot, USUAL, f"{number}\r".encode())


def choosing_a_stack() -> Watched:
    """Return a table of 6 nimmt! at which the player has to take a stack."""
    options = {"turn_count": 3, "deck_size": 10, "win_score": 200}
    made = dealt(2, game("take5"), options=options)
    while not any(one.kind == "take" for one in made.snapshot().legal):
        seat = next(seat for seat, table in made.tables.items() if table.legal())
        made.act(seat, made.tables[seat].legal()[0])
    return made


def bull_heads() -> str:
    """A card is lower than all stacks of 6 nimmt!; which one the player takes is asked."""
    return picture(choosing_a_stack().snapshot(), USUAL, b"t")


def power() -> str:
    """The player of 66 has taken a card that can do something, while the round is stopped."""

    def has_power(one: Snapshot) -> bool:
        return bool(one.legal and one.remarks and one.view.facts["stopper"] is not None)

    return picture(reaching(3, has_power, game("66")).snapshot())


def _silent() -> Watched:
    made = reaching(3, has_turn)
    made.gone.add(Seat(2))
    made.act(ME, made.snapshot().legal[0])
    lost = Reach(
        since=made.now,
        cause=Cause.UNREACHABLE,
        tries=3,
        next_try=made.now + 12_000,
        ended=Ended(Cause.SILENT, made.now),
        traffic=Traffic(41, 23_456, 40, 98_765),
    )
    there = Reach(Way.RELAYED, 0, kind="dns4", relay="12D3KooWxY2q9f", round_trip_us=21_499)
    made.book = reached(made.book, made.table, Seat(1), there)
    made.book = reached(made.book, made.table, Seat(2), lost)
    seen: Counts = {Tallied.OPENED: 14, Tallied.KNOWN: 2, Tallied.TOO_MANY: 9, Reason.CHAT_FLOOD: 3}
    made.book = counted(made.book, seen)
    return made


def waiting() -> str:
    """Somebody has not answered yet."""
    return picture(_silent().snapshot(later=7_000))


def links() -> str:
    """Somebody has not answered yet, and the player asks how everybody is reached."""
    return picture(_silent().snapshot(later=7_000), USUAL, b"/net\r")


def suspended() -> str:
    """Somebody has not answered in time."""
    made = _silent()
    made.pass_time()
    return picture(made.snapshot(later=3_000))


def stalled_table() -> Watched:
    """Return a table of two at which the other has gone."""
    made = reaching(2, has_turn)
    made.gone.add(Seat(1))
    made.act(ME, made.snapshot().legal[0])
    made.pass_time()
    made.pass_time()
    return made


def stalled() -> str:
    """With two players nobody can go on alone."""
    return picture(stalled_table().snapshot())


def left_out() -> str:
    """Somebody was left out, and the others go on."""
    made = dealt(3)
    fall_silent(made, Seat(2))
    return picture(made.snapshot())


def left_out_table() -> Watched:
    """Return a table that goes on without the player, who has come back too late."""
    made = dealt(3)
    made.gone.add(ME)
    made.wait(lambda: ME not in made.present().ledger.tip.roster)
    made.gone.clear()
    for seat in (Seat(1), Seat(2), ME):
        made.do(seat, made.tables[seat].tell())
    made.deliver()
    return made


def you_are_left_out() -> str:
    """The player was away for too long."""
    return picture(left_out_table().snapshot())


def proven() -> str:
    """Somebody has signed two things where there may be one."""
    made = dealt(3)
    be_false(made, Seat(2))
    return picture(made.snapshot())


@cache
def finished() -> Watched:
    """Return a table at which the game is over; do not change it."""
    made = dealt(3)
    made.bots_play(400)
    return made


def spectator() -> str:
    """Somebody without a seat watches."""
    made = dealt(3)
    watching, _ = come_back(made.setting, None, made.stored[ME])
    return picture(snapshot_of(watching, made.book, made.now))


def result() -> str:
    """The game is over."""
    return picture(finished().snapshot())


def history() -> str:
    """All that has happened, on a page."""
    return picture(finished().snapshot(), USUAL, b"l")


def ten_players() -> str:
    """Ten players in the smallest window, one of whom is muted."""
    made = dealt(10)
    made.book = chatted(made.book, Seat(3), 1, "你好 everybody")
    made.book = chatted(made.book, Seat(4), 1, "never shown")
    made.book = muted(made.book, Seat(4))
    return picture(made.snapshot(later=2_000), NARROW)


def points() -> str:
    """Ten players in a small window, and the points of all of them."""
    made = dealt(10, game("take5"))
    return picture(made.snapshot(later=2_000), SMALL)


def rules() -> str:
    """The rules of the game, read at the terminal."""
    return picture(dealt(2, game("papas")).snapshot(), SMALL, b"/rules\r")


def ten_players_broad() -> str:
    """Ten players in a broad window, one of whom writes."""
    made = dealt(10)
    return picture(made.snapshot(later=2_000), BROAD, b"/say hello")


def ascii_only() -> str:
    """A terminal that has no signs."""
    return picture(reaching(3, has_turn).snapshot(), has_signs=False)


def too_small() -> str:
    """A window in which nothing can be shown."""
    return picture(dealt(3).snapshot(), Size(40, 9))


def keys() -> str:
    """The page with the keys."""
    return picture(dealt(3).snapshot(), Size(80, 53), b"?")


def plain_lines() -> str:
    """A game of three in plain lines: what is told, and the questions."""
    made, plain = seated(3), Aloud()
    told: list[str] = []

    def listen() -> None:
        nonlocal plain
        plain, lines = tell(plain, made.snapshot())
        told.extend(lines)

    listen()
    made.deliver()
    for _ in range(400):
        listen()
        made.bots_play(1)
    return "\n".join(told)


SCENES: Sequence[Callable[[], str]] = (
    shuffling,
    own_turn,
    question,
    bull_heads,
    power,
    waiting,
    links,
    suspended,
    stalled,
    left_out,
    you_are_left_out,
    proven,
    spectator,
    result,
    history,
    ten_players,
    points,
    rules,
    ten_players_broad,
    ascii_only,
    too_small,
    keys,
    plain_lines,
)


def golden(scene: Callable[[], str]) -> Path:
    """Return the file of a scene."""
    return FOLDER / f"{scene.__name__}.txt"


def framed(scene: Callable[[], str]) -> str:
    """Return a scene as its file has it: what it is, and the drawing."""
    return f"{scene.__doc__}\n\n{scene()}\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in SCENES:
        golden(one).write_text(framed(one), encoding="utf-8")
