//! Makes random programs about records: dataclasses with random options and methods, and named tuples with operators,
//! that hold numbers, lists and tensors and are changed, replaced, compared and taken apart in branches and loops.
//!
//! In: a seed. Out: the text of a program. Always: it ends, and prints the same on every run.

use super::kinds::{Variable, chosen, finish, variables};
use super::random::Draft;

/// `R` holds numbers and a list, `S` is derived from it, `T` holds tensors; `P` and `Q` are named tuples.
const VARIABLES: &[Variable] = variables! {
    "r" = "R(k)", ["r = R(n, 0.25)", "r = R(k, items=[n])", "r.a = n", "r.a += k", "r.b = r.b * 2", "r.items.append(k)", "r.items = [k]", "r = replace(r, a=n)",
            "r = replace(r, b=r.b + 1)", "r = replace(r, items=[*r.items, n])", "r = copy.copy(r)", "r = copy.deepcopy(r)", "r = S(k, 0.75)", "r = S(n, c=2)", "del r.a", "r.new = 1",
            "r = r + r", "r = r + 1", "r += R(1)", "r = -r", "r = r * y", "y = y * r.b * 0.5", "y = y + r.a * 0.1", "y = y + r.total() * 0.01", "if r == R(1): y = y * 0.9",
            "if r < R(1): y = y * 0.8", "for q in r.items: y = y + q * 0.01", "r.total = 5", "R.shared = R.shared % 3 + 1", "r = max(r, R(1))", "n = (n + r.a) % 4", "y = r(y)",
            "r = R(*[k, 0.5])", "r = R(**{'a': k, 'b': 1.5})", "r = [r, R(k)][k % 2]", "setattr(r, 'a', k + 1)", "if r: y = y * 0.7", "r = sorted([r, R(2)])[0]", "r[0] = 4", "r = R()"],
        ["r", "r, r.a, r.b", "str(r), f'{r}'", "asdict(r), astuple(r)", "r == R(k), r != R(k), r == r", "r < R(1), r >= R(0, 0.0)", "r.items, r.total()", "[f.name for f in fields(r)]",
            "hash(r) == hash(R(r.a, r.b))", "r in [R(0), R(1)], R(1) in [r]", "{R(0): 'z', R(1): 'o'}.get(r)", "replace(r, a=7), r", "isinstance(r, R), type(r).__name__, is_dataclass(r)",
            "kind(r)", "r + r, -r", "sorted([r, R(1), R(0)])", "max([R(1), r], key=lambda q: q.a)", "copy.copy(r) == r, copy.deepcopy(r) is r", "vars(r)", "r.new", "R.shared, r.shared",
            "text(r * y)", "bool(r)", "len(r), list(r)", "r.c, r", "R.__doc__, R.__match_args__", "{**asdict(r)}", "[q.a for q in (r, R(2))], sum(q.b for q in [r])", "getattr(r, 'b', 9)", "hasattr(r, '__dict__')"];
    "e" = "T(x)", ["e = T(y)", "e = T(y, x)", "e.h = e.h * 0.5 + y * 0.1", "e.h = torch.tanh(e.h)", "e.log.append(float(e.h[0]))", "e = replace(e, h=y)", "e = replace(e, g=e.h)", "y = y + e.h * 0.1",
            "e.h.add_(0.01)", "e.h, e.g = e.g, e.h", "e = e + e", "e = e * 0.5", "e = e.moved(y)", "y = e.moved(y).h", "e = T(*[q * 0.5 for q in (e.h, e.g)])", "if e.h.sum() > 0: e.n += 1",
            "e.n += 1", "for f in fields(e)[:2]: y = y + getattr(e, f.name) * 0.05", "e = copy.deepcopy(e)", "e = copy.copy(e)", "y = torch.stack([e.h, e.g]).mean(0)", "y = y * e.size * 0.3", "e.g = e.h",
            "y = y + sum(q.h for q in [e, T(x)]) * 0.1", "e = T(e.h.clone(), g=x * 0.5, n=k)"],
        ["text(e.h), text(e.g), e.n", "e.h is e.g, e.h is x", "[round(q, 3) for q in e.log], e.n", "text(e.moved(y).h)", "e.size, e.n", "text(asdict(e)['h'])", "[text(q) for q in astuple(e)[:2]]",
            "repr(e)[:8], e == e", "text((e + e).h)", "text((e * 2).g), text(y)", "sorted(vars(e))", "kind(e)", "e == T(y)"];
    "p" = "P(k, 0.5)", ["p = P(n)", "p = P(b=k, a=n)", "p = p._replace(a=n)", "p = p._replace(b=p.b * 2)", "p = p + P(1, 1.0)", "p = p + 1", "p = (k,) + p", "p = p * 2", "p += P(1)", "p = P(*p[:2])", "a, b, *_ = p",
            "p = P._make([k, n])", "y = y * p.b * 0.3", "y = y + p.a * 0.1", "y = y + p[1] * 0.1", "for q in p[:2]: y = y + q * 0.01", "n = (n + int(p.a)) % 4", "p = -p", "if p == (1, 0.5): y = y * 0.9", "if p < P(1): y = y * 0.8",
            "p = Q(k, n, 2)", "p = max(p, P(1))", "p.a = 3", "p = p - p", "y = p(y)", "p = P(**p._asdict())", "p = tuple(p)", "if p: y = y * 0.7", "p = p @ p", "n = (n + len(p)) % 4", "p = [p, P(1)][k % 2]", "y = y + p.norm() * 0.01"],
        ["p, p[0], len(p)", "str(p), f'{p}', '%s %s' % tuple(p[:2])", "p == (k, 0.5), p != P(k), p == P(k, 0.5)", "p._asdict(), p._fields", "p + p, p * 2", "-p", "sorted([p, P(1), P(0)])", "kind(p)",
            "hash(p) == hash(tuple(p)), {p: 1}.get((k, 0.5))", "k in p, p.index(k), p.count(0.5)", "type(p).__name__, isinstance(p, tuple)", "p < P(1), p >= (0,)", "list(p), [*p], (*p, 1)", "p._replace(a=9), p",
            "bool(p)", "p[:1], p[::-1], p[-1]", "P._field_defaults, Q._fields", "text(torch.tensor(p))", "copy.copy(p) == p, copy.deepcopy(p)", "json.dumps(p)", "p.norm()", "max(p), sum(p[:2])", "p - p, p @ p", "reversed(p).__next__()"];
    "m" = "M(x, y)", ["m = M(y, x)", "m = M(m.mu * 0.5, m.sd)", "m = m._replace(mu=y)", "m = m + m", "m = m * 0.5", "mu, sd = m; y = mu * 0.5 + sd * 0.1", "y = y + m.mu * 0.1", "m = M(*[torch.tanh(q) for q in m])", "y = y + m.mean() * 0.1",
            "m = M._make([y, y])", "m.mu.add_(0.01)", "for q in m: y = y + q * 0.05", "m = M(m.sd, m.mu)", "if m.mu.sum() > m.sd.sum(): m = m * 0.5", "y = torch.stack(tuple(m)).mean(0)", "y = torch.stack(m).mean(0)", "m = m[:2]", "y = sum(m) * 0.4", "ms = [m, M(x, x)]; m = ms[k % 2]",
            "y = max([m, M(x, y)], key=lambda q: q.mu.sum().item()).sd"],
        ["text(m.mu), text(m.sd)", "text(m[0]), len(m)", "text(m.mean())", "text(list(m))", "m.mu is x, m.sd is y", "text(torch.cat(m))", "text((m + m).mu), text((m * 2).sd)", "type(m).__name__", "sorted(m._asdict())", "text(m)", "[text(q) for q in m._replace(sd=x)]"];
};

