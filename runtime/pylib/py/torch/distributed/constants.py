"""torch.distributed.constants: how long a group of processes waits."""

from torch.distributed._groups import default_pg_timeout

# The longest that NCCL waits, of which there is none here.
default_pg_nccl_timeout = None
