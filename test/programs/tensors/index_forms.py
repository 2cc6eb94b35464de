import torch
def attempt(f):
    try:
        r = f()
        return r.tolist() if isinstance(r, torch.Tensor) else r
    except Exception as e:
        return type(e).__name__ + ": " + str(e).split("\n")[0][:120]
I = torch.tensor
def reads(x):
    return [lambda: x[1], lambda: x[-1, ..., 0], lambda: x[None, :, 0], lambda: x[..., None].shape, lambda: x[:, ::2], lambda: x[1:1].shape, lambda: x[5:].shape, lambda: x[[0, 1]], lambda: x[[0, 1], [1, 0]], lambda: x[I([0, 1, 1])], lambda: x[I([[0], [1]]), I([0, 2])], lambda: x[x > 5], lambda: x[I([True, False])], lambda: x[:, I([True, False, True])], lambda: x[0, I([1, 1]), :], lambda: x[I([0]), :, I([1])].shape, lambda: x[:, [0, 2], 1], lambda: x[True].shape, lambda: x[False].shape, lambda: x[I(1)], lambda: x[I(1), I(0)], lambda: x[I(True)].shape, lambda: x[(0, 1)], lambda: x[[[0, 1]]].shape, lambda: x[slice(None), 1], lambda: x[..., 1:, ::3], lambda: x[0][1][2], lambda: x[I([-1, -2])], lambda: x[I([], dtype=torch.long)].shape, lambda: x[:, None, None].shape, lambda: x[I([0, 1], dtype=torch.uint8)].shape, lambda: x[I([0, 1], dtype=torch.int32)].shape, lambda: x[range(2)].shape, lambda: x[1, 5], lambda: x[2], lambda: x[I([3])], lambda: x[::-1], lambda: x[0, 0, 0, 0], lambda: x[1.0], lambda: x["a"], lambda: x[I([1.0])], lambda: x[I([True, False, True])], lambda: x[..., ...].shape, lambda: x[None].shape, lambda: x[[True, False]].shape, lambda: x[0:2, I([0, 2])].shape, lambda: x[I([0, 1]), None, I([0, 1])].shape, lambda: x.take(I([0, -1])), lambda: x.index_select(1, I([2, 0])), lambda: x.gather(2, I([[[0], [1], [2]], [[3], [2], [1]]])), lambda: torch.take_along_dim(x, I([[[0]], [[1]]]), 2), lambda: x.masked_select(x % 2 == 0), lambda: x.nonzero().shape, lambda: torch.where(x > 20)[0], lambda: torch.argwhere(x > 21), lambda: x.select(1, -1), lambda: x.narrow(2, -2, 2).shape, lambda: x.index_select(0, I([2]))]
def writes(x):
    def w(f):
        y = x.clone()
        f(y)
        return y.flatten()
    def s(k, v):
        def f(y):
            y[k] = v
        return lambda: w(f)
    return [s(0, 5), s((0, 1), I([9, 8, 7, 6])), s((..., 0), -1), s(x > 10, 0), s(x > 10, x[x > 10] * 2), s([0, 1], 3), s((I([0, 0]), I([1, 1])), 4), s((I([0, 1]), I([0, 2]), I([3, 3])), I([100, 200])), s((slice(None), slice(None, None, 2)), 1.7), s((0, slice(1, 3)), x[1, 1:3]), s(I(1), I(2)), s(True, 6), s(False, 6), s((None, 0), 2), s((I([True, False]), 0), 11), s(5, 1), s(0, I([1, 2, 3])), s((0, 0), [1, 2, 3, 4]), s((slice(1, 1),), 3), s([0], x[1:]), s(..., 0), s((I([0, 0]), 0, 0), I([1, 2])), lambda: w(lambda y: y[0].fill_(3)), lambda: w(lambda y: y[x > 3].fill_(3)), lambda: w(lambda y: y.index_put_((I([0, 0]),), I(1), accumulate=True)), lambda: w(lambda y: y.index_add_(0, I([0, 0]), x)), lambda: w(lambda y: y.scatter_(2, I([[[0]], [[1]]]), -7)), lambda: w(lambda y: y.scatter_add_(0, torch.zeros(2, 3, 4, dtype=torch.long), x)), lambda: w(lambda y: y.masked_fill_(y > 4, 0)), lambda: w(lambda y: y.masked_scatter_(y > 4, -x)), lambda: w(lambda y: y.index_fill_(1, I([0, 2]), 9)), lambda: w(lambda y: y.index_copy_(1, I([2, 0]), x[:, :2])), lambda: w(lambda y: y.put_(I([0, 5]), I([-1, -2]))), lambda: w(lambda y: y.scatter_reduce_(0, torch.zeros(2, 3, 4, dtype=torch.long), x, "amax")), lambda: w(lambda y: y.diagonal(0, 1, 2).fill_(0)), lambda: w(lambda y: y.__setitem__((0, slice(None), I([0, 3])), I([[1, 2], [3, 4], [5, 6]]))), lambda: w(lambda y: y[:, 1].add_(y[:, 0])), lambda: w(lambda y: y[0].copy_(y[1])), lambda: w(lambda y: y[..., 1:].mul_(2))]
def run(x):
    return [attempt(f) for f in reads(x)], [attempt(f) for f in writes(x)]
for i in range(20):
    r = run(torch.arange(24).reshape(2, 3, 4))
    q = run(torch.arange(24.0).reshape(2, 3, 4).transpose(1, 2).contiguous().transpose(1, 2))
for k, v in enumerate(r[0] + r[1]):
    print(k, v)
print(q == r, [k for k, (a, b) in enumerate(zip(q[0] + q[1], r[0] + r[1])) if a != b])
