//! Makes random programs about subclasses of built-in types: each defines some of the special methods, and is used
//! where the built-in type would be, beside tensors, in branches and loops.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and shows what an object
//! holds without the methods that it defines.

use super::kinds::{Variable, chosen, finish, variables};
use super::random::Draft;

/// A class: its name, what it is derived from, and the methods that it may define.
struct Class {
    name: &'static str,
    of: &'static str,
    methods: &'static [&'static str],
}

/// Methods of a class that is derived from the class, which has methods of its own.
const DERIVED: &[&str] = &[
    "pass",
    "def __len__(self): return super().__len__() + 1",
    "def __eq__(self, o): return not super().__eq__(o)\n__hash__ = None",
    "def __bool__(self): return n_of(self) % 2 == 0",
    "def __add__(self, o): return super().__add__(o)",
    "def __mul__(self, o): return ('mul', n_of(self), kind(o))",
    "def __iter__(self): return super().__iter__()",
    "def __repr__(self): return 'D' + super().__repr__()",
    "__slots__ = ()",
    "def __init__(self, *a): self.extra = len(a)",
    "def __contains__(self, q): return super().__contains__(q)",
];

const CLASSES: &[Class] = &[
    Class {
        name: "Li",
        of: "list",
        methods: &[
            "def __getitem__(self, j): v = super().__getitem__(j); return v if isinstance(j, slice) else v * 2",
            "def __setitem__(self, j, v): super().__setitem__(j, v * 3)",
            "def __delitem__(self, j): super().__delitem__(j); self.insert(0, 9)",
            "def __len__(self): return super().__len__() + 1",
            "def __iter__(self): return iter(list(super().__iter__())[::-1])",
            "def __iter__(self):\n    for q in super().__iter__(): yield q * 2",
            "def __contains__(self, q): return not super().__contains__(q)",
            "def __add__(self, o): return Li([q * 2 for q in list.__iter__(self)] + [len(o)])",
            "def __radd__(self, o): return ('radd', kind(o), n_of(self))",
            "def __iadd__(self, o): self.append(7); return self",
            "def __iadd__(self, o): return Li([n_of(self)])",
            "def __mul__(self, o): return Li([q * o for q in list.__iter__(self)])",
            "def __rmul__(self, o): return o if isinstance(o, torch.Tensor) else Li([o])",
            "def __imul__(self, o): self.append(o); return self",
            "def __eq__(self, o): return n_of(self) == len(o)",
            "def __ne__(self, o): return 'ne'",
            "def __lt__(self, o): return n_of(self) > len(o)",
            "def __gt__(self, o): return y_of(o) > 0",
            "def __hash__(self): return n_of(self)",
            "def __bool__(self): return n_of(self) != 2",
            "def __repr__(self): return f'<Li {n_of(self)}>'",
            "def __str__(self): return f'Li:{n_of(self)}'",
            "def __reversed__(self): return iter([1, 2])",
            "def __matmul__(self, o): return o * n_of(self)",
            "def __rmatmul__(self, o): return o * 2 + n_of(self)",
            "def __neg__(self): return Li(list.__getitem__(self, slice(None, None, -1)))",
            "def __call__(self, q): return q + n_of(self)",
            "def append(self, q): super().append(q); super().append(0)",
            "def pop(self, j=-1): return super().pop(j) * 10",
            "def extend(self, o): super().extend(list(o)[:1])",
            "def index(self, q): return -1",
            "def sort(self, **k): self.reverse()",
            "def copy(self): return Li(list.copy(self))",
            "def __getattr__(self, name): return name",
            "def __format__(self, spec): return f'{spec}|{n_of(self)}'",
        ],
    },
    Class {
        name: "Tu",
        of: "tuple",
        methods: &[
            "def __getitem__(self, j): v = super().__getitem__(j); return v if isinstance(j, slice) else v * 2",
            "def __len__(self): return super().__len__() + 2",
            "def __iter__(self): return iter(tuple(super().__iter__())[::-1])",
            "def __iter__(self):\n    for q in super().__iter__(): yield q * 2",
            "def __contains__(self, q): return not super().__contains__(q)",
            "def __add__(self, o): return Tu(p + q for p, q in zip(tuple.__iter__(self), o))",
            "def __radd__(self, o): return o if kind(o) == 'number' else Tu([9])",
            "def __iadd__(self, o): return Tu([5, *tuple.__iter__(self)])",
            "def __mul__(self, o): return Tu([q * o for q in tuple.__iter__(self)])",
            "def __rmul__(self, o): return Tu([q * o for q in tuple.__iter__(self)])",
            "def __sub__(self, o): return Tu(p - q for p, q in zip(tuple.__iter__(self), tuple.__iter__(o)))",
            "def __rsub__(self, o): return o - n_of(self)",
            "def __eq__(self, o): return n_of(self) == len(o)",
            "def __lt__(self, o): return n_of(self) > len(o)",
            "def __le__(self, o): return 'le'",
            "def __hash__(self): return 3",
            "def __bool__(self): return n_of(self) != 2",
            "def __repr__(self): return f'<Tu {n_of(self)}>'",
            "def __str__(self): return 'Tu:' + super().__str__()",
            "def __neg__(self): return Tu(-q for q in tuple.__iter__(self))",
            "def __abs__(self): return n_of(self)",
            "def __float__(self): return n_of(self) * 0.5",
            "def __index__(self): return n_of(self) % 2",
            "def __reversed__(self): return iter((8, 9))",
            "def count(self, q): return 'count'",
            "def __new__(cls, v=()): return super().__new__(cls, [*v, 1])",
        ],
    },
    Class {
        name: "Di",
        of: "dict",
        methods: &[
            "def __getitem__(self, j): return super().__getitem__(j) * 2",
            "def __setitem__(self, j, v): super().__setitem__(j, v * 3)",
            "def __missing__(self, j): return j * 2",
            "def __missing__(self, j): self[j] = 5; return 6",
            "def __len__(self): return super().__len__() + 1",
            "def __iter__(self): return iter(list(super().__iter__())[::-1])",
            "def __contains__(self, q): return not super().__contains__(q)",
            "def __delitem__(self, j): super().pop(j, None)",
            "def __or__(self, o): return ('or', n_of(self), len(o))",
            "def __ror__(self, o): return ('ror', n_of(self))",
            "def __ior__(self, o): self['or'] = 1; return self",
            "def __eq__(self, o): return n_of(self) == len(o)",
            "def __bool__(self): return n_of(self) != 1",
            "def __repr__(self): return f'<Di {n_of(self)}>'",
            "def __str__(self): return 'Di:' + super().__str__()",
            "def __add__(self, o): return o + n_of(self)",
            "def __radd__(self, o): return o * 2 + n_of(self)",
            "def __reversed__(self): return iter(['r'])",
            "def get(self, j, d=None): return super().get(j, 8)",
            "def keys(self): return ['a', 'z']",
            "def items(self): return [('i', 1)]",
            "def values(self): return [4, 5]",
            "def update(self, *a, **k): super().update(*a, u=1)",
            "def setdefault(self, j, d=None): return 'set'",
            "def pop(self, *a): return 'pop'",
            "def __getattr__(self, name): return super().get(name, 3)",
        ],
    },
    Class {
        name: "Od",
        of: "OrderedDict",
        methods: &[
            "def __getitem__(self, j): return super().__getitem__(j) * 2",
            "def __setitem__(self, j, v): super().__setitem__(j, v * 3)",
            "def __missing__(self, j): return 6",
            "def __len__(self): return super().__len__() + 1",
            "def __iter__(self): return iter(list(super().__iter__())[::-1])",
            "def __contains__(self, q): return not super().__contains__(q)",
            "def __eq__(self, o): return n_of(self) == len(o)",
            "def __bool__(self): return n_of(self) != 1",
            "def __reversed__(self): return iter(['r'])",
            "def __repr__(self): return f'<Od {n_of(self)}>'",
            "def __or__(self, o): return 'or'",
            "def move_to_end(self, j, last=True): super().move_to_end(j, not last)",
            "def popitem(self, last=True): return super().popitem(not last)",
        ],
    },
    Class {
        name: "Dd",
        of: "defaultdict",
        methods: &[
            "def __getitem__(self, j): return super().__getitem__(j)",
            "def __setitem__(self, j, v): super().__setitem__(j, v * 3)",
            "def __missing__(self, j): self[j] = v = 2; return v",
            "def __missing__(self, j): return super().__missing__(str(j))",
            "def __len__(self): return super().__len__() + 1",
            "def __contains__(self, q): return True",
            "def __bool__(self): return n_of(self) != 1",
            "def __iter__(self): return iter(sorted(super().__iter__(), key=str))",
            "def get(self, j, d=None): return self[j]",
        ],
    },
    Class {
        name: "Co",
        of: "Counter",
        methods: &[
            "def __getitem__(self, j): return super().__getitem__(j) + 1",
            "def __setitem__(self, j, v): super().__setitem__(j, min(v, 3))",
            "def __missing__(self, j): return -1",
            "def __len__(self): return super().__len__() + 1",
            "def __add__(self, o): return Co(list(self) + list(o))",
            "def __eq__(self, o): return sum(self.values()) == sum(o.values())",
            "def elements(self): return iter(['e'])",
        ],
    },
    Class {
        name: "Se",
        of: "«set|frozenset»",
        methods: &[
            "def __len__(self): return super().__len__() + 1",
            "def __iter__(self): return iter(sorted(super().__iter__())[:2])",
            "def __contains__(self, q): return not super().__contains__(q)",
            "def __or__(self, o): return Se([*super().__iter__(), 50])",
            "def __ror__(self, o): return ('ror', len(o))",
            "def __and__(self, o): return n_of(self)",
            "def __sub__(self, o): return o if isinstance(o, torch.Tensor) else Se()",
            "def __rsub__(self, o): return o - n_of(self)",
            "def __ior__(self, o): return Se([1, 60])",
            "def __eq__(self, o): return n_of(self) == len(o)\n__hash__ = None",
            "def __le__(self, o): return 'le'",
            "def __lt__(self, o): return n_of(self) < 2",
            "def __bool__(self): return n_of(self) != 1",
            "def __hash__(self): return 5",
            "def __repr__(self): return f'<Se {n_of(self)}>'",
            "def add(self, q): super().add(q + 1)",
            "def union(self, *o): return 'union'",
        ],
    },
    Class {
        name: "Dq",
        of: "deque",
        methods: &[
            "def __getitem__(self, j): return super().__getitem__(j) * 2",
            "def __setitem__(self, j, v): super().__setitem__(j, v * 3)",
            "def __len__(self): return super().__len__() + 1",
            "def __iter__(self): return iter(list(super().__iter__())[::-1])",
            "def __contains__(self, q): return not super().__contains__(q)",
            "def __add__(self, o): return Dq([*deque.__iter__(self), 70])",
            "def __iadd__(self, o): self.append(4); return self",
            "def __mul__(self, o): return o * n_of(self)",
            "def __eq__(self, o): return n_of(self) == len(o)",
            "def __bool__(self): return n_of(self) != 1",
            "def __reversed__(self): return iter([1])",
            "def __repr__(self): return f'<Dq {n_of(self)}>'",
            "def append(self, q): super().appendleft(q)",
            "def popleft(self): return super().pop()",
        ],
    },
    Class {
        name: "St",
        of: "str",
        methods: &[
            "def __getitem__(self, j): return super().__getitem__(j) + '.'",
            "def __len__(self): return super().__len__() + 1",
            "def __iter__(self): return iter(['p', 'q'])",
            "def __contains__(self, q): return not super().__contains__(q)",
            "def __add__(self, o): return St(super().__add__('+'))",
            "def __radd__(self, o): return ('radd', kind(o))",
            "def __mul__(self, o): return o if isinstance(o, torch.Tensor) else St('m')",
            "def __rmul__(self, o): return o * 2",
            "def __mod__(self, o): return ('mod', kind(o))",
            "def __eq__(self, o): return super().__len__() == len(o)",
            "def __eq__(self, o): return super().__eq__(o.lower())\ndef __hash__(self): return hash(self.lower())",
            "def __lt__(self, o): return super().__gt__(o)",
            "def __hash__(self): return 7",
            "def __bool__(self): return self.startswith('a')",
            "def __repr__(self): return '<' + super().__repr__() + '>'",
            "def __str__(self): return 'St'",
            "def __format__(self, spec): return 'fmt' + spec",
            "def __int__(self): return 12",
            "def __index__(self): return 1",
            "def upper(self): return St('UP')",
            "def split(self, *a): return ['s']",
            "def join(self, o): return 'joined'",
            "def __neg__(self): return St(self[::-1])",
        ],
    },
    Class {
        name: "In",
        of: "int",
        methods: &[
            "def __add__(self, o): return o + 10 if isinstance(o, torch.Tensor) else In(super().__add__(2))",
            "def __radd__(self, o): return o * 2",
            "def __sub__(self, o): return In(int(self) * 2)",
            "def __rsub__(self, o): return o - 3 * int(self)",
            "def __mul__(self, o): return o * int(self) * 2",
            "def __rmul__(self, o): return ('rmul', kind(o))",
            "def __truediv__(self, o): return 2.5",
            "def __rtruediv__(self, o): return o",
            "def __floordiv__(self, o): return In(3)",
            "def __mod__(self, o): return In(1)",
            "def __rmod__(self, o): return In(2)",
            "def __pow__(self, o, m=None): return int(self) + 1",
            "def __rpow__(self, o): return o",
            "def __iadd__(self, o): return In(int(self) + 2)",
            "def __neg__(self): return In(4)",
            "def __abs__(self): return 11",
            "def __invert__(self): return 'inv'",
            "def __and__(self, o): return 'and'",
            "def __lshift__(self, o): return 'shl'",
            "def __eq__(self, o): return int(self) % 2 == 0",
            "def __eq__(self, o): return super().__eq__(o)\ndef __hash__(self): return 1",
            "def __lt__(self, o): return super().__gt__(o)",
            "def __gt__(self, o): return 'gt'",
            "def __le__(self, o): return []",
            "def __hash__(self): return 7",
            "def __bool__(self): return int.__eq__(self, 0)",
            "def __index__(self): return 2",
            "def __int__(self): return 5",
            "def __float__(self): return 0.75",
            "def __repr__(self): return '<' + super().__repr__() + '>'",
            "def __str__(self): return 'In'",
            "def __format__(self, spec): return 'fmt' + spec",
            "def __call__(self, q): return q + 1",
            "def __round__(self, *a): return 13",
            "def __divmod__(self, o): return 'divmod'",
            "def __getitem__(self, j): return j",
            "def __len__(self): return 3",
            "def __iter__(self): return iter(range(2))",
            "def __matmul__(self, o): return o * 0.5",
            "def __rmatmul__(self, o): return o * 0.25",
        ],
    },
    Class {
        name: "Fl",
        of: "float",
        methods: &[
            "def __add__(self, o): return o + 10 if isinstance(o, torch.Tensor) else Fl(super().__add__(2))",
            "def __radd__(self, o): return o * 2",
            "def __sub__(self, o): return Fl(0.25)",
            "def __rsub__(self, o): return o - 0.5",
            "def __mul__(self, o): return o * 3",
            "def __rmul__(self, o): return ('rmul', kind(o))",
            "def __truediv__(self, o): return Fl(super().__truediv__(2.0))",
            "def __rtruediv__(self, o): return o",
            "def __floordiv__(self, o): return 'floor'",
            "def __pow__(self, o): return o",
            "def __rpow__(self, o): return o",
            "def __imul__(self, o): return Fl(1.5)",
            "def __neg__(self): return Fl(0.125)",
            "def __abs__(self): return 11",
            "def __eq__(self, o): return float(o) > 0",
            "def __lt__(self, o): return super().__gt__(o)",
            "def __ge__(self, o): return 'ge'",
            "def __hash__(self): return 7",
            "def __bool__(self): return not super().__bool__()",
            "def __int__(self): return 5",
            "def __float__(self): return 0.75",
            "def __index__(self): return 1",
            "def __repr__(self): return '<' + super().__repr__()[:3] + '>'",
            "def __str__(self): return 'Fl'",
            "def __format__(self, spec): return 'fmt' + spec",
            "def __round__(self, d=None): return 13",
            "def __trunc__(self): return 8",
            "def __ceil__(self): return 21",
            "def is_integer(self): return 'maybe'",
        ],
    },
];

