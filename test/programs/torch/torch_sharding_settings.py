# Settings of sharding that modules make when they are imported, policies, and modules whose activations are computed again.
from functools import partial

import torch
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    CheckpointImpl, CheckpointWrapper, apply_activation_checkpointing, checkpoint_wrapper,
)
from torch.distributed.checkpoint.default_planner import DefaultLoadPlanner, DefaultSavePlanner
from torch.distributed.checkpoint.state_dict import StateDictOptions, _init_optim_state
from torch.distributed.fsdp import (
    BackwardPrefetch, CPUOffload, FullStateDictConfig, MixedPrecision, MixedPrecisionPolicy, ShardingStrategy, StateDictType,
)
from torch.distributed.fsdp.api import FullOptimStateDictConfig, LocalStateDictConfig, ShardedStateDictConfig, StateDictSettings
from torch.distributed.fsdp.fully_sharded_data_parallel import StateDictType as same_type
from torch.distributed.fsdp.wrap import (
    ModuleWrapPolicy, lambda_auto_wrap_policy, size_based_auto_wrap_policy, transformer_auto_wrap_policy,
)

print(list(ShardingStrategy), BackwardPrefetch.BACKWARD_PRE, list(StateDictType), same_type is StateDictType)
print(MixedPrecision(param_dtype=torch.float16, reduce_dtype=torch.bfloat16).param_dtype, MixedPrecision() == MixedPrecision())
print(MixedPrecisionPolicy(torch.bfloat16), CPUOffload(True), FullStateDictConfig(rank0_only=True), ShardedStateDictConfig())
print(StateDictSettings(StateDictType.FULL_STATE_DICT, LocalStateDictConfig(), FullOptimStateDictConfig()))
print(isinstance(3, DefaultSavePlanner), isinstance(3, DefaultLoadPlanner), isinstance(3, StateDictOptions))

wide = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.ModuleList([nn.Linear(8, 8)]))
for recurse in (True, False):
    for numbers in (10, 200):
        sized = size_based_auto_wrap_policy(wide, recurse, numbers, min_num_params=100)
        listed = size_based_auto_wrap_policy(wide[2], recurse, numbers, min_num_params=100)
        print(recurse, numbers, sized, listed, lambda_auto_wrap_policy(wide, recurse, numbers, lambda m: len(m) > 5))
    print(transformer_auto_wrap_policy(wide[0], recurse, 1, {nn.Linear}), ModuleWrapPolicy([nn.ReLU])(wide[1], recurse))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.0)
        self.scale = 2

    def forward(self, x, by=1.0):
        return self.drop(torch.tanh(self.inner(x))) * by


def model():
    torch.manual_seed(0)
    return nn.Sequential(Block(), nn.Linear(4, 4), Block())


plain = model()
x = torch.arange(8.0).reshape(2, 4) / 10
plain(x).sum().backward()
for how in (CheckpointImpl.NO_REENTRANT, CheckpointImpl.REENTRANT):
    wrapped = model()
    wrapper = partial(checkpoint_wrapper, checkpoint_impl=how)
    apply_activation_checkpointing(wrapped, checkpoint_wrapper_fn=wrapper, check_fn=lambda m: isinstance(m, Block))
    y = wrapped(x.clone().requires_grad_())
    y.sum().backward()
    print(how, [type(m).__name__ for m in wrapped], wrapped[0].scale, round(wrapped[0](x, by=3.0).sum().item(), 4))
    print([n for n, _ in wrapped.named_parameters()] == [n for n, _ in plain.named_parameters()])
    print(all(torch.equal(a.grad, b.grad) for a, b in zip(plain.parameters(), wrapped.parameters())))
    print(list(wrapped.state_dict()) == list(plain.state_dict()), wrapped.load_state_dict(plain.state_dict()))

one = checkpoint_wrapper(nn.Sequential(nn.Linear(2, 2)), checkpoint_fn=lambda f, *a, **k: f(*a) + k["add"], add=1)
print(isinstance(one, CheckpointWrapper), one[0], one(torch.zeros(1, 2)).shape)
nested = model()
apply_activation_checkpointing(nested, auto_wrap_policy=partial(size_based_auto_wrap_policy, min_num_params=20))
print(nested)
