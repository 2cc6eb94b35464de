# Logs that some steps append to, and whose last entry is read.
import torch

torch.manual_seed(8)


class Trainer:
    def __init__(self):
        self.w = torch.randn(3, requires_grad=True)
        self.log = {"loss": [], "norm": [], "best": []}
        self.kept = []
        self.steps = []

    def step(self, i, x):
        loss = ((self.w * x).sum() - 1) ** 2
        loss.backward()
        self.log["loss"].append(loss.item())
        self.steps.append(i)
        if i % 2 == 0:
            self.log["norm"].append(self.w.grad.norm().item())
        if not self.log["best"] or loss.item() < self.log["best"][-1]:
            self.log["best"].append(loss.item())
        if i % 3 == 0:
            self.kept.append(self.w.detach() * 2)
        with torch.no_grad():
            self.w -= 0.05 * self.w.grad
        self.w.grad = None


trainer = Trainer()
for i in range(60):  # expect: tier 2, at most 10 entries in tier 0
    trainer.step(i, torch.randn(3))
    if i % 10 == 9:
        log = trainer.log
        print(i, " ".join(f"{k} {v[-1]:.4f}" for k, v in log.items()), trainer.steps[-1], trainer.kept[-1])
print({k: len(v) for k, v in trainer.log.items()}, len(trainer.kept))

smooth = []
total = torch.zeros(2)
for i in range(40):
    total = total + torch.ones(2) * i
    if i % 4 != 3:
        smooth.append(total.mean().item() if not smooth else 0.9 * smooth[-1] + 0.1 * total.mean().item())
    total = total + smooth[-1]
print(f"{smooth[-1]:.3f} {len(smooth)}", total)

marks = []
for i in range(40):
    total = total * 0.9
    if i % 5 == 4:
        marks.append(i)
    try:
        total = total + marks[-1]
    except IndexError as e:
        print(i, e)
print(marks, total)
