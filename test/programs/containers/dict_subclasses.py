"""What is asked of classes that derive from dicts of all kinds, and when."""
from collections import OrderedDict, defaultdict, Counter, UserDict, ChainMap
import copy, pickle
log = []
class K(OrderedDict):
    def keys(self):
        log.append('keys'); return ['a', 'b']
    def __getitem__(self, k):
        log.append(('get', k)); return 100
k = K(); OrderedDict.__setitem__(k, 'z', 1); k['y'] = 2
def show(label, f):
    log.clear()
    try: r = f()
    except Exception as e: r = (type(e).__name__, str(e))
    print(label, r, log)
show('dict', lambda: dict(k))
show('OD', lambda: OrderedDict(k))
show('list', lambda: list(k))
show('unpack', lambda: {**k})
show('update', lambda: {}.update(k))
def upd():
    d = {}; d.update(k); return d
show('update2', upd)
show('or', lambda: {'q': 1} | k)
show('ror', lambda: k | {'q': 1})
show('eq', lambda: k == {'z': 1, 'y': 2})
show('items', lambda: list(k.items()))
show('values', lambda: list(k.values()))
show('get', lambda: k.get('z'))
show('copy', lambda: k.copy())
show('copy.copy', lambda: copy.copy(k))
show('repr', lambda: repr(k))
show('str', lambda: str(k))
show('popitem', lambda: copy.copy(k).popitem())
show('pop', lambda: copy.copy(k).pop('z'))
show('mte', lambda: k.move_to_end('z'))
show('fn', lambda: (lambda **kw: kw)(**k))
show('Counter', lambda: Counter(k))
show('dd', lambda: defaultdict(int, k))
show('ChainMap', lambda: dict(ChainMap(k)))
show('reversed', lambda: list(reversed(k)))
show('setdefault', lambda: k.setdefault('n', 4))
show('fromkeys', lambda: K.fromkeys('ab', 1))
show('deepcopy', lambda: copy.deepcopy(k))

class S(OrderedDict):
    def __setitem__(self, key, value):
        log.append(('set', key, value)); super().__setitem__(key, value)
    def __delitem__(self, key):
        log.append(('del', key)); super().__delitem__(key)
    def __missing__(self, key):
        log.append(('missing', key)); return -1
show('ctor', lambda: S([('a', 1)], b=2))
show('ctor dict', lambda: S({'a': 1}))
s = S(a=1)
show('upd', lambda: s.update({'c': 3}, d=4))
show('ior', lambda: s.__ior__({'e': 5}))
show('or', lambda: s | {'f': 6})
show('ror', lambda: {'f': 6} | s)
show('setdefault', lambda: s.setdefault('g', 7))
show('missing', lambda: s['nope'])
show('copy', lambda: s.copy())
show('copy2', lambda: copy.copy(s))
show('deepcopy', lambda: copy.deepcopy(s))
show('pop', lambda: s.pop('a'))
show('pop missing', lambda: s.pop('aa', 0))
show('pop missing2', lambda: s.pop('aa'))
show('popitem', lambda: s.popitem())
show('mte', lambda: s.move_to_end('c'))
show('clear', lambda: s.clear())
show('fromkeys', lambda: S.fromkeys('xy'))

class D(dict):
    def __setitem__(self, key, value):
        log.append(('set', key, value)); super().__setitem__(key, value)
    def keys(self):
        log.append('keys'); return ['a']
    def __getitem__(self, k):
        log.append(('get', k)); return 100
    def __iter__(self):
        log.append('iter'); return iter(['i'])
d = D(a=1, b=2)
show('dict', lambda: dict(d))
show('OD', lambda: OrderedDict(d))
show('unpack', lambda: {**d})
show('upd', upd.__class__ and (lambda: (lambda x: (x.update(d), x))({})))
show('or', lambda: {} | d)
show('list', lambda: list(d))
show('copy', lambda: d.copy())
show('ccopy', lambda: copy.copy(d))
show('fn', lambda: (lambda **kw: kw)(**d))
show('fmt', lambda: '%(a)s' % d)
show('format_map', lambda: '{a}'.format_map(d))
show('Counter', lambda: Counter(d))
show('fromkeys', lambda: D.fromkeys('q', 0))
show('sdefault', lambda: d.setdefault('n', 3))
show('ior', lambda: d.__ior__({'r': 1}))
class Dk(dict):
    def keys(self):
        log.append('keys'); return ['a']
    def __getitem__(self, k):
        log.append(('get', k)); return 100
d = Dk(a=1, b=2)
show('dict', lambda: dict(d))
show('unpack', lambda: {**d})
show('or', lambda: {} | d)
class U(UserDict):
    def __setitem__(self, key, value):
        log.append(('set', key, value)); super().__setitem__(key, value)
show('U', lambda: dict(U(a=1)))
u = U(a=1)
show('U or', lambda: u | {'b': 1})
show('U copy', lambda: u.copy())
show('U get', lambda: (u.get('x', 3), u.setdefault('y', 4), u.pop('a'), u))
class M:
    def keys(self): return ['p', 'q']
    def __getitem__(self, k): return k * 2
show('M', lambda: (dict(M()), OrderedDict(M()), {**M()}, Counter(M()) if False else 0))
class C(Counter):
    def __missing__(self, k):
        log.append(k); return 5
c = C('aab')
show('C', lambda: (c['z'], c + C('b'), c | C('q'), c.most_common(1), -c, +c))
show('C upd', lambda: (c.update('ab'), c.subtract('a'), c, c.total()))
o = OrderedDict(a=1, b=2)
show('oeq', lambda: (o == OrderedDict(b=2, a=1), o == dict(b=2, a=1), o != OrderedDict(a=1, b=2)))
show('okw', lambda: (o.popitem(last=False), o.popitem(False), o.popitem()))
o = OrderedDict(a=1, b=2, c=3)
show('rev', lambda: (list(reversed(o.items())), list(reversed(o.keys())), list(reversed(o.values()))))
o.x = 5
show('attr', lambda: (copy.copy(o).x, o.copy().__dict__, o.__reduce__()[0], pickle.loads(pickle.dumps(o)).x))
class R(OrderedDict):
    def __init__(self, cap, *a):
        self.cap = cap; super().__init__(*a)
r = R(3, {'a': 1})
show('R', lambda: (r.copy(),))
show('R', lambda: repr(r))
