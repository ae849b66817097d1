"""A file under a forger's hands, and the recipes that forgeries are written down as.

A recipe is the name of a history, a seat whose key the forger has or nobody, the names of a few
operations, and a number from which all chance comes. It gives the same bytes at every run, and is
what a test prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import Content, Contribution, Entry, Leave, Refusal, Seal, Vote
from nodealer.ledger.objects import DOMAINS
from nodealer.table import Table
from nodealer.verify import Transcript
from tests.verify.forger.histories import history
from tests.verify.forger.known import History
from tests.verify.forger.pieces import Pieces, elsewhere, pieces, taken_apart

T = TypeVar("T")
SignedT = TypeVar("SignedT", Contribution, Seal, Vote, Refusal, Leave)

changed: Callable[..., Any] = replace
"""Fields that forgers name are checked when they run."""


class Nothing(Exception):  # noqa: N818 - it says what there is
    """There is nothing here that an operation could be done to."""


@dataclass
class Hand:
    """A file that is being forged, what the forger can take from, and what was done so far."""

    history: History
    key: Seat | None
    chance: Chance
    file: Transcript
    told: list[str] = field(default_factory=list)
    made: list[object] = field(default_factory=list)
    """What the dishonest seat has signed besides."""
    provoked: list[object] = field(default_factory=list)
    """What honest seats have said to that."""
    tables: dict[Seat, Table] = field(default_factory=dict)
    """The tables of all seats since something was told to them, as they stand now."""
    _counted: int = 0

    def __post_init__(self) -> None:
        """Begin with what is known to all."""
        self._pieces = pieces(self.history.name)

    @property
    def pieces(self) -> Pieces:
        """Everything of this table."""
        count = len(self.made) + len(self.provoked)
        if count != self._counted:
            more = taken_apart((*self.made, *self.provoked))
            self._pieces = pieces(self.history.name).and_those(more)
            self._counted = count
        return self._pieces

    @property
    def elsewhere(self) -> Pieces:
        """Everything of another table."""
        return elsewhere(self.history)

    def one(self, items: Sequence[T]) -> T:
        """Return one of the items by chance."""
        if not items:
            raise Nothing
        return self.chance.pick(items)

    def some(self, items: Sequence[T], most: int) -> tuple[T, ...]:
        """Return up to so many of the items, in any order."""
        mixed = list(items)
        self.chance.shuffle(mixed)
        return tuple(mixed[: self.between(0, most)])

    def below(self, bound: int) -> int:
        """Return a number from 0 to the one before the bound."""
        if not bound:
            raise Nothing
        return self.chance.below(bound)

    def between(self, least: int, most: int) -> int:
        """Return a number from the least to the most."""
        return least + self.below(max(0, most - least + 1))

    def happens(self, percent: int) -> bool:
        """Return whether something happens."""
        return self.chance.happens(percent)

    def tell(self, *what: object) -> None:
        """Note what was done."""
        self.told.append(" ".join(map(str, what)))

    # The file.

    def at(self, fits: Callable[[Entry], bool] = lambda _: True) -> int:
        """Return the place of an entry by chance."""
        return self.one([n for n, entry in enumerate(self.file.entries) if fits(entry)])

    def put(self, at: int, entry: Entry) -> None:
        """Put an entry in the place of another."""
        entries = self.file.entries
        self.file = replace(self.file, entries=(*entries[:at], entry, *entries[at + 1 :]))

    def recontent(self, at: int, content: Content, *, named: bool) -> None:
        """Give an entry another content, which its certificate names or does not."""
        entry = replace(self.file.entries[at], content=content)
        if named:
            entry = replace(entry, certificate=replace(entry.certificate, entry=content.id))
        self.put(at, entry)

    # The key.

    def sign(self, one: SignedT, **fields: object) -> SignedT:
        """Return an object with other fields, signed with the key that the forger has."""
        assert self.key is not None, "a stranger signs nothing"
        made = changed(one, seat=self.key, **fields)
        signer = self.history.signers[self.key]
        done: SignedT = replace(made, signature=signer.sign(DOMAINS[type(made)], made.body()))
        self.made.append(done)
        return done


Operation = Callable[[Hand], None]


@dataclass(frozen=True)
class Recipe:
    """How a forgery is made."""

    history: str
    key: int | None
    steps: tuple[str, ...]
    seed: int

    def __str__(self) -> str:
        whose = "no key" if self.key is None else f"the key of seat {self.key}"
        return f"{self.history}, {whose}, {' + '.join(self.steps)}, seed {self.seed}"

    def hand(self) -> Hand:
        """Return the file before anything was done to it: one of the history, by chance."""
        chance = Chance("forgery", str(self))
        made = history(self.history)
        files = [file for file in made.files if file.entries] or list(made.files)
        key = None if self.key is None else Seat(self.key)
        hand = Hand(made, key, chance, chance.pick(files))
        if hand.happens(60) and hand.file.entries:
            most = hand.between(1, len(hand.file.entries))
            cut = hand.file.entries[:most]
            hand.file = replace(hand.file, entries=cut, open=(), evidence=())
            hand.tell("cut to", len(cut), "entries")
        return hand

    def carry_out(self, operations: Mapping[str, Operation]) -> Hand:
        """Return the forged file, or raise `Nothing` where no step can be done."""
        hand = self.hand()
        done = 0
        for step in self.steps:
            try:
                operations[step](hand)
            except Nothing:
                hand.tell(step, "cannot be done here")
            else:
                done += 1
        if not done:
            raise Nothing
        return hand


def refitted(entries: Sequence[Entry], first: int) -> tuple[Entry, ...]:
    """Return entries whose contents name each other as parents again, from a place on."""
    made = list(entries[:first])
    for entry in entries[first:]:
        before = made[-1].content.id if made else entry.content.parent
        content = changed(entry.content, parent=before, height=len(made) + 1)
        certificate = replace(entry.certificate, entry=content.id)
        made.append(replace(entry, content=content, certificate=certificate))
    return tuple(made)
