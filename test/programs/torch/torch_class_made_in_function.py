# Classes that a hot function makes: their methods change what is outside; context managers; chains of objects.
import torch
# class made in a hot function; closures' lists and dicts mutated
def make(kind):
    state = {"n": 0} if kind.startswith("dict") else []
    class Helper:
        total = 0
        def touch(self, x):
            Helper.total += 1
            if kind == "dict +=": state["n"] += 1
            elif kind == "dict set": state["k%d" % (Helper.total % 3)] = Helper.total
            else: state.append(tuple(x.shape))
            return x * Helper.total
    def run(x):
        h = Helper()
        y = h.touch(x)
        z = Helper().touch(y)
        return z.sum()
    return run, state, Helper
for kind in ("dict +=", "dict set", "list"):
    run, state, H = make(kind)
    s = 0.0
    for i in range(60):
        s += run(torch.ones(2, i % 3 + 1)).item()
    print(kind, s, H.total, state if len(state) < 9 else (len(state), state[-4:]))
def local(x):
    log = []
    class Ctx:
        depth = 0
        def __enter__(self):
            Ctx.depth += 1; log.append(("in", Ctx.depth)); return self
        def __exit__(self, t, v, tb):
            log.append(("out", Ctx.depth, t and t.__name__)); Ctx.depth -= 1
            return t is ZeroDivisionError
    with Ctx() as a:
        with Ctx():
            x = x * Ctx.depth
            if x.sum() > 5:
                1 / 0
            x = x + 100
        x = x - 1
    return x, log, type(a).__name__
for i in range(90):
    r = local(torch.full((2,), float(i % 5)))
    if i > 85: print(r)
class Node:
    __slots__ = ("v", "next")
    def __init__(self, v, next=None): self.v = v; self.next = next
def chain(n, t):
    head = None
    for i in range(n):
        head = Node(t + i, head)
    p, prev = head, None
    while p is not None:
        p.next, prev, p = prev, p, p.next
    s, k = t * 0, 0
    p = prev
    while p:
        s = s + p.v * k; k += 1; p = p.next
    return s
for i in range(50):
    r = chain(i % 6 + 2, torch.tensor([1., float(i)]))
print(r)
