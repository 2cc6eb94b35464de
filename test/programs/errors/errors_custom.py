# Own exception classes with attributes, chaining, and re-raising.
import torch


class Diverged(RuntimeError):
    def __init__(self, step, value):
        super().__init__(f"step {step}: {value:.3f}")
        self.step = step


def advance(x, i):
    x = x * 1.7
    if x.abs().max() > 40:
        raise Diverged(i, x.abs().max().item())
    return x


def train(x, n):
    for i in range(n):
        try:
            x = advance(x, i)
        except Diverged as e:
            if e.step > 9:
                raise ValueError("gave up") from e
            x = x / 100
    return x


torch.manual_seed(10)
for n in (6, 8, 9, 10, 12, 14, 8, 16):
    try:
        print(n, [f"{v:.4f}" for v in train(torch.randn(3), n).tolist()])
    except ValueError as e:
        print(n, e, "from", repr(e.__cause__), e.__cause__.step)
