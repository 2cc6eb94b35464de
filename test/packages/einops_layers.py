# needs: einops
import torch
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import Rearrange, Reduce

x = torch.arange(48.0).reshape(2, 3, 8)
print(rearrange(x, "b c (h w) -> b h w c", h=2).shape, reduce(x, "b c l -> b c", "mean").tolist())
print(repeat(x[0, 0, :3], "l -> l r", r=2).tolist(), einsum(x, x, "b c l, b d l -> b c d").sum().item())
packed, shapes = pack([x, x[:, 0]], "b * l")
print(packed.shape, shapes, [p.shape for p in unpack(packed, shapes, "b * l")])
net = torch.nn.Sequential(Rearrange("b c (h w) -> b c h w", h=4), Reduce("b c h w -> b c", "max"))
print(net, net(x).tolist())
try:
    rearrange(x, "b c l -> b q l")
except Exception as e:
    print(type(e).__name__, str(e).splitlines()[0])
