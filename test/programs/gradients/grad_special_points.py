import torch


def gradient(f, values):
    x = torch.tensor(values, requires_grad=True)
    f(x).sum().backward()
    return None if x.grad is None else [f'{g:.4f}' for g in x.grad.tolist()]


for i in range(8):
    print(gradient(lambda x: x.std(), [0., 0., 0.]), gradient(lambda x: x.view(2, 2).std(1), [1., 1., 1., 3.]))
    print(gradient(lambda x: x.fmod(1.5), [0., 3., 1., -2.]), torch.tensor([-3.0, 3.0, 0.0]).fmod(1.5).tolist())
    print(gradient(lambda x: x.norm() + x.std(0), [0., 0.]))
    try:
        torch.ones(2, dtype=torch.int64).requires_grad_()
    except RuntimeError as e:
        print(e)


def ignored():
    torch.ones(2, dtype=torch.int64).requires_grad_(True)


for i in range(14):
    try:
        ignored()
        print('nothing')
    except RuntimeError as e:
        print(i, type(e).__name__)