/// `n` and `k` are small ints, `x` and `y` tensors.
const VARIABLES: &[Variable] = variables! {
    "li" = "Li([1, k])", ["li = Li([k, n, 2])", "li.append(k)", "li = li + [k]", "li = [n] + li", "li += [k]", "li = li * 2", "li[0] = k",
            "li[-1] += 1", "del li[0]", "li.extend([k, 3])", "li.pop()", "li.sort(key=lambda q: -q)", "li = list(li)", "li = -li",
            "for q in li: y = y + q * 0.01", "n = (n + len(li)) % 5", "y = y * li[0] * 0.5", "li = Li2([k, 4])", "li = Li(li)", "li = li[1:]",
            "if li: y = y * 0.75", "n = (n + (k in li)) % 5", "li = li.copy()", "y = y + sum(li) * 0.02", "y = li @ y", "y = y @ li",
            "li = Li([q for q in li if q != k])", "for j, q in enumerate(li): n = (n + j * q) % 5", "li *= 2", "y = li(y)",
            "for q in reversed(li): y = y * 0.9 + q * 0.01", "li = sorted(li)", "li = Li(map(abs, li))"],
        ["text(li), len(li)", "str(li), repr(li), f'{li}', f'{li:>9}'", "list(li), [*li], sum(li)", "li == [1, 2], li != [1, k]", "li[0], li[-1], li[:1]",
            "1 in li, k not in li", "bool(li), not li", "text(li + [1]), text([1] + li), text(li * 2)", "text(li * y), text(y * li)",
            "sorted(li), max(li), min(li)", "tuple(li), set(li)", "list(reversed(li)), list(zip(li, [1, 2, 3]))", "text(torch.tensor(li))",
            "text(y[li])", "(lambda *a: a)(*li)", "li < [1, 5], li > [0], [0] < li", "'-'.join(map(str, li))", "li.index(k), li.count(1)",
            "{1: li} == {1: [1, k]}, [li] == [[1, k]]", "isinstance(li, list), type(li) is Li, kind(li)", "text(-li)", "[q for q in li]",
            "text(sum([li], [])), text(Li(li))", "any(li), all(li)", "dict.fromkeys(li, 0)", "text(y.view(*Li([3])))", "hash(li)"];
    "lt" = "Li([x, y])", ["lt = Li([y, x * 0.5])", "lt.append(y * 0.5)", "lt = lt + [x]", "lt[0] = y", "lt[0].add_(0.01)", "lt += [x]",
            "for q in lt: y = y + q * 0.1", "y = y + sum(lt) * 0.1", "y = y + lt[-1] * 0.2", "lt = Li([q * 0.5 for q in lt])", "lt = lt[:2]",
            "if len(lt) > 3: lt = lt[1:]", "lt = Li([torch.tanh(q) for q in lt[:4]])", "y = torch.stack(list(lt)).mean(0)", "y = y + lt.pop()",
            "lt = Li([y, y])", "for q, p in zip(lt, [x, y]): y = y + q * p * 0.1", "lt = Li2(lt)"],
        ["text(lt), len(lt)", "text(list(lt)), text(sum(lt))", "text(lt[0]), text(lt[-1])", "[text(q) for q in lt]", "text(torch.stack(list(lt)).sum(0))",
            "text(torch.cat([*lt]))", "bool(lt)", "text(lt * 2)", "text([q * p for q, p in zip(lt, lt)])", "text([y] + lt), text(lt[::-1])",
            "text(torch.stack([q for q in reversed(lt)]))"];
    "tu" = "Tu((1, k))", ["tu = Tu((k, n))", "tu = tu + (k, 1)", "tu = (n,) + tu", "tu += (k,)", "tu = tu * 2", "tu = tuple(tu)", "tu = -tu", "tu = tu[:2]",
            "for q in tu: y = y + q * 0.01", "n = (n + len(tu)) % 5", "y = y * tu[0] * 0.5", "tu = Tu2((k, 4))", "if tu: y = y * 0.75", "a, b = tu",
            "a, *b = tu; n = (n + a) % 5", "tu = tu - Tu((1, 1))", "tu = 2 * tu", "y = y + sum(tu) * 0.02", "tu = Tu(q + 1 for q in tu)", "tu = y - tu",
            "n = [n, 1, 2][tu]"],
        ["text(tu), len(tu)", "str(tu), repr(tu), f'{tu}', '%s' % (tu,)", "list(tu), (*tu,), sum(tu)", "tu == (1, 2), tu != (1, k)", "tu[0], tu[-1], tu[:1]",
            "1 in tu, k not in tu", "bool(tu), not tu", "text(tu + (1,)), text((1,) + tu)", "text(tu * y), text(y * tu)", "text(y - tu), text(tu - tu)",
            "sorted(tu), max(tu), min(tu)", "hash(tu) == hash((1, k)), {tu: 1}.get((1, k))", "tu < (1, 5), tu <= (0,), (0,) < tu, (0,) >= tu", "kind(tu)",
            "text(torch.zeros(tu).shape)", "text(torch.tensor(tu))", "text(y.new_zeros(Tu((2,))))", "abs(tu), float(tu)", "isinstance(tu, tuple), type(tu) is Tu",
            "text(torch.stack([y, y, y])[tu])", "'%s %s' % tu", "(lambda *a: a)(*tu)", "list(reversed(tu)), tu.count(1)", "text(sum([tu], ()))", "isinstance(1, Tu((int,)))"];
    "tt" = "Tu((x, y))", ["tt = Tu((y, x * 0.5))", "tt = tt + (x, y)", "for q in tt: y = y + q * 0.1", "tt = Tu(q * 0.5 for q in tt)", "tt = tt * 0.5", "tt = tt - tt",
            "y = y + tt[0] * 0.2", "tt = -tt", "tt = tt[:2]", "a, b = tt; y = a * 0.5 + b * 0.5", "tt[0].mul_(0.9)", "tt = y * tt"],
        ["text(tt), len(tt)", "text(list(tt)), text(tt[0])", "text(sum(tt, y))", "text(torch.stack(tuple(tt)))", "text([q.sum() for q in tt])", "text(tt + tt)", "bool(tt)"];
    "di" = "Di(a=1)", ["di = Di(a=k, b=n)", "di['k'] = k", "di[k] = n", "di['a'] += 1", "del di['a']", "di.update(z=k)", "di = di | {'o': k}", "di = {'o': k} | di",
            "di |= {'p': n}", "di = dict(di)", "di = dict(**di)", "for q in di: n = (n + len(str(q))) % 5", "for q, v in di.items(): y = y + v * 0.01",
            "y = y + sum(di.values()) * 0.01", "di.setdefault('s', 4)", "di.pop('a', None)", "if di: y = y * 0.75", "n = (n + len(di)) % 5", "di = Di2(a=k)",
            "y = di + y", "y = y + di", "di = di.copy()", "di = Di(di)", "n = (n + ('a' in di)) % 5", "di = {**di, 'm': 1}", "y = y * di[k] * 0.1"],
        ["text(di), len(di)", "str(di), repr(di)", "list(di), [*di], list(di.keys())", "list(di.items()), list(di.values())", "di == {'a': 1}, di != {'a': k}",
            "di['a'], di['q']", "di.get('a'), di.get('q', 5), 'a' in di", "bool(di), not di", "text(dict(di)), text({**di})", "text(di | {'z': 1}), text({'z': 1} | di)",
            "sorted(di, key=str), kind(di)", "list(reversed(di))", "(lambda **q: q)(**di)", "'%(a)s' % di, '{a}'.format(**di), '{a}'.format_map(di)",
            "isinstance(di, dict), type(di) is Di", "text(di.copy())", "di.foo, di.a", "json.dumps(di)", "text(di + y)"];
    "od" = "Od(a=1, b=k)", ["od['c'] = n", "od.move_to_end('a')", "od.popitem()", "od.popitem(last=False)", "od = Od(b=k, a=n)", "od['a'] += 1", "od |= {'d': 1}",
            "for q in od: n = (n + ord(q)) % 5", "y = y + sum(od.values()) * 0.01", "od = od | {'e': k}", "n = (n + len(od)) % 5", "od = Od2(a=k)"],
        ["text(od), len(od)", "od == {'a': 1, 'b': k}, od == OrderedDict(b=k, a=1)", "list(od), list(reversed(od))", "str(od)", "od['a'], od['zz']", "bool(od), 'a' in od",
            "list(od.items()), list(od.values())", "text(od.copy()), type(od.copy()).__name__"];
    "dd" = "Dd(list)", ["dd['a'].append(k)", "dd[k].append(n)", "dd = Dd(int)", "dd['c'] += 1", "dd[k] += 2", "dd = Dd(lambda: 3, a=k)", "dd['a'] = k", "y = y + len(dd) * 0.01",
            "for q in dd: n = (n + 1) % 5", "y = y + dd['t'] * 0.01", "dd = Dd2(int)", "if k in dd: n = 1"],
        ["text(dict(dd)), len(dd)", "dd['a'], dd['zz'], len(dd)", "dd.get('a'), 'a' in dd, dd.default_factory is int", "text(dd.copy()), type(dd.copy()).__name__",
            "list(dd), list(dd.items())", "bool(dd)"];
    "co" = "Co('abca')", ["co['a'] += 1", "co[k] += n", "co.update('bz')", "co = co + Co('ab')", "co = co - Co('a')", "co.subtract('ab')", "co = Co([k, n])", "y = y + co['a'] * 0.01",
            "n = (n + len(co)) % 5", "co = co | Co('bb')", "co += Co('c')", "co = -co"],
        ["text(dict(co)), len(co)", "co['a'], co['zz'], co[k]", "co.most_common(2)", "co == Co('abca'), sum(co.values())", "list(co.elements())", "co.total(), 'a' in co", "type(co + co).__name__"];
    "se" = "Se([1, k])", ["se = Se([k, n])", "se.add(n)", "se = se | {k, 30}", "se = {n} | se", "se |= {n, 40}", "se = se & {1, 2}", "se = se - {1}", "se = set(se)", "se ^= {k}",
            "for q in se: n = (n + q) % 5", "n = (n + len(se)) % 5", "y = y + sum(se) * 0.01", "if se: y = y * 0.75", "y = y - se", "y = se - y", "se = se.union([7])", "se = Se2([k])",
            "se = Se(q + 1 for q in se)"],
        ["text(se), len(se)", "sorted(se), sum(se)", "se == {1, k}, se <= {1, 2}, se < {1, 2, 3}, {1} <= se", "1 in se, n not in se", "bool(se), not se", "text(se | {9}), text({9} | se)",
            "text(se & {1}), text(se - {1}), text(se ^ {1})", "isinstance(se, set), type(se).__name__", "hash(se) == 5", "text(se.union([3])), text(se.copy())", "repr(se)[:3]"];
    "dq" = "Dq([1, k])", ["dq.append(n)", "dq.appendleft(k)", "dq.popleft()", "dq.pop()", "dq = Dq([k, n], maxlen=2)", "dq = dq + Dq([1])", "dq += [k]", "dq = dq * 2", "dq[0] = n", "dq.rotate(1)",
            "for q in dq: y = y + q * 0.01", "n = (n + len(dq)) % 5", "y = y + sum(dq) * 0.01", "if dq: y = y * 0.75", "y = y * dq[0] * 0.5", "dq.extend([k, n])", "dq = Dq2([k])", "y = dq * y"],
        ["text(dq), len(dq)", "list(dq), sum(dq)", "dq[0], dq[-1]", "dq == deque([1, k]), dq < deque([2])", "1 in dq, k not in dq", "bool(dq)", "list(reversed(dq))", "str(dq), repr(dq)",
            "text(dq + dq), text(dq * 2)", "text(dq.copy()), type(dq.copy()).__name__", "dq.maxlen, sorted(dq)"];
    "st" = "St('ab')", ["st = St('Ab')", "st = St(f'a{k}')", "st = st + 'x'", "st = 'x' + st", "st += str(k)", "st = st * 2", "st = St(st)", "st = str(st)", "for q in st: n = (n + len(q)) % 5",
            "n = (n + len(st)) % 5", "if st: y = y * 0.75", "y = y * {'ab': 0.5, 'Ab': 0.6}.get(st, 0.9)", "st = st.upper()", "n = (n + ('a' in st)) % 5", "st = St2('b')", "st = -st",
            "y = y * st", "y = st * y", "if st == 'ab': y = y + 0.1"],
        ["text(st), len(st)", "str(st), repr(st), f'{st}', f'{st:>5}', '%s' % st, '{}'.format(st)", "st == 'ab', 'ab' == st, st != 'Ab', 'ab' != st", "st < 'b', 'b' < st, st >= 'a'",
            "list(st), [*st], tuple(st)", "st[0], st[-1], st[:1]", "'a' in st, 'z' not in st", "bool(st), not st", "text(st + 'q'), text('q' + st), text(st * 2), text(2 * st)", "st % 3",
            "{'ab': 1}.get(st), {st: 2}.get('ab'), st in ['ab'], st in {'ab'}", "hash(st) == hash('ab')", "int(st)", "[7, 8, 9][st]", "st.upper(), st.split('b'), st.join(['1', '2'])",
            "','.join([st, st])", "sorted([st, 'b', St('a')])", "text(y * st), text(st * y)", "kind(st), type(st).__name__", "str(st) == 'ab', st.startswith('a')", "print(st)", "vars(A(1)) == {'v': 1}, getattr(A(1), St('v'), 2)"];
    "iv" = "In(k)", ["iv = In(n)", "iv = iv + 1", "iv += k", "iv = 1 + iv", "iv = iv - 1", "iv = 3 - iv", "iv = iv * 2", "iv = -iv", "iv = iv // 2", "iv = iv % 3", "iv = abs(iv)", "iv = int(iv)",
            "for q in range(iv): y = y * 0.9", "y = y + iv", "y = iv + y", "y = y * iv * 0.5", "y = iv * y", "y = y - iv * 0.1", "if iv: y = y * 0.75", "if iv == 1: y = y + 0.1", "n = n if iv < n else k",
            "n = [n, k, 1][iv]", "y = y + y[iv]", "iv = In2(k)", "y[iv] = 0.5", "iv = max(iv, 1)", "iv = sum([iv, 1])", "y = y / iv", "iv = iv if iv else In(1)", "while iv > 3: iv = int(iv) - 1", "y = iv @ y", "y = y @ iv"],
        ["text(iv), int(iv)", "str(iv), repr(iv), f'{iv}', f'{iv:3}', '%d %s' % (iv, iv)", "iv == 1, 1 == iv, iv != 2, iv < 2, 2 < iv, iv <= 1, iv > 1", "text(iv + 1), text(1 + iv), text(iv - 1), text(1 - iv)",
            "text(iv * 2), text(2 * iv), text(iv / 2), text(2 / iv)", "text(iv // 2), text(iv % 3), text(7 % iv), text(iv ** 2), text(2 ** iv)", "text(-iv), text(abs(iv)), text(~iv), text(iv & 1), text(iv << 1)",
            "text(y + iv), text(iv + y)", "text(y * iv), text(iv * y), text(y - iv), text(iv - y)", "text(y / iv), text(y ** iv), text(iv ** y)", "text(y[iv]), text(y > iv), text(iv < y)", "bool(iv), not iv",
            "[5, 6, 7, 8][iv], 'abcd'[iv], (1, 2, 3, 4)[:iv]", "list(range(iv)), range(4)[iv]", "float(iv), round(iv), math.sqrt(iv)", "{0: 1, 1: 2, 2: 3}.get(iv), iv in (1, 2), iv in {0, 1}", "hash(iv), hex(iv), bin(iv)",
            "max(iv, 1), min(1, iv), sorted([2, iv, 0])", "sum([iv, iv, 1]), sum([iv], 0.5)", "text(torch.tensor([iv, 1])), text(torch.full((2,), iv))", "text(y.view(In(3))), text(torch.zeros(iv + 1).shape)",
            "text(torch.arange(iv)), text(y.roll(iv, 0))", "text(y.clamp(max=iv)), text(y.sum() + iv)", "len(iv), list(iv), iv[3]", "kind(iv), type(iv).__name__, isinstance(iv, int)", "'a' * iv, [1] * iv",
            "divmod(iv, 2), pow(iv, 2)", "iv(1), iv.real", "text(y.item() if y.dim() == iv else y.sum(In(0)))"];
    "fv" = "Fl(0.5)", ["fv = Fl(k * 0.5)", "fv = fv + 1", "fv += 0.5", "fv = 1 + fv", "fv = fv - 0.5", "fv = 3 - fv", "fv = fv * 2", "fv *= 0.5", "fv = -fv", "fv = fv / 2", "fv = abs(fv)", "fv = float(fv)",
            "y = y + fv", "y = fv + y", "y = y * fv", "y = fv * y", "y = y - fv", "if fv: y = y * 0.75", "if fv == 0.5: y = y + 0.1", "n = n if fv < 1 else k", "fv = max(fv, 0.25)", "fv = Fl2(0.75)",
            "fv = Fl(y[0].item())", "y = y / fv", "fv = fv if fv else Fl(1)", "y[0] = fv", "fv = sum([fv, 0.5])", "y = torch.where(y > fv, y, y * 0.5)"],
        ["text(fv)", "str(fv), repr(fv), f'{fv}', f'{fv:.2f}', '%.2f' % fv", "fv == 0.5, 0.5 == fv, fv != 1, fv < 0.7, 0.7 < fv, fv >= 1", "text(fv + 1), text(1 + fv), text(fv - 1), text(1 - fv)",
            "text(fv * 2), text(2 * fv), text(fv / 2), text(2 / fv)", "text(fv // 2), text(fv ** 2), text(2 ** fv)", "text(-fv), text(abs(fv))", "text(y + fv), text(fv + y), text(y * fv), text(fv * y)",
            "text(y - fv), text(fv - y), text(y / fv), text(y ** 2 ** fv)", "bool(fv), not fv", "int(fv), text(round(fv, 1)), math.floor(fv), math.ceil(fv)", "text(math.sqrt(fv)), text(math.exp(fv))",
            "{0.5: 1}.get(fv), fv in (0.5, 1.0), fv in {0.5}", "text(max(fv, 0.25)), text(min(0.25, fv))", "text(sum([fv, fv])), text(sorted([0.75, fv]))", "text(torch.tensor([fv, 1.0])), text(torch.full((2,), fv))",
            "text(y.clamp(max=fv)), text(y > fv)", "text(torch.add(y, y, alpha=fv)), text(y.lerp(x, fv))", "[1, 2, 3][fv]", "kind(fv), type(fv).__name__", "fv.is_integer(), text(float(fv))", "text(y.mul(fv)), text(y.add_(fv))"];
};

