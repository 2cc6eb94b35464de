# Parts of a tensor of a length that moves, also to where what is done with it is refused.
import torch
import torch.nn.functional as F

X = torch.arange(20.0).reshape(4, 5)
I = torch.tensor([[0, 1, 2, 1, 0], [3, 1, 0, 2, 2], [1, 1, 1, 0, 3], [0, 0, 2, 1, 1], [1, 0, 0, 0, 2]])
moves = (2, 3, 1, 4, 2, 3, 0, 5, 1, 2, 4, 6, 3, -1, 0, 10, 20, 2)


def run(f, repetitions=3):
    for repetition in range(repetitions):
        for k in moves:
            try:
                results = f(X, k)
                results = results if isinstance(results, tuple) else (results,)
                shown = [
                    (tuple(r.shape), round(r.sum().item(), 3) + 0.0) if isinstance(r, torch.Tensor) else r for r in results
                ]
            except (RuntimeError, ValueError, IndexError) as e:
                shown = type(e).__name__
            if repetition == repetitions - 1:
                print(f.__name__, k, shown)


def cnt(x, k):
    y = x[x > k]
    return y.reshape(-1, 2).sum(1), y.view(2, -1)

def chunks(x, k):
    y = x[:k]
    return y.reshape(2, -1), y.reshape(-1, y.shape[0] + 0 * k)

def grad(x, k):
    x = x.clone().requires_grad_(); y = x[:k].reshape(k, -1); (y * y).sum().backward(); return y.detach(), x.grad

def item(x, k):
    return x[:k, 0].item() + 1, bool(x[:k, 1] > 0)

def topk(x, k): return x[:k].topk(2, 0)[0], x[:, :k].topk(3)[1]

def mx(x, k): return x[:k].max(), x[:, :k].argmax(1)

def narrow(x, k): return x[:k].narrow(0, 1, 2), x[:, :k].narrow(1, k - 1, 1)

def unf(x, k): return x[:, :k].unfold(1, 2, 1), x[:k].unfold(0, 1, 2)

def sel(x, k): return x[:k][2], x[:, :k][0, -3]

def setr(x, k):
    y = x.clone(); y[:k][1] = 5; y[:, :k][2, -2] = 7; return y

def stack(x, k): return torch.stack([x[:k, 0], x[0, :k]]), torch.cat([x[:k], x[:, :k].t()], 1)

def gn1(x, k): return F.group_norm(x[:, :k], 1)

def pr(x, k): return F.prelu(x[:, :k] - 7, torch.tensor([.1, .2, .3]))

def ce(x, k): return F.cross_entropy(x[:, :k], torch.tensor([0, 1, 2, 1])), F.nll_loss(x[:, :k], torch.tensor([0, 1, 1, 1]), torch.ones(3))

def conv(x, k): return F.conv1d(x[None, :, :k], torch.ones(2, 4, 3))

def mp(x, k): return F.max_pool1d(x[None, :, :k], 3, 1), F.avg_pool1d(x[None, :, :k], 2)

def chn(x, k): return F.conv1d(x[None, :k], torch.ones(2, 3, 2))

def lerp(x, k): return torch.lerp(x[:k], x[1:3], 0.5), torch.addcmul(x[:k], x[1:3], x[:2])

def dot(x, k): return torch.dot(x[0, :k], x[1, :3]), x[:, :k] @ x[:3, 0]

def uf(x, k): return x[:, :k].unflatten(1, (2, -1)), x[:k].split(2)[1], x.split([k, 4 - k])[0]

def ub(x, k): a, b, c = x[:k]; return a + b, c

def mk(x, k): return x[:k][torch.tensor([True, False, True])], x[torch.arange(k) > 0]

def gather(x, k):
    return x.gather(0, I[:k]), x.gather(1, I[:3, :k])


def scatter(x, k):
    return x.scatter(1, I[:k, :3], X / 7), x.scatter_reduce(0, I[:k, :2], X / 7, "sum")


def rows(x, k):
    return x.index_add(0, I[:k, 0], X[:3]), x.index_copy(0, I[:2, 0], X[:k])


def halves(x, k):
    return F.glu(x[:, :k])


def batch(x, k):
    return F.batch_norm(x[:k], None, None, training=True).abs()


def lies(x, k):
    return x[:, :k].is_contiguous(), x[:k].is_contiguous()


def products(x, k):
    return torch.addmm(x[:2, :2], x[:k, :3], x[:3, :2]), torch.baddbmm(x[None, :k], x[None, :3, :3], x[None, :3])


for f in (
    cnt, chunks, grad, item, topk, mx, narrow, unf, sel, setr, stack, gn1, pr, ce, conv, mp, chn, lerp, dot, uf, ub, mk,
    gather, scatter, rows, halves, batch, lies, products,
):
    run(f)
