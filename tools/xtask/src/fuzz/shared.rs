//! Makes random programs about what several names hold: lists, dicts, sets and objects that are changed through one name
//! and looked at through another, in loops that run long enough to be compiled; functions, generators, destructors and
//! closures that assign the loop's globals and cells meanwhile; exceptions half-way, with the state looked at afterwards.
//! Half of them are module code: short loops that are hot since they are repeated, whose variables functions read and
//! assign, in one namespace or executed in several.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and its numbers stay small.

use super::expressions::{Rule, expression};
use super::random::{Draft, Statements};

/// `$i` is an int, `$x` a float, `$l` a list, `$s` a text, `$o` an object, `$c` a condition.
const RULES: &[Rule] = &[
    Rule {
        name: 'i',
        leaves: &[
            "a", "b", "c", "i", "p", "a", "b", "1", "3", "-2", "7", "len(L)", "o.v", "q.w", "G",
            "cell[0]",
        ],
        forms: &[
            "$i + $i",
            "$i - $i",
            "$i * $i",
            "$i & $i",
            "$i ^ $i",
            "$i // (i % 5 + 1)",
            "$i % (b | 1)",
            "($i << (i % 70)) % 1000003",
            "$i >> (i & 7)",
            "$i if $c else $i",
            "$i and $i",
            "$i or $i",
            "~$i",
            "abs($i)",
            "max($i, $i)",
            "min($l, default=$i)",
            "sum($l)",
            "len($l)",
            "len($s)",
            "L[i % len(L)]",
            "N[i % len(N)][-1]",
            "D.get($i % 5, $i)",
            "raised_to($i, *t)",
            "up($i)",
            "bump($i)",
            "next(g, $i)",
            "$o.v",
            "$o.double",
            "$o.m($i)",
            "$o($i)",
            "$o - $i",
            "int($x * 4) % 1009",
            "divmod($i, c | 1)[1]",
            "(lambda u, v=$i: u - v)($i)",
            "sum(u * a for u in $l if u != b)",
            "with_default($i)",
            "star($i, *L[:2])",
            "True + $i",
            "4611686018427387904 * (i % 3) + $i",
        ],
    },
    Rule {
        name: 'x',
        leaves: &["x", "y", "0.5", "-1.5", "float(i)", "o.f"],
        forms: &[
            "$x + $x",
            "$x - $i",
            "$x * 0.5",
            "$x // 0.75",
            "$x % -1.5",
            "-$x",
            "$i / 4",
        ],
    },
    Rule {
        name: 'l',
        leaves: &["L", "M", "K", "N[0]", "N[-1]", "GL", "o.items"],
        forms: &[
            "[$i, $i]",
            "[u + a for u in $l]",
            "[u for u in $l if u > $i]",
            "$l[1:]",
            "$l[::-1]",
            "$l[:-1]",
            "$l + $l",
            "sorted($l)",
            "[*$l, $i]",
            "same($l)",
            "$l if $c else $l",
            "$l * (i % 3)",
            "list(map(up, $l))",
            "[u - v for u, v in zip($l, $l)]",
        ],
    },
    Rule {
        name: 's',
        leaves: &["s", "'ab'", "str(i)", "s[:3]"],
        forms: &[
            "$s + $s",
            "f'{$i}-{i:03d}'",
            "$s * (i % 3)",
            "','.join(map(str, $l))",
            "repr($o)",
            "'%s|%d' % ($s, i)",
        ],
    },
    Rule {
        name: 'o',
        leaves: &["o", "q", "o", "q", "objs[i % len(objs)]"],
        forms: &["o if $c else q", "same($o)", "$o.me()"],
    },
    Rule {
        name: 'c',
        leaves: &[
            "i % 3 == 1",
            "i > 450",
            "i == 501",
            "p",
            "L is M",
            "o is q",
            "D is E",
            "i % 50 == 0",
        ],
        forms: &[
            "$i < $i",
            "$i == $i",
            "$i in L",
            "$i in D",
            "not $l",
            "0 < $i < 9",
            "$l == $l",
            "$l < $l",
            "t < (a, b)",
            "$s != $s",
            "isinstance(m, int)",
            "any(u > a for u in L)",
            "$o == $o",
        ],
    },
];

