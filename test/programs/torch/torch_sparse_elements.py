"""What a sparse tensor shows of its elements one by one, and what it refuses."""
import copy

import torch

indices = torch.tensor([[0, 1, 1, 0], [2, 0, 0, 1]])
s = torch.sparse_coo_tensor(indices, torch.tensor([3.0, 4.0, 5.0, 6.0]), (2, 3))


def show(f):
    try:
        r = f()
        print(r.to_dense() if isinstance(r, torch.Tensor) and r.is_sparse else r)
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0][:120])


for f in (
    lambda: s[-1], lambda: s[5], lambda: s[-3], lambda: s[0, 1], lambda: s[1, -1], lambda: s[0, 7], lambda: s[0][2],
    lambda: s[:, 1], lambda: s[torch.tensor(1)], lambda: s[0, 0, 0], lambda: s.select(1, 0), lambda: s.select(1, 3),
    lambda: s.index_select(0, torch.tensor([5])), lambda: s.index_select(1, torch.tensor([-1])),
    lambda: s.tolist(), lambda: s.numpy(), lambda: s.data_ptr(), lambda: s.untyped_storage(),
    lambda: torch.zeros(2, 3).copy_(s), lambda: [s.type(), s.double().type(), s.type(torch.int64).dtype],
    lambda: [s.element_size(), s.nelement(), s.is_contiguous(), s.int().dtype], lambda: s.bool(),
    lambda: copy.deepcopy(s), lambda: copy.copy(s), lambda: [float(v) for v in s[1]],
):
    show(f)
for row in s:
    print(row.to_dense())
first, second = s
made = copy.deepcopy(s)
made._values().zero_()
print(first.to_dense(), second.to_dense(), s.to_dense().sum(), made.to_dense().sum())
