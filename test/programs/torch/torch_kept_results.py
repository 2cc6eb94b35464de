"""What backward keeps: what it does not read may be changed, what it reads may not."""

import torch
import torch.nn as nn
import torch.nn.functional as F

other = torch.tensor([[2.0, 3.0, 4.0], [1.0, 0.5, 2.0]])


def leaf():
    return torch.tensor([[0.5, 1.0, 2.0], [1.5, 0.25, 3.0]], requires_grad=True)


def attempt(name, f):
    x = leaf()
    f(x * 1.0).sum().backward()
    print(name, [round(v, 4) for v in x.grad.flatten().tolist()])


def changed_result(op):
    def f(h):
        y = op(h)
        y.add_(1)
        return y

    return f


def changed_input(op):
    def f(h):
        y = op(h)
        h += 1
        return y

    return f


attempt("div", changed_result(lambda h: h / (h * 2 + 1)))
attempt("div by", changed_result(lambda h: other / h))
attempt("normalize", lambda h: F.normalize(h, dim=0).mul_(2))
attempt("normalize rows", lambda h: F.normalize(h, p=3.0).add_(2).mul(other))
for name in ("reciprocal", "tan", "tanh", "sigmoid", "exp", "sqrt", "rsqrt", "exp2", "expm1", "relu", "neg"):
    attempt("input of " + name, changed_input(getattr(torch, name)))
    attempt(name + "_", lambda h: getattr(h, name + "_")() * other)
    attempt("torch." + name + "_", lambda h: getattr(torch, name + "_")(h) * other)
for name in ("sin", "log", "abs", "neg"):
    attempt("result of " + name, changed_result(getattr(torch, name)))
attempt("softmax input", changed_input(lambda h: h.softmax(-1) * other))
attempt("nn.ReLU then", lambda h: nn.ReLU(inplace=True)(h) * 2)
attempt("add_ of itself", lambda h: h.add_(h))
attempt("square_", lambda h: h.square_() * 2)
attempt("pow_", lambda h: h.pow_(3) * 2)
attempt("row", lambda h: torch.cat([h[0].exp_(), h[1]]))
attempt("parts", lambda h: h[0].sigmoid_() * other)

x = leaf()
y = F.relu(x * 2, inplace=True)
print(type(y.grad_fn).__name__, type(y.grad_fn).__module__, y.grad_fn.name(), type((y * 2).grad_fn))
leaf_node = (x * 2).grad_fn.next_functions[0][0]
print(type(leaf_node).__name__, leaf_node.variable is x, leaf_node.next_functions)

# Not in functions: a graph does not look at versions.
h = x * 1
h.relu_()
h *= 2
try:
    h.sum().backward()
except RuntimeError as e:
    print(str(e)[:210])
h = F.relu(x * 1, inplace=True)
h += 1
try:
    h.sum().backward()
except RuntimeError as e:
    print(str(e)[:210])
h = (x * 1).exp_()
h += 1
try:
    h.sum().backward()
except RuntimeError as e:
    print(str(e)[:210])
h = (x * 1).sigmoid_()
h += 1
try:
    h.sum().backward()
except RuntimeError as e:
    print(str(e)[:210])
h = torch.softmax(x, -1)
h.mul_(2)
try:
    h.sum().backward()
except RuntimeError as e:
    print(str(e)[:210])
h = (x * 1).tanh_()
h[0] = 0
try:
    h.sum().backward()
except RuntimeError as e:
    print(str(e)[:210])
h = x * 1
h.mul_(h)
try:
    h.sum().backward()
except RuntimeError as e:
    print(str(e)[:210])
h = x * 1
h[0].sqrt_()
h[1].sqrt_()
try:
    h.sum().backward()
except RuntimeError as e:
    print(str(e)[:210])
