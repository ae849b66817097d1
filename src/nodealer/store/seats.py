"""A seat that comes back from its journal.

    identity = open_identity(profile.key, passphrase)
    journal = open_journal(profile, table, identity)
    table, ready = come_back_to(journal, now)
    …
    journal.append(ready.persist, syncs=bool(ready.send), is_suspect=…)    then `ready.send` leaves

A journal in doubt comes back suspect: the seat asks all others what it has signed and signs
nothing before they have answered. Whether the seat is suspect is stored in the same transaction as
the batch, so that a crash in the middle of it changes nothing; also where a peer has shown a
signature that the journal lacks, which no file could have told.
"""

from __future__ import annotations

from nodealer.crypto import SECP256K1
from nodealer.deck import Keyring
from nodealer.games import game
from nodealer.kernel import LocalError, PeerError
from nodealer.ledger import DUTIES, Charter, Duties, Ready
from nodealer.store.journal import Journal
from nodealer.store.trouble import StoreError, Trouble
from nodealer.table import Player, Setting, Table, check_charter, come_back, joined, sit_down


def setting_of(charter: Charter, place: object) -> Setting:
    """Return the setting of a charter that was stored; `place` is told to people."""
    try:
        agreed = check_charter(charter)
        terms = agreed.terms
    except PeerError as error:
        raise StoreError(Trouble.DAMAGED, place, f"its charter: {error.slug}") from error
    try:
        return Setting(agreed, game(terms.game, terms.version))
    except (LocalError, PeerError) as error:
        raise StoreError(Trouble.RULES, place, f"{terms.game} {terms.version}") from error


def player_of(journal: Journal, setting: Setting) -> Player | None:
    """Return the player whose journal this is; a spectator's has none."""
    if journal.seat is None:
        return None
    keyring = Keyring(SECP256K1, journal.seat, journal.seed())
    agreed = setting.agreed
    secret = keyring.sealing_secret(agreed.terms.hash)
    if SECP256K1.times_generator(secret) != agreed.sealing_keys.get(journal.seat):
        raise StoreError(Trouble.DAMAGED, journal.path, "its seed is not that of the seat")
    return Player(keyring, journal.signer())


def come_back_to(journal: Journal, now: int = 0, duties: Duties = DUTIES) -> tuple[Table, Ready]:
    """Return the table as its journal knows it; keep and send what comes with it."""
    setting = setting_of(journal.charter, journal.path)
    player, records = player_of(journal, setting), journal.records()
    is_old = journal.doubt is not None and player is not None
    try:
        if records:
            return come_back(setting, player, records, now, duties=duties, is_old=is_old)
        table, ready = sit_down(setting, player, duties=duties, now=now)
    except LocalError as error:
        raise StoreError(Trouble.DAMAGED, journal.path, error.detail) from error
    if not is_old:
        return table, ready
    table, more = table.recall()
    return table, joined(ready, more)
