# Hooks of modules, tensors and optimizers: their order, their arguments and what they may return.
import torch, copy, warnings, pickle, io
from torch import nn
warnings.simplefilter("ignore")
log = []
def r(t): return None if t is None else [round(v, 3) + 0.0 if v == v else "nan" for v in t.detach().flatten().tolist()]
def show(name, f):
    try: print(name, *f())
    except Exception as e: print(name, type(e).__name__, str(e)[:200])

class M(nn.Module):
    def __init__(self, fail=False):
        super().__init__()
        self.a = nn.Linear(2, 2)
        nn.init.constant_(self.a.weight, 0.5); nn.init.zeros_(self.a.bias)
        self.fail = fail
    def forward(self, x, k=1):
        if self.fail: raise ValueError("inside")
        return self.a(x) * k

def run(i):
    log.clear()
    m = M()
    m.register_forward_pre_hook(lambda m, a: log.append("pre1"))
    m.register_forward_pre_hook(lambda m, a, k: log.append(("pre2", sorted(k))), with_kwargs=True)
    m.register_forward_pre_hook(lambda m, a: log.append("pre0"), prepend=True)
    m.register_forward_hook(lambda m, a, o: log.append("fwd1"))
    m.register_forward_hook(lambda m, a, k, o: log.append(("fwd2", k)), with_kwargs=True)
    m.register_forward_hook(lambda m, a, o: log.append("fwd0"), prepend=True)
    m.register_forward_hook(lambda m, a, o: o * 2)
    m.register_full_backward_pre_hook(lambda m, g: log.append(("bpre", r(g[0]))))
    m.register_full_backward_hook(lambda m, gi, go: log.append(("bwd", r(gi[0]) if gi[0] is not None else None, r(go[0]))))
    m.register_full_backward_hook(lambda m, gi, go: log.append("bwd0"), prepend=True)
    m.a.register_full_backward_hook(lambda m, gi, go: log.append(("a", r(gi[0]) if gi[0] is not None else None, r(go[0]))))
    x = torch.ones(1, 2, requires_grad=True)
    x.register_hook(lambda g: log.append(("x", r(g))))
    y = m(x, k=3)
    y.register_hook(lambda g: log.append(("y", r(g))))
    y.register_hook(lambda g: g * 2)
    y.register_hook(lambda g: log.append(("y2", r(g))))
    y.retain_grad()
    y.register_hook(lambda g: log.append(("y3", r(g))))
    y.sum().backward()
    return list(log), r(x.grad), r(y.grad), r(m.a.weight.grad)
for i in range(30):
    out = run(i)
print(out)
def always(fail_in):
    log.clear()
    m = M(fail=fail_in == "forward")
    m.register_forward_hook(lambda m, a, o: log.append("plain"))
    m.register_forward_hook(lambda m, a, o: log.append(("always", o is None)), always_call=True)
    m.register_forward_hook(lambda m, a, k, o: log.append(("alwaysk", k, o is None)), always_call=True, with_kwargs=True)
    def bad(m, a, o): raise RuntimeError("hook")
    if fail_in == "hook": m.register_forward_hook(bad)
    if fail_in == "hookfirst": m.register_forward_hook(bad, prepend=True)
    if fail_in == "always": m.register_forward_hook(bad, always_call=True, prepend=True)
    h = m.register_forward_hook(lambda m, a, o: log.append("last"), always_call=True)
    try: y = m(torch.ones(1, 2), k=2)
    except Exception as e: log.append((type(e).__name__, str(e)))
    h.remove()
    return list(log), len(m._forward_hooks_always_called)
for w in ("none", "forward", "hook", "hookfirst", "always"):
    for i in range(30): o = always(w)
    print(w, o)
def kinds():
    m = M()
    h = m.register_forward_pre_hook(lambda m, a: a[0] * 2)
    print(r(m(torch.ones(1, 2)))); h.remove()
    h = m.register_forward_pre_hook(lambda m, a, k: (a, {"k": 5}), with_kwargs=True)
    print(r(m(torch.ones(1, 2)))); h.remove()
    h = m.register_forward_pre_hook(lambda m, a, k: a, with_kwargs=True)
    show("badpre", lambda: [m(torch.ones(1, 2))]); h.remove()
    with m.register_forward_hook(lambda m, a, o: o + 1): print(r(m(torch.ones(1, 2))))
    print(r(m(torch.ones(1, 2))))
    m.register_full_backward_hook(lambda m, gi, go: (gi[0] * 10,))
    m.register_full_backward_pre_hook(lambda m, go: (go[0] * 3,))
    x = torch.ones(1, 2, requires_grad=True); m(x).sum().backward(); print(r(x.grad), r(m.a.weight.grad))
    m.register_full_backward_hook(lambda m, gi, go: (1, 2, 3))
    show("badbwd", lambda: [m(x).sum().backward()])
kinds()
# optimizer hooks
p = nn.Parameter(torch.ones(2)); o = torch.optim.SGD([p], lr=0.1)
log.clear()
o.register_step_pre_hook(lambda o, a, k: log.append(("pre", [type(x).__name__ for x in a], k)))
o.register_step_post_hook(lambda o, a, k: log.append(("post", [type(x).__name__ for x in a], k)))
for i in range(30):
    log.clear()
    p.grad = torch.ones(2); o.step()
