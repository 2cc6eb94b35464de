"""L-BFGS, written out and from torch.optim: logistic regression on digits.

    python benches/models/lbfgs.py [STEPS [SEED]]

The written-out one keeps its history in Python lists and searches the step by backtracking.
"""

import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

HISTORY = 8
SHOWN = 22


def load_digits():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/data/digits.csv")
    with open(path) as f:
        rows = torch.tensor([[float(v) for v in line.split(",")] for line in f])
    return rows[:, :64] / 16, rows[:, 64].long()


class LBFGS:
    def __init__(self, function, x):
        self.function = function
        self.x = x
        self.s, self.y, self.rho = [], [], []
        self.value, self.gradient = self.evaluate(x)

    def evaluate(self, x):
        x = x.detach().requires_grad_()
        value = self.function(x)
        (gradient,) = torch.autograd.grad(value, x)
        return value.detach(), gradient

    def direction(self):
        """The two-loop recursion."""
        q = self.gradient
        alphas = []
        for s, y, rho in zip(reversed(self.s), reversed(self.y), reversed(self.rho)):
            alpha = rho * torch.dot(s, q)
            alphas.append(alpha)
            q = q - alpha * y
        if self.s:
            q = q * (torch.dot(self.s[-1], self.y[-1]) / torch.dot(self.y[-1], self.y[-1]))
        for s, y, rho, alpha in zip(self.s, self.y, self.rho, reversed(alphas)):
            beta = rho * torch.dot(y, q)
            q = q + s * (alpha - beta)
        return -q

    def step(self):
        direction = self.direction()
        slope = torch.dot(direction, self.gradient)
        rate = 1.0 if self.s else (1.0 / self.gradient.abs().sum()).clamp(max=1.0).item()
        trials = 0
        while True:
            x = self.x + rate * direction
            value, gradient = self.evaluate(x)
            trials += 1
            if value <= self.value + 1e-4 * rate * slope or trials == 12:
                break
            rate *= 0.5
        s, y = x - self.x, gradient - self.gradient
        curvature = torch.dot(s, y)
        if curvature > 1e-10:
            self.s.append(s)
            self.y.append(y)
            self.rho.append(1.0 / curvature)
            if len(self.s) > HISTORY:
                self.s.pop(0)
                self.y.pop(0)
                self.rho.pop(0)
        self.x, self.value, self.gradient = x, value, gradient
        return value.item(), trials


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    x, y = load_digits()
    x, y = x[:600], y[:600]

    def regression(flat):
        w, b = flat[:640].view(64, 10), flat[640:]
        return F.cross_entropy(x @ w + b, y) + 1e-3 * (w * w).sum()

    solver = LBFGS(regression, 0.01 * torch.randn(650))
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss, trials = solver.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}  trials {trials}")
    seconds = time.perf_counter() - start

    # In double precision: what a line search finds depends on the last digits of a float32.
    x, model = x.double(), nn.Linear(64, 10).double()
    for rule, rate in ((None, 0.3), ("strong_wolfe", 1.0)):
        nn.init.zeros_(model.weight)
        nn.init.zeros_(model.bias)
        optimizer = torch.optim.LBFGS(model.parameters(), lr=rate, max_iter=5, history_size=10, line_search_fn=rule)

        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y) + 1e-3 * (model.weight * model.weight).sum()
            loss.backward()
            return loss

        for step in range(4):
            print(f"torch.optim, search {rule}: before {step} loss {optimizer.step(closure).item():.6f}")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
