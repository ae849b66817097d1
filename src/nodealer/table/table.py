"""A table as one seat sits at it: ledger, rules and deck in one value without input or output.

    table, ready = table.receive(message, sender)

The inputs are those of the ledger, with two differences. What the seat owes to due steps is made
and sent at once, so `ready.ask` has what the player decides alone:

    AskAction         it is the player's turn
    AskContribution   the player has to choose a card, at the same time as others
    AskSeal           all wait until the player has taken notice; tables are told to ask for this

And the player acts in the words of the game: `act(chosen)` writes the action, opens the cards that
it plays and proposes it, or writes down what is chosen and contributes it; an action that the rules
refuse raises and changes nothing. Who has chosen before an eviction and is asked again is bound by
that, and not asked: the same is contributed at once.

The duties of a caller are those of `ledger.ledger`: store first, then send. A table without a
player is that of a spectator: it follows, checks everything and signs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodealer.games import Action, Ask, View
from nodealer.kernel import LocalError, PeerError, Reason, Seat
from nodealer.ledger import (
    DUTIES,
    AskContribution,
    ChainEntry,
    Checker,
    Duties,
    Fixed,
    Ledger,
    LedgerMessage,
    Outgoing,
    Ready,
    Signatures,
    found,
    recover,
    resent,
)
from nodealer.table.acting import write_again
from nodealer.table.operations.acks import ACKS
from nodealer.table.operations.ask import write_said
from nodealer.table.operations.choose import write_choice
from nodealer.table.player import Player
from nodealer.table.position import Position, Setting
from nodealer.table.replay import Replay, begin

HEEDING: Final = replace(DUTIES, held=frozenset({ACKS.kind}))
"""The duties of a seat that seals acks only when its player has taken notice."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The ledger of a table, and the player whose seat this is."""

    ledger: Ledger
    player: Player | None = None

    @property
    def seat(self) -> Seat | None:
        """The seat of the player."""
        return None if self.player is None else self.player.seat

    @property
    def position(self) -> Position:
        """What is public at the tip."""
        return position_of(self.ledger.tip)

    def view(self) -> View:
        """Return what the player sees; a spectator sees what is public."""
        position, given = self.position, self._given()
        if self.player is None:
            return position.view(given=given)
        return position.view(self.seat, self.player.notebook(position), given)

    def legal(self) -> tuple[Action, ...]:
        """Return all that the player may do now."""
        return self.position.game.legal(self.view())

    def act(self, chosen: Action) -> tuple[Table, Ready]:
        """Do what the player has chosen, or raise `LocalError`."""
        position, player = self.position, self._seated()
        is_choice = position.choice() is not None
        if position.underway and not is_choice:
            raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "cards are on their way: nobody acts now")
        try:
            if isinstance(position.program.head, Ask) and is_choice:
                data = write_said(position, player.keyring, self._label(), chosen)
            elif is_choice:
                data = write_choice(position, player.seat, chosen)
            else:
                data = player.write(position, self.ledger.tip.moment(), chosen)
        except PeerError as refused:
            raise LocalError(refused.reason, refused.detail) from refused
        done = self.ledger.contribute([data]) if is_choice else self.ledger.propose(data)
        return _answered(player, *done)

    def notice(self) -> tuple[Table, Ready]:
        """Go on from acks that wait for this player, who has taken notice of all there is."""
        return _answered(self.player, *self.ledger.notice())

    def again(self) -> tuple[Table, Ready]:
        """Ask for another game at this table, once this one is closed."""
        return _answered(self.player, *self.ledger.propose(write_again()))

    def leave(self) -> tuple[Table, Ready]:
        """Leave the table for good."""
        return _answered(self.player, *self.ledger.leave())

    def receive(
        self, message: LedgerMessage | bytes, sender: Seat | None = None
    ) -> tuple[Table, Ready]:
        """Take in a message, or bytes that may be anything, from the link of `sender`."""
        return _answered(self.player, *self.ledger.receive(message, sender))

    def tick(self, now: int) -> tuple[Table, Ready]:
        """Let time pass up to tick `now`."""
        return _answered(self.player, *self.ledger.tick(now))

    def tell(self) -> tuple[Table, Ready]:
        """Tell everybody where this seat stands, as after a connection came up."""
        return _answered(self.player, *self.ledger.tell())

    def recall(self) -> tuple[Table, Ready]:
        """Sign nothing until all others have said what this seat has signed."""
        return _answered(self.player, *self.ledger.recall())

    def _label(self) -> bytes:
        """Return the label under which this seat commits to what it says, if it is asked."""
        owed = self.ledger.tip.owed_by(self._seated().seat)
        return owed[0].label if owed else b""

    def _given(self) -> frozenset[Seat]:
        """Return who has chosen in the choice that is due, as far as it is here and good."""
        desk = self.ledger.desk
        return frozenset(seat for seat, name in desk.first.items() if name in desk.judged)

    def _seated(self) -> Player:
        if self.player is None:
            raise LocalError(Reason.LOCAL_ARGUMENT, "a spectator does not act")
        return self.player