/// Statements; choices stand between `«` and `»`, and expressions are put in afterwards.
const SIMPLE: &[&str] = &[
    "«a|b|c» = $i",
    "«a|b|c» = $i",
    "«a|b|c» «+=|-=|*=|^=|\\|=|&=|//=|%=» $i",
    "«x|y» «=|+=|-=» $x",
    "s «=|+=» $s",
    "m = «$i|$x|$s|None|t|True|L»",
    "«L|M|K|N[0]|GL|o.items».append($i)",
    "«L|M|K» += «$l|[i]|(a, b)»",
    "L[«0|-1|i % len(L)»] «=|+=|-=» $i",
    "«M|K» = «L|L[:]|list(L)|$l»",
    "L = «M|K|$l + [i]» or [i]",
    "«L|M»[«1:2|:1|::2|1:|:»] = «[i]|()|(i, a)|M|L»; L.append(b)",
    "if len(L) > 2: «del L[0]|del L[-1:]|L.pop()|a = L.pop(0)|L.insert(1, i)|L.reverse()|L.sort()|L.remove(L[1])»",
    "N.append(«L|M|[i]|N[0]»)",
    "N[«0|-1»] «= L|= [i, a]|+= [i]|*= 2|= K»; N[-1].append(i)",
    "«D|E»[$i % 5] = $i",
    "«D|E».«pop(i % 5, None)|setdefault(i % 6, a)|update({a % 5: i})»",
    "E = «D|dict(D)|{**D, 1: a}»",
    "D |= {b % 5: i}",
    "«S|U».«add|discard»($i % 9)",
    "«S|U» «\\|=|-=|^=|&=» {a % 9, 3}",
    "U = «S|S.copy()|S - {1}»",
    "t = «(a, b)|(*t, i)[-3:]|tuple(L)|t[::-1]»",
    "$o.«v|w|double|v» «=|+=|-=» $i % 1000",
    "«o|q|objs[0]» = «q|o|Base(a)|Sub(b, 2)|Slotted(i)|objs[-1]|$o»",
    "$o.items = «L|[i]|K»",
    "«o|q» «+=|-=» $i; o = o if isinstance(o, Base) else Base(1); q = q if isinstance(q, Base) else o",
    "«a, b|b, c|L[0], a|a, o.v» = «b, a|divmod(a, 7)|(c, i)»",
    "«a, *M, b|*M, a» = «(a, 1, 2, b)|L + [1, 2]|range(4)»",
    "G += $i % 100",
    "GL = «L|GL + [i]|[i, a]|GL[-3:]»",
    "cell[0] += $i",
    "«g|h» = «gen(L)|gen(M, i)|both(K)|iter(L)|g|map(up, M)»",
    "for u in g: a ^= u; b += u; M.append(3); del M[4:]",
    "for u, v in zip(g, L[:2]): b += u - v",
    "fs = [lambda: «a|i|L[0]|u» for u in range(3)]; c += fs[i % 3]()",
    "fs.append(lambda u=«i|a|L»: u); m = fs.pop(0)() if fs else m",
    "out.append(m); del out[:-5]",
    "if $c: «raise ValueError(i)|raise KeyError(a)|raise Own(i, b)|out.append(L[9])|b = a // (i % 5)|a = D[i % 9]»",
    "a = «risky|left_early|chained|deep»($i % 40)",
    "for u in «L[:]|M[:3]|sorted(S)|list(D)»: «a += u|b ^= u; L[0] = u|E[u % 5] = i|S.discard(u)»",
    "for u, v in list(D.items()): «a += u * v|D[u] = v + 1|b ^= v»",
    "with Context(out, i % 2) as u: «a += u|b = L[7]|raise Own(a, u)|c = D[9]»",
    "d = Dropped(i); G += 1; d = None",
    "del m; m = i",
    "«Base.count += 1|Base.kind = i|Sub.kind = L»; m = $o.kind; c += $o.count",
    "$o.extra = i; a += getattr(q, 'extra', 1)",
];

/// What module code does besides.
const IN_MODULE: &[&str] = &[
    "a = look()",
    "poke($i)",
    "b += summed()",
    "L = regrown($i)",
    "globals()['«a|b|c|L»'] = «small(a)|b|L|M»; a, b, c = small(a), small(b), small(c)",
    "def look(): return «a|b|c + a|len(L)|L[0]»",
    "class Body: «v = a; w = [u for u in L]|v = b; w = 0|v = c; w = L»; a = small(Body.v); m = Body.w",
    "m = [look() for u in L[:2]]",
    "g = (u + k for k, u in enumerate(L))",
];

