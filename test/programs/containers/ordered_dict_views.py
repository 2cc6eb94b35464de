# The views of an OrderedDict have classes of their own, and what a view shows is the mapping that it is of.
import collections.abc
from collections import OrderedDict
from types import MappingProxyType

import torch

od = OrderedDict([("a", 1), ("b", 2)])
print(od.keys(), od.values(), od.items(), dict.keys(od))
print([t.__name__ for t in type(od.keys()).__mro__], type(od.values()), type(od.items()))
print(list(reversed(od.keys())), list(reversed(od.values())), list(reversed(od.items())))
print(sorted(od.keys() | {"c"}), od.keys() & ["a"], od.items() - {("a", 1)}, od.keys() ^ {"a"}, od.keys() == {"a", "b"})
print(isinstance(od.keys(), type({}.keys())), isinstance(od.items(), collections.abc.Set), od.keys().isdisjoint("xyz"))
print(od.keys().mapping, repr(od.items().mapping), {"x": 1}.keys().mapping, repr({"x": 1}.keys().mapping))
shown = od.keys()
od["c"] = 3
print(shown, len(shown), "c" in shown)
for f in (lambda: od.keys(1), lambda: {}.items(1), lambda: hash(od.keys())):
    try:
        f()
    except TypeError as e:
        print(e)


class Doubled(OrderedDict):
    def items(self):
        return "mine"

    def __missing__(self, key):
        return key * 2


d = Doubled(a=1)
proxy = MappingProxyType(d)
print(d.keys(), d.items(), super(Doubled, d).items(), dict(d), {**d})
print(proxy, repr(proxy), proxy["z"], proxy.get("z"), proxy.items(), proxy.keys(), "z" in proxy, proxy == d, type(proxy.copy()))

scales = OrderedDict(first=torch.full((3,), 2.0), second=torch.full((3,), 0.5))


def scaled(x):
    for name, scale in scales.items():
        x = x * scale + len(name)
    for scale in scales.values():
        x = x + scale
    made = OrderedDict(x=x, y=x * 2)
    return x, made.items(), scales.keys(), made


for i in range(40):  # expect: tier 2, at most 5 entries in tier 0
    x, items, keys, made = scaled(torch.ones(3) * i)
print(x, items, keys, made, type(items).__name__)

net = torch.nn.Sequential(OrderedDict(l1=torch.nn.Linear(3, 3), act=torch.nn.ReLU(), l2=torch.nn.Linear(3, 1)))
net.load_state_dict({k: torch.ones_like(v) * 0.1 for k, v in net.state_dict().items()})
opt = torch.optim.SGD(net.parameters(), 0.01)
for i in range(40):  # expect: tier 2, at most 5 entries in tier 0
    loss = net(torch.ones(4, 3) * 0.1 * i).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(round(loss.item(), 4), net.state_dict().keys(), net._modules.keys(), opt.state_dict().keys())
