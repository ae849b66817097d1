"""The failure of a check: which rule was broken, and how to see it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pprint import pformat

from nodealer.games.api import Action, Options
from nodealer.games.base import AnyGame
from nodealer.kernel import SEATS_MAX, Chance, Seat


class ConformanceError(AssertionError):
    """A game breaks a rule of the interface."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One game that is played to check it: all that is needed to play it again."""

    game: AnyGame
    seats: int
    options: Options
    seed: str
    steps: list[str] = field(default_factory=list)

    @property
    def numbers(self) -> tuple[Seat, ...]:
        """The seats that play: in every other game with gaps, as where others have left before."""
        places = list(range(SEATS_MAX))
        chance = Chance("conformance", self.seed, self.seats, "seats")
        if chance.happens(50):
            chance.shuffle(places)
        return tuple(Seat(number) for number in sorted(places[: self.seats]))

    def note(self, seat: Seat, chosen: Action) -> None:
        """Remember what was done."""
        self.steps.append(f"seat {seat}: {shown(chosen)}")

    def failure(self, rule: str, found: str) -> ConformanceError:
        """Return the error for a rule that does not hold."""
        call = f"seats={self.seats}, options={dict(self.options)!r}, seed={self.seed!r}"
        steps = "\n".join(f"  {number}. {step}" for number, step in enumerate(self.steps, 1))
        return ConformanceError(
            f"{self.game.id}: it does not hold that {rule}: {found}\n"
            f"See it again with check_game(game, {call}).\nSteps until then:\n{steps or '  none'}"
        )

    def require(self, holds: object, rule: str, found: object = "") -> None:
        """Raise the error unless a rule holds."""
        if not holds:
            raise self.failure(rule, found if isinstance(found, str) else pformat(found))

    @contextmanager
    def expecting(self, rule: str, found: str = "") -> Iterator[None]:
        """Turn whatever is raised inside into the error that this rule does not hold."""
        try:
            yield
        except ConformanceError:
            raise
        except Exception as error:  # whatever a game raises breaks the rule under test
            raise self.failure(rule, f"{found}{': ' if found else ''}{error!r}") from error


def shown(chosen: Action) -> str:
    """Return an action in one line."""
    return f"{chosen.kind} {fields_of(dict(chosen.fields))}".rstrip()


def fields_of(values: Mapping[str, object], skip: Sequence[str] = ()) -> str:
    """Return named values in one line."""
    return ", ".join(f"{name}={value!r}" for name, value in values.items() if name not in skip)
