"""What the curve library does with some bytes, and that no bytes do that to us.

Each case is shown twice, in processes of their own: with the library alone, where it ends the
process or takes the bytes for something else, and through `nodealer.crypto`, where there is a
refusal with a name, or the right value. The first half says why the guards exist; should a new
version of the library turn it green, a guard may have become needless.
"""

from __future__ import annotations

import signal

import pytest

from tests.crypto.tools import in_a_process_of_its_own

RAW = """
from coincurve import PublicKey
def times_g(scalar): return PublicKey.from_valid_secret(scalar.to_bytes(32, "big"))
G = times_g(1)
"""

OURS = """
from nodealer.crypto import SECP256K1, Masked, ShuffleProof, Proof, AnyProof, write_scalar
from nodealer.kernel import PeerError
G, O, q = SECP256K1.generator, SECP256K1.identity, SECP256K1.order
def slug(call, *arguments):
    try:
        return call(*arguments)
    except PeerError as error:
        return error.slug
"""


def said(code: str) -> list[str]:
    """Return the lines that the code prints; it must come to its end."""
    done = in_a_process_of_its_own(code)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def assert_aborts(code: str) -> None:
    done = in_a_process_of_its_own(code + "\nprint('survived')")
    assert done.returncode == -signal.SIGABRT
    assert "survived" not in done.stdout
    assert "illegal argument" in done.stderr


ABORTS = {
    "an empty sum": "PublicKey.combine_keys([])",
    "a scalar of 33 bytes that becomes 0": "G.multiply(bytes(32) + b'\\5').format()",
    "a sum over the result of such a scalar": (
        "PublicKey.combine_keys([G, G.multiply(bytes(32) + b'\\5')])"
    ),
}


@pytest.mark.parametrize("call", ABORTS.values(), ids=ABORTS.keys())
def test_the_library_ends_the_process(call: str) -> None:
    assert_aborts(RAW + call)


def test_an_exception_handler_does_not_help() -> None:
    assert_aborts(RAW + "try:\n    PublicKey.combine_keys([])\nexcept BaseException:\n    pass")


def test_the_library_multiplies_by_another_number() -> None:
    lines = said(
        RAW
        + "scalar = b'\\0' + b'\\1' * 32\n"
        + "print(G.multiply(scalar) == times_g(int.from_bytes(scalar, 'big')))\n"
        + "print(G.multiply(scalar) == times_g(int.from_bytes(scalar[:32], 'big')))\n"
    )
    assert lines == ["False", "True"]


def test_the_library_reads_beyond_short_secrets() -> None:
    lines = said(
        RAW
        + "shorts = [bytes([5]), b'', b'\\1' * 16]\n"
        + "def tried(secret):\n"
        + "    try:\n        return PublicKey.from_valid_secret(secret)\n"
        + "    except ValueError:\n        return None\n"
        + "meant = [times_g(int.from_bytes(s, 'big') or 1) for s in shorts]\n"
        + "print(any(tried(s) == m for s, m in zip(shorts, meant) if tried(s)))\n"
        + "print(any(tried(s) is not None for s in shorts))\n"
    )
    assert lines == ["False", "True"]


def test_the_library_reads_one_point_from_several_encodings() -> None:
    lines = said(
        RAW
        + "long = G.format(compressed=False)\n"
        + "hybrid = bytes([6 + long[64] % 2]) + long[1:]\n"
        + "print(PublicKey(long) == PublicKey(hybrid) == G, len({long, hybrid, G.format()}))\n"
    )
    assert lines == ["True", "3"]


def test_the_library_has_no_identity() -> None:
    lines = said(
        RAW
        + "minus = G.multiply((-1 % 0x"
        + "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141).to_bytes(32, 'big'))\n"
        + "for call in (lambda: PublicKey.combine_keys([G, minus]),\n"
        + "             lambda: G.multiply(bytes(32)),\n"
        + "             lambda: PublicKey.from_valid_secret(bytes(32))):\n"
        + "    try:\n        call()\n    except ValueError:\n        print('raised')\n"
    )
    assert lines == ["raised"] * 3


