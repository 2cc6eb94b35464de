# numpy's bool is a float to PyTorch as an operand, where Python's is a bool.
import numpy as np
import torch

ON, OFF = np.bool_(True), np.array([3, 1]).max() < 2
OPERATORS = {
    "mul": lambda a, b: a * b,
    "rmul": lambda a, b: b * a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "pow": lambda a, b: a**b,
    "torch.mul": torch.mul,
    "imul": lambda a, b: a.clone().mul_(b),
    "and": lambda a, b: a & b,
    "eq": lambda a, b: a == b,
}
for dtype in (torch.int64, torch.uint8, torch.bool, torch.float64):
    x = torch.tensor([0, 1, 1]).to(dtype)
    for name, f in OPERATORS.items():
        for value in (ON, OFF, True):
            for _ in range(5):
                try:
                    r = f(x, value)
                    text = r.dtype, r.tolist()
                except (RuntimeError, NotImplementedError) as e:
                    text = type(e).__name__, str(e).split(". ")[0]
            print(name, dtype, value, *text)
