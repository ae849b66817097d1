"""Moving to another machine: a profile whole, in one file, and never in two places at once.

    leave(profile, …)     everything here is retired, on the disk, and then written to the file
    arrive(profile, …)    everything in the file is put in place on the other machine

A seat that signs on two machines signs against itself. So the source is retired *first*: whenever
the power fails, there is at most one machine on which the profile signs. What was retired can be
written to a file again as often as wanted, because it does not change any more. And because it does
not, a journal that arrives is as good as it was, in doubt about nothing, unless the same file has
arrived here before or the machine remembers more than the file has.

The file is a head and a box under a passphrase:

    [1, "store/move", format, number, cost, salt, nonce, check]    then the box

`check` is the hash of the rest, so that damage is told from a wrong passphrase. In the box is a
sequence: the profile; then for each journal its head, its records as they are, and its notes; then
the friends.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from nodealer.crypto import (
    NONCE_BYTES,
    SALT_BYTES,
    SEED_BYTES,
    USUAL_COST,
    Cost,
    key_of_passphrase,
    opened,
    shut,
)
from nodealer.kernel import LocalError, PeerError, Reason, TableId
from nodealer.ledger import Founded, read
from nodealer.store.files import make_directory, write_new, write_over
from nodealer.store.friends import Friend, Friends
from nodealer.store.identity import (
    Identity,
    read_key_file,
    require_strong,
    rewrite_identity,
    set_retired,
    unlocked,
    write_identity,
)
from nodealer.store.journal import Journal, chained, seed_box
from nodealer.store.move_file import (
    FORMAT,
    FRIEND,
    HEAD,
    JOURNAL,
    MOVE_BYTES_MAX,
    NOTE,
    PROFILE,
    MovedJournal,
    MovedNote,
    MovedProfile,
    MoveHead,
)
from nodealer.store.old_copies import NUMBER_BYTES, Doubt, doubt_of
from nodealer.store.opening import Contents, install, open_journal, take_lock
from nodealer.store.places import Profile
from nodealer.store.records import JournalOrigin
from nodealer.store.transcripts import glance
from nodealer.store.trouble import StoreError, Trouble, told_of
from nodealer.wire import split


def leave(
    profile: Profile,
    passphrase: str | None,
    file: Path,
    *,
    secured_by: str,
    why: str,
    cost: Cost = USUAL_COST,
) -> int:
    """Retire a profile and write it to a new file; return how many journals are in it.

    `why` is shown to whoever tries to play here. What is retired already stays so and is written;
    but another file of it may have arrived somewhere, so its journals are in doubt.
    """
    if not why:
        raise LocalError(Reason.LOCAL_ARGUMENT, "what is retired says why")
    require_strong(file, secured_by)
    if file.exists():
        raise StoreError(Trouble.EXISTS, file)
    found = read_key_file(profile.key)
    identity = unlocked(profile.key, found, passphrase)
    with ExitStack() as stack:
        journals = [stack.enter_context(closing(one)) for one in _all(profile, identity)]
        if not found.retired:
            set_retired(profile.key, why)
        for journal in journals:
            if journal.retired is None:
                journal.retire(why)
        content = b"".join(_written(profile, identity, journals, is_again=bool(found.retired)))
    write_new(file, _shut(content, secured_by, cost))
    return len(journals)


def arrive(
    profile: Profile,
    file: Path,
    *,
    secured_by: str,
    passphrase: str | None = None,
    cost: Cost = USUAL_COST,
) -> tuple[tuple[TableId, Doubt | None], ...]:
    """Put everything in a file in its place; return the tables that came, each with its doubt.

    It lies under another passphrase or none. A profile that is there must be the same one, and
    retired.
    """
    with told_of(file), file.open("rb") as stream:
        data = stream.read(MOVE_BYTES_MAX + 1)
    number, content = _opened(file, data, secured_by)
    identity, cargo, friends = _read(file, content)
    profile.make()
    _require_vacant(profile, identity)
    came = profile.places.state / "arrived" / number.hex()
    if came.exists():
        cargo = [replace(one, doubt=Doubt.AGAIN) for one in cargo]
    for one in cargo:
        _unload(profile, identity, one)
    make_directory(came.parent)
    write_over(came, b"")
    _settle(profile, identity, passphrase, cost)
    with closing(Friends(profile.friends)) as book:
        for friend in friends:
            book.restore(friend)
    seen = [glance(profile.journal(one.origin.charter.table)) for one in cargo]
    return tuple((one.charter.table, one.doubt) for one in seen)


def bring_back(profile: Profile, passphrase: str | None, cost: Cost = USUAL_COST) -> None:
    """Bring a retired profile back to life, because where it was moved to it is lost.

    Its journals are in doubt: what was signed elsewhere meanwhile is not known here.
    """
    identity = unlocked(profile.key, read_key_file(profile.key), passphrase)
    with ExitStack() as stack:
        for journal in _all(profile, identity):
            stack.enter_context(closing(journal)).revive()
    rewrite_identity(profile.key, identity, passphrase, cost)


def _all(profile: Profile, identity: Identity) -> Iterator[Journal]:
    """Open all journals of a profile, those of tables that it only watched included."""
    for path in profile.journals():
        seen = glance(path)
        owner = None if seen.identity is None else identity
        yield open_journal(profile, seen.charter.table, owner, even_retired=True)


# Writing.


def _written(
    profile: Profile, identity: Identity, journals: Sequence[Journal], *, is_again: bool
) -> Iterator[bytes]:
    with closing(Friends(profile.friends)) as book:
        friends = tuple(book)
    yield PROFILE.write(MovedProfile(identity.secret(), len(journals), len(friends)))
    for journal in journals:
        bodies, notes = journal.bodies(), journal.notes()
        seed = b"" if journal.seat is None else journal.seed()
        doubts = journal.doubt or (Doubt.AGAIN if is_again else None)
        doubt = None if doubts is None else doubts.name
        charter = journal.origin.charter_bytes()
        yield JOURNAL.write(
            MovedJournal(charter, journal.seat, seed, doubt, len(bodies), len(notes))
        )
        yield from bodies
        yield from (NOTE.write(MovedNote(name, value)) for name, value in notes)
    yield from (FRIEND.write(friend) for friend in friends)


def _shut(content: bytes, secured_by: str, cost: Cost) -> bytes:
    number = secrets.token_bytes(NUMBER_BYTES)
    salt, nonce = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(NONCE_BYTES)
    head = MoveHead(FORMAT, number, cost.log_n, salt, nonce, bytes(32))
    box = shut(key_of_passphrase(secured_by, salt, cost), nonce, content, head.beside())
    return HEAD.write(replace(head, check=head.check_of(box))) + box


# Reading.


def _opened(file: Path, data: bytes, secured_by: str) -> tuple[bytes, bytes]:
    """Return the number of a file and the content of its box."""
    try:
        first = next(split(data), b"")
        head, box = HEAD.read(first), data[len(first) :]
        cost = Cost(head.cost)
    except (PeerError, LocalError) as error:
        raise StoreError(Trouble.FOREIGN, file, error.slug) from None
    if head.check != head.check_of(box):
        raise StoreError(Trouble.DAMAGED, file)
    if head.format != FORMAT:
        raise StoreError(Trouble.NEWER, file, f"format {head.format}, not {FORMAT}")
    try:
        key = key_of_passphrase(secured_by, head.salt, cost)
        return head.number, opened(key, head.nonce, box, head.beside())
    except LocalError:
        raise StoreError(Trouble.PASSPHRASE, file) from None


def _read(file: Path, content: bytes) -> tuple[Identity, list[Contents], list[Friend]]:
    items = split(content)
    try:
        moved = PROFILE.read(next(items))
        identity = Identity(moved.secret)
        cargo = [_read_journal(items, identity) for _ in range(moved.journals)]
        friends = [FRIEND.read(next(items)) for _ in range(moved.friends)]
    except (PeerError, StopIteration):
        raise StoreError(Trouble.DAMAGED, file, "what is in its box") from None
    return identity, cargo, friends


def _read_journal(items: Iterator[bytes], identity: Identity) -> Contents:
    moved = JOURNAL.read(next(items))
    founded = read(moved.charter)
    if not isinstance(founded, Founded):
        raise PeerError(Reason.ENCODING_KIND, "a journal begins with its charter")
    is_watched = moved.seat is None
    origin = JournalOrigin(founded.charter, moved.seat, None if is_watched else identity.public)
    if not origin.is_possible or len(moved.seed) != (0 if is_watched else SEED_BYTES):
        raise PeerError(Reason.ENCODING_SHAPE, "no seat of this identity")
    rows = chained([next(items) for _ in range(moved.records)], 0, origin.link())
    notes = [NOTE.read(next(items)) for _ in range(moved.notes)]
    if len({note.name for note in notes}) < len(notes):
        raise PeerError(Reason.ENCODING_SHAPE, "two notes of one name")
    nonce = secrets.token_bytes(NONCE_BYTES)
    return Contents(
        origin,
        box=None if is_watched else seed_box(moved.seed, nonce, identity, origin),
        rows=rows,
        notes=tuple((note.name, note.value) for note in notes),
        doubt=doubt_of(moved.doubt),
    )


# Putting in place.


def _require_vacant(profile: Profile, identity: Identity) -> None:
    """Raise unless nothing signs here: what is not there or retired does not."""
    if not profile.key.exists():
        return
    found = read_key_file(profile.key)
    if found.public != identity.public or not found.retired:
        raise StoreError(Trouble.EXISTS, profile.key)


def _unload(profile: Profile, identity: Identity, cargo: Contents) -> None:
    """Put a journal in its place; one that is there is closed with all that its log holds."""
    table = cargo.origin.charter.table
    owner = None if cargo.origin.seat is None else identity
    if profile.journal(table).exists():
        open_journal(profile, table, owner, takes_over=True, even_retired=True).close()
    lock = take_lock(profile, table, owner)
    try:
        install(profile, cargo)
    finally:
        lock.release()


def _settle(profile: Profile, identity: Identity, passphrase: str | None, cost: Cost) -> None:
    """From here on this machine signs."""
    write = rewrite_identity if profile.key.exists() else write_identity
    write(profile.key, identity, passphrase, cost)