struct Maker {
    draft: Draft,
    in_module: bool,
}

impl Maker {
    /// A text with expressions in the place of `$` and a rule's name.
    fn with_expressions(&mut self, text: &str) -> String {
        let mut parts = text.split('$');
        let mut out = parts.next().unwrap_or("").to_owned();
        for part in parts {
            let mut rest = part.chars();
            let name = rest.next();
            match RULES.iter().find(|r| Some(r.name) == name) {
                Some(rule) => {
                    let made = expression(&mut self.draft, RULES, rule, 2);
                    match rest.as_str().starts_with('.') {
                        true => out += &format!("({made})"),
                        false => out += &made,
                    }
                }
                None => out.extend(name),
            }
            out += rest.as_str();
        }
        out
    }

    fn simple_line(&mut self) -> String {
        let of = match self.in_module && self.draft.random.one_in(4) {
            true => IN_MODULE,
            false => SIMPLE,
        };
        let text = self.draft.random.pick(of);
        // A bar in a choice is written with a backslash.
        let mut filled = String::new();
        for part in text.split('«') {
            match part.split_once('»') {
                None => filled += part,
                Some((choices, rest)) => {
                    let choices = choices.replace("\\|", "\u{1}");
                    let choices: Vec<&str> = choices.split('|').collect();
                    let at = self.draft.random.below(choices.len() as u64) as usize;
                    filled += &choices.get(at).unwrap_or(&"").replace('\u{1}', "|");
                    filled += rest;
                }
            }
        }
        self.with_expressions(&filled)
    }

    fn try_statement(&mut self) {
        self.line("try:");
        self.block(1);
        let only_finally = self.draft.random.one_in(3);
        if !only_finally {
            let caught = self.draft.random.pick(&[
                "Exception as e",
                "(ValueError, LookupError)",
                "(ArithmeticError, Own)",
            ]);
            self.line(&format!("except {caught}:"));
            self.block(1);
        }
        if only_finally || self.draft.random.one_in(3) {
            self.line("finally:");
            self.block(1);
        }
    }
}

impl Maker {
    /// Loops of a module.
    fn module(&mut self) {
        // One namespace, several of them, or others for globals and locals.
        let driver = self.draft.random.pick(&["", "", SEVERAL, LOCALS]);
        if !driver.is_empty() {
            self.line("SOURCE = r'''");
        }
        self.draft.text.push(IN_MODULE_DEFS);
        self.line("p = 0");
        for line in BEGIN.lines().skip(1) {
            self.line(line);
        }
        self.line("for p in (0, 2, 1, True):");
        self.draft.text.indent = 1;
        self.line("for r in range(40):");
        self.draft.text.indent = 2;
        // An exception ends the loop, or one iteration.
        let ends = self.draft.random.one_in(2);
        let head = self.draft.random.pick(&[
            "for i in range(5):",
            "for i in range(12):",
            "for i in range(30):",
            "for i in range(r, r + 9):",
        ]);
        for line in if ends { ["try:", head] } else { [head, "try:"] } {
            self.line(line);
            self.draft.text.indent += 1;
        }
        self.draft.text.indent = 3;
        self.block(2);
        self.block(2);
        self.draft.text.indent = 4;
        for line in END.lines().filter(|_| ends) {
            self.line(line);
        }
        self.draft.text.indent = if ends { 2 } else { 3 };
        self.line(
            "except Exception as e: bad[type(e).__name__] = bad.get(type(e).__name__, 0) + 1",
        );
        for line in END.lines().filter(|_| !ends) {
            self.line(line);
        }
        self.draft.text.indent = 2;
        self.line(&format!("seen = crc32(repr(({STATE})).encode(), seen)"));
        for line in END.lines() {
            self.line(line);
        }
        self.draft.text.indent = 0;
        self.line(&format!("print(i, seen, bad, {STATE})"));
        if !driver.is_empty() {
            self.line("'''");
            self.draft.text.push(driver);
        }
    }
}

