"""The relations about what a viewer sees, in the form of `tests.crypto.shapes`, and the table.

`layers` says for each view whether the viewer has a closed layer of her own in it.
"""

from __future__ import annotations

from itertools import pairwise

from nodealer.crypto import Group, Statement, relations
from nodealer.kernel import Reason
from tests.crypto.shapes import (
    Instance,
    Logs,
    Shape,
    absent,
    exchange,
    face,
    handover,
    key,
    names,
    on,
    seal,
    share,
    view,
)

Layers = tuple[bool, ...]


def view_names(layers: Layers) -> tuple[str, ...]:
    """Return the names of the points of the views; E counts only under a layer."""
    count = len(layers)
    return (*names("Q", count), *names("W", count), *own("E", layers), *own("L", layers))


def own(letter: str, layers: Layers) -> tuple[str, ...]:
    """Return names with this letter for the views that have a layer of the viewer."""
    return tuple(f"{letter}{i}" for i, layered in enumerate(layers) if layered)


def seen(logs: Logs, i: int, layers: Layers) -> int:
    """Return the face that view i shows, from the public logarithms alone."""
    layer = logs[f"L{i}"] * logs[f"E{i}"] if layers[i] else 0
    return logs[f"Q{i}"] + logs["Y"] * logs[f"W{i}"] - layer


def showing(q: int, v: Logs, faces: list[int], layers: Layers) -> dict[str, int]:
    """Return the public logarithms of views that show these faces."""
    logs = {"Y": v["y"]}
    for i, shown in enumerate(faces):
        layer = v[f"k{i}"] * v[f"E{i}"] if layers[i] else 0
        logs[f"W{i}"] = v[f"W{i}"]
        logs[f"Q{i}"] = (shown - v["y"] * v[f"W{i}"] + layer) % q
        if layers[i]:
            logs |= {f"E{i}": v[f"E{i}"], f"L{i}": v[f"k{i}"]}
    return logs


def others(secrets: tuple[int, ...], q: int) -> list[tuple[int, ...]]:
    """Return the secrets with one of them changed, each in turn."""
    return [(*secrets[:i], (secrets[i] + 1) % q, *secrets[i + 1 :]) for i in range(len(secrets))]


def view_face(*, layered: bool) -> Shape:
    """The viewer sees the face C."""
    layers = (layered,)
    ks = own("k", layers)

    def statement(group: Group, logs: Logs) -> Statement:
        Y, C = on(group, logs, "Y", "C")
        return relations.view_face(group, Y, view(group, logs, 0, layered=layered), C)

    def honest(q: int, v: Logs) -> Instance:
        logs = showing(q, v, [v["C"]], layers)
        return {**logs, "C": v["C"]}, (v["y"], *(v[k] for k in ks))

    def forgeries(q: int, v: Logs) -> list[Instance]:
        logs, secrets = honest(q, v)
        forged: list[Instance] = []
        for lied in others(secrets, q):
            layer = lied[1] * v["E0"] if layered else 0
            forged.append(({**logs, "C": (logs["Q0"] + lied[0] * v["W0"] - layer) % q}, lied))
        return [*forged, ({**logs, "C": (v["C"] + 1) % q}, secrets)]

    return Shape(
        f"view-face {'with' if layered else 'without'} layer",
        Reason.PROOF_VIEW_FACE,
        ("Y", "C", *view_names(layers)),
        ("y", "C", "W0", *own("E", layers), *ks),
        statement,
        lambda q, logs: (seen(logs, 0, layers) - logs["C"]) % q == 0,
        honest,
        forgeries,
    )


