"""Every equation of the proof of shuffle is needed: without it, some false shuffle would pass.

The cheaters here have a prover of their own. It takes what an honest prover derives from a
permutation as arguments of their choice: the matrix behind the commitments c, what becomes of the
weights, and the randomness that the sums claim. Each cheater breaks one equation and satisfies all
others, so that a verifier that drops this one equation accepts.

With a matrix A in the place of the permutation, `c_j = r_j G + sum_i A_ij H_i` and `u' = A u`. The
new deck then has to satisfy `sum_i A_ij after_i = before_j`, up to re-randomisation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from nodealer.crypto import (
    SECP256K1,
    Masked,
    Point,
    ProofTranscript,
    ShuffleProof,
    shuffle_proof,
    verify_shuffle,
    write_scalar,
)
from nodealer.kernel import PeerError, Reason
from tests.crypto.test_shuffle_proof import CONTEXT, X_SECRET, X, deck, face
from tests.crypto.tools import G, Q, chosen

Matrix = list[list[int]]
HALF = pow(2, -1, Q)
H0, H1, H2 = (SECP256K1.hash_to_point("nodealer/1/tw-gen", index) for index in range(3))
FRESH = [chosen("fresh", place) for place in range(2)]


def rerandomised(parts: Sequence[tuple[int, Masked]], r: int) -> Masked:
    """Return the sum of multiples of cards, encrypted anew."""
    scalars = [scalar for scalar, _ in parts]
    E = SECP256K1.linear(scalars, [card.E for _, card in parts]) + r * G
    return Masked(E, SECP256K1.linear(scalars, [card.M for _, card in parts]) + r * X)


@dataclass
class Cheater:
    """Two cards, and everything that a shuffler could choose otherwise than the honest one."""

    after: list[Masked]
    matrix: Matrix = field(default_factory=lambda: [[1, 0], [0, 1]])
    before: list[Masked] = field(default_factory=lambda: deck(["king", "seven"]))
    weights: Callable[[list[int]], list[int]] | None = None
    """What becomes of the weights, where it is not what the matrix says."""
    moved: Callable[[list[int], list[int]], int] | None = None
    """The randomness of the sums over both decks, where it is not that of `FRESH`."""
    broken_link: int | None = None

    def prove(self) -> ShuffleProof:
        """Run the protocol as the verifier expects it."""
        transcript = ProofTranscript(SECP256K1, CONTEXT)
        transcript.absorb_points("key", [X])
        transcript.absorb("cards", 2)
        for label, cards in (("before", self.before), ("after", self.after)):
            transcript.absorb_points(label, [point for card in cards for point in card])
        r = [chosen("r", j) for j in range(2)]
        c = [r[j] * G + self.matrix[0][j] * H1 + self.matrix[1][j] * H2 for j in range(2)]
        transcript.absorb_points("c", c)
        u = transcript.weights("u", 2)
        up = (
            self.weights(u)
            if self.weights
            else [row[0] * u[0] + row[1] * u[1] for row in self.matrix]
        )
        rhat = [chosen("rhat", i) for i in range(2)]
        factors = list(up)
        if self.broken_link is not None:
            rest = up[1 - self.broken_link]
            factors[self.broken_link] = u[0] * u[1] * pow(rest, -1, Q) % Q
        chain = [rhat[0] * G + factors[0] * H0]
        chain.append(rhat[1] * G + factors[1] * chain[0])
        transcript.absorb_points("chain", chain)
        s4 = self.moved(u, up) if self.moved else up[0] * FRESH[0] + up[1] * FRESH[1]
        sums = (r[0] + r[1], rhat[0] * factors[1] + rhat[1], u[0] * r[0] + u[1] * r[1], s4)
        return self.respond(transcript, c, chain, [*sums, *rhat, *up])

    def respond(
        self, transcript: ProofTranscript, c: list[Point], chain: list[Point], secrets: list[int]
    ) -> ShuffleProof:
        nonce = [chosen("nonce", place) for place in range(len(secrets))]
        a1, a2, a3, a4, b0, b1, d0, d1 = nonce
        one, other = self.after
        t = [
            a1 * G,
            a2 * G,
            a3 * G + d0 * H1 + d1 * H2,
            d0 * one.M + d1 * other.M - a4 * X,
            d0 * one.E + d1 * other.E - a4 * G,
        ]
        links = [b0 * G + d0 * H0, b1 * G + d1 * chain[0]]
        shuffle_proof._absorb_commitments(transcript, t, links)
        challenge = transcript.challenge("challenge")
        factor = SECP256K1.short_scalar(challenge)
        s = [(n + factor * secret) % Q for n, secret in zip(nonce, secrets, strict=True)]
        return ShuffleProof(
            tuple(c), tuple(chain), challenge, tuple(s[:4]), tuple(s[4:6]), tuple(s[6:])
        )

    def passes(self) -> bool:
        proof = self.prove()
        assert len(proof.to_bytes()) == 2 * 130 + 144
        transcript = ProofTranscript(SECP256K1, CONTEXT)
        try:
            verify_shuffle(SECP256K1, transcript, X, self.before, self.after, proof)
        except PeerError as error:
            reason = error.reason
        else:
            return True
        assert reason is Reason.PROOF_SHUFFLE
        return False


def scaled() -> Cheater:
    """Break t1: one card is multiplied by 3, the other by 1/3; the product of weights stays."""
    third = pow(3, -1, Q)
    king, seven = deck(["king", "seven"])
    after = [rerandomised([(3, king)], FRESH[0]), rerandomised([(third, seven)], FRESH[1])]
    return Cheater(after, [[third, 0], [0, 3]])


def mixed(broken_link: int | None = None) -> Cheater:
    """Break t2, or a link of the chain: rows add up to one, but they are no permutation."""
    king, seven = deck(["king", "seven"])
    after = [
        rerandomised([(HALF, king)], FRESH[0]),
        rerandomised([(HALF, king), (1, seven)], FRESH[1]),
    ]
    return Cheater(after, [[2, -1], [0, 1]], broken_link=broken_link)


def multiplied() -> Cheater:
    """Break t3: weights that have nothing to do with c, found when the true ones are known.

    Two kings become 2 kings in one card and b kings in the other. Wanted are weights v, w with
    v w = u_0 u_1 and 2 v + b w = u_0 + u_1: a quadratic equation, which has a root for some b.
    """
    before = deck(["king", "king"])
    for b in range(2, 60):
        after = [rerandomised([(2, before[0])], FRESH[0]), rerandomised([(b, before[1])], FRESH[1])]

        def solved(u: list[int], b: int = b) -> list[int]:
            total, product = u[0] + u[1], u[0] * u[1]
            root = square_root((total * total - 8 * b * product) % Q)
            v = (total + root) * pow(4, -1, Q) % Q
            return [v, product * pow(v, -1, Q) % Q]

        def moved(u: list[int], up: list[int], b: int = b) -> int:
            e0, e1 = chosen("e", 0), chosen("e", 1)
            new = up[0] * (2 * e0 + FRESH[0]) + up[1] * (b * e1 + FRESH[1])
            return new - u[0] * e0 - u[1] * e1

        cheater = Cheater(after, before=before, weights=solved, moved=moved)
        try:
            cheater.prove()
        except ValueError:
            continue
        return cheater
    raise AssertionError("no quadratic equation among these has a root")


def square_root(square: int) -> int:
    """Return a root modulo the order of the group, by Cipolla's way, or raise `ValueError`."""
    if pow(square, (Q - 1) // 2, Q) != 1:
        raise ValueError("not a square")
    shift = next(a for a in range(1, 99) if pow(a * a - square, (Q - 1) // 2, Q) == Q - 1)
    beyond = (shift * shift - square) % Q

    def times(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        (a, b), (c, d) = one, other
        return (a * c + b * d * beyond) % Q, (a * d + b * c) % Q

    result = (1, 0)
    for bit in f"{(Q + 1) // 2:b}":
        result = times(result, result)
        if bit == "1":
            result = times(result, (shift, 1))
    assert result[1] == 0
    assert (result[0] * result[0] - square) % Q == 0
    return result[0]


def honest() -> Cheater:
    king, seven = deck(["king", "seven"])
    return Cheater([rerandomised([(1, king)], FRESH[0]), rerandomised([(1, seven)], FRESH[1])])


def bent(E: Point, M: Point) -> Cheater:
    """Break t4a or t4b: add something to one half of a card."""
    cheater = honest()
    first, second = cheater.after
    return Cheater([Masked(first.E + E, first.M + M), second])


BREAKERS: dict[str, tuple[int, Callable[[], Cheater]]] = {
    "t1": (0, scaled),
    "t2": (1, mixed),
    "t3": (2, multiplied),
    "t4a": (3, lambda: bent(SECP256K1.identity, face("joker") - face("king"))),
    "t4b": (4, lambda: bent(G, SECP256K1.identity)),
    "first link": (5, lambda: mixed(broken_link=0)),
    "second link": (6, lambda: mixed(broken_link=1)),
}


def without(monkeypatch: pytest.MonkeyPatch, dropped: int) -> None:
    """Make the verifier forget an equation: its commitment is no longer hashed."""

    def absorb(transcript: ProofTranscript, t: Sequence[Point], links: Sequence[Point]) -> None:
        kept = [point for i, point in enumerate([*t, *links]) if i != dropped]
        transcript.absorb_points("kept", kept)

    monkeypatch.setattr(shuffle_proof, "_absorb_commitments", absorb)


def test_the_provers_of_the_cheaters_speak_the_protocol() -> None:
    assert honest().passes()
    swapped = Cheater(honest().after[::-1], [[0, 1], [1, 0]])
    swapped.moved = lambda _u, up: up[0] * FRESH[1] + up[1] * FRESH[0]
    assert swapped.passes()


@pytest.mark.parametrize("name", BREAKERS)
def test_each_cheater_is_refused(name: str) -> None:
    assert not BREAKERS[name][1]().passes()


@pytest.mark.parametrize("name", BREAKERS)
def test_each_cheater_needs_just_one_equation_to_be_dropped(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other, (dropped, _) in BREAKERS.items():
        without(monkeypatch, dropped)
        assert BREAKERS[name][1]().passes() == (other == name)


@pytest.mark.parametrize("name", BREAKERS)
def test_what_the_cheaters_made_is_no_shuffle(name: str) -> None:
    cheater = BREAKERS[name][1]()
    before, after = (
        sorted((card.M - X_SECRET * card.E).encode() for card in cards)
        for cards in (cheater.before, cheater.after)
    )
    assert before != after


def test_a_forged_proof_has_the_form_of_an_honest_one() -> None:
    proof = multiplied().prove()
    read = ShuffleProof.from_bytes(SECP256K1, proof.to_bytes(), 2)
    assert read == proof
    assert proof.to_bytes().endswith(write_scalar(proof.weight_responses[1]))
