"""Items of lists made here, at indices that move: many numbers, tensors, functions; counts at such indices."""
import torch

torch.manual_seed(0)
x, a, b, c = torch.randn(4), torch.randn(4), torch.randn(4), torch.randn(4)


def half(v):
    return v * 0.5


def more(v):
    return v + 0.1


counts = [0] * 12
for i in range(150):
    whole = [2, 3, 1, 0, 4, 5, -1, -2, -3, 7, 9, 11, 2, 3, 4, 5, 6, 7, 8][i * 7 % 19]
    mixed = [2, 3.5, 1, 0.5, 4, 5.0, -1, -2, -3, 7, 9, 11][i * 7 % 12 - 12]
    t = [a, b, c, a, b, c, a, b, c, a][i * 7 % 10]
    f = [half, more, torch.tanh, half, more, torch.relu, half, more, torch.tanh, more][i * 3 % 10]
    x = f(x * 0.9 + whole + mixed) + t
    flags = [0] * 40
    flags[i * 11 % 40] = 1
    counts[int(x[0]) % 12] += 1
    x = x + flags[3] - sum(flags[:20]) * 0.25
    if i % 10 == 0:
        print(i, whole, mixed, type(mixed).__name__, [f"{v:.4f}" for v in x.tolist()], counts)
for at in [0, 5, 18, 19, -19, -20] * 5:
    try:
        y = x * [2, 3, 1, 0, 4, 5, -1, -2, -3, 7, 9, 11, 2, 3, 4, 5, 6, 7, 8][at]
        print(at, f"{y.sum().item():.3f}")
    except IndexError as e:
        print(at, e)
