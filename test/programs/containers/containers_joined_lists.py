"""`+` of lists whose length moves: histories, sequences of tokens, paths."""

import torch

torch.manual_seed(0)
w = torch.randn(6, 6) * 0.4


def generate(first, n):
    tokens, h = [first], torch.zeros(6)
    for _ in range(n):
        h = torch.tanh(h @ w + w[tokens[-1]])
        tokens = tokens + [h.argmax().item()]
    return tokens, h


recent, steps, marks = [], [], []
x = torch.zeros(6)
for i in range(90):  # expect: tier 2, at most 10 entries in tier 0
    x = torch.tanh(x @ w + 0.1)
    recent = (recent + [x.sum().item()])[-15:]
    steps = [i] + steps[:9]
    marks = marks + [(i, x[0].item())] if i % 2 else [(0, 0.5)] + marks
    both = steps + steps
    both.append(len(recent))
    if i % 10 == 0:
        print(i, len(recent), f"{sum(recent) / len(recent):.4f}", steps, both[-3:], len(marks), marks[0])
print(len(marks), marks[-1][0], sum(m[0] for m in marks))

for r in range(24):  # expect: tier 2, at most 10 entries in tier 0
    tokens, h = generate(r % 6, 1 + r % 7)
    if r % 3 == 0:
        print(r, tokens, h.sum().item() > 0)


def walk(path, x):
    """Each call makes a new list; the one it was given stays as it is."""
    x = torch.tanh(x @ w)
    longer = path + [int(x.sum() > 0), 2]
    same = path + []
    longer[0] = 7
    return longer, path, same is path, x, longer == path + [1, 2]


path, x = [1], torch.ones(6)
for i in range(20):
    longer, before, is_same, x, equal = walk(path, x)
    print(i, len(longer), longer[:2], longer[-2:], before[0], is_same, equal, before is path)
    path = longer[-(i % 4) - 2:]

kept = []
for i in range(16):
    x = torch.tanh(x @ w)
    kept = kept + [x]
    values = [v.sum().item() for v in kept]
    if i % 5 == 0:
        print(len(kept), f"{sum(values):.4f}", kept[-1] is x)
for bad in ((1, 2), "ab", None):
    for i in range(5):
        try:
            x = x * 0.5
            print(recent + bad)
        except TypeError as e:
            print(type(e).__name__, e)
mixed = [1]
for i in range(12):
    x = x * 0.5
    mixed = mixed + [i if i % 3 else i * 0.5]
print(mixed)

log = []
for r in range(40):
    tokens, h = generate(r % 6, 1 + r % 7)
    print(r, tokens, f"{tokens} {h.sum().item() > 0}")
    tokens.append(3)
    log = log + [(r, x[1].item() > 0.05)]
    print(log[-4:], len(log), str(log[:2]), log[:r % 5 - 2][-2:], tokens[1:r % 3 + 1])
