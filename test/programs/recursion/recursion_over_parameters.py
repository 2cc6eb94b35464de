"""Recursions over nested dicts and lists of tensors, and over objects that hold tensors, always the same ones."""
import torch
torch.manual_seed(0)
params = {"l1": {"w": torch.randn(4, 3), "b": torch.zeros(3)}, "l2": [torch.randn(3, 2), torch.zeros(2)]}
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
def forward(p, x):
    h = torch.tanh(x @ p["l1"]["w"] + p["l1"]["b"])
    return h @ p["l2"][0] + p["l2"][1]
for i in range(100):
    params = tree_map(lambda t: t.detach().requires_grad_(), params)
    loss = (forward(params, torch.randn(5, 4)) - 1).pow(2).mean()
    gs = torch.autograd.grad(loss, leaves(params))
    it = iter(gs)
    with torch.no_grad():
        params = tree_map(lambda t: t - 0.05 * next(it), params)
    if i % 20 == 0: print(i, f"{loss.item():.4f}")
print(sum(t.sum().item() for t in leaves(params)).__round__(3))

class Tree:
    def __init__(self, v, kids=()): self.v, self.kids = v, list(kids)
root = Tree(torch.randn(3), [Tree(torch.randn(3)), Tree(torch.randn(3), [Tree(torch.randn(3))])])
def update(n, d=0):
    n.v = n.v * 0.9 + 0.01 * d
    for k in n.kids:
        update(k, d + 1)
        n.v = n.v + k.v * 0.01
def tot(n): return n.v.sum() + sum(tot(k) for k in n.kids)
for i in range(100):
    update(root)
    if i % 20 == 0: print(i, f"{tot(root).item():.4f}")
