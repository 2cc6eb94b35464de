# Whether a gradient gets a gradient is decided while the script runs: by the step, and by data.
import torch
import torch.nn.functional as F

torch.manual_seed(9)
g = torch.Generator().manual_seed(9)


def adapt(w, x, y, first_order, lr=0.1):
    for _ in range(2):
        loss = F.mse_loss(x @ w, y)
        (grad,) = torch.autograd.grad(loss, [w], create_graph=not first_order)
        w = w - lr * grad
    return w


def train(w, steps, decide):
    opt = torch.optim.Adam([w], lr=0.02)
    firsts = 0
    for step in range(steps):
        x = torch.rand(5, 3, generator=g)
        y = x.sum(1, keepdim=True) * 0.5
        first = decide(step, x)
        firsts += first
        fast = adapt(w, x, y, first)
        loss = F.mse_loss(torch.tanh(x @ fast), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 9:
            print(step, f"{loss.item():.4f}", f"{w.grad.sum().item():.4f}", firsts)


train(torch.randn(3, 1).requires_grad_(), 40, lambda step, x: step % 4 == 3)
train(torch.randn(3, 1).requires_grad_(), 40, lambda step, x: bool(x.mean() > 0.5))

# An input that is not used: an error, or None.
w, unused = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
for step in range(20):
    try:
        a, b = torch.autograd.grad((w * step).sum(), [w, unused], allow_unused=step % 3 != 2)
        print(a.tolist(), b, end=" ")
    except RuntimeError as e:
        print("not have been used" in str(e), end=" ")
print()
