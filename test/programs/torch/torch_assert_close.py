"""torch.testing.assert_close: what it compares, and what it says."""
from collections import OrderedDict

import torch

close = torch.testing.assert_close
ones = torch.ones


def show(*args, **kwargs):
    try:
        print(close(*args, **kwargs))
    except Exception as e:
        print(type(e).__name__, str(e).replace("\n", "|"))


show(ones(2), ones(2).double())
show(ones(2), ones(2).double(), check_dtype=False)
show(ones(2), ones(2) + 1e-7)
show(ones(2), ones(2) + 1)
show(ones(2), ones(3))
show(ones(2), ones(2) * float("nan"))
show(ones(2) * float("nan"), ones(2) * float("nan"), equal_nan=True)
show(ones(2, 3), ones(2, 3) * torch.tensor([1.0, 1.0, 1.5]), rtol=0.1, atol=0)
show(ones(2).long(), ones(2).long() + 1)
show(torch.tensor([True, False]), torch.tensor([True, True]))
show(torch.tensor(1.0), torch.tensor(1.5))
show(1, 2)
show(1.0, 1)
show(2.0, 2.0 + 1e-9)
show(True, False)
show(float("nan"), float("nan"))
show(float("nan"), float("nan"), equal_nan=True)
show([1, 2], [1, 3])
show([1], [1, 2])
show({"a": ones(1)}, {"a": ones(1) * 2})
show({"a": 1}, {"b": 1})
show(OrderedDict(a=[ones(1), {"b": 1.0}]), {"a": [ones(1), {"b": 2.0}]})
show("a", "a")
show(ones(2), [1.0, 1.0])
show(None, None)
show(ones(2, 2).t(), ones(2, 2), check_stride=True)
show(ones(2), ones(2) + 1, msg="different")
show(ones(2), ones(2) + 1, msg=lambda text: "Note: " + text[:12])
show(ones(2), ones(2), rtol=1.0)
show(ones(2, requires_grad=True), ones(2))
show(ones(0), ones(0))
