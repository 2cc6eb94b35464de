# Expressions as nested dicts, and a tree of tuples and dicts with a size of its own.
import random

import torch

random.seed(5)
torch.manual_seed(5)


def build(depth):
    if depth == 0 or random.random() < 0.3:
        return {"value": random.random(), "sign": random.choice([1, -1])}
    node = {"left": build(depth - 1), "right": build(depth - 1), "op": random.choice("+*-")}
    if random.random() < 0.5:
        node["scale"] = random.random()
    return node


w = torch.randn(3, requires_grad=True)


def evaluate(node):
    if "value" in node:
        return w * node["value"] * node["sign"]
    a, b = evaluate(node["left"]), evaluate(node["right"])
    if node["op"] == "+":
        out = a + b
    else:
        out = a - b if node["op"] == "-" else a * b
    return out * node.get("scale", 1.0)


def leaves(node):
    return 1 if "value" in node else leaves(node["left"]) + leaves(node["right"])


opt = torch.optim.SGD([w], lr=0.01)
trees = [build(3) for _ in range(20)]
for epoch in range(8):
    total = 0.0
    for tree in trees:  # expect: tier 2, at most 15 entries in tier 0
        loss = ((evaluate(tree) - 0.3 * leaves(tree)) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(epoch, f"{total:.3f}")

# A node changes between two calls, and one lacks what the others have.
trees[0]["op"] = "*"
trees[3] = {"value": 2.0, "sign": 1}
trees[4] = {"left": trees[3], "op": "+"}
for tree in trees[:6] * 4:
    try:
        print(f"{evaluate(tree).sum().item():.3f}", end=" ")
    except KeyError as e:
        print("KeyError", e, end=" ")
print()
