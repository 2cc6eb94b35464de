import torch
def grow(n):
    a = [1]; b = a
    i = 0
    while i < n:
        a += [i]
        i += 1
    return len(b), a is b
class H: pass
def attr(n):
    h = H(); h.v = []; k = h.v
    for i in range(n):
        h.v += [i]; h.v *= 1
    return len(k), k is h.v
def tens(n):
    outs = []; alias = outs
    x = torch.ones(3)
    for i in range(n):
        outs += [x * i]
    return len(alias), float(torch.stack(alias).sum())
def sets(n):
    s = set(); t = s
    d = {}; e = d
    ba = bytearray(); bb = ba
    for i in range(n):
        s |= {i}; d |= {i: 1}; ba += b'a'; s -= {i - 1}; s ^= {1000}; s &= set(range(2000))
    return len(t), s is t, len(e), d is e, len(bb), ba is bb
def dq(n):
    from collections import deque, Counter
    q = deque(); p = q; c = Counter(); d = c
    for i in range(n):
        q += [i]; c += Counter([i % 3])
    return len(p), p is q, d is c
for _ in range(60):
    r = grow(50), attr(50), tens(6), sets(50), dq(50)
print(r, grow(2000), attr(2000), sets(2000))
