"""Every relation of `nodealer.crypto.relations`, once more and independently: by logarithms.

A `Shape` is one relation in one size. It speaks of public points by name and gives each as its
logarithm, a number: `{"L": 3, "E": 2, "S": 6}`. That lets a test say what a claim *means* as plain
arithmetic (`truth`), make honest instances (`honest`), and make, for every equation, a false claim
that breaks this equation alone (`forgeries`). The same table serves the toy groups, where all
instances are tried, and secp256k1. Names that start with a small letter w are public scalars.

The meaning of a claim is taken from chapter 3 of the description of the proofs, not from the code.
`k` stands for the logarithm of L, `y` for that of Y; a view shows the face P = Q + y W - k E.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from nodealer.crypto import Group, Point, Statement, relations
from nodealer.crypto.relations import SlotView
from nodealer.kernel import Reason

Logs: TypeAlias = Mapping[str, int]
Instance: TypeAlias = tuple[Logs, tuple[int, ...]]


@dataclass(frozen=True)
class Shape:
    """One relation in one size."""

    name: str
    reason: Reason
    public: tuple[str, ...]
    """What the statement is made of."""
    free: tuple[str, ...]
    """What an honest instance is made from."""
    statement: Callable[[Group, Logs], Statement]
    truth: Callable[[int, Logs], bool]
    """Whether the statement ought to be satisfiable, in a group of this order."""
    honest: Callable[[int, Logs], Instance]
    forgeries: Callable[[int, Logs], list[Instance]]
    """For each equation, a claim and witness of which this equation alone is false."""

    @property
    def points(self) -> tuple[str, ...]:
        """The names of the public points, without the public scalars."""
        return tuple(name for name in self.public if not name.startswith("w"))

    def at(self, q: int, values: Sequence[int]) -> Instance:
        """Return the honest instance made from these values of the free names."""
        return self.honest(q, dict(zip(self.free, values, strict=True)))


def on(group: Group, logs: Logs, *names: str) -> list[Point]:
    """Return the named points."""
    return [group.times_generator(logs[name]) for name in names]


def key() -> Shape:
    """Whoever shows X knows x, where X = x G."""
    return Shape(
        "key",
        Reason.PROOF_KEY,
        ("X",),
        ("x",),
        lambda group, logs: relations.key(group, *on(group, logs, "X")),
        lambda _q, _logs: True,
        lambda _q, v: ({"X": v["x"]}, (v["x"],)),
        lambda q, v: [({"X": v["x"]}, ((v["x"] + 1) % q,))],
    )


def share() -> Shape:
    """S is the part of L on E."""

    def honest(q: int, v: Logs) -> Instance:
        return {"L": v["l"], "E": v["E"], "S": v["l"] * v["E"] % q}, (v["l"],)

    def forgeries(q: int, v: Logs) -> list[Instance]:
        logs, (l,) = honest(q, v)  # noqa: E741 - the letter that the specs use
        return [
            ({**logs, "S": (l + 1) * v["E"] % q}, ((l + 1) % q,)),
            ({**logs, "S": (logs["S"] + 1) % q}, (l,)),
        ]

    return Shape(
        "share",
        Reason.PROOF_SHARE,
        ("L", "E", "S"),
        ("l", "E"),
        lambda group, logs: relations.share(group, *on(group, logs, "L", "E", "S")),
        lambda q, logs: (logs["S"] - logs["L"] * logs["E"]) % q == 0,
        honest,
        forgeries,
    )


def seal(viewers: int) -> Shape:
    """Every viewer reads k E from U and her V."""
    Ys, Vs = names("Y", viewers), names("V", viewers)

    def statement(group: Group, logs: Logs) -> Statement:
        sealed = list(zip(on(group, logs, *Ys), on(group, logs, *Vs), strict=True))
        L, E, U = on(group, logs, "L", "E", "U")
        return relations.seal(group, L, E, U, sealed)

    def sealed_with(q: int, v: Logs, k: int, rho: int) -> dict[str, int]:
        return {V: (k * v["E"] + rho * v[Y]) % q for Y, V in zip(Ys, Vs, strict=True)}

    def honest(q: int, v: Logs) -> Instance:
        given = {"L": v["k"], "E": v["E"], "U": v["rho"], **{Y: v[Y] for Y in Ys}}
        return given | sealed_with(q, v, v["k"], v["rho"]), (v["k"], v["rho"])

    def truth(q: int, logs: Logs) -> bool:
        read = [logs[V] - logs["U"] * logs[Y] for Y, V in zip(Ys, Vs, strict=True)]
        return all((part - logs["L"] * logs["E"]) % q == 0 for part in read)

    def forgeries(q: int, v: Logs) -> list[Instance]:
        logs, (k, rho) = honest(q, v)
        other_k, other_rho = (k + 1) % q, (rho + 1) % q
        return [
            ({**logs, **sealed_with(q, v, other_k, rho)}, (other_k, rho)),
            ({**logs, **sealed_with(q, v, k, other_rho)}, (k, other_rho)),
            *(({**logs, V: (logs[V] + 1) % q}, (k, rho)) for V in Vs),
        ]

    return Shape(
        f"seal to {viewers}",
        Reason.PROOF_SEAL,
        ("L", "E", "U", *Ys, *Vs),
        ("k", "rho", "E", *Ys),
        statement,
        truth,
        honest,
        forgeries,
    )


def handover(reason: Reason) -> Shape:
    """(E', M') is the same card under P, with a known E'."""

    def remade(q: int, v: Logs, k: int, rho: int) -> int:
        return (v["N"] - k * v["E"] + rho * v["P"]) % q

    def honest(q: int, v: Logs) -> Instance:
        k, rho = v["k"], v["rho"]
        given = {"L": k, "E": v["E"], "N": v["N"], "E'": rho, "P": v["P"]}
        return {**given, "M'": remade(q, v, k, rho)}, (k, rho)

    def truth(q: int, logs: Logs) -> bool:
        old = logs["N"] - logs["L"] * logs["E"]
        new = logs["M'"] - logs["E'"] * logs["P"]
        return (old - new) % q == 0

    def forgeries(q: int, v: Logs) -> list[Instance]:
        logs, (k, rho) = honest(q, v)
        other_k, other_rho = (k + 1) % q, (rho + 1) % q
        return [
            ({**logs, "M'": remade(q, v, other_k, rho)}, (other_k, rho)),
            ({**logs, "M'": remade(q, v, k, other_rho)}, (k, other_rho)),
            ({**logs, "M'": (logs["M'"] + 1) % q}, (k, rho)),
        ]

    order = ("L", "E", "N", "E'", "M'", "P")
    return Shape(
        reason.slug.removeprefix("proof/"),
        reason,
        order,
        ("k", "rho", "E", "N", "P"),
        lambda group, logs: relations.handover(group, *on(group, logs, *order)),
        truth,
        honest,
        forgeries,
    )