impl Statements for Maker {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn simple(&mut self) {
        if self.draft.random.one_in(10) && self.draft.text.indent < 6 {
            self.try_statement();
            return;
        }
        let line = self.simple_line();
        // A compound statement stands alone; of two that are simple each has its line.
        let compound = ["for ", "if ", "with ", "def ", "class "]
            .iter()
            .any(|w| line.starts_with(w));
        if compound {
            self.line(&line);
            return;
        }
        for part in line.split("; ") {
            self.line(part);
        }
    }

    fn condition(&mut self) -> String {
        self.with_expressions("$c")
    }

    fn trips(&mut self) -> String {
        let of = [
            "range(3)",
            "L[:3]",
            "range(i % 4)",
            "(1, a)",
            "sorted(S)[:2]",
        ];
        self.draft.random.pick(&of).to_owned()
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut maker = Maker {
        draft: Draft::of(seed),
        in_module: false,
    };
    maker.draft.text.push(PROLOGUE);
    if maker.draft.random.one_in(2) {
        maker.in_module = true;
        maker.module();
        return maker.draft.text.finish();
    }
    for f in 0..2 {
        maker.draft.text.indent = 0;
        maker.line(&format!("def f{f}(n, p):"));
        maker.draft.text.indent = 1;
        for line in BEGIN.lines() {
            maker.line(line);
        }
        let guarded = !maker.draft.random.one_in(4);
        let head = maker
            .draft
            .random
            .pick(&["for i in range(n):", "for i, _ in enumerate([0] * n):"]);
        maker.line(head);
        maker.draft.text.indent = 2;
        if guarded {
            maker.line("try:");
        }
        maker.draft.text.indent = 1 + usize::from(guarded);
        maker.block(2);
        maker.block(3);
        maker.draft.text.indent = 2;
        if guarded {
            maker.line(
                "except Exception as e: bad[type(e).__name__] = bad.get(type(e).__name__, 0) + 1",
            );
        }
        for line in END.lines() {
            maker.line(line);
        }
        let seen = maker.draft.random.pick(&[
            "seen = crc32(repr((STATE)).encode(), seen)",
            "if i % 50 == 49: seen = crc32(repr((STATE)).encode(), seen)",
            "pass",
        ]);
        maker.line(&seen.replace("STATE", STATE));
        maker.draft.text.indent = 1;
        maker.line(&format!("return i, seen, bad, {STATE}"));
    }
    maker.draft.text.push(EPILOGUE);
    maker.draft.text.finish()
}

const STATE: &str = "a, b, c, x, y, s, m, t, L, M, K, N, D, E, sorted(S), o, q, objs, out, G, GL, cell, get(), \
                     L is M, o is q, D is E, S is U";

const BEGIN: &str = "\
global G, GL
a, b, c, x, y, s, m, t = 1, 2, p, 0.5, 1.5, 's', None, (1, 2)
L = [1, 2, 3]; M = L; K = [4]; N = [L, [7, 8]]; D = {0: 1, 1: 2}; E = D; S = {1, 2}; U = S
o = Base(1); q = o; objs = [o, Slotted(2), Sub(5)]; out = []; fs = []; cell = [0]
up, get = counter(); g = gen(L); h = gen(M, 2); seen = i = u = v = 0; bad = {}";

const END: &str = "\
a, b, c = small(a), small(b), small(c); x, y = x % 1e6, y % 1e6; s = s[-20:]; G = small(G)
for l in (L, M, K, GL, cell, o.items, q.items, *N): l[:] = [small(w) for w in l[-8:]]
L = L or [i]; GL = GL or [1]; N = [l or [2] for l in N[-3:]]
for d in (D, E): tidy(d)
for w in (o, q, *objs): w.v, w.w = small(w.v), small(w.w)
if len(repr(m)) > 60: m = 1";

const PROLOGUE: &str = "\
from zlib import crc32

G = 0
GL = [1]


class Own(Exception):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b


class Base:
    count, kind = 0, 'k'

    def __init__(self, v, w=1):
        self.v, self.w, self.items, self.f = v, w, [], 0.5

    @property
    def double(self): return self.v * 2

    @double.setter
    def double(self, v): self.v = v + 1

