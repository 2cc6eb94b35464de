# What is looked for with hasattr and getattr; length hints that raise; ranges as data; what pickles hold.
import pickle

import torch
from torch.utils.data import DataLoader


class Unsized:
    def __len__(self):
        raise TypeError("no length")

    def __iter__(self):
        return iter([1, 2])


print(hasattr(torch, "no_such_name"), getattr(torch.ones(1), "no_such_name", 3))
print(list(Unsized()), tuple(Unsized()), sorted(Unsized()), [*Unsized()])
x = torch.zeros(3, 4)
x[range(3), torch.tensor([1, 2, 3])] += 1
print(x, x[range(2)].shape, x[range(3), [0, 1, 2]])
print(torch.LongTensor(range(3)), torch.tensor(range(3)), torch.FloatTensor(range(2)), torch.as_tensor(range(2, 8, 3)))
w = torch.nn.Parameter(torch.arange(3.0))
data = pickle.loads(pickle.dumps({"w": torch.arange(3.0) / 7, "n": 1, "p": w, "i": torch.tensor([[True]])}))
print(data, type(data["p"]).__name__, data["p"].requires_grad)
layer = torch.nn.Linear(2, 2)
again = pickle.loads(pickle.dumps(layer.state_dict()))
print(all(torch.equal(a, b) for a, b in zip(again.values(), layer.state_dict().values())))
for rows in ([(1, "a"), (2, "b")], [{"x": (2.0, "s")}] * 2, ["a", "b"], [[1, "a"], [2, "b"]]):
    print(next(iter(DataLoader(rows, batch_size=2))))
with torch.autograd.set_detect_anomaly(False):
    y = torch.ones(2, requires_grad=True)
    torch.stack([y * k for k in range(50)]).sum().backward()
    print(y.grad)
