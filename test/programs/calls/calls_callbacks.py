# Callbacks registered on an object run in order, one of them removes itself.
import torch


class Trainer:
    def __init__(self):
        self.callbacks = []
        self.w = torch.ones(2, requires_grad=True)

    def on(self, f):
        self.callbacks.append(f)
        return f

    def step(self, i):
        loss = (self.w ** 2).sum()
        self.w.grad = None
        loss.backward()
        with torch.no_grad():
            self.w -= 0.1 * self.w.grad
        for cb in list(self.callbacks):
            cb(self, i, loss)


trainer = Trainer()
seen = {"losses": [], "early": 0}


@trainer.on
def record(t, i, loss):
    seen["losses"].append(loss.detach())


@trainer.on
def early(t, i, loss):
    seen["early"] += 1
    if loss < 0.8:
        t.callbacks.remove(early)


trainer.on(lambda t, i, loss: print(i, f"{loss.item():.4f}") if i % 6 == 0 else None)
for i in range(19):
    trainer.step(i)
print(seen["early"], len(seen["losses"]), len(trainer.callbacks), [f"{v:.5f}" for v in trainer.w.tolist()])
