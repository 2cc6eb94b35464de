# Native objects whose content changes while they stay the same objects, and settings that change.
from __future__ import annotations

import queue
from collections import deque
from types import MappingProxyType

import torch

d = deque(maxlen=5)
b = bytearray(1)
table = {"a": 0}
proxy, keys = MappingProxyType(table), table.keys()
waiting = queue.Queue()
w = torch.ones(2)


def f(x, c=1.0):
    return (x * c).sum()


def length(): return (w * len(d)).sum().item()
def last(): return (w * d[-1]).sum().item()
def found(): return (w * (2 if 3 in d else 1)).sum().item()
def byte(): return (w * b[0]).sum().item()
def item(): return (w * proxy["a"]).sum().item()
def held(): return (w * len(keys)).sum().item()
def size(): return (w * waiting.qsize()).sum().item()
def default(): return f(w).item()
def dtype(): return str((torch.zeros(2) + 1).dtype)
def device(): return (w * (2 if w.device == torch.device("cpu") else 3)).sum().item()


for t in range(12):
    d.append(t)
    b[0] = t
    table["a"] = t
    table[t] = t
    waiting.put(t)
    if t == 7:
        f.__defaults__ = (7.0,)
    print(t, length(), last(), found(), byte(), item(), held(), size(), default(), device())
for t in range(10):
    torch.set_default_dtype([torch.float32, torch.float64][t // 2 % 2])
    print(dtype(), end=" ")
print()