def exchange(cards: int) -> Shape:
    """The layer keys change from L to K and N by Z = (k - l) E; the equations of Z are merged."""
    Ls, Ks, Es, Zs, ws = (names(letter, cards) for letter in "LKEZw")

    def statement(group: Group, logs: Logs) -> Statement:
        keys = list(zip(on(group, logs, *Ls), on(group, logs, *Ks), strict=True))
        weights = [logs[w] for w in ws]
        return relations.exchange(group, keys, on(group, logs, *Es), on(group, logs, *Zs), weights)

    def gap(logs: Logs, i: int) -> int:
        return logs[Zs[i]] - (logs[Ks[i]] - logs[Ls[i]]) * logs[Es[i]]

    def truth(q: int, logs: Logs) -> bool:
        return sum(logs[ws[i]] * gap(logs, i) for i in range(cards)) % q == 0

    def honest(q: int, v: Logs) -> Instance:
        ds = tuple((v[K] - v[L]) % q for L, K in zip(Ls, Ks, strict=True))
        return {**v, **{Z: d * v[E] % q for d, E, Z in zip(ds, Es, Zs, strict=True)}}, ds

    def forgeries(q: int, v: Logs) -> list[Instance]:
        logs, ds = honest(q, v)
        forged: list[Instance] = []
        for i, (E, Z) in enumerate(zip(Es, Zs, strict=True)):
            other = (*ds[:i], (ds[i] + 1) % q, *ds[i + 1 :])
            forged.append(({**logs, Z: other[i] * v[E] % q}, other))
        return [*forged, ({**logs, Zs[0]: (logs[Zs[0]] + 1) % q}, ds)]

    return Shape(
        f"exchange of {cards}",
        Reason.PROOF_MASK,
        (*Ls, *Ks, *Es, *Zs, *ws),
        (*Ls, *Ks, *Es, *ws),
        statement,
        truth,
        honest,
        forgeries,
    )


