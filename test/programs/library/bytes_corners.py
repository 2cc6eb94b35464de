def t(f, *a, **k):
    try: print(f.__name__ if hasattr(f,'__name__') else f, repr(f(*a,**k)))
    except Exception as e: print(type(e).__name__, e)
for B in (bytes, bytearray):
    b = B(b'rrarrrrrrrrra')
    for a in ((b'a',), (b'a',4), (b'a',4,10), (b'a',-1), (b'',), (b'',1), (b'',3), (b'',10), (b'',100),(b'a',2**100),(b'a',-2**100,2**100),(b'a',None,None),(97,),(256,),(-1,),(2**100,),('a',),(b'',14), (b'',13)):
        for m in ('find','rfind','index','count','rindex','startswith','endswith'):
            t(getattr(b,m), *a)
    for x in (97, 256, -1, 2**100, 'a', b'a', None, 1.5): t(b.__contains__, x)
    t(B, [2**100]); t(B, [256]); t(B, [-1]); t(B, 2**100); t(B, -1); t(B, -2**100); t(B, 'a'); t(B, b'a', 'utf8'); t(B, 1.5); t(B, [1.5]); t(B, ['a']); t(B, None); t(B, 'a', 'utf8', 3); t(B, 'a', 3); t(B, 'a', b'utf8')
    class S:
        def __getitem__(s,i): return (1,2,3)[i]
    t(B, S())
    class I:
        def __index__(s): return 3
    t(B, I()); t(B, [I()])
    class BI(B):
        def __init__(s,*a,**k): s.a = (a,k)
    t(lambda: BI.fromhex('0102').a); t(lambda: type(BI.fromhex('01')).__name__)
    t(lambda: type(B(b'\x09\x0A\x0B\x0C\x0D\x1C\x1D\x1E\x1F').rsplit()).__name__); t(B(b'\x09\x0A\x0B\x0C\x0D\x1C\x1D\x1E\x1F').rsplit); t(B(b'\x09\x0A\x0B\x0C\x0D\x1C\x1D\x1E\x1F a ').split); t(B(b'\x1c a \x0b').strip)
    t(B(b'%s').__rmod__, 3);
    class L(list): pass
    class M(B): pass
    m = M(b'abcd'); m.x = [1]
    import copy, pickle
    for c in (copy.copy(m), copy.deepcopy(m)): print(type(c).__name__, bytes(c), c.x == m.x, c.x is m.x)
    t(lambda: [type(x) for x in m.__reduce_ex__(2)])
    class W:
        def __bytes__(s): return b'W'
    t(B, W())
    class W2(str):
        def __bytes__(s): return b'W2'
    t(B, W2('x'))
    a = []
    class X:
        def __index__(s):
            arr.clear(); return 42
    arr = [X(), X()]
    t(B, arr)
for cls in (set, frozenset):
    class Q(cls): pass
    q = Q('ab'); q.x = 1
    print(q.__reduce__()[0].__name__, sorted(q.__reduce__()[1][0]), q.__reduce__()[2], cls('a').__reduce__())
    c = copy.copy(q); print(type(c).__name__, c == q, c.x, copy.deepcopy(q) == q)
    class Z(cls): __slots__ = ('y',)
    z = Z('ab'); z.y = 2
    print(z.__reduce__()[2], copy.copy(z).y)
f = frozenset('ab'); print(f.copy() is f, frozenset(f) is f)
class H:
    n = 0
    def __hash__(s): H.n += 1; return 7
d = {H(): 1}; s = set(d); s2 = frozenset(d); s.update(d); s.difference_update(d); print(H.n)
