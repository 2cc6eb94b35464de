"""Passes over graphs."""

from torch.fx.passes import shape_prop
