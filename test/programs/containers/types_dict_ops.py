# Dicts built, updated, popped, merged and searched in the hot region.
import torch


def work(x, i):
    cache = {"x": x, "i": i, (1, 2): x * 2}
    cache["y"] = cache["x"] + cache[(1, 2)]
    cache.update(z=cache["y"] * 2, i=cache["i"] + 1)
    y = cache.pop("y")
    missing = cache.get("nothing", 0)
    cache.setdefault("list", []).append(y)
    both = {**cache, "x": -1} | {"w": missing}
    if "w" in both and "y" not in both:
        y = y + len(both)
    keys = [k for k in both if isinstance(k, str)]
    return y.sum() + both["z"].sum() + both["i"], keys


x = torch.ones(3, requires_grad=True)
for i in range(144):
    out, keys = work(x, i)
    out.backward()
print(out.item(), keys, x.grad.tolist())
