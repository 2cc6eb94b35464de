# a deep chain: RecursionError where CPython raises it; and an error deep inside
import torch, sys
class L:
    def __init__(self, v, next=None):
        self.v = v; self.next = next
def total(l, w):
    if l.next is None:
        return w * l.v
    return torch.tanh(total(l.next, w)) + l.v
def chain(n, last=1):
    l = L(last)
    for i in range(n - 1):
        l = L(i % 5, l)
    return l
w = torch.ones(2)
for n in list(range(2, 40)) + [300, 400]:
    r = total(chain(n), w)
    if n % 9 == 0 or n > 100:
        print(n, r.tolist())
try:
    total(chain(5000), w)
except RecursionError as e:
    print("RecursionError")
bad = chain(6)
bad.next.next.next.v = "x"
try:
    print(total(bad, w))
except TypeError as e:
    print("TypeError", e)
bad = chain(6, last=None)
try:
    print(total(bad, w))
except TypeError as e:
    print("TypeError")
bad.next.next = 5
try:
    print(total(bad, w))
except AttributeError as e:
    print("AttributeError", e)
f = chain(5)
f.next.v = 2.5
print(total(f, w).tolist())
del f.next.v
try:
    print(total(f, w))
except AttributeError as e:
    print("AttributeError", e)
