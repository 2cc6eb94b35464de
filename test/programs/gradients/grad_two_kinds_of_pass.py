import torch

torch.manual_seed(0)
a = torch.randn(3, 3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
for i in range(40):
    h = torch.tanh(a @ b)
    l1 = h.sum()
    l2 = (h.detach() * b).pow(2).sum() if i % 3 else (h * b).pow(2).sum()
    if i % 4 == 0:
        torch.autograd.backward([l1, l2], [torch.tensor(0.5), torch.tensor(2.0)])
    elif i % 4 == 2:
        ga, = torch.autograd.grad(l1, a, retain_graph=True)
        a.grad = ga if a.grad is None else a.grad + ga
        h.backward(torch.tensor([1.0, 0.0, -1.0]))
    shown = [None if p.grad is None else f'{p.grad.sum().item():.4f}' for p in (a, b)]
    print(i, f'{l1.item():.4f} {l2.item():.4f}', shown)
    if i % 2:
        for p in (a, b):
            p.grad = None
