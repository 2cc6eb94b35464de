import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin = nn.Linear(n, n)
        self.act = nn.ReLU()
        self.scale = nn.Parameter(torch.ones(n))
        self.register_buffer("steps", torch.zeros(1))
        self.name = "block"

    def forward(self, x):
        self.steps += 1
        return self.act(self.lin(x)) * self.scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(3) for _ in range(2)])
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 1), "b": nn.Linear(3, 2)})
        self.params = nn.ParameterList([nn.Parameter(torch.zeros(2)), nn.Parameter(torch.ones(1))])
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.heads["a"](self.drop(x))


torch.manual_seed(3)
net = Net()
print(net)
print([n for n, _ in net.named_parameters()], [n for n, _ in net.named_buffers()])
print([n for n, _ in net.named_modules()], [n for n, _ in net.named_children()])
print(list(net.state_dict().keys()))
print(net.training, net.eval() is net, net.training, net.blocks[0].act.training)
print(net(torch.ones(2, 3)).shape, net.blocks[0].steps)
net.train()
other = Net()
print(other.load_state_dict(net.state_dict()), torch.equal(other.blocks[0].lin.weight, net.blocks[0].lin.weight))
net.apply(lambda m: nn.init.constant_(m.weight, 0.5) if isinstance(m, nn.Linear) else None)
print(net.heads["b"].weight, "a" in net.heads, list(net.heads.keys()), len(net.blocks), len(net.params))
net.requires_grad_(False)
print(any(p.requires_grad for p in net.parameters()), net.double().params[1].dtype, net.float().params[1].dtype)
handle = net.blocks[0].register_forward_hook(lambda m, i, o: print("hook", tuple(o.shape)))
net.eval()(torch.ones(1, 3))
handle.remove()
net(torch.ones(1, 3))
net.blocks.append(Block(3))
net.extra = nn.Linear(1, 1)
del net.extra
print(len(net.blocks), hasattr(net, "extra"), hasattr(net, "drop"), isinstance(net.params[0], nn.Parameter))
net.blocks[0].scale = nn.Parameter(torch.zeros(3))
print(net.blocks[0].scale, net.blocks[0].name, net.to("cpu") is net, net.get_submodule("blocks.1.lin"))
for f in [
    lambda: net.missing,
    lambda: setattr(net.blocks[0], "scale", torch.ones(3)),
    lambda: net.load_state_dict({"x": torch.ones(1)}),
    lambda: nn.Linear(2, 2).load_state_dict({"weight": torch.ones(3, 3), "bias": torch.ones(2)}),
    lambda: nn.Module()(1),
]:
    try:
        f()
    except (AttributeError, TypeError, RuntimeError, NotImplementedError) as e:
        print(type(e).__name__, str(e)[:150])
