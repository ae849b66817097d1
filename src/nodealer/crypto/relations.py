"""Every claim about keys and hidden cards, as linear equations between public points.

A slot is a masked card `(E, M)` with closed layers; N is M minus all opened shares, so that
`N = C + sum of l_j * E` over the closed layers, where C is the point of the face. A layer's public
key is `L = l * G`. Each function below states one claim; the engine in `crypto.sigma` proves it.
`specs/02-proofs.md` lists the same equations with the reasons for each: none may be dropped.

    key         x * G = X
    share       S is the layer's part of this very slot
    seal        U, V hold that part for viewers, and nothing else
    handover    (E', M') is the same card under the key P, made by somebody who knows E' = rho * G
    exchange    the layer keys L_i were replaced by L'_i, the cards staying the same
    face        the slot has the face C        (member: one of several, by an OR of these)
    absent      no slot of a hand has the face C: every T is a multiple of a difference, and not O
    view        what viewer v can compute of a slot: the face is P = Q + y * W - k * E
    equal       all views have equal faces
    not equal   T is a random multiple of a weighted sum of the views' differences, and not O
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.crypto.group import Group, Point
from nodealer.crypto.sigma import Equation, Statement, Sum, Term


@dataclass(frozen=True, slots=True)
class SlotView:
    """A slot as one viewer sees it; L is the key of her own closed layer, if she has one."""

    E: Point
    Q: Point
    W: Point
    L: Point | None


def key(group: Group, X: Point) -> Statement:
    """Whoever shows X knows its secret."""
    return Statement(("x",), (Equation(X, (Term(0, group.generator),)),))


def share(group: Group, L: Point, E: Point, S: Point) -> Statement:
    """S is the share that the layer L has on E."""
    return Statement(
        ("l",),
        (Equation(L, (Term(0, group.generator),)), Equation(S, (Term(0, E),))),
    )


def seal(
    group: Group, L: Point, E: Point, U: Point, sealed: Sequence[tuple[Point, Point]]
) -> Statement:
    """U and each V hold the share of L on E, readable with the secret of the viewer's Y."""
    G = group.generator
    return Statement(
        ("k", "rho"),
        (
            Equation(L, (Term(0, G),)),
            Equation(U, (Term(1, G),)),
            *(Equation(V, (Term(0, E), Term(1, Y))) for Y, V in sealed),
        ),
    )


def handover(
    group: Group, L: Point, E: Point, N: Point, Ep: Point, Mp: Point, P: Point
) -> Statement:
    """(E', M') under P is the card that N hides under L on E."""
    G = group.generator
    q = group.order
    return Statement(
        ("k", "rho"),
        (
            Equation(L, (Term(0, G),)),
            Equation(Ep, (Term(1, G),)),
            Equation(Mp - N, (Term(1, P), Term(0, E, q - 1))),
        ),
    )


def exchange(
    group: Group,
    keys: Sequence[tuple[Point, Point]],
    Es: Sequence[Point],
    deltas: Sequence[Point],
    weights: Sequence[int],
) -> Statement:
    """For keys `(L_i, L'_i)`: `L'_i - L_i` and `delta_i` have one exponent d_i over G and E_i.

    The equations of the deltas are merged by weights. That is sound because every d_i is pinned by
    an equation of its own, and the weights were drawn after all points were fixed.
    """
    G, q = group.generator, group.order
    pinned = [
        Equation(Sum(((1, new), (q - 1, old))), (Term(i, G),)) for i, (old, new) in enumerate(keys)
    ]
    merged = Equation(
        Sum(tuple(zip(weights, deltas, strict=True))),
        tuple(Term(i, E, w) for i, (E, w) in enumerate(zip(Es, weights, strict=True))),
    )
    names = tuple(f"d{i}" for i in range(len(Es)))
    return Statement(names, (*pinned, merged))


def face(group: Group, L: Point, E: Point, N: Point, C: Point) -> Statement:
    """The slot, closed by L alone, has the face C."""
    return Statement(
        ("k",),
        (Equation(L, (Term(0, group.generator),)), Equation(N - C, (Term(0, E),))),
    )


