"""Names for annotations, which `torch.jit.annotations` has from `typing`."""

from typing import Any, Dict, List, Optional, Tuple, Union

from torch.types import Number