/// Options of the dataclass that holds numbers.
const OPTIONS: &[&str] = &[
    "",
    "",
    "(order=True)",
    "(order=True)",
    "(frozen=True)",
    "(order=True, frozen=True)",
    "(eq=False)",
    "(slots=True)",
    "(unsafe_hash=True)",
    "(repr=False, order=True)",
    "(frozen=True, slots=True)",
    "(eq=True, order=True, unsafe_hash=True, slots=True)",
];

/// Methods of the dataclass that holds numbers; a class with one of its own keeps it.
const METHODS: &[&str] = &[
    "def __post_init__(self): self.b = self.b * 2",
    "def __post_init__(self): object.__setattr__(self, 'b', self.b + 0.25)",
    "def __post_init__(self):\n    if self.a > 2: raise ValueError(self.a)",
    "def __add__(self, o): return replace(self, a=self.a + (o.a if isinstance(o, R) else o))",
    "def __radd__(self, o): return 'radd'",
    "def __iadd__(self, o): self.a += o.a; return self",
    "def __mul__(self, o): return o * self.a",
    "def __neg__(self): return type(self)(-self.a, self.b)",
    "def __eq__(self, o): return isinstance(o, R) and self.a % 2 == o.a % 2",
    "def __lt__(self, o): return self.b < o.b",
    "def __hash__(self): return self.a",
    "def __repr__(self): return f'<R {self.a}>'",
    "def __str__(self): return f'r{self.a}'",
    "def __bool__(self): return self.a > 0",
    "def __len__(self): return self.a",
    "def __iter__(self): return iter((self.a, self.b))",
    "def __call__(self, v): return v * 0.5 + self.a * 0.1",
    "def __contains__(self, v): return v == self.a",
    "def __getitem__(self, j): return astuple(self)[j]",
    "def __setitem__(self, j, v): setattr(self, 'ab'[j], v)",
    "def __getattr__(self, name):\n    if name.startswith('_'): raise AttributeError(name)\n    return name",
    "def __setattr__(self, name, v): object.__setattr__(self, name, v if name != 'a' else min(v, 3))",
    "def __copy__(self): return type(self)(8)",
];

