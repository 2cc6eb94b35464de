# The attributes of objects gone through with vars() and __dict__, while some are set.
import torch


class Store:
    pass


def step(store, i):
    name = f"buf_{i % 3}"
    if not hasattr(store, name):
        setattr(store, name, torch.zeros(2))
    setattr(store, name, getattr(store, name) + i)
    store.last = name
    total = sum(v.sum() for k, v in vars(store).items() if k.startswith("buf"))
    fresh = Store()
    fresh.a, fresh.b = total, i
    fresh.__dict__["c"] = total * 2
    return total, list(vars(fresh)), [k for k in store.__dict__]


store = Store()
for i in range(60):  # expect: tier 2, at most 20 entries in tier 0
    total, names, held = step(store, i)
print(total.item(), names, held, store.last, store.buf_1.tolist())
