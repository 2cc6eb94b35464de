# List, set, dict comprehensions and generator expressions; their scopes.
print([x * x for x in range(6) if x % 2])
print({k: v for k, v in zip("abc", range(3))})
print(sorted({len(w) for w in "the quick brown fox".split()}))
print([(i, j) for i in range(3) for j in range(i) if i != j])
matrix = [[1, 2, 3], [4, 5, 6]]
print([[row[i] for row in matrix] for i in range(3)])
print([y for x in range(3) if (y := x * 2) > 1], y)
x = "outer"
squares = [x for x in range(3)]
print(x, squares)
gen = (print("lazy", i) or i for i in range(2))
print("before")
print(list(gen))


class Scope:
    items = [1, 2, 3]
    doubled = [i * 2 for i in items]
    pairs = list(zip(items, doubled))


print(Scope.pairs)


def local(n):
    return [lambda: (i, n) for i in range(n)]


print([f() for f in local(3)])
print(sum(i for i in range(101)), max((len(s), s) for s in ("a", "bbb", "cc")))
print(any(c.isdigit() for c in "ab3"), all([]), [*range(2), *"xy"])
nested = {a: {b: a * b for b in range(3)} for a in range(2)}
print(nested)
print([a if a > 1 else -a for a in range(4)], [not a for a in (0, 1)])
