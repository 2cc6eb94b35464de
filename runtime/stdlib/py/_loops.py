"""What built-in functions do with an iterable whose length moves, what itertools does, and powers whose exponent
moves: tier 2 makes graphs of these, and iterators that leave them.
"""


MISSING = object()


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


def map(function, items):
    return (function(v) for v in items)


def equal_lists(items, others):
    if len(items) != len(others):
        return False
    equal = True
    for v, w in zip(items, others):
        if v != v or w != w:
            raise ValueError("a NaN, which is equal to itself where it is one object")
        if v != w:
            equal = False
            break
    return equal


def sorted_by(keys, items):
    """Items in the order of their keys, which are numbers: each key's rank, and who has which."""
    ranks = []
    for i, k in enumerate(keys):
        if k == k:
            rank = 0
            for j, other in enumerate(keys):
                if j != i:
                    rank += other <= k if j < i else other < k
            ranks.append(rank)
        else:
            raise ValueError("a NaN, whose place depends on how it is sorted")
    ordered = []
    for place in range(len(items)):
        at = 0
        for i, rank in enumerate(ranks):
            at += i * (rank == place)
        ordered.append(items[at])
    return ordered


def reduce(function, items, value):
    for v in items:
        value = function(value, v)
    return value


def keyed(items, key):
    return [key(v) for v in items]


def iterator_at(items, taken):
    it = iter(items)
    for _ in range(taken):
        next(it, None)
    return it


def extend(items, more):
    for v in more:
        items.append(v)
    return items


# In a list that is sorted: how many come before is where to insert.


def bisect_left(items, at, low, high):
    place = low
    for v in items[low:high]:
        if v < at:
            place += 1
    return place


def bisect_right(items, at, low, high):
    place = low
    for v in items[low:high]:
        if not at < v:
            place += 1
    return place


def shuffle(random, items):
    before = list(items)
    items[:] = [before[i] for i in random._order(len(before))]


# Powers of tensors whose exponent moves: those that have a form of their own, and `general` for the others.


def int_power(x, exponent, general):
    if exponent == 2:
        return x ** 2
    if exponent == 1:
        return x ** 1
    if exponent == 3:
        return x ** 3
    if exponent < 0:
        if not x.is_floating_point():
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        if exponent == -1:
            return x ** -1
        if exponent == -2:
            return x ** -2
    return general(x, exponent)


def float_power(x, exponent, general):
    if exponent == 2.0:
        return x ** 2.0
    if exponent == 1.0:
        return x ** 1.0
    if exponent == 3.0:
        return x ** 3.0
    if exponent == 0.5:
        return x ** 0.5
    if exponent < 0.0:
        if exponent == -1.0:
            return x ** -1.0
        if exponent == -2.0:
            return x ** -2.0
        if exponent == -0.5:
            return x ** -0.5
    return general(x, exponent)


# Iterators of itertools.


def chain(*iterables):
    for it in iterables:
        for v in it:
            yield v


def from_iterable(iterables):
    for it in iterables:
        for v in it:
            yield v


def count(start=0, step=1):
    while True:
        yield start
        start = start + step


def cycle(iterable):
    saved = []
    for v in iterable:
        yield v
        saved.append(v)
    while saved:
        for v in saved:
            yield v


def repeat(object, times=None):
    if times is None:
        while True:
            yield object
    for _ in range(times):
        yield object


def islice(iterable, start, *more):
    stop, step = start, 1
    if more:
        stop = more[0]
        if len(more) > 1 and more[1] is not None:
            step = more[1]
        if start is None:
            start = 0
    else:
        start = 0
    if start < 0 or step < 1 or stop is not None and stop < 0:
        raise ValueError('Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.')
    # As many as are skipped are taken, too.
    last = None if stop is None else start if start > stop else stop
    if last == 0:
        return
    at, wanted = 0, start
    for v in iterable:
        if at == wanted and (stop is None or at < stop):
            yield v
            wanted += step
        at += 1
        if last is not None and at >= last:
            return


def accumulate(iterable, func=None, *, initial=None):
    total, empty = initial, initial is None
    if not empty:
        yield total
    for v in iterable:
        if empty:
            total, empty = v, False
        else:
            total = total + v if func is None else func(total, v)
        yield total


