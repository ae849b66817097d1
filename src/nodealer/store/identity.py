"""The identity of a player: one Ed25519 key, in a file that only its owner can read.

The key is that of the network address and of everything that the player signs; domains keep the
two apart. Whoever has it plays in the player's name, so the file has mode 0600, lies in a directory
that nobody else can write, is made in one step and never replaced by anything but itself: with
another passphrase, or with the word that it is retired.

    [1, "store/identity", format, public key, retired, cost, salt, nonce, body, check]

Without a passphrase `cost` is 0, salt and nonce are empty, and `body` is the secret. With one the
body is a box under the key that the passphrase stands for; format, public key, cost and salt lie
beside the box. `check` is the hash of all that stands before it: a damaged file is told from a
wrong passphrase, and is left as it is.

The secret shows nowhere: not in the text of this object, of what it is made of, or of an error.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from nodealer.crypto import (
    COST_MAX,
    KEY_BYTES,
    NONCE_BYTES,
    SALT_BYTES,
    USUAL_COST,
    Cost,
    SigningKey,
    key_of_passphrase,
    key_of_secret,
    opened,
    shut,
)
from nodealer.kernel import LocalError, PeerError, Reason, digest, frame
from nodealer.store.files import read_private, require_own_directory, write_new, write_over
from nodealer.store.trouble import StoreError, Trouble
from nodealer.wire import Field, RecordCodec, Schema, bytes_up_to, exact_bytes, text_up_to, uint

IDENTITY: Final = "nodealer/1/identity"

FORMAT: Final = 1
IDENTITY_BYTES_MAX: Final = 1024
PASSPHRASE_CHARACTERS_MIN: Final = 8
RETIRED_BYTES_MAX: Final = 256


@dataclass(frozen=True, slots=True)
class KeyFile:
    """The contents of the file; its body stays out of every text."""

    format: int
    public: bytes
    retired: str
    cost: int
    salt: bytes
    nonce: bytes
    body: bytes
    check: bytes

    def __repr__(self) -> str:
        """Name the public half only."""
        return f"<key file of {self.public.hex()[:12]}>"

    @property
    def is_protected(self) -> bool:
        """Whether a passphrase is needed."""
        return self.cost != 0

    def beside(self) -> bytes:
        """Return what the box is bound to."""
        return frame(IDENTITY, self.format, self.public, self.cost, self.salt)

    def checked(self) -> KeyFile:
        """Return the file with the hash of all its fields."""
        fields = (self.format, self.public, self.retired, self.cost, self.salt, self.nonce)
        return replace(self, check=digest(IDENTITY, *fields, self.body))


KEY_FILE: Final = Schema(
    "store/identity",
    RecordCodec(
        KeyFile,
        (
            Field("format", uint()),
            Field("public", exact_bytes(KEY_BYTES)),
            Field("retired", text_up_to(RETIRED_BYTES_MAX)),
            Field("cost", uint(COST_MAX)),
            Field("salt", bytes_up_to(SALT_BYTES)),
            Field("nonce", bytes_up_to(NONCE_BYTES)),
            Field("body", bytes_up_to(2 * KEY_BYTES)),
            Field("check", exact_bytes(32)),
        ),
    ),
)


class Identity:
    """An identity whose secret is at hand."""

    __slots__ = ("_secret", "signer")

    def __init__(self, secret: bytes) -> None:
        self.signer = SigningKey(secret)
        self._secret = secret

    def __repr__(self) -> str:
        """Name the public half only."""
        return f"<identity {self.public.hex()[:12]}>"

    @property
    def public(self) -> bytes:
        """The public key."""
        return self.signer.verify_key.raw

    def secret(self) -> bytes:
        """Return the secret, for the key of the network address; never print or store it."""
        return self._secret

    def box_key(self) -> bytes:
        """Return the key under which this player's own secrets are kept."""
        return key_of_secret(self._secret)


