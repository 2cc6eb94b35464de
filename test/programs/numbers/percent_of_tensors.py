"""The % operator on text, with tensors and numbers that have __int__, __index__ or both."""

import numpy as np
import torch


class Both:
    def __int__(self):
        return 7

    def __index__(self):
        return 8


class Index:
    def __index__(self):
        return 9


x = torch.tensor(2.75)
print("%d %i %5d %s %.1f" % (x, torch.tensor(3), torch.tensor(True), x, x), "%d/%d = %.2f%%" % (x.sum(), 4, 100 * x.mean()))
print("%d %x %d %o" % (Both(), Both(), Index(), Index()), "%d %d %g" % (np.float32(3.9), np.int64(4), np.float64(0.5)))
for what in (lambda: "%x" % x, lambda: "%d" % "a", lambda: "%x" % 1.5, lambda: "%d" % torch.ones(2)):
    try:
        print(what())
    except (TypeError, ValueError, RuntimeError) as error:
        print(type(error).__name__, error)


def shown(n):
    for i in range(n):
        text = "%d of %d, %.2f" % (torch.tensor(i / 2), n, torch.tensor(i) / n)
    return text


print(shown(60))
