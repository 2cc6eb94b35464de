"""`__format__` of own, `format()`, and causes of exceptions, in hot loops."""
import torch

torch.manual_seed(2)


class Meter:
    def __init__(self, name):
        self.name, self.total, self.n = name, 0.0, 0

    def update(self, v):
        self.total += v
        self.n += 1

    def __format__(self, spec):
        return f"{self.name}={self.total / max(self.n, 1):{spec or '.2f'}}"


class Invalid(ValueError):
    pass


def check(v, limit):
    try:
        if v > limit:
            raise KeyError("big", limit)
        return v
    except KeyError as e:
        raise Invalid(f"no {limit}") from e


w = torch.randn(3, requires_grad=True)
meter = Meter("loss")
caught = []
for k in range(60):
    x = torch.randn(4, 3)
    loss = ((x @ w).tanh() ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    meter.update(loss.item())
    try:
        check(k % 7, 4)
        text = format(k, "04d") + format(meter)
    except Invalid as e:
        caught.append((type(e.__cause__).__name__, e.__cause__.args, str(e)))
        text = "-"
    if k % 10 == 0:
        print(f"{k} {meter} {meter:.4f} {text} {format(loss.item(), '.3f')}")
print(len(caught), caught[:2], caught[-1])
for k in range(40):
    y = torch.ones(3) * k
    try:
        try:
            raise Invalid("first", k) if k % 2 else KeyError(k)
        except (Invalid, KeyError) as e:
            raise RuntimeError("second") from (None if k % 3 else e)
    except RuntimeError as e:
        cause = e.__cause__
        y = y + (0 if cause is None else len(cause.args))
    if k % 8 == 0:
        print(k, y.tolist(), type(cause).__name__)
