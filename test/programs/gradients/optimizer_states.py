# Every optimizer with its options: what it saves, that one made anew goes on from it, and what it refuses; clipping.
import torch, io, copy, warnings
from torch import nn, optim
warnings.simplefilter("ignore")
def rr(v):
    if isinstance(v, torch.Tensor): return rr(v.tolist())
    if isinstance(v, float): return round(v, 3) + 0.0
    if isinstance(v, (list, tuple)): return type(v)(rr(x) for x in v)
    if isinstance(v, dict): return {k: rr(x) for k, x in v.items()}
    return v
cases = []
for name, opts in {
    "SGD": [{}, dict(momentum=0.9), dict(momentum=0.9, nesterov=True, weight_decay=0.1), dict(momentum=0.9, dampening=0.3, maximize=True), dict(momentum=0.5, foreach=True), dict(foreach=False, differentiable=False, fused=False)],
    "Adam": [{}, dict(amsgrad=True), dict(weight_decay=0.1, maximize=True), dict(betas=(0.5, 0.6), eps=0.1), dict(lr=torch.tensor(0.1)), dict(fused=True), dict(decoupled_weight_decay=True, weight_decay=0.1), dict(capturable=False)],
    "AdamW": [{}, dict(amsgrad=True, weight_decay=0.2), dict(maximize=True)],
    "Adamax": [{}, dict(weight_decay=0.1, maximize=True)],
    "NAdam": [{}, dict(weight_decay=0.1, momentum_decay=0.1), dict(decoupled_weight_decay=True, weight_decay=0.1), dict(maximize=True)],
    "RAdam": [{}, dict(weight_decay=0.1, decoupled_weight_decay=True), dict(maximize=True)],
    "Adagrad": [{}, dict(lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.5), dict(maximize=True)],
    "Adadelta": [{}, dict(rho=0.5, weight_decay=0.1), dict(maximize=True)],
    "RMSprop": [{}, dict(momentum=0.5, centered=True), dict(weight_decay=0.1, maximize=True)],
    "Rprop": [{}, dict(etas=(0.3, 1.5), step_sizes=(0.01, 1)), dict(maximize=True)],
    "ASGD": [{}, dict(lambd=0.1, alpha=0.5, t0=3, weight_decay=0.1), dict(maximize=True)],
}.items():
    for o in opts: cases.append((name, o))
for name, o in cases:
    try:
        def make():
            a = nn.Parameter(torch.tensor([[1.0, -2.0], [0.5, 3.0]])); b = nn.Parameter(torch.tensor([0.3])); c = nn.Parameter(torch.zeros(2))
            kw = dict(o); kw.setdefault("lr", 0.05)
            groups = [a, b] if name == "LBFGS" else [{"params": [a]}, {"params": [b, c], "lr": 0.02}]
            return (a, b, c), getattr(optim, name)(groups, **kw)
        (a, b, c), op = make()
        for i in range(16):
            def closure():
                op.zero_grad()
                l = (a ** 2).sum() + (b - 1).pow(2).sum() + (a[0] * b).sum()
                l.backward()
                return l
            if name == "LBFGS": op.step(closure)
            else:
                closure(); op.step()
            if i == 7:
                sd = op.state_dict()
                print("  ", list(sd["param_groups"][0]), {k: list(v) for k, v in sd["state"].items()})
                print("  ", rr({k: v for k, v in sd["param_groups"][-1].items()}))
                print("  ", rr(sd["state"].get(0, {})) if name != "LBFGS" else "")
                buf = io.BytesIO(); torch.save(sd, buf); buf.seek(0); sd = torch.load(buf, weights_only=False)
                (a2, b2, c2), op2 = make()
                for p, q in zip((a2, b2, c2), (a, b, c)): p.data.copy_(q.data)
                op2.load_state_dict(sd)
                a, b, c, op = a2, b2, c2, op2
        print(name, {k: rr(v) for k, v in o.items()}, rr(a), rr(b), rr(c))
    except Exception as e:
        print(name, o, type(e).__name__, str(e)[:150])
p = nn.Parameter(torch.ones(2))
for f in (lambda: optim.SGD([p], lr=-1), lambda: optim.SGD([p], momentum=-1), lambda: optim.SGD([p], lr=0.1, nesterov=True), lambda: optim.Adam([p], betas=(1.0, 0.9)), lambda: optim.Adam([p], eps=-1), lambda: optim.Adam([p], weight_decay=-1), lambda: optim.RMSprop([p], alpha=-1), lambda: optim.Adagrad([p], lr_decay=-1), lambda: optim.Adadelta([p], rho=2), lambda: optim.SGD([]), lambda: optim.SGD(p), lambda: optim.SGD([p, p]), lambda: optim.SGD([{"params": [p]}, {"params": [p]}]), lambda: optim.SGD([torch.ones(1, requires_grad=True) * 2]), lambda: optim.SGD([3]), lambda: optim.Adam([p], foreach=True, fused=True), lambda: optim.Adam([p], lr=torch.tensor([0.1, 0.2])), lambda: optim.Adam([p], capturable=True)):
    try: print("ok", f())
    except Exception as e: print(type(e).__name__, str(e)[:160])
o1 = optim.Adam([p]); o2 = optim.Adam([p, nn.Parameter(torch.ones(1))])
for x in (o2, optim.Adam([{"params": [p]}, {"params": [nn.Parameter(torch.ones(1))]}])):
    try: o1.load_state_dict(x.state_dict())
    except Exception as e: print(type(e).__name__, e)
o = optim.SGD([("w", p)], lr=0.1); print(o.state_dict())
o.add_param_group({"params": [("b", nn.Parameter(torch.ones(1)))], "lr": 1.0}); print(o)
d = copy.deepcopy(o1); print(d.param_groups[0]["params"][0] is p, d.state_dict()["param_groups"][0]["lr"])
p.grad = torch.ones(2); o1.step(); o1.zero_grad(set_to_none=False); print(p.grad); o1.zero_grad(); print(p.grad)
from torch.nn.utils import clip_grad_norm_, clip_grad_value_, get_total_norm, clip_grads_with_norm_, parameters_to_vector, vector_to_parameters
def g(*vals):
    q = [nn.Parameter(torch.zeros(len(v) if isinstance(v, list) else 1)) for v in vals]
    for x, v in zip(q, vals): x.grad = None if v is None else torch.tensor(v if isinstance(v, list) else [v])
    return q
for vals in (([3.0, 4.0],), ([3.0], [4.0]), ([0.0],), (None, [2.0]), (None,), ([float("inf")],), ([float("nan"), 1.0],), ([1e-30],)):
    for n in (2, 1, float("inf"), 0, 0.5):
        for mx in (1.0, 0.0, 10.0):
            q = g(*vals)
            try: t = clip_grad_norm_(q, mx, n); print(vals, n, mx, rr(t), [None if x.grad is None else rr(x.grad) for x in q])
            except Exception as e: print(vals, n, mx, type(e).__name__, e)
for f in (lambda: clip_grad_norm_([], 1.0), lambda: clip_grad_norm_(iter(g([3.0, 4.0])), 1.0), lambda: clip_grad_norm_(g([float("nan")]), 1.0, error_if_nonfinite=True), lambda: clip_grad_norm_(g([3.0, 4.0])[0], 1.0), lambda: clip_grad_value_(g([3.0, -4.0]), 1.0), lambda: get_total_norm([torch.tensor([3.0, 4.0])]), lambda: get_total_norm([]), lambda: clip_grads_with_norm_(g([3.0]), 1.0, torch.tensor(3.0)), lambda: parameters_to_vector(g([1.0], [2.0]))):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:120])
