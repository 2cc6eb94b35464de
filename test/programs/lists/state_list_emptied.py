# A list from outside is emptied or filled anew: what it held and how much that was does not matter.
import torch
import torch.nn as nn

torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 2)
        self.saved, self.rewards, self.marks, self.notes = [], [], [], []


model = Policy()
rewards = model.rewards
opt = torch.optim.SGD(model.parameters(), lr=0.05)


def finish(ep):
    total = torch.stack([p * r for p, r in zip(model.saved, model.rewards)]).sum()
    opt.zero_grad()
    (-total / 10).backward()
    opt.step()
    before = len(model.notes)
    del model.rewards[:]
    model.saved.clear()
    model.marks[:] = [ep, before]
    model.notes[0:] = []
    model.notes.append(len(model.notes))
    return total.item()


for ep in range(40):
    n = 2 + (ep * 7) % 11
    for t in range(n):
        p = torch.log_softmax(model.lin(torch.randn(4)), -1)
        model.saved.append(p[t % 2])
        model.rewards.append(1.0 - 0.1 * t)
        model.notes.append(t)
    total = finish(ep)
    if ep % 8 == 0:
        print(ep, f"{total:.4f}", len(rewards), rewards is model.rewards, model.marks, model.notes)

# By two names, and looked at afterwards.
trace = [torch.zeros(2)]
again = trace
x = torch.ones(2)
for i in range(20):
    x = x * 0.9 + 0.1
    if i % 5 == 4:
        had = len(again)
        trace[:] = [x]
        x = x + again[0] * had
        again.append(x)
    trace.append(x * i)
print(len(trace), trace is again, [round(v.sum().item(), 3) for v in again])


# On one side of a branch only, and in itself.
def keep(buffer, y, full):
    y = y.tanh() + 1
    buffer.append(y)
    if full:
        buffer[:] = buffer[-2:]
    return y


buffer = []
y = torch.zeros(3)
for i in range(20):
    y = keep(buffer, y, len(buffer) >= 4)
print(len(buffer), [round(v.sum().item(), 3) for v in buffer])
