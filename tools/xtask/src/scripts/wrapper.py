"""Runs a script as its interpreter would, with seeds set and the libraries that start-up loads already imported.

In: the script and its arguments; a file to write to in JANUS_SCRIPTS_TIMES. Out: in that file the processor's and the wall
clock's seconds at which the script itself began, and at which it ended, with its status: what it takes to load the libraries and to
take them down is not the script's. Always: the script finds itself as `__main__`, with its own folder first on
`sys.path` and its own command line.
"""

import os
import random
import sys
import time
import types

import numpy
import torch

script = sys.argv[1]
del sys.argv[0]
sys.path[0] = os.path.dirname(os.path.abspath(script))

random.seed(0)
numpy.random.seed(0)
torch.manual_seed(0)
torch.set_num_threads(1)

with open(script, "rb") as file:
    source = file.read()
if b"CIFAR" in source:
    # The archives' sums are those of the real images, which made ones have not.
    from torchvision import datasets

    for kind in (datasets.CIFAR10, datasets.CIFAR100):
        for entry in kind.train_list + kind.test_list:
            entry[1] = None
        kind.meta["md5"] = None

main = types.ModuleType("__main__")
main.__file__ = script
main.__builtins__ = __builtins__
sys.modules["__main__"] = main
code = compile(source, script, "exec")


def note(status):
    with open(os.environ["JANUS_SCRIPTS_TIMES"], "a") as file:
        file.write(f"{time.process_time()} {time.time()} {status}\n")


note(0)
status = 1
try:
    exec(code, main.__dict__)
    status = 0
except SystemExit as end:
    status = end.code if isinstance(end.code, int) else int(end.code is not None)
    raise
except KeyboardInterrupt:
    # It ran out of time.
    status = None
    raise
finally:
    if status is not None:
        note(status)
