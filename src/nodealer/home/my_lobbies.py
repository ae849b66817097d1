"""The lobbies of a player: opened, found again after a crash, cleaned up.

A lobby that was not closed or left is gone on with: with the same number, the same secrets, the
same people, and whatever was answered. So the invite that was passed on stays good; the host
therefore listens where it did before, if nobody else does meanwhile.

A lobby that has become a table leads to that table, from then on and on both sides. Its record
stays for that, without the seed, which the journal has as soon as it is there.

A record that may be an older copy is not gone on with (`store.lobbies`): the lobby is left, and
that is stored before anything else.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Final

from nodealer.crypto import SECRET_BYTES, SharedSecret
from nodealer.home.clock import now_seconds
from nodealer.home.hindrances import LobbyError
from nodealer.home.listening_places import own_record
from nodealer.home.my_tables import MARK_DIGITS, table_in, table_mark, tables_of
from nodealer.home.people import Company
from nodealer.kernel import LocalError, Reason, Seat, TableId
from nodealer.lobby import (
    CHANCE_BYTES,
    GUEST,
    HOST,
    LOBBY_BYTES,
    AddressBook,
    Guest,
    GuestPhase,
    Host,
    Invite,
    Kept,
    Keys,
    LobbyReady,
    NewSeat,
    Seen,
    TablePlan,
    address_record,
    hosting,
    look_at_guest,
    look_at_host,
    plan_in,
    reopen_guest,
    reopen_host,
    visiting,
)
from nodealer.node import HeldLobby, Node, Room, address_note, addresses_in, is_over
from nodealer.store import (
    Friends,
    Identity,
    Journal,
    JournalOrigin,
    LobbyFile,
    Profile,
    StoreError,
    Trouble,
    create,
    glance,
    open_journal,
    records_in,
)

HOSTED: Final = ".host"
VISITED: Final = ".guest"

PROGRAMS: Final = "programs"
"""The note with the seats that have said in the lobby that a program plays, one byte for each."""

KEPT_SECONDS: Final = 30 * 24 * 60 * 60
"""An invite that nobody has used for so long is forgotten."""


@dataclass(frozen=True, slots=True)
class FoundLobby:
    """A lobby as it lies there, without the key of its owner; or why it cannot be read."""

    name: str
    is_hosted: bool
    seen: Seen | None = None
    trouble: LocalError | None = None

    @property
    def is_open(self) -> bool:
        """Whether people gather in it, as far as can be read."""
        return self.seen is not None and not self.seen.is_founded

    @property
    def mark(self) -> str:
        """How people call it."""
        return self.name[:MARK_DIGITS]


@dataclass(frozen=True, slots=True)
class Shelf:
    """The lobbies of one player."""

    profile: Profile
    identity: Identity

    @contextmanager
    def company(self, *, takes_new_keys: bool = False) -> Iterator[Company]:
        """Open the book of friends, to look up who turns up in a lobby."""
        with closing(Friends(self.profile.friends)) as friends:
            yield Company(friends, self.identity.public, takes_new_keys=takes_new_keys)

    def host(
        self, plan: TablePlan, name: str, keys: Keys | None = None, *, is_program: bool = False
    ) -> Room:
        """Open a new lobby, with secrets that are drawn for it."""
        keys = keys or drawn_keys()
        opened = hosting.opened(
            plan,
            name,
            self.identity.signer,
            keys,
            is_program=is_program,
            chance=secrets.token_bytes(CHANCE_BYTES),
        )
        return Room(*opened, LobbyFile(self.profile, f"{keys.lobby.hex()}{HOSTED}"))

    def visit(self, invite: Invite, name: str, *, is_program: bool = False) -> Room:
        """Go to a lobby, or go on there if this player has been there."""
        fresh = visiting.knocking(
            invite,
            name,
            self.identity.signer,
            is_program=is_program,
            chance=secrets.token_bytes(CHANCE_BYTES),
        )
        file_name = f"{invite.lobby.hex()}{VISITED}"
        if not any(path.name == file_name for path in records_in(self.profile)):
            return Room(*fresh, LobbyFile(self.profile, file_name))
        room = self._room(file_name)
        held, file = room.held, room.file
        assert isinstance(held, Guest), "its name says so"
        is_founded, is_out = held.phase is GuestPhase.FOUNDED, held.phase is GuestPhase.OUT
        is_here = is_founded or (not is_out and held.name == name and file.is_sure)
        if is_here and held.invite.watches == invite.watches:
            room.take(*visiting.redirected(held, invite))
            declare(room, is_program=is_program)
        elif not is_founded:
            if not is_out:
                held, ready = visiting.leave(held)
                room.take(held, ready)
            room.take(*visiting.again(held, invite, name, is_program=is_program))
            room.events.clear()  # that it was left is no news
        return room

    def reopen(self, name: str) -> Room:
        """Go on in a lobby that was not ended."""
        room = self._room(name)
        if room.file.is_sure or room.held.founding is not None:
            return room
        with closing(room.file):
            if isinstance(room.held, Host):
                room.take(*hosting.leave(room.held))
            else:
                room.take(*visiting.leave(room.held))
        raise StoreError(Trouble.OLD_COPY, room.file.path)

    def last(self, *, hosted: bool, plan: TablePlan | None = None) -> Room | None:
        """Go on in the newest lobby of one side, and of a plan, of which something can still come.

        One that has become a table leads there as long as the table is not over.
        """
        for one in listed(self.profile):
            offer = None if one.seen is None else one.seen.offer
            if one.is_hosted is not hosted or one.seen is None:
                continue
            if plan is not None and (offer is None or plan_in(offer) != plan):
                continue
            room = self.reopen(one.name)
            founding = room.held.founding
            if founding is None or not self._is_over(founding.table):
                return room
            room.file.discard()
            room.file.close()
        return None

    def sit_down(self, room: Room) -> Journal:
        """Return the journal of the table that a lobby has become; it alone has the seed then."""
        held = room.held
        assert held.founding is not None, "the charter is whole"
        journal = journal_for(held.founding, self.profile, self.identity, held.book)
        if held.founding.seed is not None:
            settled = hosting.settled(held) if isinstance(held, Host) else visiting.settled(held)
            room.take(*settled)
        return journal

    def clean(self) -> None:
        """Remove what is not needed any more; what somebody has open, or is damaged, is left.

        A table that was founded just before a crash gets its journal here.
        """
        for path in records_in(self.profile):
            is_old = path.stat().st_mtime < now_seconds() - KEPT_SECONDS
            try:
                room = self._room(path.name)
                with closing(room.file):
                    founding = room.held.founding
                    if founding is not None and not self._is_settled(founding):
                        self.sit_down(room).close()
                    if _is_ended(room.held) or is_old:
                        room.file.discard()
            except LocalError:
                continue  # whoever opens or lists it is told

    def rooms_of(self, table: TableId) -> list[Room]:
        """Return the lobbies that have become a table: others may still come to it through them."""
        found = []
        for path in records_in(self.profile):
            try:
                room = self._room(path.name)
            except LocalError:
                continue  # as above; the table does not depend on it
            if room.held.founding is not None and room.held.founding.table == table:
                found.append(room)
            else:
                room.file.close()
        return found

    def _is_settled(self, founding: NewSeat) -> bool:
        """Say whether all of a table that a lobby had is in the journal, as far as it ever will."""
        if founding.seat is not None:
            return founding.seed is None
        return self.profile.journal(founding.table).exists()

    def _is_over(self, table: TableId) -> bool:
        """Say whether nothing more will be asked of this player at a table that is here."""
        path = self.profile.journal(table)
        if not path.exists():
            return False  # it can have been founded just now
        seat, table_there = glance(path).seat, table_in(path)
        return is_over(table_there) or (
            seat is not None and seat not in table_there.position.roster
        )

    def _room(self, name: str) -> Room:
        """Open a record as it was stored last."""
        file = LobbyFile(self.profile, name)
        try:
            kept = Kept(file.read())
            reopen = reopen_host if name.endswith(HOSTED) else reopen_guest
            chance = secrets.token_bytes(CHANCE_BYTES)
            return Room(reopen(kept, self.identity.signer, chance), LobbyReady(), file)
        except BaseException:
            file.close()
            raise


def drawn_keys() -> Keys:
    """Return number and secrets of a lobby that nobody knows."""
    play, watch = (SharedSecret(secrets.token_bytes(SECRET_BYTES)) for _ in range(2))
    return Keys(secrets.token_bytes(LOBBY_BYTES), play, watch)


def listed(profile: Profile) -> Iterator[FoundLobby]:
    """Yield the lobbies in which something may still happen, the newest first."""
    for path in records_in(profile):
        is_hosted = path.suffix == HOSTED
        try:
            kept = Kept(path.read_bytes())
            seen = look_at_host(kept) if is_hosted else look_at_guest(kept)
        except LocalError as error:
            yield FoundLobby(path.name, is_hosted, trouble=error)
        else:
            if not seen.is_over:
                yield FoundLobby(path.name, is_hosted, seen)


def lobby_by(profile: Profile, begin: str | None) -> FoundLobby | None:
    """Return the lobby whose mark begins so; without one, the last if no table was used since."""
    known = [one for one in listed(profile) if one.is_open]
    if begin is not None:
        matching = [one for one in known if one.name.startswith(begin.lower())]
        return matching[0] if len(matching) == 1 else None
    if not known:
        return None
    tables = tables_of(profile)
    path = profile.home / "lobbies" / known[0].name
    is_last = not tables or path.stat().st_mtime_ns > tables[0].written
    return known[0] if is_last else None


def expect(room: Room, friends: Sequence[bytes]) -> None:
    """Let these friends come in without an invite."""
    if isinstance(room.held, Host) and friends and room.held.founding is None:
        room.take(*hosting.name(room.held, friends))


def declare(room: Room, *, is_program: bool) -> None:
    """Have the others told whether a program plays for this player, if that is news to them."""
    held = room.held
    if held.founding is not None:
        return
    if isinstance(held, Guest):
        room.take(*visiting.declared(held, is_program=is_program))
    elif any(one.key == held.key and one.is_program is not is_program for one in held.people):
        room.take(*hosting.declared(held, is_program=is_program))


def announce(room: Room, node: Node, identity: Identity) -> None:
    """Tell where this node can be reached now, under a number above all that it has used."""
    held, addresses = room.held, tuple(map(str, node.addresses()))
    if isinstance(held, Host):
        if "moved" in HOST[held.phase]:
            known = own_record(held)
            number = max(now_seconds(), 0 if known is None else known.number + 1)
            room.take(*hosting.moved(held, address_record(identity.signer, number, addresses)))
    elif "moved" in GUEST[held.phase]:
        record = address_record(identity.signer, now_seconds(), addresses)
        room.take(*visiting.moved(held, record))


def journal_for(
    founding: NewSeat, profile: Profile, identity: Identity, book: AddressBook
) -> Journal:
    """Return the journal of a seat at the table that a lobby has become.

    It is made before anything of the table leaves, with the seed behind the seat's answer and the
    addresses that everybody has given; where it is there already it is opened, however often
    somebody comes this way. Without a journal and without a seed nobody can sit down.
    """
    charter = founding.agreed.charter
    owner = identity if founding.seat is not None else None
    if profile.journal(charter.table).exists():
        return open_journal(profile, charter.table, owner)
    if founding.seat is not None and founding.seed is None:
        detail = "a table was founded with your answer, which was taken back, or given elsewhere"
        raise LobbyError(Reason.LOBBY_ANSWER, detail)
    key = None if owner is None else owner.public
    places = tuple(
        address_note(Seat(seat), addresses_in(book.of(other)))
        for seat, other in enumerate(charter.keys)
    )
    notes = (*places, (PROGRAMS, bytes(founding.programs)))
    return create(profile, JournalOrigin(charter, founding.seat, key), owner, founding.seed, notes)


def _is_ended(held: HeldLobby) -> bool:
    """Say whether nothing will come of a lobby, not even a table."""
    return held.is_closed if isinstance(held, Host) else held.over is not None


def table_line(table: TableId) -> str:
    """Return what is told of a lobby that has become a table."""
    return f"this lobby has become table {table_mark(table)}: you go on there"
