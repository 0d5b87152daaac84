"""Factorizations of JAX on binade's device against what defines them, and against LAPACK.

    python peers/check_linalg.py [--sizes 1,2,3,…] [--family NAME]… [--seed N]

Matrices on which iterations are known to fail: of low rank, with equal values, graded, with zero rows, defective, in float32, float64, complex64
and complex128. For each, `svd`, `eigh`, `eig` and `schur` have to find every number, with residuals, losses of orthogonality and
distances from LAPACK's singular values and eigenvalues (of SciPy) of at most 20·n·ε, relative to the matrix's norm. Eigenvalues of
matrices that are not normal are compared where LAPACK's are not more sensitive than that. `matrix_rank` and `pinv` are compared, too.
The largest of each, in units of n·ε, is printed; the exit code is 1 if one is larger than 20, or an answer is not finite.
"""

import argparse
import os
import sys

# Residuals and distances, in units of n·ε.
LIMIT = 20
# Residuals of eigenvectors of badly scaled matrices, in LAPACK's own, which vary as much with the order of its operations.
WORSE = 16
SIZES = (1, 2, 3, 4, 5, 8, 13, 24, 37, 64, 81, 97, 104, 150, 300)


def families(n, generator):
    """Names and matrices of n × n, in binary64; those that end with * have a complex sibling by random phases."""
    import numpy as np

    i, j = np.indices((n, n))
    normal = generator.standard_normal

    def low_rank(k):
        x = normal((n, k))
        return x @ np.diag(normal(k)) @ x.T

    def star():
        a = np.zeros((n, n))
        a[0, 1:] = a[1:, 0] = 1
        return a

    def with_values(values):
        q, _ = np.linalg.qr(normal((n, n)))
        a = q @ np.diag(values) @ q.T
        return (a + a.T) / 2

    def jordan(value, block):
        a = value * np.eye(n) + np.eye(n, k=1)
        a[[row for row in range(n - 1) if row % block == block - 1], :] = 0
        return np.where(i == j, value, a)

    zero_rows = normal((n, n))
    zero_rows[::3] = 0
    both = zero_rows.copy()
    both[:, ::3] = 0
    jordan_like = jordan(1, 3)
    turned = np.linalg.qr(normal((n, n)))[0]
    yield "ones", np.ones((n, n))
    yield "I + J", np.eye(n) + 1
    yield "J - I", 1 - np.eye(n)
    yield "n·I - J", n * np.eye(n) - 1
    yield "clusters", with_values(np.repeat([1.0, 2.0, 3.0], -(-n // 3))[:n])
    yield "tight clusters", with_values(1 + 1e-12 * (np.arange(n) % 3) * normal(n))
    yield "opposite pairs", with_values(np.where(np.arange(n) % 2, 1.0, -1.0))
    yield "star", star()
    yield "bipartite", np.where((i < n // 3) != (j < n // 3), 1.0, 0.0)
    yield "checkerboard", ((i + j) % 2).astype(float)
    yield "signs", np.where((i + j) % 2, 1.0, -1.0)
    yield "i·j", (i + 1.0) * (j + 1.0)
    yield "i + j", i + j + 0.0
    yield "|i - j|", np.abs(i - j) + 0.0
    yield "min", np.minimum(i, j) + 1.0
    yield "Hilbert", 1 / (i + j + 1)
    yield "path", (np.abs(i - j) == 1).astype(float)
    yield "cycle", np.eye(n, k=1) + np.eye(n, k=1 - n) * (n > 1)
    yield "graph of a cycle", ((np.abs(i - j) == 1) | (np.abs(i - j) == n - 1)).astype(float)
    yield "graded", normal((n, n)) * 10.0 ** -np.minimum(i + j, 30)
    yield "graded upwards", normal((n, n)) * 10.0 ** -np.minimum(2 * n - 2 - i - j, 30)
    yield "graded columns", normal((n, n)) * 10.0 ** -(j % 17)
    yield "graded values", with_values(10.0 ** -np.minimum(np.arange(n), 40))
    yield "zero rows", zero_rows
    yield "zero rows and columns", both
    yield "zeros", np.zeros((n, n))
    yield "identity", np.eye(n)
    for k in sorted({1, 2, max(n // 10, 1), max(n // 2, 1)}):
        yield f"rank {k}", low_rank(k)
    yield "unsymmetric rank 2", normal((n, 2)) @ normal((2, n))
    yield "Jordan", jordan(0, n)
    yield "Jordan of 2", jordan(2, n)
    yield "lower Jordan", jordan(1, n).T
    yield "Jordan blocks", jordan_like
    yield "turned Jordan blocks", turned @ jordan_like @ turned.T
    yield "idempotent", np.linalg.qr(normal((n, max(n // 2, 1))))[0] @ np.linalg.qr(normal((n, max(n // 2, 1))))[0].T
    yield "nilpotent", np.triu(normal((n, n)), 1)
    yield "upper triangle of ones", np.triu(np.ones((n, n)))
    yield "companion", np.eye(n, k=-1) + np.outer(np.arange(n) == 0, np.ones(n))
    yield "orthogonal", turned
    yield "skew", np.triu(normal((n, n)), 1) - np.triu(normal((n, n)), 1).T
    yield "Toeplitz", np.where(j > i, 1.0, np.where(j < i, -1.0, 0.0))
    yield "random", normal((n, n))
    yield "random signs", np.sign(normal((n, n)))
    yield "tiny", normal((n, n)) * 1e-30
    yield "large", normal((n, n)) * 1e30
    yield "rows that repeat", np.repeat(normal((-(-n // 4), n)), 4, axis=0)[:n]
    yield "nearly of rank 1", np.ones((n, n)) + 1e-14 * normal((n, n))


class Device:
    """JAX's functions on binade's device."""

    def __init__(self):
        os.environ["JAX_PLATFORMS"] = "binade"
        os.environ["JAX_ENABLE_X64"] = "1"
        import jax

        import binade.jax

        binade.jax.initialize()
        self.jax = jax

    def svd(self, a):
        return self.jax.numpy.linalg.svd(a, full_matrices=False)

    def eigh(self, a):
        return self.jax.numpy.linalg.eigh(a, symmetrize_input=False)

    def eig(self, a):
        return self.jax.lax.linalg.eig(a)

    def schur(self, a):
        return self.jax.lax.linalg.schur(a)

    def rank(self, a):
        return self.jax.numpy.linalg.matrix_rank(a)

    def pinv(self, a):
        return self.jax.numpy.linalg.pinv(a)


class Check:
    """Compares answers, and keeps the largest distances."""

    def __init__(self, peer):
        self.peer = peer
        self.most, self.wrong = {}, []

    def at_most(self, what, case, distance, unit):
        import numpy as np

        units = float(distance) / unit if unit > 0 else 0.0 if distance == 0 else np.inf
        key = (what, case[2])
        if not units <= self.most.get(key, (-1.0,))[0]:
            self.most[key] = (units, case)
        if not units <= LIMIT:
            self.wrong.append(f"{what} of {case[0]}, n = {case[1]}, {case[2]}: {units:.3g} n·ε")

    def orthogonal(self, what, case, q, unit):
        import numpy as np

        q = np.asarray(q).astype(np.complex128)
        self.at_most(what, case, norm(q.conj().T @ q - np.eye(q.shape[1])), unit)

    def matrix(self, name, a):
        """All functions of a matrix, in its own type."""
        import numpy as np
        import scipy.linalg
        import scipy.optimize

        n = a.shape[0]
        case = (name, n, str(a.dtype))
        unit = n * np.finfo(a.dtype).eps
        wide = np.complex128 if np.iscomplexobj(a) else np.float64
        exact = a.astype(wide)
        size = norm(exact)

        def products(*factors):
            whole = np.asarray(factors[0]).astype(np.complex128)
            for factor in factors[1:]:
                whole = whole @ np.asarray(factor).astype(np.complex128)
            return whole

        u, s, vh = map(np.asarray, self.peer.svd(a))
        values = scipy.linalg.svd(exact, compute_uv=False)
        self.at_most("svd: A - U·S·Vᴴ", case, norm(products(u * s.astype(u.dtype), vh) - exact), unit * size)
        self.orthogonal("svd: UᴴU - I", case, u, unit)
        self.orthogonal("svd: VᴴV - I", case, vh.conj().T, unit)
        self.at_most("svd: singular values", case, np.abs(s - values).max(), unit * size)
        if not (s[1:] <= s[:-1]).all() or not (s >= 0).all():
            self.wrong.append(f"svd of {case}: values are not in order")

        hermitian = (a + a.conj().T) / a.dtype.type(2)
        if np.isfinite(hermitian).all():
            exact_h, size_h = hermitian.astype(wide), norm(hermitian.astype(wide))
            w, v = map(np.asarray, self.peer.eigh(hermitian))
            self.at_most("eigh: A·V - V·Λ", case, norm(products(exact_h, v) - v.astype(np.complex128) * w), unit * size_h)
            self.orthogonal("eigh: VᴴV - I", case, v, unit)
            known = scipy.linalg.eigvalsh(exact_h)
            self.at_most("eigh: eigenvalues", case, np.abs(w - known).max(), unit * size_h)

        w, left, right = map(np.asarray, self.peer.eig(a))
        wide_w = w.astype(np.complex128)
        residual = products(a, right) - right.astype(np.complex128) * wide_w
        # Balanced matrices have better eigenvalues, and may have worse residuals: LAPACK's are the limit then.
        lapack, lapack_left, lapack_right = scipy.linalg.eig(exact, left=True, right=True)
        worst = norm(exact @ lapack_right - lapack_right * lapack, columns=True)
        self.at_most("eig: A·V - V·Λ", case, norm(residual, columns=True), max(unit * size, WORSE / LIMIT * worst))
        residual = products(a.conj().T, left) - left.astype(np.complex128) * wide_w.conj()
        worst = norm(exact.conj().T @ lapack_left - lapack_left * lapack.conj(), columns=True)
        self.at_most("eig: Aᴴ·U - U·Λ̄", case, norm(residual, columns=True), max(unit * size, WORSE / LIMIT * worst))
        for vectors in (left, right):
            lengths = np.linalg.norm(vectors.astype(np.complex128), axis=0)
            self.at_most("eig: lengths - 1", case, np.abs(lengths - 1).max(), unit)
        with np.errstate(all="ignore"):
            sensitivity = 1 / np.abs((lapack_left.conj() * lapack_right).sum(axis=0))
        if (sensitivity < 1e3).all():
            distances = np.abs(lapack[:, None] - wide_w)
            rows, columns = scipy.optimize.linear_sum_assignment(distances)
            self.at_most("eig: eigenvalues", case, (distances[rows, columns] / sensitivity[rows]).max(), unit * size)

        t, q = map(np.asarray, self.peer.schur(a))
        self.at_most("schur: A - Q·T·Qᴴ", case, norm(products(q, t, q.conj().T) - exact), unit * size)
        self.orthogonal("schur: QᴴQ - I", case, q, unit)
        below = 1 if np.iscomplexobj(a) else 2
        if np.tril(t, -below).any() or (below == 2 and not standard(t)):
            self.wrong.append(f"schur of {case}: T is not a Schur form")

        known = np.linalg.matrix_rank(a)
        # Of a value on the limit the rank is a matter of its last bits.
        limit = size * unit
        if not ((values > limit / 8) & (values < limit * 8)).any():
            found = int(self.peer.rank(a))
            if found != known:
                self.wrong.append(f"matrix_rank of {case}: {found} for {known}")
            if 0 < known and size / values[known - 1] < 1e3 and values[known:].max(initial=0) < size * unit / 8:
                inverse = scipy.linalg.pinv(exact, rtol=100 * unit)
                found = np.asarray(self.peer.pinv(a))
                condition = size / values[known - 1]
                self.at_most("pinv", case, norm(found - inverse), unit * condition * norm(inverse))

    def report(self):
        for (what, dtype), (units, case) in sorted(self.most.items()):
            print(f"{what:24} {dtype:12} {units:8.3g} n·ε   {case[0]}, n = {case[1]}")
        for line in self.wrong:
            print("wrong:", line)
        return 1 if self.wrong else 0


def norm(a, columns=False):
    """The 2-norm, or the greatest of the columns; infinite where an element is not finite."""
    import numpy as np

    if not np.isfinite(a).all():
        return np.inf
    if a.size == 0:
        return 0.0
    return np.linalg.norm(a, axis=0).max() if columns else np.linalg.norm(a, 2)


def standard(t):
    """Whether blocks of two of a real T have equal diagonal elements, and numbers of opposite signs beside them."""
    n, at = t.shape[0], 0
    while at + 1 < n:
        if t[at + 1, at] != 0:
            if t[at, at] != t[at + 1, at + 1] or not (t[at + 1, at] > 0) ^ (t[at, at + 1] > 0) or (at + 2 < n and t[at + 2, at + 1] != 0):
                return False
            at += 1
        at += 1
    return True


def main():
    import numpy as np

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="orders of the matrices")
    parser.add_argument("--family", action="append", help="only families with these words in their names")
    parser.add_argument("--types", default="float32,float64,complex64,complex128")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    check = Check(Device())
    for n in map(int, options.sizes.split(",")):
        generator = np.random.default_rng(options.seed + n)
        for name, a in families(n, generator):
            phases = np.exp(1j * generator.uniform(0, 2 * np.pi, n))
            if options.family and not any(word in name for word in options.family):
                continue
            for dtype in options.types.split(","):
                # A unitary similarity with a diagonal matrix, which has the same values.
                typed = a * np.outer(phases, phases.conj()) if dtype.startswith("complex") else a
                check.matrix(name, typed.astype(dtype))
        print(f"n = {n}: {len(check.wrong)} wrong", file=sys.stderr, flush=True)
    return check.report()


if __name__ == "__main__":
    sys.exit(main())
