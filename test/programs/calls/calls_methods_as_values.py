# Methods passed around: bound, unbound, from instances in a list, with functools.partialmethod-like use.
import torch


class Act:
    def __init__(self, k):
        self.k = k

    def up(self, x):
        return x + self.k

    def down(self, x):
        return x - self.k

    def both(self, x, order):
        for name in order:
            x = getattr(self, name)(x)
        return x


acts = [Act(1), Act(0.5), Act(torch.tensor(2.0))]
moves = [a.up for a in acts] + [Act.down.__get__(acts[0]), lambda x: Act.up(acts[1], x)]
x = torch.zeros(2)
for i in range(20):
    x = moves[i % 5](x)
    x = acts[i % 3].both(x, ("up", "down") if i % 2 else ("down",))
print(x.tolist(), moves[0].__name__, moves[0].__self__ is acts[0], moves[0] == acts[0].up)
