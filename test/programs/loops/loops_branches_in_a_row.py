# Many branches one after the other inside of a loop: compile time must not double with each.
import torch

torch.manual_seed(1)
w = torch.randn(3, requires_grad=True)
log = []
table = {"a": 1, "b": 2, "t": torch.ones(3)}


def step(x, i, flag):
    n, m, t = i, i % 3, x
    u, a, hs = torch.zeros(3), torch.ones(3, 3) * 0.25, [x]
    k = 0
    while k < n % 5 and not (t.sum() > 50):
        k += 1
        log.append(f"{n} {(u[0].item() if m > 4 else -1.25):.3f}")
        for _ in range(30):
            if t.sum() > 0:
                u[1:].mul_(0.5)
                n += int(torch.randint(0, 4, (1,)))
            n -= (0 - table.get(m, 2)) // 2
            hs.append(a[0] if not flag else u)
    n += len(hs)
    loss = (t * w).sum()
    loss.backward()
    with torch.no_grad():
        w.sub_(0.01 * w.grad.clamp(-1.0, 1.0))
    w.grad = None
    return loss.item(), n


for i in range(16):
    x = torch.full((3,), float(i % 5) - 2.0)
    print(i, "%.4f %d" % step(x, i, i % 3 == 0))
print(w.detach().sum().item() > -100, log[-4:], len(log))
