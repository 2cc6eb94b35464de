# A global function is rebound, a method is patched on the class, then on the instance.
import torch


class Model:
    def act(self, x):
        return x.relu()

    def __call__(self, x):
        return head(self.act(x))


def head(x):
    return x.sum()


def other_head(x):
    return x.mean() * 10


torch.manual_seed(4)
model = Model()
out = []
for i in range(288):
    x = torch.randn(5)
    out.append(round(model(x).item(), 4))
    if i == 6:
        head = other_head
    if i == 12:
        Model.act = lambda self, x: x.tanh()
    if i == 18:
        model.act = lambda x: -x
print(out)
