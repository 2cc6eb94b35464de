# Loops over lists and tuples of tensors and numbers.
import torch

torch.manual_seed(12)
weights = [torch.randn(3, 3, requires_grad=True) for _ in range(3)]
gains = (0.5, 1.0, 2.0)


def forward(x):
    for w in weights:
        x = torch.tanh(x @ w)
    for g in gains:
        x = x * g
    for a, (b, c) in [(1, (2, 3)), (4, (5, 6))]:
        x = x + a * b - c
    return x.sum()


for step in range(12):
    loss = forward(torch.randn(2, 3))
    loss.backward()
print(f"{loss.item():.4f}")
for w in weights:
    print([f"{v:.4f}" for v in w.grad[0].tolist()])