/// Methods of the named tuple of numbers.
const OPERATORS: &[&str] = &[
    "def __add__(self, o): return P(self.a + (o[0] if isinstance(o, tuple) else o), self.b)",
    "def __radd__(self, o): return ('radd', o)",
    "def __iadd__(self, o): return P(self.a, self.b + 1)",
    "def __sub__(self, o): return P(self.a - o.a, self.b - o.b)",
    "def __mul__(self, k): return P(self.a * k, self.b * k)",
    "def __rmul__(self, k): return P(k, k)",
    "def __matmul__(self, o): return self.a * o.a + self.b * o.b",
    "def __neg__(self): return P(-self.a, -self.b)",
    "def __eq__(self, o): return self[0] == o[0]",
    "def __lt__(self, o): return self[1] < o[1]",
    "def __gt__(self, o): return self[1] > o[1]",
    "def __hash__(self): return int(self[0])",
    "def __bool__(self): return self[0] > 0",
    "def __len__(self): return 2",
    "def __iter__(self): yield self[1]; yield self[0]",
    "def __getitem__(self, j): v = tuple.__getitem__(self, j); return v * 2 if isinstance(v, int) else v",
    "def __contains__(self, v): return v == 2",
    "def __call__(self, v): return v * self.b",
    "def __repr__(self): return f'<P {self.a}>'",
    "def __str__(self): return f'p{self.a}'",
    "def norm(self): return abs(self.a) + abs(self.b)",
    "@property\ndef size(self): return self.a",
    "@classmethod\ndef zero(cls): return cls(0, 0.0)",
];

