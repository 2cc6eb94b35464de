# sample, choices and shuffle of Python's random in hot code: the numbers are CPython's.
import random

import torch

random.seed(0)
torch.manual_seed(0)
data = torch.randn(200, 4)
w = torch.zeros(4, requires_grad=True)
for step in range(20):
    places = random.sample(range(200), 8)
    x = data[torch.tensor(places)]
    loss = ((x @ w - x.sum(1)) ** 2).mean()
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    print(step, places, f"{loss.item():.4f}")
print(random.random())


def few(x):
    order = [0, 1, 2, 3, 4]
    random.shuffle(order)
    a, b = random.sample([1.0, 2.0, 3.0], 2)
    c = random.choices((1, 2, 3, 4), k=3)
    return x * order[0] + a * order[1] - b + c[0] + 10 * c[1] + 100 * c[2]


def weighted(x):
    a, b = random.choices([1.0, 2.0, 4.0, 8.0], weights=[4, 3, 2, 1], k=2)
    return x * a + b


def both(x):
    if x.sum() > 1:
        i, j = random.sample(range(1000), 2)
        x = x * (i % 3) - j % 5
    else:
        x = x + random.sample(range(6), 3)[1]
    return x


x = torch.ones(2)
for i in range(25):
    print(few(x), weighted(x), both(x - i % 2), random.randrange(100))


class Mine(random.Random):
    def random(self):
        return 0.25


mine = Mine()
for i in range(5):
    print(mine.sample(range(10), 3), mine.choices("abc", k=2), x * mine.sample([1, 2, 3], 1)[0])
for n, k in ((3, 4), (3, -1)):
    for i in range(5):
        try:
            print(x + random.sample(range(n), k)[0])
        except ValueError as e:
            print(e)
print([random.sample(range(n), k) for n, k in ((21, 5), (22, 5), (85, 7), (86, 7), (1000, 30), (40, 40), (5, 0))])
print(random.sample(["a", "b"], counts=[3, 2], k=4), random.random())
