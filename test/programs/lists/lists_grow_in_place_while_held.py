"""`+=` and `*=` change a list that others hold: an alias, a loop over it, an attribute, an argument. Compiled or not."""


def held(n):
    queue = [0]
    alias = queue
    for i in range(n):
        queue += [i]
    return len(alias), queue is alias


def once(n):
    queue = [0]
    alias = queue
    queue += [n, n]
    queue *= 2
    return alias


def worklist(n):
    queue, seen = [1], 0
    for number in queue:
        seen += number
        queue += [c for c in (number * 2, number * 2 + 1) if c <= n]
    return seen, len(queue)


def nested(n):
    rows = [[] for _ in range(3)]
    first = rows[0]
    for i in range(n):
        row = rows[i % 3]
        row += [i]
    return first, sum(len(row) for row in rows)


def given(into, n):
    into += [n]
    into += [float(n)]
    return into


def plain(n):
    held = [1]
    other = held
    held = held + [n]
    held = held * 2
    return other, held


class Bag:
    def __init__(self):
        self.items = []
        self.same = self.items

    def put(self, item):
        items = self.items
        items += [item]
        return items is self.same and len(self.same)


class Tally:
    """Its `+=` changes it, its `+` makes another."""

    def __init__(self, n):
        self.n = n

    def __iadd__(self, other):
        self.n += other
        return self

    def __add__(self, other):
        return Tally(self.n + other)


def tallies(n):
    tally = Tally(0)
    alias = tally
    for i in range(n):
        tally += i
    more = tally + 1
    return alias.n, more.n, alias is tally


def main():
    for _ in range(400):
        results = [held(20), once(3), worklist(40), nested(10), plain(4), tallies(8)]
        bag, outside = Bag(), []
        for i in range(5):
            last = bag.put(i)
            given(outside, i)
    print(results, last, outside, bag.same)


main()
