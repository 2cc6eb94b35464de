"""The names that there are here, one a line."""
import collections
import datetime
import functools
import itertools
import json
import math
import operator
import random
import re
import statistics
import string
import struct

import numpy as np
import torch
import torch.distributions
import torch.linalg
import torch.nn.utils
import torch.nn.utils.rnn
import torch.optim.lr_scheduler

for prefix in ['torch', 'torch.Tensor', 'torch.linalg', 'torch.special', 'torch.fft', 'torch.nn', 'torch.nn.functional',
               'torch.nn.init', 'torch.nn.utils', 'torch.nn.utils.rnn',
               'torch.optim', 'torch.optim.lr_scheduler', 'torch.distributions', 'numpy', 'numpy.ndarray', 'numpy.linalg',
               'numpy.random', 'numpy.random.Generator', 'numpy.fft', 'str', 'bytes', 'bytearray', 'int', 'float', 'complex', 'bool', 'list',
               'tuple', 'dict', 'set', 'frozenset', 'range', 'slice', 'memoryview', 'math', 'itertools', 'functools',
               'collections', 'operator', 'struct', 'json', 're', 'datetime', 'statistics', 'string', 'random',
               'collections.deque', 'collections.Counter', 'collections.OrderedDict', 'collections.defaultdict',
               'datetime.datetime', 'datetime.date', 'datetime.timedelta', 'datetime.time', 'builtins']:
    try:
        if prefix == 'builtins':
            import builtins as found
        else:
            found = eval(prefix.replace('numpy', 'np'))
        names = dir(found)
    except (AttributeError, NameError, NotImplementedError):
        continue
    for name in names:
        if not name.startswith('_') or prefix in ('int', 'float', 'str', 'list', 'tuple', 'dict', 'set', 'bytes', 'complex', 'numpy.ndarray'):
            print(prefix + '.' + name)
