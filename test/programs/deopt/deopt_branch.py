# A branch that was always taken is not taken any more; state before and after it is kept once.
import torch

torch.manual_seed(6)
log = []
counter = {"big": 0, "small": 0}


class Accumulator:
    def __init__(self):
        self.total = torch.zeros(3)
        self.calls = 0

    def add(self, v, limit):
        self.calls += 1
        log.append(self.calls)
        if v.sum() < limit:
            counter["small"] += 1
            self.total += v
        else:
            counter["big"] += 1
            self.total = self.total - v * 2
        return self.total.sum()


acc = Accumulator()
v = torch.ones(3)
for i in range(20):
    s = acc.add(v, 10.0)
    if i % 5 == 0:
        print(i, s.item(), acc.calls, len(log))
for i in range(20):
    s = acc.add(v * (1 + i % 7), 10.0)
    print(i, s.item(), acc.calls, len(log), counter)
print(acc.total, log == list(range(1, 41)))