fn define(draft: &mut Draft, class: &Class) {
    let of = draft.random.filled(class.of);
    draft.text.line(&format!("class {}({of}):", class.name));
    methods(draft, class.methods);
    draft.text.line(&format!("class {0}2({0}):", class.name));
    methods(draft, DERIVED);
}

/// A few methods, none twice.
fn methods(draft: &mut Draft, of: &[&'static str]) {
    draft.text.indent += 1;
    let mut defined: Vec<&str> = Vec::new();
    for _ in 0..1 + draft.random.below(4) {
        let method = draft.random.pick(of);
        let name = method.split('(').next().unwrap_or("");
        if defined.iter().any(|d| d.starts_with(name)) {
            continue;
        }
        defined.push(method);
        for line in method.split('\n') {
            draft.text.line(line);
        }
    }
    draft.text.indent -= 1;
    draft.text.push("\n\n");
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut draft = Draft::of(seed);
    let chosen = chosen(&mut draft, VARIABLES);
    draft.text.push(PROLOGUE);
    for class in CLASSES {
        let named = |v: &&Variable| v.first.starts_with(class.name);
        if chosen.iter().any(named) {
            define(&mut draft, class);
        }
    }
    finish(draft, chosen)
}

const PROLOGUE: &str = "\
from collections import Counter, OrderedDict, defaultdict, deque
import json, math
import torch

torch.manual_seed(0)


class A:
    def __init__(self, v):
        self.v = v


def n_of(v):
    for t in (list, tuple, dict, set, frozenset, deque, str):
        if isinstance(v, t):
            return t.__len__(v)
    return 1


def y_of(v):
    return v.sum().item() if isinstance(v, torch.Tensor) else len(v)


def text(v):
    name = type(v).__name__
    if isinstance(v, torch.Tensor):
        return [text(q) for q in v.tolist()] if v.dim() else text(v.item())
    if isinstance(v, bool) or v is None:
        return v
    if isinstance(v, float):
        return name, float('%.4g' % float.__add__(v, 0.0))
    if isinstance(v, int):
        return name, int.__add__(v, 0)
    if isinstance(v, str):
        return name, str.__add__('', str.__getitem__(v, slice(None)))
    if isinstance(v, dict):
        return name, [(text(q), text(p)) for q, p in dict.items(v)]
    if isinstance(v, (set, frozenset)):
        return name, sorted([text(q) for q in type(v).__mro__[-2].__iter__(v)])
    for t in (list, tuple, deque):
        if isinstance(v, t):
            return name, [text(q) for q in t.__iter__(v)]
    return v if name == 'NotImplementedType' else name


def kind(v):
    match v:
        case None: return 'none'
        case []: return 'empty'
        case [w]: return f'one {w}'
        case [w, *_]: return f'first {w}'
        case {'a': w}: return f'map {w}'
        case {}: return 'dict'
        case str(w): return f'str {w}'
        case int() | float(): return 'number'
        case _: return type(v).__name__


";
