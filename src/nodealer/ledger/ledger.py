"""The ledger of one seat: a frozen value and the inputs that lead to the next.

    ledger, ready = ledger.receive(message, sender)

Every input returns a new `Ledger` and a `Ready`. The old value stays what it was, so a caller that
fails to store what `ready.persist` lists can go on from it as if nothing had happened. The duties
of a caller:

1. store all of `ready.persist`, in order and durably, before any of `ready.send` leaves;
2. send everything in `ready.send` to the seats named there, once; losing some is allowed;
3. call `tick` with a clock that never goes back, at `ready.wake` or later, and before other inputs
   if the clock has gone on much: waits begin at the time that was told last;
4. answer what `ready.ask` asks with `propose`, `contribute` or `notice` once the player decides;
5. after a restart, `recovery.recover` from what was stored, and send `resent`.

What a peer sent never raises: it is filed, or dropped and counted. What the caller itself asks
for wrongly raises `LocalError`, and an application that contradicts itself raises `Bug`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nodealer.kernel import EntryId, Height, LocalError, PeerError, Reason, Seat
from nodealer.ledger import catch_up, consequences, filing, intake, rounds
from nodealer.ledger.allowance import answer_late, answers_at, ask
from nodealer.ledger.application import Application
from nodealer.ledger.chain import (
    authored,
    chain_of,
    first_link,
    judge_contribution,
)
from nodealer.ledger.codec import read_to_store
from nodealer.ledger.desk import Desk, put
from nodealer.ledger.draft import Draft, Fixed, LedgerState
from nodealer.ledger.messages import (
    Contributed,
    LedgerMessage,
    Left,
    Memory,
    Recall,
    Sealed,
    Status,
)
from nodealer.ledger.missed import is_enabled
from nodealer.ledger.objects import (
    NO_PARENT,
    Certificate,
    Contribution,
    Leave,
    Seal,
)
from nodealer.ledger.reading import LedgerReading, reading_of
from nodealer.ledger.ready import Dropped, Ready
from nodealer.ledger.recall import end_suspicion, take_memory


@dataclass(frozen=True, slots=True, eq=False)
class Ledger(LedgerState):
    """The state of one seat: what it holds, knows and has signed."""

    def propose(self, action: bytes) -> tuple[Ledger, Ready]:
        """Author the action of this seat, or raise `LocalError` if it may not or is refused."""
        draft = self._signing()
        seat = _seat(draft)
        if not draft.fixed.duties.one_seal(draft.own, draft.tip.id):
            raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "this seat has sealed over its tip")
        try:
            followed = authored(draft.tip, seat, action)
        except PeerError as refused:
            raise LocalError(refused.reason, refused.detail) from refused
        desk = draft.open_desk()
        desk.contents[followed.content.id] = followed.content
        desk.followed[followed.content.id] = followed
        consequences.seal_over_tip(draft, followed)
        return done(draft)

    def contribute(self, payloads: Sequence[bytes]) -> tuple[Ledger, Ready]:
        """Contribute payloads for the parts that this seat owes, in their order."""
        draft = self._signing()
        one = _signed_contribution(draft, payloads)
        own, bound = draft.own, dict(draft.own.bound)
        for part, payload in zip(draft.tip.owed_by(one.seat), payloads, strict=True):
            if part.binding and bound.setdefault(part.label, payload) != payload:
                raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "another payload under a binding label")
        made = put(own.contributions, one.parent, one)
        height = max(own.height, one.height)
        draft.own = replace(own, contributions=made, bound=bound, height=height)
        for before in one.on:
            earlier = Contributed(draft.desk.contributions[before])
            draft.stored = draft.stored | {before}
            draft.persist(earlier)
            draft.send(earlier)
        draft.persist(Contributed(one))
        draft.send(Contributed(one))
        draft.stored = draft.stored | {one.id}
        filing.file_contribution(draft, draft.tip, one)
        return done(draft)

    def notice(self) -> tuple[Ledger, Ready]:
        """Seal the step of seals alone that waits for the word of this seat's player."""
        draft = self._signing()
        if not consequences.is_held(draft):
            raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "nothing waits for word")
        draft.noticed = draft.tip.id
        return done(draft)

    def receive(
        self, message: LedgerMessage | bytes, sender: Seat | None = None
    ) -> tuple[Ledger, Ready]:
        """Take in a message, or bytes that may be anything, from the link of `sender`."""
        draft = Draft(self)
        draft.sender = sender
        try:
            read = read_to_store(message) if isinstance(message, bytes) else message
            match read:
                case Status() | Recall():
                    ask(draft, read, sender)
                case Memory():
                    take_memory(draft, read, sender)
                case _:
                    intake.file(draft, read, sender)
        except PeerError as error:
            draft = self._dropped(error, sender)
            if error.reason is Reason.LEDGER_ROUND_FAR_AHEAD:
                catch_up.query(draft, sender)
        else:
            if sender is not None:
                draft.hear(sender)
        return done(draft)

    def tick(self, now: int) -> tuple[Ledger, Ready]:
        """Let time pass up to tick `now`."""
        if now < self.now:
            raise LocalError(Reason.LOCAL_ARGUMENT, "time does not go back")
        draft = Draft(self)
        draft.now = now
        wake = _wake(draft)
        is_late, is_due = answer_late(draft), rounds.pass_time(draft)
        if is_late or is_due:
            return done(draft)
        return draft.changed(Ledger), draft.ready(wake)  # time alone leads to nothing else

    def leave(self) -> tuple[Ledger, Ready]:
        """Sign the last word of this seat at this table."""
        draft = self._signing()
        seat, own = _seat(draft), draft.own
        table = draft.fixed.charter.table
        height = Height(own.height)
        last_round = own.last_round(height)
        leave = draft.sign(Leave(table, height, draft.tip.id, last_round, seat, b""))
        draft.own = replace(own, leave=leave)
        draft.persist(Left(leave))
        draft.send(Left(leave))
        return done(draft)

    def tell(self) -> tuple[Ledger, Ready]:
        """Tell everybody where this seat stands, as after a connection came up."""
        draft = Draft(self)
        catch_up.tell_all(draft)
        return done(draft)

    def recall(self) -> tuple[Ledger, Ready]:
        """Become suspect: sign nothing until all others have said what this seat has signed."""
        draft = Draft(self)
        _seat(draft)
        if draft.suspect is None:
            draft.begin_suspicion()
            draft.send(catch_up.status_of(draft))
        else:
            catch_up.tell_all(draft)
        return done(draft)

    def reading(self) -> LedgerReading:
        """Return where this seat stands, for those who read it."""
        return reading_of(self)

    def _dropped(self, error: PeerError, sender: Seat | None) -> Draft:
        draft = Draft(self)
        draft.count(error.slug)
        draft.show(Dropped(error.slug, sender))
        return draft

    def _signing(self) -> Draft:
        draft = Draft(self)
        if not draft.may_sign or _seat(draft) not in draft.tip.roster:
            raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "this seat is out, has left, or is suspect")
        return draft


