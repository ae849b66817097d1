"""The group, the transcript, the proofs, signatures and commitments: everything that is algebra.

This package knows points, scalars and bytes. It does not know seats' hands, rules or messages:
`nodealer.deck` builds each statement from the state of the deck and asks for its proof here.
"""

from nodealer.crypto import relations
from nodealer.crypto.boxes import (
    COST_MAX,
    NONCE_BYTES,
    SALT_BYTES,
    USUAL_COST,
    Cost,
    key_of_passphrase,
    key_of_secret,
    opened,
    shut,
    stretched,
)
from nodealer.crypto.commitment import commit, joint_hash, verify_opening
from nodealer.crypto.derive import SEED_BYTES, NonceSource, Seed
from nodealer.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    SHORT_SCALAR_BYTES,
    Group,
    Point,
    write_scalar,
)
from nodealer.crypto.proof_transcript import ProofTranscript
from nodealer.crypto.secp256k1 import SECP256K1
from nodealer.crypto.shared_secret import PROOF_BYTES, SECRET_BYTES, SharedSecret
from nodealer.crypto.shuffle_proof import (
    Masked,
    ShuffleProof,
    prove_shuffle,
    read_points,
    shuffled,
    verify_shuffle,
)
from nodealer.crypto.sigma import (
    AnyProof,
    Equation,
    Proof,
    Statement,
    Sum,
    Term,
    prove,
    prove_any,
    verify,
    verify_any,
)
from nodealer.crypto.signing import KEY_BYTES, SIGNATURE_BYTES, SigningKey, VerifyKey
from nodealer.crypto.toy import toy_group

__all__ = [
    "COST_MAX",
    "KEY_BYTES",
    "NONCE_BYTES",
    "POINT_BYTES",
    "PROOF_BYTES",
    "SALT_BYTES",
    "SCALAR_BYTES",
    "SECP256K1",
    "SECRET_BYTES",
    "SEED_BYTES",
    "SHORT_SCALAR_BYTES",
    "SIGNATURE_BYTES",
    "USUAL_COST",
    "AnyProof",
    "Cost",
    "Equation",
    "Group",
    "Masked",
    "NonceSource",
    "Point",
    "Proof",
    "ProofTranscript",
    "Seed",
    "SharedSecret",
    "ShuffleProof",
    "SigningKey",
    "Statement",
    "Sum",
    "Term",
    "VerifyKey",
    "commit",
    "joint_hash",
    "key_of_passphrase",
    "key_of_secret",
    "opened",
    "prove",
    "prove_any",
    "prove_shuffle",
    "read_points",
    "relations",
    "shuffled",
    "shut",
    "stretched",
    "toy_group",
    "verify",
    "verify_any",
    "verify_opening",
    "verify_shuffle",
    "write_scalar",
]
