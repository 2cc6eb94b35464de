"""Names of pyplot and of numpy in one module."""

import builtins as _builtins

import numpy as np
from matplotlib.pyplot import *  # noqa: F403
from numpy import *  # noqa: F403
from numpy.fft import *  # noqa: F403
from numpy.linalg import *  # noqa: F403
from numpy.random import *  # noqa: F403

# numpy has functions of these names, too.
abs = _builtins.abs
bool = _builtins.bool
bytes = _builtins.bytes
max = _builtins.max
min = _builtins.min
pow = _builtins.pow
round = _builtins.round
