# Appends, prints, attribute writes and tensor writes interleave in one region.
import torch


class Log:
    def __init__(self):
        self.lines = []
        self.n = 0

    def add(self, text):
        self.lines.append(f"{self.n}:{text}")
        self.n += 1


log = Log()
buf = torch.zeros(3)


def step(i):
    log.add(f"start {i}")
    buf[i % 3] += 1
    before = buf.sum().item()
    print("step", i, before, end=";")
    buf.mul_(0.5)
    log.add(f"half {buf.sum().item():.3f}")
    if i % 4 == 1:
        print(" odd one", len(log.lines), end="")
        log.lines.pop(0)
    print()
    return before - buf.sum().item()


for i in range(14):
    d = step(i)
print(f"{d:.4f}", log.n, len(log.lines), log.lines[0], log.lines[-1])
