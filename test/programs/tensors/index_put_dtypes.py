import warnings

import torch

warnings.simplefilter("ignore")
I = torch.tensor


def written(index, value):
    y = torch.zeros(3)
    try:
        y[index] = value
        return y.tolist()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


# What may be written at an index of which kind: only where index tensors are, dtypes have to be equal.
indices = (I([0]), I([True, False, True]), [0, 1], I(0), I(True), True, (I([0]),), slice(0, 1), 0)
values = (I(2), I([2]), I(2.0, dtype=torch.float64), I([2.0], dtype=torch.float64), 2, 2.5, True, I(True))
for step in range(12):
    results = [written(i, v) for i in indices for v in values]
for r in results:
    print(r)

# Lists as indices: some are tuples.
x = torch.arange(24).reshape(2, 3, 4)
lists = ([[0, 1]], [[0, 1], [1, 2]], [0, [1]], [[0], [1, 2]], [slice(0, 1)], [None], [...], [I([0]), 1], [I(0)],
         [True, False], [0.5], ["a"], [[True, False]], [], [[]], ((0, 1), (1, 2)), ([0, 1],), [(0, 1)], range(2),
         [range(2)], [[0]] * 33, [[[0, 1]]], [[0.0]], [0, 1.0], "a", b"a", None, [None, 0])
for step in range(12):
    results = []
    for k in lists:
        try:
            results.append((tuple(x[k].shape), x[k].flatten()[:4].tolist()))
        except Exception as e:
            results.append(f"{type(e).__name__}: {e}"[:100])
        y = x.clone()
        try:
            y[k] = 7
            results.append((y == 7).sum().item())
        except Exception as e:
            results.append(f"{type(e).__name__}: {e}"[:100])
for k, r in enumerate(results):
    print(k, r)
