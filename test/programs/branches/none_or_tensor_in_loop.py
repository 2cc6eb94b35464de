# None or a row of a tensor, in a loop whose trip count moves.
import torch

torch.manual_seed(3)


def diffs(x, skip):
    prev = None
    acc = torch.zeros(2)
    for i in range(x.shape[0]):
        if x[i, 0] < skip:
            continue
        if prev is not None:
            acc = acc + (x[i] - prev).abs()
        prev = x[i]
    return acc


total = torch.zeros(2)
for t in range(120):
    total = total + diffs(torch.randn(4 + t % 19, 2), -0.5)
print(total)
