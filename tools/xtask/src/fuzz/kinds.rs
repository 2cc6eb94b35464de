//! Makes random programs about values of every kind: variables that branches and loops give another value, or whose
//! value they change, and what is seen of them afterwards.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and sees every variable that
//! it changes; an exception is seen by its class.

use super::random::{Draft, Statements};

/// A variable: what it is at first, what may happen to it, and what is seen of it.
pub struct Variable {
    pub name: &'static str,
    pub first: &'static str,
    pub changes: &'static [&'static str],
    pub seen: &'static [&'static str],
}

macro_rules! variables {
    ($($name:literal = $first:literal, $changes:expr, $seen:expr;)*) => {
        &[$(Variable { name: $name, first: $first, changes: &$changes, seen: &$seen },)*]
    };
}
pub(super) use variables;

/// `k` is a small int, `n` one that moves, `x` a tensor from outside, `y` one of the step.
const VARIABLES: &[Variable] = variables! {
    "g" = "two(100)", ["g = two(k)", "g = three(k)", "next(g, None)", "g = iter([k])", "g = (q for q in [k, 6])"],
        ["list(g)", "next(g, None)"];
    "m" = "map(str, [1])", ["m = map(str, [k, 3])", "m = map(abs, [k, -3])", "m = zip([k], [1])", "m = enumerate([k])"],
        ["list(m)", "next(m, None), list(m)", "type(m).__name__"];
    "it" = "iter([5, 6])", ["it = iter([k, 2])", "next(it, None)", "it = reversed([k, 4])", "it = iter((k, n))"],
        ["list(it)", "next(it, None), list(it)"];
    "fn" = "len", ["fn = lambda v: k", "fn = lambda v, q=k: q", "fn = times(k)", "fn = sum"],
        ["fn([1, 2])", "callable(fn)"];
    "ob" = "A(0)", ["ob = A(k)", "ob = B(k)", "ob.v += k", "ob.w = n", "ob = A([k])", "ob.v = ob.v"],
        ["ob.v, ob.m(), type(ob).__name__", "hasattr(ob, 'w')", "isinstance(ob, B), kind(ob)"];
    "bm" = "A(3).m", ["bm = A(k).m", "bm = B(k).m", "bm = [k].count"], ["bm()", "callable(bm)"];
    "p" = "P(0, 0)", ["p = P(k, n)", "p = R(k, n)", "p = p._replace(a=k)", "p = (k, n)"],
        ["p, p[0], type(p).__name__", "[p], {'p': p}", "p == (0, 0), kind(p)", "f'{p}'"];
    "tp" = "(0, (1, 2))", ["tp = (k, (n, k))", "tp = tp[::-1]", "tp = (tp[0], (k, 1))", "tp = tp + (k,)"],
        ["tp, len(tp)", "tp == (0, (1, 2))", "kind(tp)"];
    "sh" = "(0,)", ["sh = y.shape", "sh = sh + (k,)", "sh = (k,)", "sh = y.view(3, 1).shape", "sh = y[:n].shape"],
        ["sh, len(sh)", "tuple(sh)", "type(sh).__name__"];
    "ls" = "[0]", ["ls = [k]", "ls = [k, k]", "ls = ls + [k]", "ls.append(k)", "ls.insert(0, k)", "ls[0] = k", "ls = ls[1:]",
            "ls = [q + k for q in ls]", "ls = sorted(ls + [k])", "ls *= 2", "del ls[:1]", "ls += [n]", "ls = ls[:4]"],
        ["ls, len(ls)", "ls == [0], ls == [k]", "kind(ls)", "sum(ls), max(ls, default=9)", "k in ls", "str(ls)"];
    "nl" = "[[0], 1]", ["nl = [[k], nl[1]]", "nl[0] = [k]", "nl[0].append(k)", "nl = [nl[0], k]", "nl = [nl, k][:1]"],
        ["nl", "nl == [[0], 1]", "len(nl)"];
    "d" = "{'a': 1}", ["d = {'k': k}", "d[k] = n", "d['a'] = k", "d = dict(d, q=k)", "d = {k: 1}", "d.pop('a', None)", "d.update(z=k)"],
        ["d, len(d)", "list(d.items()), list(d)", "d == {'a': 1}", "kind(d)", "d.get('a'), k in d"];
    "dv" = "{'a': 1}.keys()", ["dv = {k: 1}.items()", "dv = {k: n}.values()", "dv = {n: k}.keys()"],
        ["list(dv), list(dv), len(dv)", "type(dv).__name__", "k in dv"];
    "st" = "{7}", ["st = {k}", "st.add(k)", "st = st | {k}", "st.discard(7)", "st = set(range(n))"],
        ["sorted(st), len(st)", "7 in st, st == {7}"];
    "fz" = "frozenset([9])", ["fz = frozenset([k])", "fz |= {k}"], ["sorted(fz)", "9 in fz, type(fz).__name__"];
    "dq" = "deque([0], maxlen=3)", ["dq = deque([k])", "dq.append(k)", "dq.appendleft(k)", "dq.rotate(1)"],
        ["list(dq), len(dq)", "dq == deque([0])", "dq.maxlen"];
    "t" = "'ab'", ["t = f'{k}'", "t += str(k)", "t = 'abc'[k]", "t = t.upper()", "t = t * 2"],
        ["t, len(t)", "t == 'ab', t[:1]", "kind(t)", "{'ab': 1, '0': 2}.get(t)"];
    "rg" = "range(3)", ["rg = range(k)", "rg = range(k, 5, 2)", "rg = range(5, k, -1)", "rg = range(n)"],
        ["list(rg), len(rg)", "bool(rg), k in rg", "sum(rg), kind(rg)", "rg == range(3)"];
    "sl" = "slice(1)", ["sl = slice(k)", "sl = slice(n, None)", "sl = slice(None, None, 2)"], ["[1, 2, 3, 4][sl]", "'abcd'[sl]"];
    "no" = "None", ["no = k", "no = y", "no = [k]", "no = no or k", "no = 's'", "no = (k, n)", "no = None"],
        ["no is None, kind(no)", "bool(no is not None), type(no).__name__"];
    "fl" = "0.5", ["fl = k", "fl += k", "fl = fl * 0.5", "fl = y[0].item() > 0", "fl = -fl"],
        ["round(fl, 3), type(fl).__name__", "fl == k, fl > 1", "kind(fl)"];
    "ii" = "7", ["ii = ii / 2", "ii = ii * 10 ** 9", "ii = k", "ii = ii // 3", "ii -= n", "ii = ii > 3"],
        ["ii, type(ii).__name__", "ii == 7", "int(ii) % 5"];
    "kl" = "A", ["kl = B", "kl = B if k % 2 else A", "kl = list"], ["kl.__name__", "issubclass(kl, A)"];
    "wk" = "Walk(0, 2)", ["wk = Walk(k, n)", "next(wk, None)", "wk = iter(Walk(k, 1))", "wk = Walk(n, 3)"],
        ["list(wk)", "sum(wk)", "next(wk, None), list(wk)", "[q for q in wk if q != 1]"];
    "so" = "[0.5, 0.2]", ["so = sorted([y[0].item(), k * 0.3, y[1].item()])", "so.sort(key=lambda q: -q)", "so = sorted(so, reverse=True)",
            "so = so + [y.sum().item()]", "so = so[:3]"],
        ["[round(q, 3) for q in so], so[0] <= so[-1]", "len(so)"];
    "ts" = "[x, y]", ["ts = sorted([y, x, y * 0.5], key=lambda q: q.sum().item())", "ts.sort(key=lambda q: q[0].item())", "ts[0].add_(0.01)",
            "ts = ts[:2]"],
        ["[text(q) for q in ts], ts[0] is y", "ts[-1] is x, text(y)"];
    "fs" = "[0.5]", ["fs = [q for q in y.tolist() if q > k * 0.2 - 0.3]", "fs = [q for q in fs if q < 0.9]", "fs = fs + [k]",
            "fs.append(y[0].item())", "fs += [q for q in (0.1, n) if q > y[1].item()]", "fs = fs[1:]", "fs = fs[::-1]",
            "fs = [q * 2 for q in fs]", "fs = list(fs)", "fs = [q for q in fs if q > k]"],
        ["[round(q, 3) for q in fs], len(fs)", "round(sum(fs), 3), round(max(fs, default=9), 3)", "fs[0] if fs else None, fs[-1:]",
            "0.5 in fs, bool(fs), fs == [0.5]", "min(fs) if len(fs) > 0 else 9", "max(fs, key=lambda q: -q)", "kind(fs), fs",
            "reduce(lambda p, q: p - q, fs, 1.0)", "sorted(fs)", "any(q > 0.4 for q in fs)", "fs[1], fs[-2]", "tuple(fs)"];
    "ft" = "[x]", ["ft = [q for q in (x, y, x * y) if q.sum() > k * 0.3]", "ft = [q for q in ft if q[0] < q[1]]", "ft = ft + [y]",
            "ft.append(y)", "ft = [q * 0.5 for q in ft]", "ft[0].add_(0.01)", "ft = ft[:2]", "ft = ft[-1:]", "ft.extend([q for q in [y] if c])",
            "ft = parts(ft, y)[k % 2]", "ft = parts([x, y, x], y)[0]", "y = y + 0.1 * sum(ft)"],
        ["[text(q) for q in ft], len(ft)", "text(torch.stack(ft).sum(0)) if ft else 9", "text(sum(ft)), text(y)", "[q is x for q in ft]",
            "ft[0] is x if ft else None, ft[-1:]", "ft[-1] is y", "text(max(ft, key=lambda q: q[0].item()))",
            "[(j, text(q)) for j, q in enumerate(ft)]", "[text(q) for q in reversed(ft)]", "[text(p + q) for p, q in zip(ft, [x, y])]",
            "text(sum(ft) / max(len(ft), 1)), text(x)", "torch.cat(ft).shape", "[len(q) for q in parts(ft, x)]"];
    "fw" = "['a']", ["fw = [w for w, q in zip('abc', y.tolist()) if q > 0]", "fw.append('z')", "fw = [w + 'x' for w in fw]",
            "fw = [w for w in fw if w != 'b']", "fw = fw + ['y'] * k"],
        ["','.join(fw)", "fw, len(fw)", "'a' in fw, 'b' not in fw", "fw[0] if fw else None", "'-'.join(fw[1:]), kind(fw)"];
    "op" = "None", ["op = first(y, 0.3)", "op = first([0.1, k], n)", "op = first([y[0].item(), 0.5], 0.4)", "op = None", "op = k"],
        ["op is None, op", "op or 9", "-1 if op is None else op + 1"];
    "sm" = "'idle'", ["sm = 'up' if y[0] > 0 else sm", "sm = 'idle' if sm == 'up' else sm", "sm = {'idle': 'up', 'up': 'down'}.get(sm, 'idle')",
            "sm = 'down' if c else 'up'", "y = y * (0.9 if sm == 'up' else 1.1)", "n += sm == 'up'"],
        ["sm, sm == 'up'", "len(sm), kind(sm)", "{'idle': 0}.get(sm, k)", "sm in ('up', 'down'), f'{sm}!'"];
    "bt" = "False", ["bt = n > 1 or y.max() > 0.5", "bt = y[0] > 0", "bt = bt and c", "bt = not bt", "bt = y[1] > 0 if c else bt",
            "n += bool(bt)", "y = y * 0.5 if bt else y"],
        ["bool(bt), type(bt).__name__", "1 if bt else 0", "bt == True", "not bt"];
    "nt" = "None", ["nt = y if c else nt", "nt = y * 0.5 if nt is None else nt", "nt = None if y[0] > 0.4 else nt", "nt = x", "nt = y.clone()",
            "y = y if nt is None else y + nt * 0.1", "nt = nt if nt is None else nt - y", "n += nt is None", "nt = k if c else nt", "nt.add_(0.1)"],
        ["nt is None, nt if nt is None else text(nt)", "nt is y, nt is x, type(nt).__name__", "text(y if nt is None else nt)", "text(x), text(nt)"];
    "l2" = "L([1])", ["l2 = L([k])", "l2.append(k)", "l2 = [k]", "l2 = L(l2)"], ["l2, type(l2).__name__", "l2 == [1], len(l2)"];
    "w" = "x", ["w = y", "w = w + k", "w = w[:1]", "w = y.view(3)", "w.add_(k)", "w[0] = k", "w = [y, x][k % 2]", "w = w.clone()",
            "w = w.detach()", "w = w * 0.5"],
        ["text(w), w is y, w is x", "text(w), text(x), text(y)", "w.shape, str(w.dtype)"];
};

