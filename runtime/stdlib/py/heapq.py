"""Heaps in lists; the sifting is native."""

from _heapq import heapify, heappop, heappush, heappushpop, heapreplace

__all__ = ["heappush", "heappop", "heapify", "heapreplace", "merge", "nlargest", "nsmallest", "heappushpop"]


def merge(*iterables, key=None, reverse=False):
    from operator import gt, lt
    before = gt if reverse else lt
    pending = []
    for order, iterable in enumerate(iterables):
        it = iter(iterable)
        for value in it:
            pending.append([value if key is None else key(value), value, it])
            break
    while pending:
        best = 0
        for i in range(1, len(pending)):
            if before(pending[i][0], pending[best][0]):
                best = i
        entry = pending[best]
        yield entry[1]
        for value in entry[2]:
            entry[0], entry[1] = value if key is None else key(value), value
            break
        else:
            del pending[best]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]
