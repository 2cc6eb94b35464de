# topk, sort, argsort, median and kthvalue inside of compiled steps, with gradients and extents that move.
import torch
import torch.nn.functional as F

torch.manual_seed(2)
w = torch.randn(6, 4, requires_grad=True)


def route(x):
    scores = x @ w
    top, which = scores.topk(2, dim=-1)
    gates = torch.softmax(top, -1)
    out = torch.zeros_like(scores)
    out = out.scatter(-1, which, gates)
    return out.sum(0), which


for i in range(24):
    x = torch.randn(1 + i % 5, 6)
    out, which = route(x)
    loss = (out * torch.arange(4.0)).sum()
    loss.backward()
    if i % 6 == 0:
        print(i, [round(v, 4) for v in out.tolist()], which.tolist())
print([round(v, 3) for v in w.grad.flatten().tolist()])


def order(v, descending):
    values, indices = torch.sort(v, descending=descending)
    best = v.argsort(dim=0)[-1]
    middle = v.median()
    third, at = v.kthvalue(3)
    return values[0] + values[-1], indices, best, middle, third, at


for i in range(20):
    v = torch.randperm(5 + i % 4).float()
    r = order(v, i % 2 == 0)
    if i % 4 == 3:
        print(i, r)


def ties(v):
    return v.argsort(stable=True), v.sort(stable=True, descending=True).values, (v * 2).topk(3).values


for i in range(20):
    v = torch.randint(0, 4, (6,)).float()
    if i % 7 == 3:
        v[1] = float("nan")
    r = ties(v)
    if i % 5 == 0 or i == 17:
        print(i, r)


def beam(steps, width):
    beams = [([0], 0.0)]
    logits = torch.log_softmax(w.detach()[:4], -1)
    for _ in range(steps):
        found = []
        for seq, score in beams:
            top = torch.topk(logits[seq[-1]] + 0.1 * len(seq), width)
            for p, t in zip(top.values.tolist(), top.indices.tolist()):
                found.append((seq + [t], score + p))
        beams = sorted(found, key=lambda b: -b[1])[:width]
    return beams[0]


for i in range(12):
    seq, score = beam(2 + i % 3, 2)
    print(i, seq, round(score, 4))
