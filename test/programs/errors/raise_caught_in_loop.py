# A raise that its own frame catches, in a loop.
import torch

torch.manual_seed(1)


def first_positive(xs):
    for x in xs:
        try:
            if x.sum() <= 0:
                raise ValueError
            return x * 3
        except ValueError:
            continue
    return torch.zeros(2)


acc = torch.zeros(2)
for i in range(100):
    acc = acc + first_positive([torch.randn(2) for _ in range(4)])
print(acc)
