# Recursion of many shapes.
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def hanoi(n, a, b, c):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)


def permutations(xs):
    if not xs:
        return [[]]
    return [[x] + rest for i, x in enumerate(xs) for rest in permutations(xs[:i] + xs[i + 1:])]


def flatten(x):
    return [y for e in x for y in flatten(e)] if isinstance(x, list) else [x]


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


print(ackermann(2, 3), hanoi(8, "a", "b", "c"), len(permutations([1, 2, 3, 4])), permutations([1, 2, 3])[3])
print(flatten([1, [2, [3, [4]], 5], []]), is_even(50), is_odd(7))


def queens(n, row=0, cols=(), d1=(), d2=()):
    if row == n:
        return 1
    return sum(
        queens(n, row + 1, cols + (c,), d1 + (row - c,), d2 + (row + c,))
        for c in range(n)
        if c not in cols and row - c not in d1 and row + c not in d2
    )


print([queens(n) for n in range(1, 7)])
fib = lambda n, memo={}: n if n < 2 else memo.get(n) or memo.setdefault(n, fib(n - 1) + fib(n - 2))
print(fib(90))


def forever(n):
    return forever(n + 1)


try:
    forever(0)
except RecursionError as e:
    print(type(e).__name__, e)