def found(fixed: Fixed, state: Application, now: int = 0) -> tuple[Ledger, Ready]:
    """Return the ledger of a seat that agrees to a charter: it seals it at once."""
    draft = Draft(unsealed(fixed, state))
    draft.now = draft.since = now
    if fixed.seat is None:
        return done(draft)
    seal = Seal(fixed.charter.table, Height(0), NO_PARENT, draft.tip.id, 0, fixed.seat, b"")
    seal = draft.sign(seal)
    draft.persist(Sealed(seal))
    draft.send(Sealed(seal))
    filing.file_charter_seal(draft, seal)
    return done(draft)


def unsealed(fixed: Fixed, state: Application) -> Ledger:
    """Return a ledger in which the charter has no seals yet."""
    charter, quorum_of = fixed.charter, fixed.duties.quorum_of
    empty = Certificate(EntryId(charter.table), 0)
    return Ledger(fixed, first_link(charter, state, empty, quorum_of), Desk(), Desk())


def done(draft: Draft) -> tuple[Ledger, Ready]:
    """Do what follows from an input, and return the new value with what is to be done."""
    end_suspicion(draft)
    if draft.is_founded:
        consequences.advance(draft)
    asks = consequences.asks(draft) if draft.is_founded else ()
    if asks != draft.asked:
        draft.asked = draft.asks = asks
    wake = _wake(draft)
    return draft.changed(Ledger), draft.ready(wake)


def _wake(draft: Draft) -> int | None:
    """Return when something happens by time alone."""
    wakes = (rounds.watch(draft), answers_at(draft) if draft.asking else None)
    return min((wake for wake in wakes if wake is not None), default=None)


def _seat(draft: Draft) -> Seat:
    if draft.fixed.seat is None:
        raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "a reader signs nothing")
    return draft.fixed.seat


def _signed_contribution(draft: Draft, payloads: Sequence[bytes]) -> Contribution:
    tip, seat = draft.tip, _seat(draft)
    parts = tip.owed_by(seat)
    if not parts or len(parts) != len(payloads):
        raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "other parts are owed")
    if not draft.fixed.duties.one_contribution(draft.own, tip.id):
        raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "this seat has contributed over its tip")
    if not is_enabled(draft, seat):
        raise LocalError(Reason.LOCAL_MAY_NOT_SIGN, "what this builds on is not here yet")
    firsts = [draft.desk.first_of(before) for before in tip.predecessors(seat)]
    on = tuple(one.id for one in firsts if one is not None)
    given = tuple((part.label, bytes(data)) for part, data in zip(parts, payloads, strict=True))
    unsigned = Contribution(tip.table, tip.moment().height, tip.id, seat, given, on, b"")
    try:
        chain = chain_of(tip, unsigned, draft.desk.contributions.get)
        assert chain is not None, "what it names is on the desk"
        judge_contribution(tip, unsigned, chain)
    except PeerError as refused:
        raise LocalError(refused.reason, refused.detail) from refused
    return draft.sign(unsigned)
