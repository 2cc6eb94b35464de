import torch

w = torch.tensor([1.0, 2.0])


def f(i, digits):
    total = sum([w * 2, w * 3], start=w)
    count = sum([i, 2], start=10)
    rounded = round(2.3456 + i, ndigits=digits), round(number=0.5 + i), round(17 * i, ndigits=-1)
    power = pow(base=i, exp=2), pow(i + 2, 3, mod=5), pow(2.0, exp=i)
    words = "a b,c d".split(sep=",", maxsplit=1), "a b c".rsplit(maxsplit=i % 3)
    best = max([], default=w), min([3, i], key=lambda v: -v), sorted([2, 1, 3], reverse=i % 2 == 0)
    return total, count * w, rounded[0] * w, rounded, power, words, best


for i in range(8):
    print([str(v) for v in f(i, i % 3)])


def moving(xs, start):
    return sum(xs, start=start), sum((x * 2 for x in xs), start=0.5)


for n in range(1, 9):
    print(moving([w * k for k in range(n)], w), moving(list(range(n)), n))