print(log)
show("closure", lambda: [o.step(lambda: 3.0)])
for f in ("register_state_dict_pre_hook", "register_state_dict_post_hook", "register_load_state_dict_pre_hook", "register_load_state_dict_post_hook"):
    def g():
        q = nn.Parameter(torch.ones(1)); oo = torch.optim.Adam([q])
        log.clear()
        getattr(oo, f)(lambda *a: log.append((f, len(a))))
        s = oo.state_dict(); oo.load_state_dict(s)
        return [list(log)]
    show(f, g)
# tensors
w = torch.ones(2, requires_grad=True)
def grads():
    h = w * 2
    a = []
    h1 = h.register_hook(lambda g: a.append(1))
    h.retain_grad()
    h2 = h.register_hook(lambda g: g * 3)
    h.register_hook(lambda g: a.append(r(g)))
    h1.remove()
    z = h * 2
    z.retain_grad()
    (z * h).sum().backward()
    return a, r(h.grad), r(z.grad), r(w.grad), h.retains_grad, w.retains_grad
for i in range(30):
    w.grad = None
    g = grads()
print(g)
show("leaf retain", lambda: [w.retain_grad(), w.retains_grad])
show("norequires", lambda: [torch.ones(1).register_hook(lambda g: g)])
show("noretain", lambda: [torch.ones(1).retain_grad()])
show("postnonleaf", lambda: [(w * 2).register_post_accumulate_grad_hook(lambda p: None)])
show("badhook", lambda: [w.register_hook(lambda g: 3), (w * 2).sum().backward()])
w2 = torch.ones(2, requires_grad=True)
w2.register_hook(lambda g: g[:1])
show("badshape", lambda: [(w2 * 2).sum().backward(), w2.grad])
x = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([x], lr=0.5)
def fused(p):
    opt.step(); opt.zero_grad()
x.register_post_accumulate_grad_hook(fused)
for i in range(30): (x ** 2).sum().backward()
print(r(x), x.grad)
# state dict hooks
class S(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(1, 1)
        self.register_buffer("b", torch.ones(1)); self.register_buffer("nb", torch.ones(1), persistent=False); self.register_buffer("none", None)
    def get_extra_state(self): return {"v": 3}
    def set_extra_state(self, s): log.append(("set", s))
s = S(); log.clear()
s.register_state_dict_pre_hook(lambda m, p, k: log.append(("spre", p, k)))
s.register_state_dict_post_hook(lambda m, d, p, md: log.append(("spost", list(d), p, dict(md)))) if hasattr(s, "register_state_dict_post_hook") else None
s.register_load_state_dict_pre_hook(lambda m, d, p, md, st, mk, uk, em: log.append(("lpre", p, st))) if hasattr(s, "register_load_state_dict_pre_hook") else None
s.register_load_state_dict_post_hook(lambda m, ik: log.append(("lpost", ik)))
sd = s.state_dict(); print(list(sd), log); log.clear()
print(s.load_state_dict(sd), log)
print(list(s.state_dict(prefix="p.")), list(s.state_dict(keep_vars=True).values())[0].requires_grad)
d = {}; s.state_dict(destination=d); print(list(d))
for bad, strict in (({}, True), ({}, False), ({"l.weight": torch.ones(2, 2), "zz": 1}, True), ({"l.weight": torch.ones(2, 2), "zz": 1}, False), ({"l.weight": 3}, False), ([], True)):
    show(f"load {bad} {strict}", lambda: [s.load_state_dict(bad, strict=strict)])
t = nn.Linear(1, 1); ns = {"weight": torch.full((1, 1), 7.0), "bias": torch.full((1,), 8.0, dtype=torch.float64)}
print(t.load_state_dict(ns, assign=True), t.weight, t.bias, type(t.weight).__name__, t.bias.dtype)
t = nn.Linear(1, 1); print(t.load_state_dict(ns), t.bias)
c = copy.deepcopy(s); print(list(c.state_dict()), c.l.weight is s.l.weight)
b = pickle.loads(pickle.dumps(nn.Sequential(nn.Linear(1, 1), nn.ReLU()))); print(b)
tied = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)); tied[1].weight = tied[0].weight
c = copy.deepcopy(tied); print(c[0].weight is c[1].weight, len(list(c.parameters())), list(c.state_dict()), [n for n, _ in c.named_parameters(remove_duplicate=False)])
buf = io.BytesIO(); torch.save(tied, buf); buf.seek(0); c = torch.load(buf, weights_only=False); print(c[0].weight is c[1].weight)
buf = io.BytesIO(); torch.save(tied.state_dict(), buf); buf.seek(0); c = torch.load(buf); print(c["0.weight"].data_ptr() == c["1.weight"].data_ptr())
g = torch.Generator(); g.manual_seed(3); st = g.get_state(); a = torch.rand(2, generator=g); g.set_state(st); print(torch.equal(a, torch.rand(2, generator=g)), g.initial_seed())