def face() -> Shape:
    """The slot (E, N) under L alone has the face C."""

    def honest(q: int, v: Logs) -> Instance:
        N = (v["C"] + v["k"] * v["E"]) % q
        return {"L": v["k"], "E": v["E"], "N": N, "C": v["C"]}, (v["k"],)

    def forgeries(q: int, v: Logs) -> list[Instance]:
        logs, (k,) = honest(q, v)
        other = (k + 1) % q
        return [
            ({**logs, "C": (logs["N"] - other * v["E"]) % q}, (other,)),
            ({**logs, "C": (v["C"] + 1) % q}, (k,)),
        ]

    return Shape(
        "face",
        Reason.PROOF_FACE,
        ("L", "E", "N", "C"),
        ("k", "E", "C"),
        lambda group, logs: relations.face(group, *on(group, logs, "L", "E", "N", "C")),
        lambda q, logs: (logs["N"] - logs["L"] * logs["E"] - logs["C"]) % q == 0,
        honest,
        forgeries,
    )


def absent(slots: int) -> Shape:
    """No slot has the face C: each T is a multiple of the difference."""
    Ls, Es, Ns, Ts = (names(letter, slots) for letter in "LENT")

    def statement(group: Group, logs: Logs) -> Statement:
        rows = [on(group, logs, L, E, N) for L, E, N in zip(Ls, Es, Ns, strict=True)]
        (C,) = on(group, logs, "C")
        return relations.absent(group, [(L, E, N) for L, E, N in rows], C, on(group, logs, *Ts))

    def difference(logs: Logs, i: int) -> int:
        return logs[Ns[i]] - logs["C"] - logs[Ls[i]] * logs[Es[i]]

    def truth(q: int, logs: Logs) -> bool:
        return all(difference(logs, i) % q or logs[Ts[i]] % q == 0 for i in range(slots))

    def honest(q: int, v: Logs) -> Instance:
        logs = {"C": v["C"]}
        witness: list[int] = []
        for i, (L, E, N, T) in enumerate(zip(Ls, Es, Ns, Ts, strict=True)):
            k, beta, F = v[f"k{i}"], v[f"beta{i}"], v[f"F{i}"]
            logs |= {L: k, E: v[E], N: (F + k * v[E]) % q, T: beta * (F - v["C"]) % q}
            witness += [beta, beta * k % q]
        return logs, tuple(witness)

    def forgeries(q: int, v: Logs) -> list[Instance]:
        forged: list[Instance] = []
        for i, T in enumerate(Ts):
            logs, witness = honest(q, {**v, f"F{i}": v["C"]})
            bent = list(witness)
            bent[2 * i + 1] = (bent[2 * i + 1] + 1) % q
            forged += [
                ({**logs, T: 1}, witness),
                ({**logs, T: -v[Es[i]] % q}, tuple(bent)),
            ]
        return forged

    made = [f"{letter}{i}" for i in range(slots) for letter in ("k", "E", "F", "beta")]
    return Shape(
        f"absent from {slots}",
        Reason.PROOF_ABSENT,
        ("C", *Ls, *Es, *Ns, *Ts),
        ("C", *made),
        statement,
        truth,
        honest,
        forgeries,
    )


def names(letter: str, count: int) -> tuple[str, ...]:
    """Return as many names with this letter."""
    return tuple(f"{letter}{i}" for i in range(count))


def view(group: Group, logs: Logs, i: int, *, layered: bool) -> SlotView:
    """Return the view of slot i; where the viewer has no layer, its E plays no part."""
    Q, W = on(group, logs, f"Q{i}", f"W{i}")
    if not layered:
        return SlotView(group.generator, Q, W, None)
    E, L = on(group, logs, f"E{i}", f"L{i}")
    return SlotView(E, Q, W, L)
