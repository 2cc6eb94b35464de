# Subclasses of the iterators that built-ins and itertools make: their own `__iter__` and `__next__` count everywhere.
import itertools as I

BASES = [
    (map, (abs, [-1, 2])), (zip, ([1, 2],)), (filter, (None, [1, 2])), (enumerate, ([1, 2],)), (I.groupby, ([1, 1, 2],)),
    (I.count, (1,)), (I.cycle, ([1, 2],)), (I.repeat, (1, 2)), (I.chain, ([1], [2])), (I.islice, ([1, 2, 3], 2)),
    (I.accumulate, ([1, 2],)), (I.takewhile, (bool, [1, 2])), (I.dropwhile, (bool, [0, 2, 3])), (I.starmap, (pow, [(1, 2), (2, 3)])),
    (I.compress, ([1, 2], [1, 1])), (I.product, ([1, 2],)), (I.permutations, ([1, 2],)), (I.combinations, ([1, 2], 1)),
    (I.zip_longest, ([1, 2],)), (I.filterfalse, (None, [0, 0])), (I.pairwise, ([1, 2, 3],)),
]


def two(it): return len([v for v, _ in zip(it, 'ab')])


for base, args in BASES:
    log = []

    class Own(base):
        def __iter__(self): return iter([9, 8])

    class Counted(base):
        def __next__(self):
            log.append(type(self).__name__)
            return super().__next__()

    class Plain(base):
        label = 'p'

    def own(): return Own(*args)
    made = [list(own()), [v for v in own()], sum(own()), [*own()], max(own()), 8 in own(), tuple(own()), sorted(own()),
            list(zip(own(), 'ab')), list(map(str, own())), dict(enumerate(own()))]
    a, b = own()
    for f in (lambda: two(Counted(*args)), lambda: next(Counted(*args)), lambda: list(I.islice(Counted(*args), 2)),
              lambda: two(map(str, Counted(*args))), lambda: Counted(*args).__next__(), lambda: two(Plain(*args))):
        f()
        made.append(len(log))
    plain = Plain(*args)
    plain.note = 1
    print(base.__name__, made, a, b, type(plain).__name__, isinstance(plain, base), plain.label, plain.note, iter(plain) is plain)
