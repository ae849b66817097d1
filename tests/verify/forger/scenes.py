"""Honest tables of every game, with everything that was ever signed at them.

Nobody at these tables breaks a rule: seats fall silent, leave, are left out, lose messages and keep
entries by rounds. What is kept of a table are the files that its seats would write, at several
moments, and every message that anybody has sent, lost ones included: a forger on the line has
those as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from nodealer.bots import bot_for
from nodealer.games.base import AnyGame
from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import AuthoredStep, DueStep
from nodealer.ledger.messages import Contributed, Sealed
from nodealer.table import Setting, Table, read_action, sit_down
from nodealer.table.actions import Acted
from nodealer.verify import transcript_of
from tests.support.circle import agreed_by, player_of
from tests.verify import stage as stages
from tests.verify.stage import SMALL, Stage

Options = Mapping[str, int | str | bool]

FEW: Options = {"deck_size": 16, "max_rounds": 1, "stack_size": 2, "turn_count": 3}
"""A round of 6 nimmt! of few cards."""

DRAWS = ("draw", "take")
"""How cards are taken from a stock."""


@dataclass
class Scene(Stage):
    """A stage whose seats have written a file now and then."""

    files: list[bytes] = field(default_factory=list)
    seated: list[Table] = field(default_factory=list)
    """Honest tables at the moments of the files."""

    def note(self) -> None:
        """Let every seat that is there write its file."""
        for seat, table in self.tables.items():
            if seat not in self.gone:
                self.seated.append(table)
                data = transcript_of(table.ledger)
                if data not in self.files:
                    self.files.append(data)

    def turns(self, count: int) -> None:
        """Let bots take so many turns, or as many as there are."""
        chance, bot = Chance("scene", self.setting.agreed.charter.table), bot_for(self.setting.game)
        for _ in range(count):
            seat = self.on_turn()
            if seat is None:
                return
            table = self.tables[seat]
            self.act(seat, bot.choose(table.view(), table.legal(), chance))

    def draw_until(self, kind: str) -> None:
        """Let everybody draw, where that is possible, until something was contributed again."""
        before = self.count(kind)
        while self.count(kind) == before:
            seat = self.on_turn()
            assert seat is not None, f"nothing of the kind {kind} is ever due again"
            legal = self.tables[seat].legal()
            self.act(seat, next((one for one in legal if one.kind in DRAWS), legal[0]))

    def kinds(self) -> set[str]:
        """Return the kinds of all actions so far."""
        steps = [one.content.step for one in self.present().ledger.tip.downwards() if one.content]
        acted = [read_action(step.action) for step in steps if isinstance(step, AuthoredStep)]
        return {one.action.kind for one in acted if isinstance(one, Acted)}

    def count(self, kind: str) -> int:
        """Return how many entries have a part of a kind."""
        steps = [one.content.step for one in self.present().ledger.tip.downwards() if one.content]
        due = [step for step in steps if isinstance(step, DueStep)]
        return sum(any(part.kind == kind for part in step.parts) for step in due)


def scene(
    rules: AnyGame, seats: int, options: Options | None = None, policy: str | None = None
) -> Scene:
    """Return a table at which everybody has just sat down, and said nothing yet.

    The seats of all scenes have the same keys: somebody plays at several tables.
    """
    players = [player_of(Seat(seat), "stage") for seat in range(seats)]
    made = Scene(Setting(agreed_by(players, rules, options, policy, salt="forger"), rules))
    for player in players:
        made.do(player.seat, sit_down(made.setting, player))
    return made


def never_contributes(made: Scene, seat: int) -> None:
    """Let nothing that a seat contributes come through."""
    made.loses = lambda sender, _, message: (
        isinstance(message, Contributed) and message.contribution.seat == seat == sender
    )


def left_out(made: Scene, seat: int) -> None:
    """Let a seat fall silent, and the others leave it out."""
    made.gone.add(Seat(seat))
    made.turns(1)
    made.wait(lambda: seat not in made.present().ledger.tip.roster)
    made.note()
    made.loses = lambda _, __, ___: False


def silent_at_the_deal(made: Scene, seat: int) -> None:
    """Let a seat be left out for keys that nobody got; all others contribute theirs twice."""
    never_contributes(made, seat)
    made.deliver()
    made.note()
    left_out(made, seat)
    made.deliver()


# The histories.


def small_story() -> Scene:
    """Four at the sample game: a kept entry, a silent seat, a leave, another game, an open end."""
    made = scene(SMALL, 4, {"cards": 2})
    made.deliver()
    made.note()
    made.lay()
    stages.keep_an_entry(made)
    made.note()
    stages.fall_silent(made, Seat(3))
    made.note()
    made.lay()
    stages.leave(made, Seat(2))
    made.note()
    made.finish()
    made.note()
    made.again()
    open_end(made)
    return made


def open_end(made: Scene) -> None:
    """Lay a card that one seat never seals, so that the file ends with what is open."""
    roster = made.present().ledger.tip.roster
    last = roster[-1]
    made.loses = lambda sender, _, message: sender == last and isinstance(message, Sealed)
    made.lay()
    made.note()


def macaua_redealt() -> Scene:
    """Three at Macaua: one is left out while keys are due, another game, and one leaves."""
    made = scene(game("macaua"), 3, policy="redeal")
    silent_at_the_deal(made, 1)
    made.turns(3)
    made.note()
    stages.leave(made, Seat(2))
    made.note()
    made.finish()
    made.note()
    return made


def macaua_left_twice() -> Scene:
    """Four at Macaua: two are left out one after the other, and a third leaves the fourth alone."""
    made = scene(game("macaua"), 4, policy="redeal")
    silent_at_the_deal(made, 3)
    made.turns(2)
    stages.keep_an_entry(made)
    made.note()
    made.turns(1)
    left_out(made, 0)
    made.turns(2)
    stages.leave(made, Seat(1))
    made.note()
    made.finish()
    made.note()
    return made


def macaua_reshuffled() -> Scene:
    """Four at Macaua until the stock is empty and is shuffled again."""
    made = scene(game("macaua"), 4, policy="redeal")
    made.deliver()
    made.draw_until("shuffle")
    made.note()
    made.turns(1)
    made.note()
    return made


def peeked() -> Scene:
    """Two at 66 in its first variant: cards are looked at, and exchanged; then one leaves."""
    made = scene(game("66"), 2, {"variant": "v1"})
    made.deliver()
    made.turns(2)
    made.note()
    while "peek-own-card" not in made.kinds():
        made.turns(1)
    made.note()
    stages.leave(made, Seat(1))
    made.note()
    return made


def judged() -> Scene:
    """Two at 66 in its second variant: alike cards are claimed, and a verdict is given."""
    made = scene(game("66"), 2, {"variant": "v2"})
    made.deliver()
    while not made.count("verdict"):
        made.turns(1)
    made.note()
    made.turns(2)
    made.note()
    return made


def dealt_anew() -> Scene:
    """Three at 66, one of whom is left out: the round is dealt again."""
    made = scene(game("66"), 3, {"variant": "v1"})
    made.deliver()
    made.turns(6)
    made.note()
    left_out(made, 2)
    made.turns(4)
    made.note()
    stages.leave(made, Seat(1))
    made.note()
    return made


def take5(policy: str) -> Callable[[], Scene]:
    """Return how 6 nimmt! is played in which one is left out while the others have chosen."""

    def played() -> Scene:
        made = scene(game("take5"), 4, FEW, policy)
        made.deliver()
        made.gone.add(Seat(2))
        made.turns(3)
        made.note()
        made.wait(lambda: 2 not in made.present().ledger.tip.roster)
        made.note()
        made.turns(4)
        made.note()
        stages.leave(made, Seat(3))
        made.note()
        made.turns(50)
        made.note()
        return made

    return played


def stolen_from() -> Scene:
    """Three at Papas until cards were given, run away and asked for; one is silent when asked."""
    made = scene(game("papas"), 3)
    made.deliver()
    made.note()
    for kind in ("return", "claim"):
        while not made.count(kind):
            made.turns(1)
        made.note()
    while not made.tables[Seat(2)].view().owes_choice:
        made.turns(1)
    left_out(made, 2)
    made.turns(6)
    made.note()
    stages.leave(made, Seat(1))
    made.note()
    return made


def waiting(rules: str, seats: int, seat: int, height: int) -> Callable[[], Scene]:
    """Return how a table comes to wait for a seat over the entry of a height."""
    options, policy = OPTIONS[rules]

    def played() -> Scene:
        made = scene(SMALL if rules == "small" else game(rules), seats, options, policy)
        made.loses = lambda sender, _, __: (
            sender == seat and made.tables[sender].ledger.tip.height >= height
        )
        made.deliver()
        while made.on_turn() not in (None, seat) and made.present().ledger.tip.height < height:
            made.turns(1)
        made.note()
        return made

    return played


OPTIONS: Mapping[str, tuple[Options, str | None]] = {
    "small": ({"cards": 1}, None),
    "macaua": ({}, "redeal"),
    "66": ({"variant": "v2"}, None),
    "take5": (FEW, "continue"),
}
"""How games are played where somebody is waited for."""

WAITING: Mapping[str, Callable[[], Scene]] = {
    f"{rules}-waits-for-{seat}-at-{height}": waiting(rules, 3, seat, height)
    for rules, heights in {
        "small": (0, 1, 2, 3, 6),
        "macaua": (0, 1, 2, 4, 6),
        "66": (1, 2, 5, 7),
        "take5": (1, 4, 6),
    }.items()
    for seat in range(3)
    for height in heights
}
"""Tables of three that wait for each of their seats at several moments."""

SCENES: Mapping[str, Callable[[], Scene]] = {
    "small": small_story,
    "macaua": macaua_redealt,
    "macaua-alone": macaua_left_twice,
    "macaua-reshuffled": macaua_reshuffled,
    "66-v1": peeked,
    "66-v2": judged,
    "66-void": dealt_anew,
    "take5": take5("continue"),
    "take5-void": take5("void"),
    "papas": stolen_from,
}
