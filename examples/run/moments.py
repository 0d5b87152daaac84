"""Prints the variance of numbers far from 0 by their moments, in which most digits cancel, and saves projections of the numbers."""

import sys

import numpy as np

numbers = np.random.default_rng(3)
x = (1000 + numbers.standard_normal(4096)).astype(np.float32)
a = numbers.standard_normal((64, 4096)).astype(np.float32)
np.save(sys.argv[1], a @ (x - 1000))
print(f"variance {x @ x / x.size - x.mean() ** 2:.9g}")
