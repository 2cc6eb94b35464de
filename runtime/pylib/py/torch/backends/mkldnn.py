"""torch.backends.mkldnn, where there is no oneDNN: its switches can be set."""

import sys

from torch.backends._flags import set_for_a_while

enabled = True
deterministic = False
allow_tf32 = True
fp32_precision = "none"


def is_available():
    return False


def flags(enabled=False, deterministic=False, allow_tf32=True, fp32_precision="none"):
    return set_for_a_while(
        sys.modules[__name__],
        enabled=enabled,
        deterministic=deterministic,
        allow_tf32=allow_tf32,
        fp32_precision=fp32_precision,
    )