/// Makes one program.
struct Maker {
    draft: Draft,
    /// The variables of this program.
    chosen: Vec<&'static Variable>,
}

impl Statements for Maker {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn trips(&mut self) -> String {
        self.draft
            .random
            .pick(&[
                "range(n)",
                "range(2)",
                "range(k + 1)",
                "range(1)",
                "range(n, 0, -1)",
            ])
            .to_owned()
    }

    fn condition(&mut self) -> String {
        self.draft
            .random
            .pick(&[
                "c",
                "not c",
                "n > 1",
                "k % 2",
                "i % 3 == 0",
                "y[0] > 0",
                "c and n",
            ])
            .to_owned()
    }

    fn simple(&mut self) {
        if self.draft.loops > 0 && self.draft.random.one_in(8) {
            let condition = self.condition();
            let word = self.draft.random.pick(&["break", "continue"]);
            self.line(&format!("if {condition}: {word}"));
            return;
        }
        if self.draft.random.one_in(8) {
            self.line("y = y * 0.9 + 0.1");
            return;
        }
        let line = match self.variable() {
            Some(variable) => self.draft.random.pick(variable.changes),
            None => "pass",
        };
        self.line(line);
    }
}

impl Maker {
    fn variable(&mut self) -> Option<&'static Variable> {
        let at = self.draft.random.below(self.chosen.len() as u64);
        self.chosen.get(usize::try_from(at).ok()?).copied()
    }
}

