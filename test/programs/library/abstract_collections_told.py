import collections
import collections.abc as abc

c = collections.ChainMap({"a": 1}, {"b": 2, "a": 3})
print(c | {"z": 9}, {"a": 0, "q": 5} | c, c.popitem(), c.setdefault("n", 4), c.maps)
c |= {"m": 1}
print(c.maps[0], collections.ChainMap.fromkeys("xy", 0))
for bad in (1, [("a", 1)]):
    try:
        c | bad
    except TypeError as e:
        print(e)
try:
    collections.ChainMap({}).popitem()
except KeyError as e:
    print(e)
print(isinstance(collections.deque(), abc.MutableSequence), isinstance(memoryview(b""), abc.Sequence), isinstance(memoryview(b""), abc.MutableSequence))


class H(abc.Hashable, abc.Iterable, abc.Sized, abc.Container):
    def __hash__(self):
        return super().__hash__()

    def __iter__(self):
        return super().__iter__()

    def __len__(self):
        return super().__len__()

    def __contains__(self, x):
        return super().__contains__(x)


h = H()
print(hash(h), list(h), len(h), 1 in h)


class S(abc.Set):
    def __init__(self, items=()):
        self.items = list(dict.fromkeys(items))

    def __contains__(self, x):
        return x in self.items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    __hash__ = abc.Set._hash


print(hash(S([1, 2, 2**70])) == hash(frozenset([1, 2, 2**70])), S([1]) | S([2]) == {1, 2}, len({S([1]), frozenset([1])}))
