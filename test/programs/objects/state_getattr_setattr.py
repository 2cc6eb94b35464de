# getattr, setattr, hasattr, __dict__ and vars with names made at run time.
import torch


class Store:
    pass


def step(store, i):
    name = f"buf_{i % 3}"
    if not hasattr(store, name):
        setattr(store, name, torch.zeros(2))
    setattr(store, name, getattr(store, name) + i)
    store.__dict__["last"] = name
    return sum(v.sum() for k, v in vars(store).items() if k.startswith("buf"))


store = Store()
for i in range(180):
    total = step(store, i)
print(total.item(), store.last, sorted(vars(store)), store.buf_1.tolist())
