"""Modules that learn their width from the first input, rare modules, and functions of torch that are modules' functions."""
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.simplefilter("ignore")
torch.manual_seed(0)
for module, x in (
    (nn.LazyBatchNorm1d(), torch.randn(4, 3)), (nn.LazyBatchNorm2d(affine=False), torch.randn(2, 3, 4, 4)),
    (nn.LazyBatchNorm3d(), torch.randn(2, 3, 2, 2, 2)), (nn.LazyInstanceNorm1d(), torch.randn(2, 3, 5)),
    (nn.LazyInstanceNorm2d(affine=False), torch.randn(2, 3, 4, 4)), (nn.LazyInstanceNorm3d(), torch.randn(2, 3, 2, 2, 2)),
    (nn.LazyConvTranspose1d(4, 3), torch.randn(2, 3, 5)), (nn.LazyConvTranspose2d(2, 2, stride=2, bias=False), torch.randn(1, 3, 3, 3)),
    (nn.LazyConvTranspose3d(2, 2), torch.randn(1, 2, 2, 2, 2)), (nn.LazyLinear(2), torch.randn(3, 4)),
):
    y = module(x)
    print(module, tuple(y.shape), type(module).__name__, {k: tuple(v.shape) for k, v in module.state_dict().items()}, "%.4f" % y.abs().mean())
torch.manual_seed(0)
m = nn.AdaptiveLogSoftmaxWithLoss(16, 20, [5, 10, 15], div_value=2.0)
x, target = torch.randn(8, 16, requires_grad=True), torch.tensor([0, 17, 3, 10, 9, 5, 15, 19])
out, loss = m(x, target)
loss.backward()
print(m, [round(v, 3) for v in out.tolist()], round(loss.item(), 4), round(x.grad.abs().sum().item(), 4))
full = m.log_prob(x)
print(tuple(full.shape), torch.allclose(full.exp().sum(1), torch.ones(8)), torch.allclose(full.gather(1, target[:, None])[:, 0], out), m.predict(x).tolist(), full.argmax(1).tolist())
for call in (
    lambda: m(x, target + 20), lambda: m(x, target[:3]), lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 5, [3, 2]),
    lambda: nn.NLLLoss2d()(F.log_softmax(torch.ones(1, 3, 2, 2), 1), torch.zeros(1, 2, 2, dtype=torch.long)),
    lambda: F.upsample_nearest(torch.arange(4.0).reshape(1, 1, 2, 2), scale_factor=2), lambda: F.upsample_bilinear(torch.arange(4.0).reshape(1, 1, 2, 2), size=(3, 3)),
):
    try:
        print(call())
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
a, b = torch.linspace(-2, 2, 6).reshape(2, 3), torch.linspace(1, 3, 6).reshape(2, 3)
for value in (
    torch.selu(a), torch.celu(a, 0.5), torch.threshold(a, 0.1, 9.0), torch.hardshrink(a, 0.9), torch.pairwise_distance(a, b),
    torch.pdist(a), torch.kl_div(a, b.softmax(1), 2), torch.batch_norm(a, None, None, None, None, True, 0.1, 1e-5, False),
    torch.group_norm(a, 1), torch.embedding(b, torch.tensor([1, 0])), torch.binary_cross_entropy_with_logits(a, b, reduction=0),
    torch.gru_cell(a, b, torch.ones(9, 3), torch.ones(9, 3)), torch.lstm_cell(a, (b, b), torch.ones(12, 3), torch.ones(12, 3))[1],
    torch.rnn_tanh_cell(a, b, torch.ones(3, 3), torch.ones(3, 3)), torch.norm_except_dim(a, 2, 0), torch.frobenius_norm(a, (0, 1)),
    torch.nuclear_norm(a), torch.margin_ranking_loss(a, b, torch.ones(2, 3)), torch.pixel_shuffle(torch.arange(4.0).reshape(1, 4, 1, 1), 2),
):
    print([round(v, 4) + 0.0 for v in value.flatten().tolist()])
