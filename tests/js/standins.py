"""Stand-ins for two packages that no wheel brings to a browser, over JavaScript's own curves.

They have what `nodealer.crypto` asks of `coincurve` and `cryptography` to judge a record, and
nothing else: whoever signs or draws needs the real ones. Points lie in JavaScript; what goes to
and fro is text in hexadecimal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Protocol


class Curves(Protocol):
    """The functions of `language.mjs`; a point is its own affair."""

    def readPoint(self, text: str, /) -> object: ...
    def writePoint(self, point: object, /) -> str: ...
    def times(self, point: object, scalar: str, /) -> object: ...
    def generator(self, scalar: str, /) -> object: ...
    def sum(self, one: object, other: object, /) -> object: ...
    def verify(self, signature: str, message: str, key: str, /) -> bool: ...


class InvalidSignature(Exception):  # noqa: N818 - the name of the package
    """A signature that does not hold."""


class Unwanted:
    """Whatever judging a record has no use for."""

    def __init__(self, *_: object, **__: object) -> None:
        raise NotImplementedError("there is no stand-in for this")


class Held:
    """The functions that the stand-ins call."""

    curves: Curves


class PublicKey:
    """A point, as `coincurve` has it."""

    def __init__(self, data: bytes | None = None, point: object = None) -> None:
        self.point = Held.curves.readPoint(data.hex()) if data is not None else point
        if self.point is None:
            raise ValueError("not on the curve")

    @classmethod
    def from_valid_secret(cls, scalar: bytes) -> PublicKey:
        """Return a multiple of the generator."""
        return cls(point=Held.curves.generator(scalar.hex()))

    @classmethod
    def combine_keys(cls, keys: Iterable[PublicKey]) -> PublicKey:
        """Return a sum, which must not be O."""
        first, *others = keys
        total = first.point
        for one in others:
            total = Held.curves.sum(total, one.point)
        if Held.curves.writePoint(total) == "":
            raise ValueError("the sum is O")
        return cls(point=total)

    def multiply(self, scalar: bytes) -> PublicKey:
        """Return a multiple of this point."""
        return PublicKey(point=Held.curves.times(self.point, scalar.hex()))

    def format(self) -> bytes:
        """Return the encoding of this point."""
        return bytes.fromhex(Held.curves.writePoint(self.point))


class Ed25519PublicKey:
    """A key that signatures are checked against."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    @classmethod
    def from_public_bytes(cls, raw: bytes) -> Ed25519PublicKey:
        """Return the key of these bytes."""
        return cls(raw)

    def verify(self, signature: bytes, message: bytes) -> None:
        """Raise unless the signature covers the message."""
        if not Held.curves.verify(signature.hex(), message.hex(), self.raw.hex()):
            raise InvalidSignature


def install(curves: Curves) -> None:
    """Put the stand-ins where the packages would be."""
    Held.curves = curves
    primitives = "cryptography.hazmat.primitives"
    wanted: dict[str, dict[str, object]] = {
        "coincurve": {"PublicKey": PublicKey},
        "cryptography": {},
        "cryptography.exceptions": {
            "InvalidSignature": InvalidSignature,
            "InvalidTag": InvalidSignature,
        },
        "cryptography.hazmat": {},
        primitives: {},
        f"{primitives}.asymmetric": {},
        f"{primitives}.asymmetric.ed25519": {
            "Ed25519PrivateKey": Unwanted,
            "Ed25519PublicKey": Ed25519PublicKey,
        },
        f"{primitives}.ciphers": {},
        f"{primitives}.ciphers.aead": {"ChaCha20Poly1305": Unwanted},
        f"{primitives}.hashes": {"SHA512": Unwanted},
        f"{primitives}.kdf": {},
        f"{primitives}.kdf.hkdf": {"HKDF": Unwanted},
        f"{primitives}.kdf.scrypt": {"Scrypt": Unwanted},
        f"{primitives}.serialization": {"Encoding": Unwanted, "PublicFormat": Unwanted},
    }
    for name, members in wanted.items():
        module = ModuleType(name)
        for member, value in members.items():
            setattr(module, member, value)
        sys.modules[name] = module
