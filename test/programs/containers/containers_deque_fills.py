# Queues from outside to which each iteration appends, while they fill and when they are full.
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

torch.manual_seed(0)
random.seed(0)
Step = namedtuple("Step", ("s", "a", "r"))
memory = deque([], maxlen=24)
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
s = torch.zeros(1, 2)
for step in range(60):
    a = torch.tensor([[random.randrange(3)]])
    memory.append(Step(s, a, torch.tensor([random.random()])))
    s = torch.randn(1, 2)
    if len(memory) < 8:
        continue
    b = Step(*zip(*random.sample(memory, 8)))
    q = net(torch.cat(b.s)).gather(1, torch.cat(b.a))
    loss = nn.functional.smooth_l1_loss(q, torch.cat(b.r).unsqueeze(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step, len(memory), f"{loss.item():.4f}")
print(sum(m.r.item() for m in memory) > 0, memory.maxlen, f"{memory[0].r.item():.4f} {memory[-1].r.item():.4f}")

# Items with an int that moves, which shift when it is full.
window = deque(maxlen=6)
x = torch.ones(3)
for i in range(40):
    x = x * 0.9 + torch.randn(3)
    window.append((x, i, float(x.sum())))
    if len(window) >= 4:
        mean = torch.stack([w[0] * (1 + w[1] % 2) for w in window]).mean(0)
        x = x - mean
print([w[1] for w in window], [round(v, 3) for v in x.tolist()])

# First in, first out: the oldest comes off, the newest is looked at.
queue = deque()
pending = []
y = torch.zeros(2)
for i in range(8):
    queue.append((torch.ones(2) * i, i))
    pending.append(torch.ones(2) * i)
for i in range(40):
    y = y * 0.5 + 1
    queue.append((y, i))
    old, k = queue.popleft()
    pending.append(y)
    first = pending.pop(0)
    y = y + old * 0.1 + first * 0.01 + k
    y = y / (1 + len(queue) + len(pending))
    assert queue[-1][0] is pending[-1]
    assert old is not y
print(len(queue), len(pending), [k for _, k in queue], [round(v, 4) for v in y.tolist()])

# Emptied from the front, until nothing is left.
left = deque(torch.full((2,), float(i)) for i in range(30))
z = torch.zeros(2)
taken = 0
while left:
    z = z + left.popleft() * 0.1
    z = z.sin()
    if left and taken % 3 == 0:
        z = z + left.popleft()
    taken += 1
print(taken, len(left), [round(v, 4) for v in z.tolist()])

# One by two names: what goes off one goes off the other.
class Box:
    def __init__(self):
        self.items = deque([torch.zeros(2), torch.ones(2)], maxlen=2)
        self.view = self.items
        self.log = [0, 1, 2]


box = Box()
for i in range(20):
    v = box.items[-1] * 0.5 + i
    v = v.tanh()
    box.items.append(v)
    box.log.append(i)
    del box.log[0]
    v = v + box.view[-1] + box.log[0]
    v = v * 0.5
    box.items.append(v)
    assert box.view[0] is not box.view[1]
print(len(box.view), box.log, [[round(u, 4) for u in t.tolist()] for t in box.view])

# Refused ways: nothing left, no room.
none = deque(maxlen=0)
empty = []
caught = 0
w = torch.zeros(2)
for i in range(12):
    w = w + 1
    none.append(w)
    w = w * 0.5 + len(none)
    try:
        empty.pop(0)
    except IndexError:
        caught += 1
print(caught, len(none), [round(v, 4) for v in w.tolist()])

# A method is named, and called between two graphs.
ends = deque([torch.zeros(1), torch.ones(1)])
kept = []
z = torch.zeros(1)
missed = 0
for i in range(16):
    z = z + ends.popleft()
    z = z * 0.9 + 0.1
    z = z.sin()
    take, put = ends.popleft, ends.append
    put(z)
    kept.append(put)
    if i % 7 == 6:
        try:
            z = z + ends[-5]
        except IndexError:
            missed += 1
        ends.popleft()
    ends.append(z * 2)
print(f"{z.item():.4f}", len(ends), missed, kept[-1] == ends.append, kept[-1].__self__ is ends, take.__name__)
kept[3](z)
take()
print(len(ends))
