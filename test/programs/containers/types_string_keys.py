# Strings decide: comparison, dict lookup, startswith, in, join.
import torch

table = {"relu": torch.relu, "tanh": torch.tanh, "id": lambda x: x}


def act(x, name):
    if name.startswith("leaky"):
        slope = float(name.split("_")[1])
        return torch.where(x > 0, x, x * slope)
    if name in table:
        return table[name](x)
    if name == "":
        return x * 0
    return x.abs()


torch.manual_seed(6)
x = torch.randn(4)
names = ["relu", "tanh", "leaky_0.1", "id", "", "abs"]
used = []
for i in range(288):  # expect: tier 2, at most 60 entries in tier 0
    name = names[i % 3 if i < 12 else i % 6]
    y = act(x * (1 + i), name)
    used.append(name[:2])
print([f"{v:.4f}" for v in y.tolist()], "-".join(used[:6]), act(x, "leaky_0.5").min().item() == x.min().item() / 2)
