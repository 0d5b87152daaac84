"""Solves A x = b by conjugate gradients in binary32 with NumPy, and prints the relative error."""

import numpy as np

n = 96
numbers = np.random.default_rng(1)
basis = np.linalg.qr(numbers.standard_normal((n, n)))[0]
a = ((basis * np.linspace(1, 20, n)) @ basis.T).astype(np.float32)
exact = np.ones(n, np.float32)
b = (a.astype(np.float64) @ exact).astype(np.float32)

# A preconditioner: the inverse of the symmetric part that two Jacobi steps give, as a matrix product.
d = np.diag(1 / np.diag(a)).astype(np.float32)
m = d + d @ (np.diag(np.diag(a)) - a) @ d

x = np.zeros(n, np.float32)
r = b - a @ x
z = m @ r
p = z
for _ in range(60):
    q = a @ p
    rz = r @ z
    if rz <= 0 or p @ q <= 0:
        break
    alpha = rz / (p @ q)
    x = x + alpha * p
    r = r - alpha * q
    z = m @ r
    p = z + (r @ z) / rz * p
print(f"relative error {np.abs(x.astype(np.float64) - 1).max():.1e}")