    def m(self, k): return self.v + k
    def me(self): return self
    def __call__(self, k): return k ^ self.w
    def __sub__(self, k): return self.v - k if isinstance(k, int) else NotImplemented
    def __iadd__(self, k): self.v = k; return self
    def __eq__(self, k): return self.v == k.v if isinstance(k, Base) else NotImplemented
    def __hash__(self): return 3
    def __repr__(self): return f'{type(self).__name__}({self.v}, {self.w}, {self.items})'


class Sub(Base):
    kind = 'sub'

    def __init__(self, v, w=2):
        super().__init__(v, w)
        self.f = 1

    def m(self, k): return super().m(k) - 1

    @property
    def double(self): return super().double + 1

    @double.setter
    def double(self, v): self.w = v


class Slotted(Base):
    __slots__ = ('kept',)

    def m(self, k):
        self.kept = k % 9
        return self.kept


class Dropped:
    def __init__(self, k): self.k = k

    def __del__(self):
        global G
        G += self.k % 5


class Context:
    def __init__(self, out, swallows): self.out, self.swallows = out, swallows
    def __enter__(self): return len(self.out)

    def __exit__(self, kind, value, trace):
        self.out.append(kind is None)
        return self.swallows and kind is not None


def same(v): return v
def star(x, *r): return x + len(r) + sum(r[:1])
def raised_to(x, *r): return x + len(r)
def small(v): return v if type(v) is int and -1 << 66 < v < 1 << 66 else 1


def tidy(d):
    for k in d: d[k] = small(d[k])
    if len(d) > 9: d.clear()


def with_default(k, kept=[]):
    kept.append(k)
    if len(kept) > 3: kept.clear()
    return len(kept)


def bump(k):
    global G
    G += k % 7
    GL.append(k % 5)
    return G


def gen(l, k=1):
    for u in l:
        try:
            yield small(u + k)
        finally:
            bump(1)
    return 5


def both(l):
    r = yield from gen(l)
    yield r


def risky(k):
    if k % 3 == 0: raise ValueError(k)
    if k % 7 == 1: raise Own(k, 2)
    return k + 1


def left_early(k):
    for j in range(4):
        try:
            if j == k % 5: return j
            if k % 2: continue
        finally:
            GL.append(j)
            if j == 3 and k % 11 == 0: break
    else:
        return -1
    return k


def chained(k):
    try:
        try:
            return 10 // (k % 3)
        finally:
            if k % 5 == 0: return risky(k)
    except ZeroDivisionError:
        return 77


def deep(k):
    if k % 6 == 0: raise IndexError(k)
    try:
        return deep(k + 1) + 1
    except IndexError as e:
        return e.args[0]


def counter():
    n = 0

    def up(k=1):
        nonlocal n
        n = small(n + k) % 10007
        return n

    return up, lambda: n


";

const IN_MODULE_DEFS: &str = "\
def look(): return small(a) + small(b) * 3 + len(L)
def summed(): return sum(L) + small(c)


def poke(k):
    global a, M
    a = small(k) % 1000
    M = L
    if a % 5 == 0: raise Own(a, 1)
    L.append(a % 7)


def regrown(k):
    global b
    b = small(b) ^ small(k)
    return [*L, k % 9][-6:]


";

const SEVERAL: &str = "
code = compile(SOURCE, 'source', 'exec')
spaces = [dict(globals()), dict(globals())]
for space in spaces * 2:
    try:
        exec(code, space)
    except Exception as e:
        print(type(e).__name__, e)
for space in spaces:
    print(space['look'](), space['regrown'](3), space['a'], space['L'], G)
";

const LOCALS: &str = "
code = compile(SOURCE, 'source', 'exec')
for turn in range(3):
    space, own = dict(globals()), {}
    if turn: space.update(a=1, b=2, c=3, L=[1], M=[2])
    try:
        exec(code, space, own)
    except Exception as e:
        print(type(e).__name__, e)
    print(sorted(own), own.get('a'), own.get('L'), space.get('a'), space.get('L'), G)
";

const EPILOGUE: &str = "

for n, p in ((3, True), (620, 0), (90, 2), (610, 1)):
    G, GL, Base.count, Base.kind, Sub.kind = 0, [1], 0, 'k', 'sub'
    for f in (f0, f1):
        try:
            print(n, p, f(n, p))
        except Exception as e:
            print(type(e).__name__, e)
";
