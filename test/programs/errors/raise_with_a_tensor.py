import torch
torch.manual_seed(2)
class Stop(Exception):
    def __init__(self, at, value):
        super().__init__(at)
        self.at = at
        self.value = value
def search(x):
    for i in range(6):
        x = x * 1.5
        if x.norm() > 4:
            raise Stop(i, x)
    return x
def run(x):
    try:
        return search(x), -1
    except Stop as s:
        return s.value, s.at
hist = [0] * 7
total = torch.zeros(3)
for i in range(120):
    y, at = run(torch.randn(3))
    hist[at] += 1
    total = total + y
print(hist, total)
