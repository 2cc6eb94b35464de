# Results of functions, changed in place: whether they are views, and the names of what made them before and after.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
v = torch.rand(4, requires_grad=True)
x, x3 = torch.rand(3, 4, requires_grad=True), torch.rand(2, 3, 4, requires_grad=True)
w, im = torch.rand(4, 4, requires_grad=True), torch.rand(2, 3, 6, 6, requires_grad=True)
FUNCTIONS = (
    lambda: F.linear(v, w),
    lambda: F.linear(x, w, v),
    lambda: F.linear(x3, w),
    lambda: x @ w,
    lambda: x @ v,
    lambda: v @ w,
    lambda: x3 @ w,
    lambda: x3 @ x3.transpose(1, 2),
    lambda: x3 @ v,
    lambda: v @ x3.transpose(1, 2),
    lambda: w @ x3.transpose(1, 2),
    lambda: torch.einsum("bij, jk->bik", x3, w),
    lambda: F.conv2d(im, torch.ones(2, 3, 3, 3)),
    lambda: F.conv2d(im[0], torch.ones(2, 3, 3, 3)),
    lambda: F.conv1d(x3, torch.ones(2, 3, 2)),
    lambda: F.batch_norm(im, None, None, training=True),
    lambda: F.layer_norm(x, (4, )),
    lambda: F.group_norm(im, 3),
    lambda: F.instance_norm(im),
    lambda: F.max_pool2d(im, 2),
    lambda: F.avg_pool2d(im, 2),
    lambda: F.adaptive_avg_pool2d(im, 1),
    lambda: F.adaptive_avg_pool2d(im, 2),
    lambda: F.adaptive_max_pool2d(im, 1),
    lambda: F.pixel_shuffle(torch.rand(1, 4, 2, 2, requires_grad=True), 2),
    lambda: F.interpolate(im, scale_factor=2),
    lambda: F.embedding(torch.tensor([0, 1]), w),
    lambda: torch.cat([x, x]),
    lambda: torch.stack([x, x]),
    lambda: x.sum(1),
    lambda: x.mean(1, keepdim=True),
    lambda: x.max(1)[0],
    lambda: x.sort()[0],
    lambda: x[torch.tensor([0, 1])],
    lambda: x.gather(1, torch.tensor([[0], [1], [2]])),
    lambda: x.repeat(2, 1),
    lambda: x.flip(0),
    lambda: x.roll(1),
    lambda: x.tril(),
    lambda: F.pad(x, (1, 1)),
    lambda: F.softmax(x, 1),
    lambda: torch.where(x>0, x, x),
    lambda: x.clone(),
    lambda: x.cumsum(0),
    lambda: x.norm(dim=1),
    lambda: torch.bmm(x3, x3.transpose(1, 2)),
    lambda: torch.outer(v, v),
    lambda: x.median(1)[0],
    lambda: x.kthvalue(1)[0],
    lambda: x.std(1),
    lambda: x.logsumexp(1),
    lambda: F.glu(x),
    lambda: F.unfold(im, 2),
    lambda: F.bilinear(x, x, torch.rand(2, 4, 4)),
    lambda: F.cosine_similarity(x, x),
    lambda: nn.RNN(4, 2)(x3)[0],
    lambda: nn.GRUCell(4, 2)(x),
    lambda: nn.LSTM(4, 2)(x3)[0],
    lambda: nn.MultiheadAttention(4, 2)(x3, x3, x3)[0],
    lambda: F.scaled_dot_product_attention(x3[None], x3[None], x3[None]),
    lambda: torch.tensordot(x, w, 1),
    lambda: x.t().contiguous(),
    lambda: x.t().reshape(12),
    lambda: x.topk(2)[0],
    lambda: x.prod(1),
    lambda: x.var(1),
    lambda: torch.diag(v),
    lambda: torch.kron(x, x),
    lambda: torch.cdist(x, x),
    lambda: x.take(torch.tensor([0])),
    lambda: x.amax(1),
)
for f in FUNCTIONS:
    y = f()
    before, view = y.grad_fn.name(), y._is_view()
    y.mul_(2)
    try:
        y.sum().backward()
        print(before, view, y.grad_fn.name())
    except RuntimeError as e:
        print(before, view, y.grad_fn.name(), str(e)[:120])
print([round(t.grad.sum().item(), 2) for t in (v, x, x3, w, im)])

# Of views, changed themselves or with their base.
for f in (lambda y: y.view(-1), lambda y: y.t(), lambda y: y[0], lambda y: y[:, 1:], lambda y: y.unsqueeze(0),
          lambda y: y.permute(1, 0), lambda y: y.diagonal(), lambda y: y.narrow(0, 0, 1), lambda y: y.squeeze()):
    y = x.clone()
    part = f(y)
    part.mul_(2)
    names = [part.grad_fn.name(), y.grad_fn.name()]
    y = x.clone()
    part = f(y)
    y.mul_(2)
    print(*names, part.grad_fn.name(), y.grad_fn.name(), part)
net = nn.Sequential(nn.Linear(4, 3, bias=False), nn.ReLU(inplace=True))
print(net(v.detach()), net(x3.detach()).shape)
print(F.relu(F.max_pool2d(im, 2), inplace=True).grad_fn.name(), x.exp().sum().grad_fn.next_functions[0][0].name())
