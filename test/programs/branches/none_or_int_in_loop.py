# None until something is found, in a loop whose trip count moves.
import torch

torch.manual_seed(0)


def first_above(x, limit):
    found = None
    for i in range(x.shape[0]):
        if x[i] > limit and found is None:
            found = i
    return found


hits = 0
missing = 0
for t in range(120):
    x = torch.randn(5 + t % 23)
    at = first_above(x, 1.0)
    if at is None:
        missing += 1
    else:
        hits += at
print(hits, missing)
