"""Polynomials of coefficients: fits, roots, arithmetic, `poly1d` and how it is printed."""
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.set_printoptions(precision=6, suppress=True)


def show(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)


p = np.poly1d([1, -3, 2])
print(p)
print(repr(p), p.order, p[1], p[7], p.c, len(p), p.variable)
print(p(3), p(np.array([0.0, 1.0, 2.0])), p.roots, p == np.poly1d([1, -3, 2]), p != p)
for q in (p * p, p + 1, p - [1, 0], 2 * p, p / 2, p**3, -p, p.deriv(), p.integ(), p.integ(k=4), p.deriv(2), 1 - p):
    print(q)
print(p / np.poly1d([1, -1]), p(np.poly1d([1, 1])))
for c in ([1.5, 0, -1, 2], [0, 0, 5], [0], [-1, 0, 0, 1e-7, 12345.678], [3, -1], [1j, 2, 1 + 1j]):
    print(np.poly1d(c, variable="z"))
print(np.poly1d([1, 2], True), list(np.poly1d([4, 5])), np.poly1d([1] * 12))
p[3] = 4
print(p)
x = np.array([0, 1, 2, 3])
y = np.array([1.0, 3.0, 7.0, 14.0])
print(np.polyfit(x, y, 1), np.polyfit(x, y, 2), np.round(np.polyfit(x, np.stack([y, -y], 1), 1), 6))
c, residuals, rank, s, rcond = np.polyfit(x, y, 1, full=True)
print(c, residuals, rank, s, rcond)
c, cov = np.polyfit([0, 1, 2, 3, 4.0], [1, 3, 7, 14.0, 2], 1, cov=True)
print(c, cov)
print(np.polyfit(x, y, 1, w=[1, 1, 1, 0.5]), np.polyfit(x, y, 1, cov="unscaled")[1])
print(round(np.polyval(np.polyfit(x, y, 3), 1.5), 8), round(np.poly1d(np.polyfit(x, y, 1))(10), 8))
print(np.poly([1, 2, 3]), np.poly([[2.0, 0], [0, 3.0]]), np.poly([1j, -1j]), np.poly([]))
print(np.sort(np.roots([1, -6, 11, -6])), np.roots([2, 0, 0]), np.roots([5]), np.sort_complex(np.roots([1, 0, 1])).imag)
print(np.polydiv([1, 5, 6], [1, 2]), np.polymul([1, 2], [1, 3]), np.polyadd([1, 2], [9, 5, 4]), np.polysub([1, 2], [9, 5, 4]))
print(np.polyder([1, 2, 3]), np.polyder([1, 2, 3, 4], 2), np.polyint([1, 2, 3]), np.polyint([6, 2], 2, k=[1, 3]))
for wrong in (
    lambda: np.polyfit([1, 2], [1], 1), lambda: np.polyfit([1, 2], [1, 2], -1), lambda: np.polyfit([], [], 1), lambda: p**0.5,
    lambda: np.poly1d([[1, 2]]), lambda: np.poly(np.ones((2, 3))), lambda: np.polyder([1], -1), lambda: np.roots([[1]]),
):
    show(wrong)