def sit_down(
    setting: Setting,
    player: Player | None = None,
    checker: Checker | None = None,
    state: Replay | None = None,
    duties: Duties = DUTIES,
    now: int = 0,
) -> tuple[Table, Ready]:
    """Return the table of a seat that agrees to the charter, or of a spectator.

    `checker` and `state` may be shared by seats that are simulated in one process. With the duties
    `HEEDING` a seat seals acks only when its player has taken notice.
    """
    fixed = _fixed(setting, player, checker, duties)
    state = begin(setting) if state is None else state
    return _answered(player, *found(fixed, state, now))


def come_back(
    setting: Setting,
    player: Player | None,
    records: Iterable[LedgerMessage],
    now: int = 0,
    checker: Checker | None = None,
    state: Replay | None = None,
    duties: Duties = DUTIES,
    *,
    is_old: bool = False,
) -> tuple[Table, Ready]:
    """Return the table as it was when it stored these records, all that it ever persisted.

    What this seat has signed and not yet seen in a complete entry is sent once more. If the records
    may be an old copy, the seat signs nothing before all others have told it what it has signed.
    """
    fixed = _fixed(setting, player, checker, duties)
    state = begin(setting) if state is None else state
    ledger, ready = recover(fixed, state, records, now, is_old=is_old)
    again = tuple(Outgoing(message) for message in resent(ledger))
    return _answered(player, ledger, replace(ready, send=(*again, *ready.send)))


def position_of(link: ChainEntry) -> Position:
    """Return what is public at an entry."""
    return state_of(link).position


def state_of(link: ChainEntry) -> Replay:
    """Return the state that a ledger of a table carries at an entry."""
    state = link.state
    assert isinstance(state, Replay), "a table founds its ledger with its own states"
    return state


def joined(first: Ready, second: Ready) -> Ready:
    """Return two batches as one; what is asked and when to wake is what the second says."""
    return Ready(
        first.persist + second.persist,
        first.send + second.send,
        first.show + second.show,
        second.ask,
        second.wake,
    )


def _fixed(
    setting: Setting, player: Player | None, checker: Checker | None, duties: Duties
) -> Fixed:
    charter = setting.agreed.charter
    checker = Signatures(charter.keys) if checker is None else checker
    seat, signer = (None, None) if player is None else (player.seat, player.signer)
    return Fixed(charter, seat, signer, checker, duties)


def _answered(player: Player | None, ledger: Ledger, ready: Ready) -> tuple[Table, Ready]:
    """Answer what the ledger asks of the seat itself, until only the player is asked."""
    while owed := [ask for ask in ready.ask if isinstance(ask, AskContribution)]:
        assert player is not None, "a spectator owes nothing"
        payloads = _payloads(player, ledger, owed[0])
        if payloads is None:
            break
        ledger, more = ledger.contribute(payloads)
        ready = joined(ready, more)
    return Table(ledger, player), ready


def _payloads(player: Player, ledger: Ledger, owed: AskContribution) -> Sequence[bytes] | None:
    """Return what a seat owes; nothing if its player has to choose, and has not."""
    state = state_of(ledger.tip)
    if state.position.choice() is None:
        return player.payloads(state, ledger.tip.moment(), owed.parts, owed.earlier)
    # An eviction has killed the step in which the seat had chosen: its word binds it.
    bound = [ledger.own.bound.get(part.label) for part in owed.parts]
    return [data for data in bound if data is not None] or None