def equal(layers: Layers) -> Shape:
    """All views show one face."""
    count = len(layers)
    ks = own("k", layers)

    def statement(group: Group, logs: Logs) -> Statement:
        views = [view(group, logs, i, layered=layers[i]) for i in range(count)]
        (Y,) = on(group, logs, "Y")
        return relations.equal(group, Y, views)

    def truth(q: int, logs: Logs) -> bool:
        faces = [seen(logs, i, layers) for i in range(count)]
        return all((one - other) % q == 0 for one, other in pairwise(faces))

    def honest(q: int, v: Logs) -> Instance:
        return showing(q, v, [v["C"]] * count, layers), (v["y"], *(v[k] for k in ks))

    def forgeries(q: int, v: Logs) -> list[Instance]:
        logs, secrets = honest(q, v)
        forged: list[Instance] = []
        for lied in others(secrets, q):
            # Views that are equal for the secrets lied about, under the true public keys.
            told = dict(zip(("y", *ks), lied, strict=True))
            Qs = showing(q, {**v, **told}, [v["C"]] * count, layers)
            forged.append(({**logs, **{Q: Qs[Q] for Q in names("Q", count)}}, lied))
        bent: list[Instance] = [
            ({**logs, Q: (logs[Q] + 1) % q}, secrets) for Q in names("Q", count)[1:]
        ]
        return forged + bent

    return Shape(
        f"equal {written(layers)}",
        Reason.PROOF_EQUAL,
        ("Y", *view_names(layers)),
        ("y", "C", *names("W", count), *own("E", layers), *ks),
        statement,
        truth,
        honest,
        forgeries,
    )


def not_equal(layers: Layers) -> Shape:
    """T is a multiple of the weighted sum of all views' differences from the first."""
    count = len(layers)
    ks = own("k", layers)
    ws = tuple(f"w{i}" for i in range(1, count))

    def statement(group: Group, logs: Logs) -> Statement:
        views = [view(group, logs, i, layered=layers[i]) for i in range(count)]
        Y, T = on(group, logs, "Y", "T")
        return relations.not_equal(group, Y, views, [logs[w] for w in ws], T)

    def difference(logs: Logs) -> int:
        first = seen(logs, 0, layers)
        return sum(logs[w] * (seen(logs, int(w[1:]), layers) - first) for w in ws)

    def truth(q: int, logs: Logs) -> bool:
        return difference(logs) % q != 0 or logs["T"] % q == 0

    def honest(q: int, v: Logs) -> Instance:
        logs = showing(q, v, [v[C] for C in names("C", count)], layers)
        logs |= {w: v[w] for w in ws}
        logs["T"] = v["beta"] * difference(logs) % q
        return logs, tuple(v["beta"] * factor % q for factor in (1, v["y"], *(v[k] for k in ks)))

    def forgeries(q: int, v: Logs) -> list[Instance]:
        same = {**v, **dict.fromkeys(names("C", count), v["C0"])}
        logs, witness = honest(q, same)
        bent = [
            (*witness[:i], (witness[i] + 1) % q, *witness[i + 1 :]) for i in range(len(witness))
        ]
        Ts = [sum(v[w] * (v[f"W{w[1:]}"] - v["W0"]) for w in ws)]
        for k in ks:
            total = sum(v[w] for w in ws) if k == "k0" else -v[f"w{k[1:]}"]
            Ts.append(total * v[f"E{k[1:]}"])
        products: list[Instance] = [
            ({**logs, "T": T % q}, lied) for T, lied in zip(Ts, bent[1:], strict=True)
        ]
        return [({**logs, "T": 1}, witness), *products]

    return Shape(
        f"not-equal {written(layers)}",
        Reason.PROOF_NOT_EQUAL,
        ("Y", *view_names(layers), *ws, "T"),
        ("y", "beta", *names("C", count), *names("W", count), *own("E", layers), *ks, *ws),
        statement,
        truth,
        honest,
        forgeries,
    )


def written(layers: Layers) -> str:
    """Return the layers as a word: k where there is one, - where there is none."""
    return "".join("k" if layered else "-" for layered in layers)


SHAPES: tuple[Shape, ...] = (
    key(),
    share(),
    seal(1),
    seal(2),
    handover(Reason.PROOF_TRANSFER),
    handover(Reason.PROOF_RETURN),
    exchange(1),
    exchange(2),
    face(),
    absent(1),
    absent(2),
    view_face(layered=True),
    view_face(layered=False),
    *(equal(layers) for layers in ((True, True), (True, False), (False, True), (False, False))),
    equal((True, False, True)),
    *(not_equal(layers) for layers in ((True, True), (True, False), (False, True), (False, False))),
    not_equal((True, False, True)),
)