def create_identity(path: Path, passphrase: str | None = None, cost: Cost = USUAL_COST) -> Identity:
    """Draw an identity and write its file, which must not be there yet."""
    identity = Identity(secrets.token_bytes(KEY_BYTES))
    write_identity(path, identity, passphrase, cost)
    return identity


def write_identity(
    path: Path, identity: Identity, passphrase: str | None = None, cost: Cost = USUAL_COST
) -> None:
    """Write the file of an identity, which must not be there yet."""
    require_own_directory(path.parent)
    write_new(path, KEY_FILE.write(key_file_of(path, identity, passphrase, cost)))


def rewrite_identity(
    path: Path, identity: Identity, passphrase: str | None = None, cost: Cost = USUAL_COST
) -> None:
    """Write the file of an identity in the place of the one that is there."""
    write_over(path, KEY_FILE.write(key_file_of(path, identity, passphrase, cost)))


def read_key_file(path: Path) -> KeyFile:
    """Return what the file of an identity says without its passphrase."""
    require_own_directory(path.parent)
    data = read_private(path, IDENTITY_BYTES_MAX)
    try:
        found = KEY_FILE.read(data)
    except PeerError as error:
        is_newer = error.reason is Reason.ENCODING_VERSION
        raise StoreError(Trouble.NEWER if is_newer else Trouble.DAMAGED, path) from None
    if found != found.checked():
        raise StoreError(Trouble.DAMAGED, path)
    if found.format != FORMAT:
        raise StoreError(Trouble.NEWER, path, f"format {found.format}, not {FORMAT}")
    return found


def open_identity(path: Path, passphrase: str | None = None) -> Identity:
    """Return the identity of a file; one that is retired is refused."""
    found = read_key_file(path)
    if found.retired:
        raise StoreError(Trouble.RETIRED, path, found.retired)
    return unlocked(path, found, passphrase)


def unlocked(path: Path, found: KeyFile, passphrase: str | None) -> Identity:
    """Return the identity of a file that was read, retired or not."""
    secret = found.body
    if found.is_protected:
        if passphrase is None:
            raise StoreError(Trouble.PROTECTED, path)
        try:
            key = key_of_passphrase(passphrase, found.salt, Cost(found.cost))
            secret = opened(key, found.nonce, found.body, found.beside())
        except LocalError as error:
            is_wrong = error.reason is Reason.LOCAL_BOX
            raise StoreError(Trouble.PASSPHRASE if is_wrong else Trouble.DAMAGED, path) from None
    if len(secret) != KEY_BYTES or SigningKey(secret).verify_key.raw != found.public:
        raise StoreError(Trouble.DAMAGED, path, "the halves of the key do not fit")
    return Identity(secret)


def protect(
    path: Path, passphrase: str | None, new: str | None, cost: Cost = USUAL_COST
) -> Identity:
    """Give the file another passphrase, or none."""
    identity = open_identity(path, passphrase)
    rewrite_identity(path, identity, new, cost)
    return identity


def set_retired(path: Path, retired: str) -> None:
    """Say in the file that the identity was moved away, or with no text that it is back."""
    found = replace(read_key_file(path), retired=retired)
    write_over(path, KEY_FILE.write(found.checked()))


def require_strong(path: Path, passphrase: str) -> None:
    """Raise if a passphrase is too short to protect anything."""
    if len(passphrase) < PASSPHRASE_CHARACTERS_MIN:
        raise StoreError(Trouble.WEAK, path)


def key_file_of(
    path: Path, identity: Identity, passphrase: str | None, cost: Cost = USUAL_COST
) -> KeyFile:
    """Return what the file of an identity is to hold."""
    bare = KeyFile(FORMAT, identity.public, "", 0, b"", b"", identity.secret(), b"")
    if passphrase is None:
        return bare.checked()
    require_strong(path, passphrase)
    salt, nonce = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(NONCE_BYTES)
    shell = replace(bare, cost=cost.log_n, salt=salt, nonce=nonce, body=b"")
    key = key_of_passphrase(passphrase, salt, cost)
    body = shut(key, nonce, identity.secret(), shell.beside())
    return replace(shell, body=body).checked()
