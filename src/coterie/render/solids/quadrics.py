"""Round solids on a canvas: spheres, ellipsoids, capsules, cylinders, each met exactly by the ray of every pixel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.render.solids.zbuffer import Array, Canvas, Light, Paint, Window, brightness


def ball(
    canvas: Canvas, form: Array, centre: Array, at: Window | None, light: Light, paint: Paint, size: float = 0.0
) -> None:
    """A sphere or an ellipsoid: the points with (p - c) . form (p - c) = 1. `size` is the radius of a sphere."""
    w = _root(canvas, form.tolist(), centre.tolist(), at)
    if at is not None and w is not None:
        _paint(canvas, at, w, form, centre, light, paint, size)


def tube(
    canvas: Canvas, centre: Array, axis: Array, r: float, half: float, round_ends: bool, light: Light, paint: Paint
) -> None:
    """A capsule, or the side of a cylinder; what is nearest of the side and of the balls at its ends is seen."""
    ends = [[c + s * half * a for c, a in zip(centre.tolist(), axis.tolist())] for s in (1, -1)]
    at = canvas.around_spheres(ends, r)
    if at is None:
        return
    a = axis.tolist()
    across, flat = 1 / r**2, [[(i == j) / r**2 for j in range(3)] for i in range(3)]
    w = _root(canvas, [[flat[i][j] - a[i] * a[j] * across for j in range(3)] for i in range(3)], centre.tolist(), at)
    if w is None:
        w = np.full((at[0].stop - at[0].start, at[1].stop - at[1].start), np.nan, np.float32)
    middle = float(axis @ centre)
    height = canvas.linear(a, at)  # along the axis, times w
    over = np.abs(height - middle * w) > half * w
    np.copyto(w, np.nan, where=over)
    for end in ends if round_ends else ():
        part = canvas.around_spheres([end], r)
        ball = _root(canvas, flat, end, part)
        if part is not None and ball is not None:
            top, left = at[0].start, at[1].start
            sub = w[part[0].start - top : part[0].stop - top, part[1].start - left : part[1].stop - left]
            np.fmax(sub, ball, out=sub)
    _paint(canvas, at, w, np.eye(3), centre, light, paint, r, (a, middle, half, height))


def _root(
    canvas: Canvas, form: Sequence[Sequence[float]], centre: Sequence[float], at: Window | None
) -> NDArray[np.float32] | None:
    """Where rays meet a quadric first, as w; NaN where they miss it, None where the eye is inside.

    On a ray it is a quadratic equation in w. Its discriminant is a polynomial of the pixel; about the middle of the
    window its coefficients are small, so that single precision is enough for the smallest solids. What is not done
    for every pixel is done with plain numbers, which for so few is quicker than with arrays.
    """
    push = [f[0] * centre[0] + f[1] * centre[1] + f[2] * centre[2] for f in form]
    c = push[0] * centre[0] + push[1] * centre[1] + push[2] * centre[2] - 1.0
    if at is None or c <= 1e-12:
        return None
    u, v = _middle(canvas, at)
    m = [[p * q - c * f for q, f in zip(push, row)] for p, row in zip(push, form)]
    mid = [row[0] * u + row[1] * v + row[2] for row in m]
    x, y = canvas.x[at[1]] - np.float32(u), canvas.y[at[0]] - np.float32(v)
    columns = (m[0][0] * x + 2 * mid[0]) * x + (u * mid[0] + v * mid[1] + mid[2])
    disc = columns + ((m[1][1] * y + 2 * mid[1]) * y)[:, None]
    disc += (2 * m[0][1] * x) * y[:, None]
    w = np.sqrt(disc, out=disc)
    w += canvas.linear(push, at)
    w *= 1 / c
    return w


def _middle(canvas: Canvas, at: Window) -> tuple[float, float]:
    """Of a window, in numbers that single precision can hold."""
    return float(canvas.x[(at[1].start + at[1].stop) // 2]), float(canvas.y[(at[0].start + at[0].stop) // 2])


def _paint(
    canvas: Canvas,
    at: Window,
    w: NDArray[np.float32],
    form: Array,
    centre: Array,
    light: Light,
    paint: Paint,
    size: float,
    axis: tuple[Sequence[float], float, float, Array] | None = None,
) -> None:
    """Write what is nearer than all before, with its light: the normal is form (p - c), with c moved along an axis.

    On spheres and tubes form is one, and the normal is as long as the radius.
    """
    seen = w > canvas.w[at]
    if not seen.any():
        return
    depth = 1 / w
    along = None
    if axis is not None:
        a, middle, half, height = axis
        along = np.clip(height * depth - middle, -half, half)
    parts = []
    for way in (light.sun / size, light.mirror / size) if size else form:
        part = canvas.linear(way.tolist(), at)
        part *= depth
        part -= float(way @ centre)
        if along is not None:
            part -= float(way @ a) * along
        parts.append(part)
    if not size:
        x, y, z = np.stack(parts) / np.sqrt(parts[0] ** 2 + parts[1] ** 2 + parts[2] ** 2)
        parts = [float(v[0]) * x + float(v[1]) * y + float(v[2]) * z for v in (light.sun, light.mirror)]
    colours, code = paint
    np.copyto(canvas.w[at], w, where=seen)
    np.copyto(canvas.colour[at], colours.take(brightness(*parts)), where=seen)
    np.copyto(canvas.code[at], code, where=seen)


def disc(
    canvas: Canvas, normal: Array, centre: Array, r: float, at: Window | None, colour: np.uint32, code: int
) -> None:
    """The end of a cylinder."""
    offset = float(normal @ centre)
    if at is None or offset > -1e-9:
        return
    s = normal / offset
    dx, dy = canvas.x[at[1]], canvas.y[at[0]][:, None]
    w = canvas.linear(s.tolist(), at)
    off = (dx - np.float32(centre[0]) * w, dy - np.float32(centre[1]) * w, 1 - np.float32(centre[2]) * w)
    seen = (off[0] * off[0] + off[1] * off[1] + off[2] * off[2] <= (np.float32(r) * w) ** 2) & (w > canvas.w[at])
    np.copyto(canvas.w[at], w, where=seen)
    np.copyto(canvas.colour[at], colour, where=seen)
    np.copyto(canvas.code[at], code, where=seen)