/// A few of the variables.
pub fn chosen(draft: &mut Draft, of: &'static [Variable]) -> Vec<&'static Variable> {
    let mut chosen = Vec::new();
    for _ in 0..1 + draft.random.below(3) {
        let at = draft.random.below(of.len() as u64);
        chosen.extend(usize::try_from(at).ok().and_then(|i| of.get(i)));
    }
    chosen
}

/// Goes on with a program that has defined what the variables need, and `text`: a step with them, and its calls.
pub fn finish(draft: Draft, chosen: Vec<&'static Variable>) -> String {
    let mut this = Maker { draft, chosen };
    this.line("def step(i, x):");
    this.draft.text.indent = 1;
    this.line("n, k = i % 4, i % 3");
    this.line("y = x * 0.9 + 0.01");
    this.line("c = float(y.sum()) > 0.3");
    for variable in this.chosen.clone() {
        this.line(&format!("{} = {}", variable.name, variable.first));
    }
    for _ in 0..2 + this.draft.random.below(6) {
        this.statement(3);
    }
    this.line("seen = []");
    for variable in this.chosen.clone() {
        let seen = this.draft.random.pick(variable.seen);
        if this.draft.random.one_in(2) {
            this.line(&format!("seen.append(({seen}))"));
            continue;
        }
        this.line("try:");
        this.draft.text.indent += 1;
        this.line(&format!("seen.append(({seen}))"));
        this.draft.text.indent -= 1;
        this.line("except Exception as e: seen.append(type(e).__name__)");
    }
    this.line("return y, seen");
    this.draft.text.push(EPILOGUE);
    this.draft.text.finish()
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut draft = Draft::of(seed);
    let chosen = chosen(&mut draft, VARIABLES);
    draft.text.push(PROLOGUE);
    finish(draft, chosen)
}

const PROLOGUE: &str = "\
from collections import deque, namedtuple
from functools import reduce
import torch

torch.manual_seed(0)
P = namedtuple('P', 'a b')
R = namedtuple('R', 'a b')


class A:
    def __init__(self, v):
        self.v = v

    def m(self):
        return self.v


class B(A):
    def m(self):
        return [self.v]


class L(list):
    pass


def two(v):
    yield v
    yield v + 1


def three(v):
    yield v * 2
    yield v * 3
    yield v * 4


def times(k):
    def inner(v):
        return v * k
    return inner


class Walk:
    def __init__(self, v, n):
        self.v, self.n = v, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        self.v += 2
        return self.v


def first(items, least):
    for j, q in enumerate(items):
        if q > least:
            return j


def parts(items, y):
    yes, no = [], []
    for q in items:
        (yes if q.sum() > y.sum() * 0.5 else no).append(q)
    return yes, no


def text(t):
    return [round(v, 3) for v in t.tolist()] if isinstance(t, torch.Tensor) else t


def kind(v):
    match v:
        case None: return 'none'
        case B(): return 'B'
        case A(v=w): return f'A {w}'
        case P(a=w): return f'P {w}'
        case []: return 'empty'
        case [w]: return f'one {w}'
        case [w, *_]: return f'first {w}'
        case {'a': w}: return f'map {w}'
        case {}: return 'dict'
        case str(): return 'str'
        case bool(): return 'bool'
        case int() | float(): return 'number'
        case _: return 'other'


";

const EPILOGUE: &str = "

x = torch.randn(3)
for i in range(40):
    try:
        y, seen = step(i, x)
    except Exception as e:
        y, seen = x * 0.9, type(e).__name__
    x = y.clamp(-2.0, 2.0) - (0.5 if i % 3 else -0.9)
    print(i, seen, round(float(x.sum()), 3))
";
