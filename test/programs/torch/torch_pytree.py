"""torch.utils._pytree and torch.nn.attention; which dimension an error of broadcasting names."""

from collections import OrderedDict, namedtuple

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_map_only, tree_unflatten

Point = namedtuple("Point", "x y")
tree = {"a": [1, (2, 3)], "b": OrderedDict(c=Point(4, [5])), "d": None, "e": ()}
leaves, spec = tree_flatten(tree)
print(leaves, spec.num_leaves, tree_unflatten(leaves, spec) == tree)
print(tree_map(lambda x: x if x is None else x * 10, tree), tree_leaves([torch.ones(1), {"x": 2}]))
print(tree_map(lambda a, b: a + b, [1, (2,)], [3, (4,)]), tree_map_only(int, lambda x: -x, [1, "a", {"k": 2}]))
try:
    tree_unflatten([1], spec)
except ValueError as error:
    print(str(error)[:60])

torch.manual_seed(0)
q, k, v = (torch.randn(1, 2, 4, 8) for _ in range(3))
with sdpa_kernel([SDPBackend.MATH]):
    print(torch.nn.functional.scaled_dot_product_attention(q, k, v).sum().item().__round__(3), SDPBackend.MATH == SDPBackend.MATH)
for a, b in (((8, 16, 64), (17, 16)), ((2, 3), (4, 5)), ((2, 3, 4), (3, 3, 4))):
    try:
        torch.ones(a) + torch.ones(b)
    except RuntimeError as error:
        print(error)
