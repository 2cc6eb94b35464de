import torch

torch.manual_seed(2)
w = torch.randn(4, requires_grad=True)
v = torch.randn(4, requires_grad=True)
seen = []


def step(i):
    h = torch.tanh(w * v)
    a, b = h.sum(), (h * w).pow(2)
    torch.autograd.backward([a, b], [None, torch.ones(4) * i])
    return h


def grads(i):
    h = torch.tanh(w * v + i)
    one, two = h.exp(), (h * 2).sum()
    return torch.autograd.grad([one, two], [w, v], [torch.arange(4.0), None])


for i in range(14):
    step(i)
    print(i, [f"{g:.4f}" for g in w.grad.tolist()], [f"{g:.4f}" for g in v.grad.tolist()])
    print([f"{g.sum().item():.4f}" for g in grads(i * 0.1)])
    w.grad = v.grad = None

hook = w.register_hook(lambda g: seen.append(f"{g.sum().item():.4f}"))
for i in range(6):
    h = w * 2
    torch.autograd.backward((h.sum(), h.pow(2).sum()))
    (h.sum() + v.sum()).backward(inputs=[v])
    (w * v).sum().backward(inputs=v)
print(len(seen), seen, w.grad.tolist(), v.grad.tolist())
hook.remove()
try:
    torch.autograd.backward([w.sum(), w])
except RuntimeError as e:
    print(e)