def test_we_answer_every_empty_or_vanishing_sum() -> None:
    lines = said(
        OURS
        + "print(SECP256K1.total([]).is_identity, SECP256K1.linear([], []).is_identity)\n"
        + "print((G - G).is_identity, (0 * G).is_identity, (q * G).is_identity)\n"
        + "print(SECP256K1.times_generator(0).is_identity, (5 * O).is_identity)\n"
        + "print(SECP256K1.total([O, O]).is_identity, (O + O).encode() == b'\\0')\n"
        + "print((SECP256K1.total([G, -G, O]) + G).encode() == G.encode())\n"
    )
    assert lines == ["True"] * 10


def test_we_refuse_or_rightly_use_every_strange_scalar() -> None:
    lines = said(
        OURS
        + "for last in range(6):\n"
        + "    print(slug(SECP256K1.read_scalar, bytes(32) + bytes([last])))\n"
        + "print(slug(SECP256K1.read_scalar, b'\\0' + b'\\1' * 32))\n"
        + "print(slug(SECP256K1.read_scalar, b''), slug(SECP256K1.read_scalar, b'\\5'))\n"
        + "print(slug(SECP256K1.read_scalar, write_scalar(q)))\n"
        + "print(SECP256K1.times_generator(5) == 5 * G, (5 + q) * G == 5 * G)\n"
        + "print((1 << 264) * G == ((1 << 264) % q) * G, (1 << 256) * G != O)\n"
    )
    assert lines == [*["group/scalar-length"] * 9, "group/scalar-range", *["True"] * 4]


def test_we_refuse_every_other_encoding_of_a_point() -> None:
    lines = said(
        OURS
        + "from coincurve import PublicKey\n"
        + "long = PublicKey(G.encode()).format(compressed=False)\n"
        + "hybrid = bytes([6 + long[64] % 2]) + long[1:]\n"
        + "for data in (long, hybrid, long[1:], b'', b'\\0', b'\\0' * 33, b'\\4' + long[1:33]):\n"
        + "    print(slug(SECP256K1.read_point, data))\n"
        + "print(slug(SECP256K1.read_point, b'\\2' + b'\\xff' * 32))\n"
    )
    assert lines == [
        *["group/point-length"] * 5,
        *["group/point-prefix"] * 2,
        "group/point-off-curve",
    ]


def test_points_that_others_make_vanish_in_our_statements_do_no_harm() -> None:
    """A prover can choose points so that sums of them, or a whole base, are O in our own work."""
    lines = said(
        OURS
        + "from nodealer.crypto import Equation, ProofTranscript as T, Seed, Statement, Term\n"
        + "from nodealer.crypto import prove, verify\n"
        + "from nodealer.kernel import Reason\n"
        + "nonces = Seed(SECP256K1, bytes(32)).nonce_source('proof')\n"
        + "statement = Statement(('w',), (Equation(O, (Term(0, G - G),)),))\n"
        + "proof = prove(SECP256K1, T(SECP256K1, b''), statement, [5], nonces)\n"
        + "verify(SECP256K1, T(SECP256K1, b''), statement, proof, Reason.PROOF_FACE)\n"
        + "zero = Proof(bytes(16), (0,))\n"
        + "print(slug(verify, SECP256K1, T(SECP256K1, b''), statement, zero,\n"
        + "           Reason.PROOF_FACE))\n"
    )
    assert lines == ["proof/face"]


def test_no_bytes_end_the_process_or_raise_anything_but_a_refusal() -> None:
    done = in_a_process_of_its_own("from tests.crypto.fuzz_readers import main\nmain()")
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    tried, read = int(words[1].rstrip(",")), int(words[3])
    assert tried > 50_000
    assert 1000 < read < tried