/// Some methods.
fn methods(draft: &mut Draft, of: &[&'static str]) {
    for _ in 0..draft.random.below(4) {
        for line in draft.random.pick(of).split('\n') {
            draft.text.line(line);
        }
    }
    draft.text.indent = 0;
    draft.text.push("\n\n");
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut draft = Draft::of(seed);
    let chosen = chosen(&mut draft, VARIABLES);
    draft.text.push(PROLOGUE);

    let options = draft.random.pick(OPTIONS);
    draft.text.line(&format!("@dataclass{options}"));
    draft.text.line("class R:");
    draft.text.indent = 1;
    let (a, b, items) = (
        draft
            .random
            .pick_filled(&["a: int", "a: int = 1", "a: int = field(default=«1|2»)"]),
        draft.random.pick_filled(&[
            "b: float = 0.5",
            "b: float = field(default=0.5, «compare|repr|hash»=False)",
            "b: float = field(default_factory=lambda: 0.5)",
            "b: float = field(default=0.5, metadata={'unit': 'm'})",
        ]),
        draft.random.pick_filled(&[
            "items: list = field(default_factory=list)",
            "items: list = field(default_factory=lambda: [1, 2], compare=«True|False»)",
            "items: list = field(default_factory=list, repr=False, compare=False)",
            "items: list = field(default_factory=list, kw_only=True)",
            "items: list = field(default_factory=list, init=«True|False», hash=False)",
        ]),
    );
    for line in [&a, &b, &items] {
        draft.text.line(line);
    }
    draft.text.line("shared: ClassVar[int] = 1");
    if draft.random.one_in(3) {
        draft.text.line("scale: InitVar[float] = 2.0");
        draft
            .text
            .line("def __post_init__(self, scale): object.__setattr__(self, 'b', self.b * scale)");
    }
    draft.text.line("def total(self): return self.a + self.b");
    methods(&mut draft, METHODS);

    let frozen = if options.contains("frozen") {
        "frozen=True"
    } else {
        "order=True"
    };
    let own = draft
        .random
        .pick(&["", frozen, "eq=False", "kw_only=True", "repr=False"]);
    let own = if options.contains("frozen") {
        frozen
    } else {
        own
    };
    draft.text.line(&format!("@dataclass({own})"));
    draft.text.line("class S(R):");
    draft.text.indent = 1;
    draft.text.line("c: int = 3");
    if draft.random.one_in(2) {
        draft.text.line("b: float = 1.5");
    }
    if draft.random.one_in(3) {
        draft
            .text
            .line("def __post_init__(self, *a): super().__post_init__(*a)");
    }
    draft
        .text
        .line("def total(self): return super(S, self).total() + self.c");
    draft.text.indent = 0;
    draft.text.push("\n\n");

    let kind = draft.random.filled("class P(«NamedTuple|namedtuple('P', 'a b', defaults=[0.5])|namedtuple('P', ['a', 'b'], defaults=(1, 0.5))»):");
    draft.text.line(&kind);
    draft.text.indent = 1;
    if kind.contains("NamedTuple") {
        draft.text.line("a: int");
        draft.text.line("b: float = 0.5");
    }
    draft.text.line("'A pair.'");
    methods(&mut draft, OPERATORS);
    draft.text.push(TENSORS);
    finish(draft, chosen)
}

const PROLOGUE: &str = "\
import copy, json
from collections import namedtuple
from dataclasses import InitVar, asdict, astuple, dataclass, field, fields, is_dataclass, replace
from typing import ClassVar, NamedTuple
import torch

torch.manual_seed(0)
Q = namedtuple('Q', 'a b c')


def text(t):
    if isinstance(t, torch.Tensor):
        return [round(v, 3) for v in t.tolist()] if t.dim() else round(t.item(), 3)
    return [text(q) for q in t] if isinstance(t, (list, tuple)) else t


";

const TENSORS: &str = "\
@dataclass
class T:
    h: torch.Tensor
    g: torch.Tensor = None
    n: int = field(default=0)
    log: list = field(default_factory=list, repr=False)
    size: int = field(init=False)

    def __post_init__(self):
        if self.g is None:
            self.g = self.h * 0.5
        self.size = self.h.numel()

    def moved(self, v):
        return replace(self, h=self.h * 0.5 + v * 0.1, n=self.n + 1)

    def __add__(self, o):
        return T(self.h + o.h * 0.5, self.g - o.g * 0.25, self.n + o.n)

    def __mul__(self, k):
        return T(self.h * k, self.g * k, self.n)


class M(NamedTuple):
    mu: torch.Tensor
    sd: torch.Tensor

    def mean(self):
        return (self.mu + self.sd) * 0.5

    def __add__(self, o):
        return M(self.mu * 0.5 + o.mu * 0.25, self.sd)

    def __mul__(self, k):
        return M(self.mu * k, self.sd * k)


def kind(v):
    match v:
        case S(a, b): return f'S {a} {b}'
        case R(a=0): return 'R zero'
        case R(a, b): return f'R {a} {b}'
        case T(n=0): return 'T'
        case T(n=w): return f'T {w}'
        case P(a, b) if a == 1: return f'P one {b}'
        case P(a=w): return f'P {w}'
        case Q(_, _, w): return f'Q {w}'
        case (w, *_): return f'first {w}'
        case _: return type(v).__name__


";
