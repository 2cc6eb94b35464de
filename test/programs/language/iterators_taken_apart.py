import copy, pickle
def show(it):
    r = it.__reduce__()
    print(type(it).__name__, r[0].__name__ if callable(r[0]) else r[0], [x if not hasattr(x,'__next__') else type(x).__name__ for x in r[1]], r[2:])
for make in (lambda: iter([1,2,3]), lambda: reversed([1,2,3]), lambda: iter((1,2,3)), lambda: iter('aé3'), lambda: iter('abc'), lambda: iter(b'abc'), lambda: iter(bytearray(b'abc')), lambda: iter({1:2,3:4,5:6}), lambda: iter({1:2,3:4,5:6}.values()), lambda: reversed({1:2,3:4,5:6}.items()), lambda: iter({7}), lambda: enumerate([1,2,3]), lambda: zip([1,2,3],[4,5,6]), lambda: reversed((1,2,3)), lambda: map(str,[1,2,3]), lambda: filter(None,[1,2,3]), lambda:zip([1,2,3],[3,4,5],strict=True)):
    it = make()
    next(it)
    c = copy.copy(it)
    show(it)
    print(list(copy.copy(make())), list(pickle.loads(pickle.dumps(make()))))
    list(it)
    try: show(it)
    except Exception as e: print(e)
it = iter(range(10)); next(it); print(list(copy.copy(it)))
i=iter([1,2,3,4]); i.__setstate__(2); print(list(i))
i=iter('aé3'); i.__setstate__(1); print(list(i))
i=reversed([1,2,3]); i.__setstate__(0); print(list(i))
i=iter(range(5)); i.__setstate__(3); print(list(i))
import operator
class S:
    def __getitem__(s,i):
        if i<3: return i
        raise IndexError
class L(S):
    def __len__(s): return 3
print(operator.length_hint(iter(S()),7), operator.length_hint(iter(L()),7), operator.length_hint(reversed(L()),7), operator.length_hint(map(str,[1]),7))
i=iter(L()); next(i); print(list(copy.copy(i)), i.__reduce__()[2])
