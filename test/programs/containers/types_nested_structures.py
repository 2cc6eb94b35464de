# A nest of dicts, lists and tuples that is rebuilt by a recursive map.
import torch


def tree_map(f, t):
    if isinstance(t, dict):
        return {k: tree_map(f, v) for k, v in t.items()}
    if isinstance(t, (list, tuple)):
        return type(t)(tree_map(f, v) for v in t)
    return f(t)


def leaves(t):
    if isinstance(t, dict):
        return [x for v in t.values() for x in leaves(v)]
    if isinstance(t, (list, tuple)):
        return [x for v in t for x in leaves(v)]
    return [t]


params = {"a": torch.ones(2), "b": [torch.zeros(3), (torch.full((1,), 2.0), 5)], "c": ()}
for i in range(15):
    params = tree_map(lambda v: v * 0.9 + i if isinstance(v, torch.Tensor) else v + 1, params)
print([x if isinstance(x, int) else [f"{v:.3f}" for v in x.tolist()] for x in leaves(params)], list(params), type(params["c"]).__name__)
