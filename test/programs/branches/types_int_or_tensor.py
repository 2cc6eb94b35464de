# A variable that is an int on one path and a tensor on another.
import torch


def step(x, k):
    penalty = 0
    if k % 3 == 0:
        penalty = (x * x).sum()
    loss = x.sum() + penalty * 0.5
    return loss, penalty


torch.manual_seed(0)
x = torch.randn(4, requires_grad=True)
kinds = []
for k in range(21):
    loss, penalty = step(x, k)
    loss.backward()
    kinds.append(type(penalty).__name__)
print(kinds.count("int"), kinds.count("Tensor"), f"{loss.item():.4f}")
print([f"{g:.4f}" for g in x.grad.tolist()])