def absent(
    group: Group, slots: Sequence[tuple[Point, Point, Point]], C: Point, Ts: Sequence[Point]
) -> Statement:
    """No slot `(L, E, N)` has the face C; witnesses beta and gamma = beta * k for each slot.

    T = beta * (N - C - k * E), which is O exactly if the face is C or beta is 0. These equations
    must not be merged: nothing pins beta and gamma but the pair itself.
    """
    G, q = group.generator, group.order
    names: list[str] = []
    equations: list[Equation] = []
    for (L, E, N), T in zip(slots, Ts, strict=True):
        beta, gamma = len(names), len(names) + 1
        names += [f"beta{beta // 2}", f"gamma{beta // 2}"]
        equations += [
            Equation(T, (Term(beta, N - C), Term(gamma, E, q - 1))),
            Equation(group.identity, (Term(beta, L), Term(gamma, G, q - 1))),
        ]
    return Statement(tuple(names), tuple(equations))


def view_face(group: Group, Y: Point, view: SlotView, C: Point) -> Statement:
    """The viewer with the sealing key Y sees the face C."""
    G, q = group.generator, group.order
    if view.L is None:
        return Statement(
            ("y",),
            (Equation(Y, (Term(0, G),)), Equation(C - view.Q, (Term(0, view.W),))),
        )
    return Statement(
        ("y", "k"),
        (
            Equation(Y, (Term(0, G),)),
            Equation(view.L, (Term(1, G),)),
            Equation(C - view.Q, (Term(0, view.W), Term(1, view.E, q - 1))),
        ),
    )


def equal(group: Group, Y: Point, views: Sequence[SlotView]) -> Statement:
    """All views show equal faces; witnesses y, then k of each view that has a layer of hers."""
    G, q = group.generator, group.order
    names, layers = _layer_witnesses(views)
    first = views[0]
    equations = [Equation(Y, (Term(0, G),))]
    equations += [Equation(L, (Term(index, G),)) for index, L in layers.values()]
    for position, other in enumerate(views[1:], start=1):
        terms = [Term(0, first.W - other.W)]
        if 0 in layers:
            terms.append(Term(layers[0][0], first.E, q - 1))
        if position in layers:
            terms.append(Term(layers[position][0], other.E))
        equations.append(Equation(other.Q - first.Q, tuple(terms)))
    return Statement(names, tuple(equations))


def not_equal(
    group: Group, Y: Point, views: Sequence[SlotView], weights: Sequence[int], T: Point
) -> Statement:
    """T is beta times the weighted sum of the faces' differences from the first.

    Witnesses beta, xi = beta * y, then kappa = beta * k of each view that has a layer of hers; the
    equations with target O force them to be those products. `weights` has one item for each view
    after the first. T is not O, so some difference is not O.
    """
    G, q = group.generator, group.order
    layered, layers = _layer_witnesses(views)
    names = ("beta", "xi", *(f"kappa{name[1:]}" for name in layered[1:]))
    first, others = views[0], views[1:]
    terms = [
        Term(0, group.linear(weights, [view.Q - first.Q for view in others])),
        Term(1, group.linear(weights, [view.W - first.W for view in others])),
    ]
    for position, (index, _) in layers.items():
        coefficient = sum(weights) if position == 0 else -weights[position - 1]
        terms.append(Term(index + 1, views[position].E, coefficient % q))
    forced = [Equation(group.identity, (Term(0, Y), Term(1, G, q - 1)))]
    forced += [
        Equation(group.identity, (Term(0, L), Term(index + 1, G, q - 1)))
        for index, L in layers.values()
    ]
    return Statement(names, (Equation(T, tuple(terms)), *forced))


def _layer_witnesses(
    views: Sequence[SlotView],
) -> tuple[tuple[str, ...], dict[int, tuple[int, Point]]]:
    """Return the names y, k.. and, by position of the view, the index of its k and its L."""
    names = ["y"]
    layers: dict[int, tuple[int, Point]] = {}
    for position, view in enumerate(views):
        if view.L is not None:
            layers[position] = (len(names), view.L)
            names.append(f"k{position}")
    return tuple(names), layers
