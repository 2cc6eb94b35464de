"""What built-in functions do with an iterable whose length moves: tier 2 makes graphs of these."""


def sum(items, total):
    for v in items:
        total = total + v
    return total


def min(items, best):
    for v in items:
        if v < best:
            best = v
    return best


def max(items, best):
    for v in items:
        if v > best:
            best = v
    return best


def any(items):
    found = False
    for v in items:
        if v:
            found = True
            break
    return found


def all(items):
    every = True
    for v in items:
        if not v:
            every = False
            break
    return every


def extend(items, more):
    for v in more:
        items.append(v)
    return items
