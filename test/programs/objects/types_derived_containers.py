# Named tuples, and classes derived from list and dict, made and changed in compiled code.
import torch
from collections import namedtuple, OrderedDict, Counter, defaultdict
from typing import NamedTuple

State = namedtuple("State", ["h", "c"])
class Out(NamedTuple):
    loss: torch.Tensor
    n: int = 3

class Stack(list):
    def push(self, x):
        self.append(x)
    def top(self):
        return self[-1]

class Bag(dict):
    def __init__(self, name):
        super().__init__()
        self.name = name
    def __getitem__(self, k):
        return super().__getitem__(k) * 2

torch.manual_seed(0)
w = torch.randn(4, 4, requires_grad=True)

def cell(x, s):
    h = torch.tanh(x @ w + s.h)
    c = s.c * 0.5 + h
    return h, State(h, c)

def run(xs, s):
    outs = []
    for x in xs:
        o, s = cell(x, s)
        outs.append(o)
    return torch.stack(outs), s

def step(n):
    xs = torch.randn(n, 1, 4)
    out, s = run(xs, State(torch.zeros(1, 4), torch.zeros(1, 4)))
    loss = out.sum() + s.c.sum() + s[0].mean()
    loss.backward()
    g = w.grad.sum().item(); w.grad = None
    return Out(loss), s, g

for i in range(60):
    o, s, g = step(3 + i % 7)
    if i % 6 == 0:
        print(f"{o.loss.item():.4f} {s.c.sum().item():.3f} {g:.3f}", o.n, o[1], type(o).__name__, s == s, len(s), s._replace(h=1).h)

def stacky(x):
    st = Stack()
    st.push(x); st.push(x * 2); st.push(x + 1)
    t = st.top() + st[0]
    st.pop()
    return st, t.sum()

def baggy(x):
    b = Bag("hey")
    b["a"] = x
    b["b"] = x + 1
    d = OrderedDict()
    d["z"] = x * 3
    d["y"] = b["a"] + b["b"]
    d.extra = "note"
    e = OrderedDict(d)
    e.move_to_end("z")
    f = OrderedDict([("p", x.sum()), ("q", 2)], r=3)
    return b, d, e, f

for i in range(40):
    x = torch.full((3,), float(i))
    st, t = stacky(x)
    b, d, e, f = baggy(x)
    if i % 8 == 0:
        print(type(st), st, t.item(), st.top(), b, b.name, d, d.extra, e, f, list(e), type(b), b["a"], isinstance(d, dict))

def counting(xs):
    c = Counter()
    c["steps"] += 1
    dd = defaultdict(list)
    for i, x in enumerate(xs):
        dd[i % 2].append(x * i)
        c["seen"] += 1
    return c, dd, sum(dd[1]).sum()

for i in range(40):
    xs = [torch.full((2,), float(i + j)) for j in range(5)]
    c, dd, t = counting(xs)
    if i % 8 == 0:
        print(c, dict(dd), t.item(), c["nothing"], c.most_common(1))

def branchy(x, s):
    if x.sum() > 0:
        s = State(x + s.h, s.c)
    else:
        s = State(x - s.h, s.c + 1)
    return s

s = State(torch.zeros(2), torch.zeros(2))
for i in range(60):
    s = branchy(torch.full((2,), 1.0 if i % 3 else -1.0), s)
print(s)

def unpack(x):
    a, b = State(x, x + 1)
    p = State(h=x, c=2)
    q = p._replace(c=x * 2)
    return a + b + q.c, q, p._asdict(), State._make([x, 1])

for i in range(40):
    r = unpack(torch.full((2,), float(i)))
    if i % 10 == 0: print(r)
