# Sets from outside that get numbers which the graph computes, and whose length or items are looked at.
import torch
seen = set()
acc = torch.zeros(2)
for i in range(40):
    k = int((acc.sum() * 3 + i).item()) % 7
    seen.add(k)
    acc = acc * 0.9 + len(seen)
print(acc, seen)
other = set()
for i in range(40):
    k = int((acc.sum() * 3 + i).item()) % 7
    if not other:
        acc = acc + 1
    other.add(k)
    if other:
        acc = acc * 0.9
print(acc, other)
third = {1}
for i in range(40):
    k = int((acc.sum() * 3 + i).item()) % 7
    third.add(k)
    acc = acc * 0.5 + max(third) + sum(third)
    if i % 10 == 9:
        third.discard(k)
        third.clear()
print(acc, third)