def product(*iterables, repeat=1):
    pools = [tuple(pool) for pool in iterables] * repeat
    made = [[]]
    for pool in pools:
        made = [before + [v] for before in made for v in pool]
    for items in made:
        yield tuple(items)


def combinations(iterable, r):
    pool = tuple(iterable)
    n = len(pool)
    if r > n:
        return
    places = list(range(r))
    while True:
        yield tuple([pool[i] for i in places])
        i = r - 1
        while i >= 0 and places[i] == i + n - r:
            i -= 1
        if i < 0:
            return
        places[i] += 1
        for j in range(i + 1, r):
            places[j] = places[j - 1] + 1


def permutations(iterable, r=None):
    pool = tuple(iterable)
    n = len(pool)
    r = n if r is None else r
    if r > n:
        return
    made = [[]]
    for _ in range(r):
        made = [before + [i] for before in made for i in range(n) if i not in before]
    for places in made:
        yield tuple([pool[i] for i in places])


def zip_longest(*iterables, fillvalue=None):
    iterators = [iter(it) for it in iterables]
    done = [False] * len(iterators)
    while iterators:
        items = []
        for i in range(len(iterators)):
            v = MISSING if done[i] else next(iterators[i], MISSING)
            if v is MISSING:
                done[i] = True
                if False not in done:
                    return
                v = fillvalue
            items.append(v)
        yield tuple(items)


def takewhile(predicate, iterable):
    for v in iterable:
        if not predicate(v):
            return
        yield v


def dropwhile(predicate, iterable):
    dropping = True
    for v in iterable:
        if dropping and predicate(v):
            continue
        dropping = False
        yield v


def filterfalse(predicate, iterable):
    for v in iterable:
        if not (v if predicate is None else predicate(v)):
            yield v


def starmap(function, iterable):
    for args in iterable:
        yield function(*args)


def pairwise(iterable):
    first = True
    before = None
    for v in iterable:
        if not first:
            yield before, v
        before, first = v, False


def compress(data, selectors):
    for v, wanted in zip(data, selectors):
        if wanted:
            yield v


class deque:
    """`collections.deque`, over a list."""

    _is_deque = True

    def __init__(self, iterable=(), maxlen=None):
        self._items = []
        self.maxlen = maxlen
        self.extend(iterable)

    def append(self, x):
        self._items.append(x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            del self._items[0]  # nobody looks at it

    def appendleft(self, x):
        self._items.insert(0, x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop()

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop(0)

    def extend(self, iterable):
        for x in list(iterable) if iterable is self else iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in list(iterable):
            self.appendleft(x)

    def clear(self):
        self._items.clear()

    def copy(self):
        return deque(self._items, self.maxlen)

    __copy__ = copy

    def index(self, *args):
        return self._items.index(*args)

    def count(self, x):
        return self._items.count(x)

    def reverse(self):
        self._items.reverse()

    def rotate(self, n=1):
        for _ in range(n):
            self.appendleft(self.pop())
        for _ in range(-n):
            self.append(self.popleft())

    def __len__(self):
        return len(self._items)

    def __bool__(self):
        return len(self._items) > 0

    def __iter__(self):
        return iter(self._items)

    def __reversed__(self):
        return reversed(self._items)

    def __contains__(self, x):
        return x in self._items

    def __eq__(self, other):
        # Whatever class it shows, it is one of these.
        if not hasattr(other, "_is_deque"):
            return NotImplemented
        return self._items == other._items

    __hash__ = None

    def insert(self, index, x):
        if self.maxlen is not None and len(self._items) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self._items.insert(index, x)

    def remove(self, x):
        self._items.remove(x)

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        return self._items[index]

    def __setitem__(self, index, value):
        self._items[index] = value

    def __delitem__(self, index):
        del self._items[index]

    def __iadd__(self, iterable):
        self.extend(iterable)
        return self

    def __repr__(self):
        if self.maxlen is None:
            return f"deque({self._items!r})"
        return f"deque({self._items!r}, maxlen={self.maxlen})"
