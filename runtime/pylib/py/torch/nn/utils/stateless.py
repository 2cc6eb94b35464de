"""torch.nn.utils.stateless: what torch.func has now."""

from torch.func import functional_call

__all__ = ["functional_call"]
