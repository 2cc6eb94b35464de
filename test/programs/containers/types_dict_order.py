# The order of a dict's keys after deletions, insertions and both in one step.
import torch

table = {"a": 1, "b": 2, "c": 3}
plain = {0: "x", 1: "y", 2: "z"}


def step(x, i):
    s = (x * i).sum()
    table["a"] = table.pop("a") + 1
    if i % 3 == 0:
        del table["b"]
        table["b"] = i
    old = plain.pop(i % 3, None)
    plain[3 + i % 2] = old
    plain[i % 3] = f"{old}{i}"
    plain.pop(4, None)
    return s


out = 0.0
for i in range(40):
    out += step(torch.ones(3), i).item()
    if i % 9 == 4:
        print(i, list(table.items()), list(plain))
print(out, table, list(plain), [len(str(v)) for v in plain.values()])
