# Nodes that are dicts, of which leaves have None for a tensor; a list gathers them.
import torch

torch.manual_seed(2)


def node(d):
    if d == 0:
        return {"bias": torch.randn(2), "scale": None, "next": []}
    return {"bias": torch.randn(2), "scale": torch.rand(2), "next": [node(d - 1), node(d - 1)]}


def run(n, x):
    x = x + n["bias"]
    if n["scale"] is not None:
        x = x * n["scale"]
    for m in n["next"]:
        x = run(m, x)
    return x


def gather(n, out):
    out.append(n["bias"])
    for m in n["next"]:
        gather(m, out)
    return out


trees = [node(0), node(1), node(2), node(3)]
x = torch.zeros(2)
for i in range(100):
    x = torch.tanh(run(trees[i % 4], x))
print(x)
for i in range(40):
    found = gather(trees[i % 4], [])
    s = torch.stack(found).sum(0)
print(s, len(found), found[0] is trees[3]["bias"], found[-1] is trees[3]["bias"])
