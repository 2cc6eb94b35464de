# needs: sympy
from sympy import *

x, y, n = symbols("x y n")
print(expand((x + y) ** 4), factor(x**3 - y**3), simplify(sin(x) ** 2 + cos(x) ** 2), diff(exp(x**2) * sin(x), x))
print(integrate(x * exp(-x), x), integrate(exp(-x**2), (x, -oo, oo)), limit(sin(x) / x, x, 0), series(cos(x), x, 0, 6))
print(solve(x**2 - 2, x), solve([x + y - 3, x - y - 1], [x, y]), roots(x**3 - 6 * x**2 + 11 * x - 6), nsolve(cos(x) - x, 1))
m = Matrix([[1, 2], [3, 4]])
print(m.det(), m.inv(), m.eigenvals(), Matrix([[2, 0], [0, 3]]).diagonalize()[1], m.rref())
print(summation(n**2, (n, 1, 10)), Rational(1, 3) + Rational(1, 6), pi.evalf(30), sqrt(8), latex(Integral(x**2, x)), N(E, 15))
print(factorint(360), prime(10), isprime(97), gcd(12, 18), binomial(5, 2), Poly(x**2 + 2 * x + 1, x), dsolve(Derivative(Function("f")(x), x) - Function("f")(x)))
print(lambdify(x, x**2 + 1)(3), sympify("2*x + 1").subs(x, 4), Piecewise((x, x > 0), (0, True)).subs(x, -1), apart(1 / (x**2 - 1)))
pprint(Eq(x**2 / 2, y))
