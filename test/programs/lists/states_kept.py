# The states of an RNN, kept in a list by whoever calls it after their backward(); lengths and labels put into sets.
import random

import torch

random.seed(4)
torch.manual_seed(4)
w = torch.randn(5, 5, requires_grad=True)
seen, labels, visits = set(), set(), set()


def run(seq, h=None):
    if h is None:
        h = torch.zeros(2, 5)
    states, doubled = [], []
    for t in range(seq.shape[0]):
        h = torch.tanh(seq[t] + h @ w)
        states.append(h)
        doubled.append(h * 2)
    return states[-1].mean(), states, doubled


def again(loss):
    try:
        loss.backward()
    except RuntimeError as e:
        return str(e)[:41]
    return "fine"


for step in range(40):  # expect: tier 2, at most 10 entries in tier 0
    length = random.randint(1, 7)
    seen.add(length)
    labels.add(float(length) / 2)
    if step % 3 == 0:
        visits.add((length * 5) % 11)
    loss, states, doubled = run(torch.randn(length, 2, 5))
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    if step % 10 == 9:
        print(step, len(states), f"{loss.item():.4f}", again(states[0].sum()), again(doubled[0].sum()))
print(sorted(seen), sorted(labels), sorted(visits), f"{w.sum().item():.4f}")

# A set that is looked at after something was put in.
met, news = set(), 0
total = torch.zeros(3)
for step in range(40):
    k = random.randint(0, 9)
    if k not in met:
        news += 1
        total = total + k
    met.add(k)
    met.add(k + 20)
    total = total * 0.5 + len(met)
print(news, sorted(met), total)

both = set()
for step in range(40):
    k = int(total.sum().item() * 7) % 13
    both.add(k)
    total = total * 0.9 + (1 if k in both else 0)
print(sorted(both), total)
