# Keys that are equal and not identical, sets in sets, changes during iteration, hashes of views.
print({1: 'a', True: 'b', 1.0: 'c'}, {True: 'a', 1: 'b'}, {1.0, 1, True}, dict([(1, 'a'), (True, 'b')]))
print({**{1: 'a'}, **{True: 'b'}}, {1: 'a'} | {True: 'b'}, {1} & {True}, {True} & {1}, {1} | {True}, {0: 1, False: 2, -0.0: 3})
print({x: x for x in (1, True, 1.0)}, {x for x in (1, True, 1.0)}, frozenset([True, 1]))
table = {1: 'a'}
table.update({True: 'b'})
table[1.0] = 'c'
print(table, table.setdefault(True, 'd'), table.pop(True), table)


def show(call, *args):
    try:
        return repr(call(*args))
    except (TypeError, RuntimeError) as error:
        return f'{type(error).__name__}: {error}'


class Bag(set):
    pass


class Hashed(set):
    def __hash__(self):
        return 5


nest = {frozenset([1]), frozenset()}
print(Bag([1]) in nest, {1} in nest, {2} in nest, show(hash, Bag()), hash(Hashed()), Hashed([1]) in nest)
nest.discard(Bag([1]))
nest.remove(set())
print(nest)


def moved():
    d = {1: 1, 2: 2}
    for k in d:
        del d[k]
        d[k + 9] = 1


def grown():
    d = {1: 1}
    for k in d:
        d[k + 1] = 1


print(show(moved), show(grown))
print([show(hash, view) for view in ({}.keys(), {}.items())], {}.keys().__hash__, slice(1).__hash__)
print(slice(0, 2) < slice(1, 2), slice(1, 2) == slice(1, 2), slice(1, 3) >= slice(1, 2), show(lambda: slice(1) < slice(1, None)))
print(None.__repr__(), (...).__repr__(), NotImplemented.__repr__(), slice(1).__repr__(), len.__repr__())
nan = float('nan')
print(nan in [nan], [nan] == [nan], (nan,) == (nan,), {nan: 1}[nan], [nan].count(nan), nan == nan, (nan, 1) < (nan, 2))


# What has no end natively is a RecursionError, no abort.
class Called:
    pass


Called.__call__ = Called()
print(show(Called()))


class Shown:
    __repr__ = object.__str__


print(show(repr, Shown()).split(':')[0])


class Base:
    pass


class Derived(Base):
    pass


class Leaf(Derived):
    pass


class Fresh:
    def word(self):
        return 'fresh'


def assign(cls, bases):
    cls.__bases__ = bases


print(show(assign, Base, (Derived,)), show(assign, Base, (Base,)), show(assign, Derived, (Fresh,)))
print(Leaf().word(), [c.__name__ for c in Leaf.__mro__], show(assign, Derived, ()))
import math
for call, args in [(math.perm, (2**1000, 2**1000)), (math.comb, (2**1000, 2**999)), (math.perm, (2**70, 2)), (math.comb, (2**70, 2))]:
    try:
        print(call(*args))
    except OverflowError as error:
        print(error)
