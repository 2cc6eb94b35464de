# A bool option flips, a string option changes, an option object is replaced.
import torch


class Options:
    def __init__(self, act, bias):
        self.act = act
        self.bias = bias


def layer(x, w, opt, training=True):
    y = x @ w
    if opt.bias:
        y = y + 0.1
    if opt.act == "relu":
        y = y.relu()
    elif opt.act == "tanh":
        y = y.tanh()
    return y if training else y.detach()


torch.manual_seed(25)
w = torch.randn(3, 3, requires_grad=True)
opt = Options("relu", True)
for i in range(140):
    y = layer(torch.ones(3), w, opt, training=i % 7 != 6)
    if y.requires_grad:
        y.sum().backward()
    if i == 9:
        opt.act = "tanh"
    if i == 14:
        opt.bias = False
    if i == 20:
        opt = Options("none", True)
    if i % 5 == 0:
        print(i, f"{y.sum().item():.4f} {w.grad.sum().item():.4f}")
