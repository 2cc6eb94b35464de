[x * x for x in xs if x if not y]
{k: v for k, v in pairs}
{a for (a, *b) in c for d in b}
g = (i for i in n)
sum(i for i in n)
[(y := f(x)) for x in xs]


def closure(n):
    return [lambda: (i, n) for i in range(n)]


def consumed(rows, n):
    return sum(x * n for x, _ in rows if x), ", ".join(str(x) for x in rows)


def shadowed(all, rows):
    return all(rows for rows in rows)
