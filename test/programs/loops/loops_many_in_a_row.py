import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)


def step(n):
    t, hs, count = w * 0.5, [w], 0
    for k in range(30):
        gs = [t]
        k1 = 0
        while k1 < min(n, 3) and not t.sum() > 9:
            k1 += 1
            count += 1
            gs.append(t)
            t = t + gs[-1] * 0.01
        hs = gs
    return (t * hs[-1]).sum(), count


for i in range(12):
    loss, count = step(i % 5)
    loss.backward()
    print(i, f"{loss.item():.5f}", count, [f"{g:.4f}" for g in w.grad.tolist()])
