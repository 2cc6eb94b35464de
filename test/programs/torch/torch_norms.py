import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(4, 3, requires_grad=True)
ln = nn.LayerNorm(3)
print(ln, ln(x))
(ln(x) * torch.arange(12.0).view(4, 3)).sum().backward()
print(x.grad, ln.weight.grad, ln.bias.grad)
bn = nn.BatchNorm1d(3)
print(bn, list(bn.state_dict().keys()))
x.grad = None
y = bn(x)
print(y, bn.running_mean, bn.running_var, bn.num_batches_tracked)
(y * torch.arange(12.0).view(4, 3)).sum().backward()
print(x.grad)
bn(x.detach() * 2)
bn.eval()
print(bn(x), bn.running_mean, bn.num_batches_tracked)
bn2 = nn.BatchNorm2d(2, momentum=0.5, affine=False)
z = torch.arange(16.0).view(2, 2, 2, 2)
print(bn2(z), bn2.running_var)
print(nn.BatchNorm1d(3, track_running_stats=False)(x.detach()))
print(nn.GroupNorm(1, 3)(x.detach()), nn.RMSNorm(3)(x.detach()), F.normalize(x.detach(), dim=1))
print(F.layer_norm(x.detach(), (4, 3)), nn.LayerNorm((4, 3), elementwise_affine=False)(x.detach()))
for f in [lambda: bn(torch.ones(2, 2, 2, 2)), lambda: ln(torch.ones(2, 4)), lambda: nn.BatchNorm1d(3)(torch.ones(1, 3))]:
    try:
        f()
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
