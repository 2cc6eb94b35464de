# copy.deepcopy in hot loops: the best state so far, snapshots of nested data, what is shared and what is not.
import copy
import torch
from collections import OrderedDict
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best, best_state, log = float("inf"), None, []
for i in range(60):  # expect: tier 2, at most 6 entries in tier 0
    x = torch.randn(8, 4)
    loss = ((net(x) - x.sum(1, keepdim=True)) ** 2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if loss.item() < best:
        best = loss.item()
        best_state = copy.deepcopy(net.state_dict())
    log.append(copy.deepcopy({"i": i, "l": [loss.item(), (1, 2)], "t": x[0]}))
print(f"{best:.4f}", type(best_state).__name__, list(best_state), best_state._metadata["0"], log[3]["l"][1], log[7]["t"].shape)
net.load_state_dict(best_state)
print(f"{sum(p.sum() for p in net.state_dict().values()).item():.4f}")
state = {"a": torch.ones(3), "b": [torch.zeros(2), "x"]}
state["c"] = state["a"]
for i in range(30):  # expect: tier 2, at most 6 entries in tier 0
    old = copy.deepcopy(state)
    state["a"].add_(1)
    state["b"][0] = state["b"][0] + i
    same = old["a"] is old["c"], old["a"] is state["a"]
print(old["a"].tolist(), old["b"][0].tolist(), state["c"].tolist(), same)
base = torch.arange(6.0).reshape(2, 3)
tied = {"whole": base, "row": base[0]}
nested = OrderedDict(one=[torch.ones(2)], two=(1, [2, 3]))
kept = []
for i in range(24):
    twin = copy.deepcopy(tied)
    twin["row"] += 1
    other = copy.deepcopy(nested)
    other["one"][0] *= i
    other["two"][1].append(i)
    base += 0.5
    if i % 8 == 7:
        kept.append(other)
        print(i, twin["whole"].tolist(), twin["row"].tolist(), tied["row"].tolist())
print(kept, nested, other["two"] is nested["two"])
ring = [torch.ones(2)]
ring.append(ring)
for i in range(12):
    twin = copy.deepcopy(ring)
    twin[0] += i
print(twin[1] is twin, twin[0].tolist(), ring[0].tolist())
