#!/usr/bin/env python3
"""Prints the coefficients of the fits in src/elementary.rs, and of those in binade-hlo's src/arithmetic/erfc.rs, the lowest power
first, and their relative errors.

Needs mpmath. A quotient P/Q of polynomials is fitted to f at Chebyshev points of an interval by weighted least squares on
(P − f Q) / (f Q), with the Q of the round before in the denominator, and weights that grow where the error is great
(Lawson's method), which comes close to the least greatest error.
"""

from mpmath import cos, erf, erfc, exp, log, lu_solve, matrix, mp, mpf, pi, sqrt, tanh

mp.dps = 60
ROUNDS = 12


def value(coefficients, x):
    return sum(c * x**power for power, c in enumerate(coefficients))


def fit(f, least, most, above, below):
    """P of degree `above` and Q of degree `below` with Q(0) = 1, and the greatest relative error at the points."""
    count = 4 * (above + below + 2)
    points = [(least + most) / 2 + (most - least) / 2 * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    exact = [f(x) for x in points]
    denominators = weights = [mpf(1)] * count
    best = None
    for _ in range(ROUNDS):
        size = above + 1 + below
        normal, right = matrix(size, size), matrix(size, 1)
        for x, y, denominator, weight in zip(points, exact, denominators, weights):
            scale = 1 / (y * denominator)
            row = [scale * x**power for power in range(above + 1)]
            row += [-scale * y * x**power for power in range(1, below + 1)]
            for i in range(size):
                right[i] += weight * row[i] * scale * y
                for j in range(size):
                    normal[i, j] += weight * row[i] * row[j]
        solution = list(lu_solve(normal, right))
        p, q = solution[: above + 1], [mpf(1), *solution[above + 1 :]]
        denominators = [value(q, x) for x in points]
        errors = [abs(value(p, x) / d / y - 1) for x, d, y in zip(points, denominators, exact)]
        greatest = max(errors)
        if best is None or greatest < best[0]:
            best = greatest, p, q
        grown = [weight * (error / greatest + mpf("1e-3")) for weight, error in zip(weights, errors)]
        weights = [weight * count / sum(grown) for weight in grown]
    return best


def odd(f, slope):
    """f(√z) / √z, which is the slope at 0."""
    return lambda z: f(sqrt(z)) / sqrt(z) if z else slope


HALF = log(2) / 2 * mpf("1.0001")
FITS = {
    "(e^r - 1)/r": (lambda r: (exp(r) - 1) / r if r else mpf(1), -HALF, HALF, 7, 0),
    "2 artanh(s)/s in s^2": (odd(lambda s: 2 * mp.atanh(s), mpf(2)), mpf(0), mpf("0.02945"), 5, 0),
    "tanh(x)/x in x^2": (odd(tanh, mpf(1)), mpf(0), mpf("9.1") ** 2, 6, 6),
    "erf(x)/x in x^2": (odd(erf, 2 / sqrt(pi)), mpf(0), mpf(16), 8, 7),
    "e^r": (exp, -HALF, HALF, 8, 0),
    "e^(x^2) erfc(x)": (lambda x: exp(x * x) * erfc(x), mpf(0), mpf(12), 6, 7),
}

for name, parts in FITS.items():
    error, p, q = fit(*parts)
    print(f"{name}: relative error 2^{float(log(error, 2)):.1f}")
    print("  ", [float(c) for c in p])
    if len(q) > 1:
        print("  /", [float(c) for c in q])
