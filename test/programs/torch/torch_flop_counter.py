# FLOPs of products and convolutions, by module, with those of the backward pass.
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode


def count(name, model, *inputs, backward=False):
    with FlopCounterMode(display=False) as counter:
        out = model(*inputs)
        if backward:
            out.sum().backward()
    print(name, counter.get_total_flops(), sorted((k, sorted((str(a), b) for a, b in v.items())) for k, v in counter.get_flop_counts().items()))


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.c = nn.ModuleList([self.a, nn.Linear(4, 2)])

    def forward(self, x):
        return self.c[1](self.b(self.a(x)) @ torch.ones(4, 4))


x = torch.randn(2, 3, 16, 16)
convolutions = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3, groups=2, stride=2),
                             nn.Flatten(), nn.Linear(392, 10))
for backward in (False, True):
    count("nested", Nested(), torch.randn(2, 4), backward=backward)
    count("convolutions", convolutions, x, backward=backward)
    count("transposed", nn.ConvTranspose2d(3, 4, 3, stride=2, output_padding=1, padding=1), x.clone().requires_grad_(backward), backward=backward)
    count("lines", nn.Conv1d(3, 4, 3, dilation=2), torch.randn(2, 3, 9), backward=backward)
    count("space", nn.Conv3d(1, 2, 2), torch.randn(1, 1, 4, 4, 4), backward=backward)
    count("one", nn.Conv2d(3, 4, 3), x[0], backward=backward)
    for shape in ((4,), (2, 4), (2, 3, 4)):
        count("linear", nn.Linear(4, 5), torch.randn(shape), backward=backward)
        count("plain", nn.Linear(4, 5, bias=False), torch.randn(shape), backward=backward)
count("gru", nn.GRU(4, 5), torch.randn(3, 2, 4))
a, b = torch.randn(3, 4), torch.randn(4, 5)
count("products", lambda a, b: [a @ b, torch.mm(a, b), torch.matmul(a[None], b), a[None] @ b[None], a @ b[:, 0], a[0] @ b], a, b)
a, b = torch.randn(2, 3, 4), torch.randn(2, 4, 5)
count("batches", lambda a, b: [torch.bmm(a, b), torch.baddbmm(torch.zeros(2, 3, 5), a, b), torch.addmm(torch.zeros(3, 5), a[0], b[0]),
                               torch.matmul(a[:, None], b), torch.einsum("bij,bjk->bik", a, b), F.relu(a)], a, b)
with FlopCounterMode(display=False, depth=None) as counter:
    Nested()(torch.randn(2, 4))
print(sorted(counter.get_flop_counts()))
