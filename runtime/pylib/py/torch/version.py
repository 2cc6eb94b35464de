"""torch.version."""

from torch._C import __version__

cuda = None
hip = None
debug = False
