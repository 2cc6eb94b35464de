# Dicts put together with | and |=, their keys in order; text made with % of floats and ints.
import torch

base = {"lr": 0.1, "steps": 0}
log = {}


def step(w, i):
    options = base | {"decay": 0.01, "lr": 0.05}
    options |= {"steps": i}
    names = [k for k in options]
    w = w - options["lr"] * w - options["decay"]
    base["steps"] = options["steps"]
    log["last"] = "%-6s|%5.2f at %d of %s%%" % ("step", w.sum().item(), i, names[2])
    return w, list((options | {"lr": None}).items())


w = torch.arange(4.0)
for i in range(60):  # expect: tier 2, at most 10 entries in tier 0
    w, items = step(w, i)
print(log, base, items)
print([f"{v:.4f}" for v in w.tolist()])
