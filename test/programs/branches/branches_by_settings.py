"""Branches on floats that are settings: each item of a list goes its own way, in a graph and with gradients."""
import torch

torch.manual_seed(5)
heads = {name: torch.randn(4, 2, requires_grad=True) for name in ("a", "b", "skip", "c")}
weights = [1.0, 0.5, 0.0, 2.0]
x = torch.randn(6, 4)


class Decay:
    def __init__(self, rate, floor):
        self.rate, self.floor = rate, floor


decays = [Decay(0.0, 0.1), Decay(0.01, 0.0), Decay(0.5, 0.2)]

for epoch in range(80):  # expect: tier 2, at most 6 entries in tier 0
    loss = torch.zeros(())
    for i, ((name, p), wt) in enumerate(zip(heads.items(), weights)):
        if wt == 0.0:
            continue
        out = x @ p
        for j in reversed(range(2)):
            if i == 1 and j == 0:
                continue
            loss = loss + wt * (out[:, j] - (j + 1)).pow(2).mean()
    grads = torch.autograd.grad(loss, [p for n, p in heads.items() if n != "skip"])
    with torch.no_grad():
        for p, g, d in zip([heads["a"], heads["b"], heads["c"]], grads, decays):
            if d.rate * 2 > d.floor:
                g = g + d.rate * p
            p.sub_(0.02 * g)
    if epoch == 50:
        # A setting that changes, and a weight that comes back.
        weights[1], weights[2] = 0.0, 0.25
        decays[0].rate = 0.2
        heads["skip"], heads["b"] = heads["b"], heads["skip"]
        weights[1], weights[2] = 0.25, 0.0
    if epoch % 16 == 0:
        print("epoch", epoch, "loss", round(loss.item(), 4))

for name, p in heads.items():
    print(name, f"{p.detach().sum().item():.4f}")
