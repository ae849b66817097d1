"""Identity keys and signatures: Ed25519, always over a frame with a domain.

A signature never covers bare bytes: the domain string says what kind of object is signed, so that
a signature made for one purpose is void for every other. Verifying raises.

Keys of small order are refused when they are read. Under such a key one signature fits many
messages, and evidence signed with it would prove nothing.
"""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from nodealer.kernel import LocalError, PeerError, Reason, Value, frame

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_LOW_ORDER_Y: Final = frozenset(
    bytes.fromhex(text)
    for text in (
        "0100000000000000000000000000000000000000000000000000000000000000",  # order 1
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  # order 2
        "0000000000000000000000000000000000000000000000000000000000000000",  # order 4
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",  # order 8
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",  # order 8
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  # 0, not reduced
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  # 1, not reduced
    )
)
"""The y-coordinates of all points whose order divides eight; the sign bit is left out."""


class SigningKey:
    """A private identity key."""

    __slots__ = ("_key", "verify_key")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != KEY_BYTES:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"a key has {KEY_BYTES} bytes, not {len(seed)}")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        raw = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.verify_key = VerifyKey(raw)

    def __repr__(self) -> str:
        """Name the public half only."""
        return f"<signing key of {self.verify_key.raw.hex()[:12]}>"

    def sign(self, domain: str, value: Value) -> bytes:
        """Return the signature over the frame of `domain` and `value`."""
        return self._key.sign(frame(domain, value))


class VerifyKey:
    """A public identity key, as 32 bytes that were checked once."""

    __slots__ = ("_key", "raw")

    def __init__(self, raw: bytes) -> None:
        if len(raw) != KEY_BYTES:
            raise PeerError(Reason.SIGNATURE_LENGTH, f"key of {len(raw)} bytes")
        if raw[:-1] + bytes([raw[-1] & 0x7F]) in _LOW_ORDER_Y:
            raise PeerError(Reason.SIGNATURE_WEAK_KEY)
        self.raw = raw
        self._key = Ed25519PublicKey.from_public_bytes(raw)

    def verify(self, domain: str, value: Value, signature: bytes) -> None:
        """Raise unless `signature` covers the frame of `domain` and `value`."""
        if len(signature) != SIGNATURE_BYTES:
            raise PeerError(Reason.SIGNATURE_LENGTH, f"signature of {len(signature)} bytes")
        try:
            self._key.verify(signature, frame(domain, value))
        except InvalidSignature:
            raise PeerError(Reason.SIGNATURE_BAD, domain) from None
