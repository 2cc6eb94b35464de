# Item assignment with masks, index tensors, slices with steps, and ranges from loops.
import torch


def edit(x, i):
    x[x > 2] = 0
    x[torch.tensor([0, 2])] += 1.5
    x[i % 4] = i
    x[1:3] = x[2:4].clone()
    x[x == 0] -= 1
    return x.sum()


x = torch.arange(5.0)
out = [edit(x, i).item() for i in range(18)]
print(out)
print(x.tolist())
m = torch.zeros(3, 4)
for i in range(12):
    m[i % 3, i % 4] = i
    m[i % 3, ::2] += 1
    m[:, -1] = torch.arange(3.0)
print(m.tolist())
