# Draws for which there is no memory are a MemoryError, and draw nothing.
import numpy as np

np.random.seed(3)
for draw in (
    lambda: np.random.rand(10**15), lambda: np.random.randn(10**15), lambda: np.random.randint(5, size=10**15),
    lambda: np.random.permutation(10**15), lambda: np.random.choice(5, 10**15), lambda: np.random.normal(1.0, 2.0, (10**8, 10**7)),
):
    try:
        draw()
    except MemoryError:
        print("MemoryError")
print(np.random.rand(2), np.random.randn(3), np.random.permutation(5))
