# A list that others know, too, is replaced by another one in a loop.
import torch

class Box:
    def __init__(self):
        self.state = [1.0, 2.0]
        self.pair = (0, 1)
        self.seen = None
        self.log = []

def replaced(b, n, x):
    total = x.sum() * 0
    for i in range(n):
        u, v = b.state
        b.state = [v * 0.5, u + 1.0]
        p, q = b.pair
        b.pair = (q, p + 1)
        total = total + x * u + p
    return total

def remembers(b, n, x):
    total = x * 0
    for i in range(n):
        b.seen = b.state
        u, v = b.state
        b.state = [v * 0.5, u + 1.0]
        total = total + x * u
    return total

def mutates(b, n, x):
    total = x * 0
    for i in range(n):
        b.state.append(float(i))
        b.state = [b.state[0] * 0.5, b.state[-1]]
        total = total + x * b.state[0]
    return total

def compares(b, n, x, first):
    total = x * 0
    same = 0
    for i in range(n):
        if b.state is first:
            same += 1
        b.state = [b.state[1], b.state[0] * 0.5]
        total = total + x * b.state[0]
    return total, same

def returns(b, n, x, limit):
    for i in range(n):
        if b.state[0] > limit:
            return b.state
        b.state = [b.state[0] + 1.0, b.state[1] * 0.5]
        x = x * 1.5
    return x

def breaks(b, n, x):
    for i in range(n):
        if b.state[1] > 5:
            break
        b.state = [b.state[1], b.state[0] + 1.0]
        x = x + b.state[0]
    else:
        x = x - 1
    return x

def two(b, n, x):
    c = b.state
    for i in range(n):
        x = x + c[0]
        b.state = [c[1], c[0]]
        c = [b.state[0] + 1, 0.0]
    return x, c, b.state

x = torch.arange(3.0)
b = Box()
keep = b.state
for i in range(60):
    n = 25 + (i * 7) % 40
    r = replaced(b, n, x)
    if i % 10 == 0: print("replaced", r, b.state, b.pair, keep)
b = Box(); first = b.state
for i in range(60):
    n = 25 + (i * 7) % 40
    b.state = first
    r = remembers(b, n, x)
    if i % 10 == 0: print("remembers", r, b.state, b.seen, b.seen is first, first)
for i in range(60):
    n = 25 + (i * 7) % 40
    b = Box(); first = b.state
    r = mutates(b, n, x)
    if i % 10 == 0: print("mutates", r, b.state, first)
for i in range(60):
    n = 25 + (i * 7) % 40
    b = Box(); first = b.state
    r = compares(b, n, x, first)
    if i % 10 == 0: print("compares", r, b.state, first)
for i in range(60):
    n = 25 + (i * 7) % 40
    b = Box(); first = b.state
    r = returns(b, n, x, 30.0 if i % 4 else 0.5)
    if i % 5 == 0: print("returns", r, b.state, first, r is first)
for i in range(60):
    n = 25 + (i * 7) % 40
    b = Box(); first = b.state
    if i % 7 == 3: b.state[1] = 9.0
    r = breaks(b, n if i % 5 else 0, x)
    if i % 5 == 0 or i % 7 == 3: print("breaks", r, b.state, first, b.state is first)
for i in range(60):
    n = 25 + (i * 7) % 40
    b = Box(); first = b.state
    r = two(b, n if i % 9 else 0, x)
    if i % 9 == 0: print("two", r, b.state, first, r[1] is first, r[2] is first)
