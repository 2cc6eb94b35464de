"""inference_mode inside of hot code; ids of objects."""
import torch
torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
def evaluate(x):
    with torch.inference_mode():
        y = (w * x).tanh()
        return y.sum().item(), torch.is_grad_enabled()
@torch.inference_mode()
def predict(x):
    return (w * x).argmax().item()
def leaves(x):
    with torch.inference_mode():
        return w * x
t = 0.0
for i in range(60):
    a, g = evaluate(torch.ones(3) * i)
    loss = (w * (i % 3)).sum() * a
    loss.backward()
    with torch.no_grad():
        w -= 0.001 * w.grad
        w.grad = None
    t += a + predict(torch.ones(3)) + g
print(f"{t:.4f}")
for i in range(20):
    y = leaves(torch.ones(3))
    try:
        (y * w).sum().backward()
    except RuntimeError as e:
        t += 1
        last = str(e)
print(y.is_inference(), y.requires_grad, f"{t:.4f}", last)
seen, nodes = {}, [[torch.ones(2)] for _ in range(4)]
for i in range(60):
    n = nodes[i % 4]
    if id(n) not in seen:
        seen[id(n)] = i
    t += (n[0] * seen[id(n)]).sum().item()
print(len(seen), list(seen.values()), t == t)
with torch.inference_mode():
    z = torch.zeros(2)
    for i in range(30):
        z = z * 0.9 + i
print(z.is_inference(), z.tolist()[0] > 0)
try:
    z.add_(1)
except RuntimeError as e:
    print(e)
