# Views that were made in no_grad: what they are to the tape, and what may be done to them.
import torch
import torch.nn as nn


def attempt(name, function):
    try:
        print(name, function())
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


def leaf():
    return torch.ones(2, 3, requires_grad=True)


def base(kind):
    return leaf() if kind == "leaf" else leaf() * 2 if kind == "inner" else torch.ones(2, 3)


def about(view):
    return view.requires_grad, view.grad_fn is not None, view.is_leaf


def written(kind, unrecorded, how, gradient):
    b = base(kind)
    with torch.set_grad_enabled(not unrecorded):
        view = b[0]
    by = torch.ones(3, requires_grad=gradient) * 2
    if how == "view":
        view.mul_(by)
    elif how == "view in no_grad":
        with torch.no_grad():
            view.mul_(by)
    elif how == "base":
        b.mul_(torch.ones(3, requires_grad=gradient) * 2)
    elif how == "base in no_grad":
        with torch.no_grad():
            b.mul_(2)
    else:
        view.detach().mul_(2)
    return about(view), view.tolist()


for kind in ("leaf", "inner", "plain"):
    for unrecorded in (False, True):
        for how in ("view", "view in no_grad", "base", "base in no_grad", "detached"):
            for gradient in (False, True):
                attempt(f"{kind} {unrecorded} {how} {gradient}", lambda: written(kind, unrecorded, how, gradient))


def nested(kind, first, second):
    b = base(kind)
    with torch.set_grad_enabled(first):
        view = b[0]
    with torch.set_grad_enabled(second):
        part = view[1:]
    before = about(part)
    part.mul_(torch.ones(2, requires_grad=kind == "plain"))
    return before, about(part)


for kind in ("leaf", "inner", "plain"):
    for first in (True, False):
        for second in (True, False):
            attempt(f"nested {kind} {first} {second}", lambda: nested(kind, first, second))


def several(writes):
    b = leaf() * 2
    with torch.no_grad():
        first, _ = b.unbind(0)
    if writes:
        first.add_(1)
    else:
        b.add_(1)
    return first.grad_fn


attempt("several", lambda: several(True))
attempt("several", lambda: several(False))


def used(kind):
    b = base(kind)
    with torch.no_grad():
        view = b[0]
    (view * 3).sum().backward()
    return view, view.grad, b.is_leaf and b.grad is None


attempt("used", lambda: used("leaf"))
attempt("used", lambda: used("inner"))
attempt("detach_", lambda: used("leaf")[0].detach_())


def later():
    b = torch.zeros(4)
    view = b[:2]
    b.requires_grad_()
    return about(view)


attempt("later", later)
layer = nn.Linear(3, 2)
with torch.no_grad():
    layer.weight.fill_(0.5)
    row = layer.weight[0]
print(row, (row * 2).requires_grad, row.tolist())
try:
    row[0] = 5.0
except RuntimeError:
    print("refused")


# The same in hot code.
def step(weight, scale):
    with torch.no_grad():
        part = weight.view(-1)
        part.mul_(scale)
    return part.sum().item() if not part.requires_grad else "requires grad"


weight = leaf()
plain = torch.ones(2, 3)
for i in range(30):
    shown = step(weight, 0.5), step(plain, 0.5)
print(shown, weight, plain)


def keep(weight):
    with torch.no_grad():
        return weight[0]


for i in range(30):
    kept = keep(weight)
print(kept, kept.is_leaf)
for i in range(30):
    inner = weight * i
    with torch.no_grad():
        kept = inner.t()
    flags = kept.requires_grad, kept.is_leaf, kept.grad_fn, (kept + 1).requires_grad
print(flags)


def grown(weight):
    inner = weight * 2
    with torch.no_grad():
        part = inner[0]
    part.add_(1)


for i in range(30):
    try:
        grown(weight)
    except RuntimeError as error:
        text = str(error)
print(text)
