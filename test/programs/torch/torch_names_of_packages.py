# What packages over PyTorch ask of it when they are imported, and a little more.
import collections
from typing import Optional

import torch
import torch.utils._pytree as pytree
from torch.distributions import constraints

t = torch.arange(12.0).reshape(3, 4)
part = t[1]
print(part.untyped_storage().nbytes(), part.storage().size(), part.untyped_storage().data_ptr() == t.data_ptr(), t.layout)
print(len(t.untyped_storage()), t.storage()[5], t.storage().tolist()[:3], t.is_pinned(), t.split_with_sizes([1, 3], 1)[1].shape)
print(torch.frombuffer(bytearray(b"\x01\x00\x02\x00"), dtype=torch.int16), t.moveaxis(0, 1).shape)
try:
    torch.frombuffer(bytearray(b"abc"), dtype=torch.float32)
except ValueError as e:
    print(e)


class Output:
    hidden: torch.FloatTensor | None = None
    ids: Optional[torch.LongTensor] = None


print(isinstance(t, torch.FloatTensor), isinstance(t, torch.LongTensor), isinstance(t.long(), (torch.IntTensor, torch.LongTensor)))
print(isinstance(t, torch.FloatTensor | int), isinstance(3, torch.FloatTensor | int))

# Trees.
Pair = collections.namedtuple("Pair", "a b")


class Own(dict):
    pass


tree = {"x": [1, (2, None)], "n": Pair(3, {"k": 4}), "o": collections.OrderedDict(z=5), "d": Own(q=1),
        "q": collections.deque([8, 9], maxlen=3)}
leaves, spec = pytree.tree_flatten(tree)
print(leaves, spec.num_leaves, pytree.tree_unflatten(leaves, spec) == tree)
print([pytree.keystr(path) for path, _ in pytree.tree_flatten_with_path(tree)[0]])


class Node:
    def __init__(self, a, b):
        self.a, self.b = a, b


pytree.register_pytree_node(Node, lambda n: ([n.a, n.b], None), lambda children, _: Node(*children))
doubled = pytree.tree_map(lambda v: v * 2, [Node(1, [2, 3])])[0]
print(doubled.a, doubled.b, pytree.tree_leaves(doubled))

# Operators.


@torch.library.custom_op("mine::scaled", mutates_args=())
def scaled(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by


scaled.register_fake(lambda x, by: torch.empty_like(x))
scaled.register_autograd(lambda ctx, g: (g * ctx.by * 10, None),
                         setup_context=lambda ctx, inputs, output: setattr(ctx, "by", inputs[1]))
x = torch.ones(2, requires_grad=True)
scaled(x, 3.0).sum().backward()
print(x.grad, torch.ops.mine.scaled(x.detach(), 2.0))

# Limits, symbols, hints, constraints.
print(torch.finfo(torch.float8_e4m3fn).max, torch.finfo(torch.complex64).dtype, torch.iinfo(torch.uint16).max)
print(torch.sym_max(2, 3), torch.sym_int(2.7), torch.sym_not(True), isinstance(3, torch.SymInt), torch.compiler.is_compiling())
print(torch.get_default_device(), torch.xpu.is_available(), torch.cuda.get_rng_state_all(), torch.jit.annotate(int, 3))
with torch.device("cpu"):
    print(torch.zeros(2).device)
print(constraints.positive.check(torch.tensor([1.0, 0.0])), constraints.simplex.check(torch.tensor([0.5, 0.5])),
      constraints.integer_interval(0, 2).check(torch.tensor([1.0, 1.5, 3.0])))
try:
    torch._check(False, lambda: "not so")
except RuntimeError as e:
    print(e)
net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
net.set_submodule("1", torch.nn.Tanh())
print(net, net.bfloat16()[0].weight.dtype)
