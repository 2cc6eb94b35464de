# What every scheduler saves, and that one made anew goes on from it.
import torch, warnings, copy, io
from torch.optim import lr_scheduler as S
warnings.simplefilter("ignore")

class Half:
    def __init__(self):
        self.f = 0.5

    def __call__(self, e):
        return self.f**e


def rr(v):
    if isinstance(v, float): return round(v, 5)
    if isinstance(v, (list, tuple)): return type(v)(rr(x) for x in v)
    if isinstance(v, dict): return {k: rr(x) for k, x in sorted(v.items(), key=lambda p: str(p[0]))}
    return v

def fresh(kind):
    p = torch.nn.Parameter(torch.ones(2))
    q = torch.nn.Parameter(torch.zeros(1))
    groups = [{"params": [p]}, {"params": [q], "lr": 0.5}]
    if kind == "adam":
        return p, torch.optim.Adam(groups, lr=0.1)
    return p, torch.optim.SGD(groups, lr=0.1, momentum=0.9)

makers = {
    "step": lambda o: S.StepLR(o, 3, 0.5),
    "multistep": lambda o: S.MultiStepLR(o, [3, 3, 7], 0.5),
    "const": lambda o: S.ConstantLR(o, 0.5, 4),
    "linear": lambda o: S.LinearLR(o, 0.5, 1.0, 4),
    "exp": lambda o: S.ExponentialLR(o, 0.9),
    "cos": lambda o: S.CosineAnnealingLR(o, 5, 0.01),
    "warm": lambda o: S.CosineAnnealingWarmRestarts(o, 5, 2),
    "cyclic": lambda o: S.CyclicLR(o, base_lr=0.01, max_lr=0.1, step_size_up=4, mode="exp_range", gamma=0.9),
    "cyclic2": lambda o: S.CyclicLR(o, base_lr=[0.01, 0.02], max_lr=[0.1, 0.2], step_size_up=2, step_size_down=3, mode="triangular2", cycle_momentum=False),
    "cyclicfn": lambda o: S.CyclicLR(o, base_lr=0.01, max_lr=0.1, step_size_up=4, scale_fn=lambda x: 0.5 ** x, scale_mode="cycle"),
    "cyclicobj": lambda o: S.CyclicLR(o, base_lr=0.01, max_lr=0.1, step_size_up=4, scale_fn=Half(), scale_mode="iterations"),
    "onecycle": lambda o: S.OneCycleLR(o, max_lr=0.3, total_steps=30),
    "onecycle3": lambda o: S.OneCycleLR(o, max_lr=[0.3, 0.2], epochs=3, steps_per_epoch=10, three_phase=True, anneal_strategy="linear", cycle_momentum=False),
    "chained": lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.5, 3), S.ExponentialLR(o, 0.9)]),
    "poly": lambda o: S.PolynomialLR(o, 10, 2.0),
    "lambda": lambda o: S.LambdaLR(o, [lambda e: 0.9 ** e, Half()]),
    "mult": lambda o: S.MultiplicativeLR(o, [lambda e: 0.95, lambda e: 0.9]),
    "multobj": lambda o: S.MultiplicativeLR(o, lambda e: 0.95),
    "seq": lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1, 1.0, 4), S.CosineAnnealingLR(o, 8, 0.01)], [4]),
    "seq3": lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9), S.StepLR(o, 2)], [3, 9]),
    "seqseq": lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1, 1.0, 4), S.ChainedScheduler([S.ConstantLR(o, 0.5, 3), S.ExponentialLR(o, 0.9)])], [4]),
    "plateau": lambda o: S.ReduceLROnPlateau(o, patience=1, factor=0.5, cooldown=1, min_lr=[0.001, 0.02]),
    "plateaumax": lambda o: S.ReduceLROnPlateau(o, "max", patience=0, threshold_mode="abs", threshold=0.1),
}
for kind in ("sgd", "adam"):
    for name, make in makers.items():
        try:
            p, o = fresh(kind)
            s = make(o)
            def show(s):
                st = s.state_dict()
                print("   ", sorted(st, key=str))
                print("   ", rr({k: v for k, v in st.items() if isinstance(v, (int, float, list, tuple, str, bool, dict)) and "Counter" not in type(v).__name__ and k != "_schedulers" and not any(callable(x) for x in (v if isinstance(v, list) else []))}))
            lrs = []
            for i in range(24):
                o.zero_grad()
                (p ** 2).sum().backward()
                o.step()
                if name.startswith("plateau"):
                    s.step(1.0 if i > 3 else 5.0 - i)
                else:
                    s.step()
                lrs.append(rr(s.get_last_lr()))
                if i == 9:
                    show(s)
                    so, ss = o.state_dict(), s.state_dict()
                    if name not in ("lambda", "mult", "multobj", "cyclicfn"):
                        b = io.BytesIO(); torch.save((so, ss), b); b.seek(0); so, ss = torch.load(b, weights_only=False)
                    q, o2 = fresh(kind)
                    q.data.copy_(p.data)
                    s = make(o2)
                    o2.load_state_dict(so)
                    s.load_state_dict(ss)
                    show(s)
                    p, o = q, o2
            print(kind, name, lrs[9:14], lrs[-1], [round(v, 3) for v in p.tolist()], getattr(s, "last_epoch", None), {k: rr(v) for k, v in o.param_groups[1].items() if k != "params"})
        except Exception as e:
            print(kind, name, type(e).__name__, e)
o = fresh("sgd")[1]
for f in (lambda: S.StepLR(o, 3, last_epoch=5), lambda: S.SequentialLR(o, [S.StepLR(o, 1)], [3]), lambda: S.SequentialLR(o, [], []), lambda: S.ChainedScheduler([]), lambda: S.OneCycleLR(o, 0.1), lambda: S.LambdaLR(o, [lambda e: 1]), lambda: S.CosineAnnealingWarmRestarts(o, 0), lambda: S.CosineAnnealingWarmRestarts(o, 2, 0), lambda: S.CyclicLR(o, 0.1, 0.2, mode="x"), lambda: S.ReduceLROnPlateau(o, factor=1.0), lambda: S.ReduceLROnPlateau(o, min_lr=[1]), lambda: S.StepLR(3, 3), lambda: S.LinearLR(o, 2.0), lambda: S.OneCycleLR(o, 0.1, total_steps=2.5), lambda: S.OneCycleLR(o, 0.1, total_steps=3, anneal_strategy="x"), lambda: S.SequentialLR(o, [S.StepLR(o, 1), S.StepLR(fresh("sgd")[1], 1)], [3]), lambda: S.SequentialLR(o, [S.StepLR(o, 1), S.ReduceLROnPlateau(o)], [3])):
    try: f(); print("ok")
    except Exception as e: print(type(e).__name__, str(e)[:200])
s = S.CosineAnnealingWarmRestarts(fresh("sgd")[1], 5, 2)
for e in (0.5, 3.2, 7.0, 16):
    s.step(e); print(rr(s.get_last_lr()), s.T_cur, s.T_i, s.last_epoch)
try: s.step(-1)
except Exception as e: print(type(e).__name__, e)
s = S.StepLR(fresh("sgd")[1], 2)
s.step(5); print(s.get_last_lr()); s.step(); print(s.get_last_lr())
s = S.OneCycleLR(fresh("sgd")[1], 0.1, total_steps=2)
try:
    for i in range(4): s.step()
except Exception as e: print(type(e).__name__, e)
s = S.StepLR(o, 1)
t = copy.deepcopy(s); t.step(); print(rr(s.get_last_lr()), rr(t.get_last_lr()), t.optimizer is s.optimizer)
