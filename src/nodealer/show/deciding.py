"""The action that a player is about to choose: its steps, and why a step cannot be made.

    decision = decision_for(snapshot)           nothing is decided
    decision = with_card(decision, slot)        and so on, step by step
    decision.upcoming                           what is asked now, or what would be played

Nothing of it has left, and every step can be taken back. Whoever shows it says which cards can be
picked next, what is asked, and, once nothing is undecided, what would be played: that leaves when
the player says so, and never before. Keys at a terminal and clicks on a page make the same steps,
so a player who has both makes one choice with them.

A step that cannot be made raises `StepError` and changes nothing; `why_not` has its sentence. When
the table asks anew (`carried`), what was chosen for the last question is forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from nodealer.games import Action, Turn
from nodealer.kernel import LocalError, Reason, SlotId
from nodealer.show import menus
from nodealer.show.menus import Menu, MenuChoice, Question
from nodealer.show.snapshot import Snapshot
from nodealer.show.wording import HELD, Speaker, order_of_cards

STEPS_MAX: Final = 64
"""So many steps can be taken back; whoever picks and puts back for ever takes no more room."""


class Hitch(Enum):
    """The hitch for which a step cannot be made."""

    NOT_ASKED = "not-asked"
    CARD = "card-not-playable"
    CARDS = "cards-not-together"
    KIND = "kind-not-allowed"
    NO_QUESTION = "no-question"
    NO_ANSWER = "no-such-answer"
    NOTHING = "nothing-chosen"
    CARDS_WANTED = "cards-wanted"
    UNDECIDED = "undecided"


class StepError(LocalError):
    """A step that cannot be made, with the hitch and the card or kind that it is about."""

    def __init__(self, hitch: Hitch, about: SlotId | str | None = None) -> None:
        super().__init__(Reason.LOCAL_ARGUMENT, hitch.value)
        self.hitch = hitch
        self.about = about


@dataclass(frozen=True, slots=True)
class Decision:
    """The steps towards an action; each is all that is decided with it."""

    menu: Menu
    steps: tuple[MenuChoice, ...] = ()

    @property
    def choice(self) -> MenuChoice:
        """All that is decided."""
        return self.steps[-1] if self.steps else MenuChoice(self.menu)

    @property
    def is_begun(self) -> bool:
        """Whether anything is decided."""
        return self.choice.is_begun

    @property
    def pickable(self) -> frozenset[SlotId]:
        """The cards that can be picked next."""
        return menus.pickable(_reopened(self.choice))

    @property
    def upcoming(self) -> Question | Action | None:
        """What is undecided, or the action that nothing is; None while cards lack, or all does."""
        choice = self.choice
        if not self.menu.named or not choice.is_begun or menus.wants_cards(choice):
            return None
        return menus.next_step(menus.whole(choice))

    @property
    def question(self) -> Question | None:
        """What is asked now."""
        upcoming = self.upcoming
        return upcoming if isinstance(upcoming, Question) else None

    @property
    def action(self) -> Action | None:
        """What would be played."""
        upcoming = self.upcoming
        return upcoming if isinstance(upcoming, Action) else None


def decision_for(snapshot: Snapshot) -> Decision:
    """Return the decision of a player who has begun nothing."""
    return Decision(menus.menu_of(snapshot.legal, snapshot.kinds, order_of_cards(snapshot)))


def carried(decision: Decision, snapshot: Snapshot) -> Decision:
    """Return the decision at a new snapshot: as it is if the same is asked, else a new one."""
    anew = decision_for(snapshot)
    return decision if anew.menu == decision.menu else anew


def with_card(decision: Decision, slot: SlotId) -> Decision:
    """Return the decision with a card picked."""
    choice = _reopened(decision.choice)
    if slot in choice.picked:
        return decision
    _require_asked(decision)
    if slot not in menus.pickable(choice):
        able = slot in menus.pickable(MenuChoice(decision.menu))
        raise StepError(Hitch.CARDS if able else Hitch.CARD, slot)
    return _after(decision, menus.pick(choice, slot))


def without_card(decision: Decision, slot: SlotId) -> Decision:
    """Return the decision with a card put back."""
    choice = _reopened(decision.choice)
    return _after(decision, menus.pick(choice, slot)) if slot in choice.picked else decision


def with_kind(decision: Decision, kind: str) -> Decision:
    """Return the decision for a kind of action; cards that do not go with it are put back."""
    _require_asked(decision)
    if all(action.kind != kind for action, _ in decision.menu.named):
        raise StepError(Hitch.KIND, kind)
    return _after(decision, menus.of_kind(decision.choice, kind))


def with_answer(decision: Decision, index: int) -> Decision:
    """Return the decision with one answer to what is asked, by its place from 0."""
    _require_asked(decision)
    question = decision.question
    if question is None:
        raise StepError(Hitch.NO_QUESTION)
    if not 0 <= index < len(question.options):
        raise StepError(Hitch.NO_ANSWER)
    return _after(decision, question.options[index].after)


def undone(decision: Decision) -> Decision:
    """Return the decision with the last step taken back."""
    return Decision(decision.menu, decision.steps[:-1])


def cleared(decision: Decision) -> Decision:
    """Return the decision with nothing decided."""
    return Decision(decision.menu)


def played(decision: Decision) -> Action:
    """Return the action that nothing is undecided of."""
    _require_asked(decision)
    upcoming = decision.upcoming
    if isinstance(upcoming, Action):
        return upcoming
    if upcoming is not None:
        raise StepError(Hitch.UNDECIDED)
    raise StepError(Hitch.CARDS_WANTED if decision.is_begun else Hitch.NOTHING)


def why_not(error: StepError, decision: Decision, speaker: Speaker) -> str:
    """Say why a step cannot be made."""
    shown = speaker.snapshot
    match error.hitch:
        case Hitch.NOT_ASKED:
            return _why_nothing(shown)
        case Hitch.CARD:
            return f"The rules allow nothing with {_card(error, speaker)} now."
        case Hitch.CARDS:
            return f"{_card(error, speaker)} does not go with what you have chosen."
        case Hitch.KIND:
            texts = {one.kind: one.text for one in shown.kinds}
            found = texts.get(str(error.about))
            told = "" if found is None else f": {found}"
            return f"The rules do not allow it now{told}."
        case Hitch.CARDS_WANTED if decision.choice.picked:
            return "These cards alone cannot be played."
        case _:
            return _WORDS[error.hitch]


_WORDS: Final = {
    Hitch.NO_QUESTION: "Nothing is asked.",
    Hitch.NO_ANSWER: "There is no such answer.",
    Hitch.NOTHING: "First choose cards, or what to do.",
    Hitch.CARDS_WANTED: "Choose cards for it.",
    Hitch.UNDECIDED: "Answer what is asked first.",
}


def _require_asked(decision: Decision) -> None:
    if not decision.menu.named:
        raise StepError(Hitch.NOT_ASKED)


def _reopened(choice: MenuChoice) -> MenuChoice:
    """Return a choice in which cards can be picked again; what was answered depends on them."""
    return MenuChoice(choice.menu, choice.kind, choice.picked)


def _after(decision: Decision, choice: MenuChoice) -> Decision:
    return Decision(decision.menu, (*decision.steps, choice)[-STEPS_MAX:])


def _card(error: StepError, speaker: Speaker) -> str:
    assert isinstance(error.about, int), "it is about a card"
    return speaker.card(SlotId(error.about))


def _why_nothing(snapshot: Snapshot) -> str:
    duty = snapshot.view.duty
    if snapshot.is_held:
        return HELD
    if isinstance(duty, Turn) and duty.seat != snapshot.view.viewer:
        return f"It is not your turn: {snapshot.name_of(duty.seat)} has it."
    if snapshot.view.has_turn:
        return "Your action is on its way; the others countersign it."
    return "Nobody can act now; you are asked when it is your turn."
