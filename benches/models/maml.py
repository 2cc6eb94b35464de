"""MAML on sinusoids: the gradient of a gradient step.

    python benches/models/maml.py [STEPS [SEED]]
"""

import sys
import time

import torch
import torch.nn.functional as F

HIDDEN = 40
TASKS = 4
SHOTS = 10
INNER_STEPS = 1
INNER_RATE = 0.01
SHOWN = 24


def initial_weights():
    shapes = [(1, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 1)]
    weights = []
    for inputs, outputs in shapes:
        w = torch.empty(inputs, outputs)
        torch.nn.init.xavier_uniform_(w)
        weights += [w.requires_grad_(), torch.zeros(outputs, requires_grad=True)]
    return weights


def network(x, weights):
    for i in range(0, len(weights) - 2, 2):
        x = torch.relu(x @ weights[i] + weights[i + 1])
    return x @ weights[-2] + weights[-1]


class SineTask:
    def __init__(self):
        amplitude, phase = torch.rand(2).tolist()
        self.amplitude = 0.1 + 4.9 * amplitude
        self.phase = 3.14159 * phase

    def sample(self, count):
        x = torch.rand(count, 1) * 10 - 5
        return x, self.amplitude * torch.sin(x + self.phase)


def adapt(weights, x, y, steps, create_graph):
    fast = list(weights)
    for _ in range(steps):
        loss = F.mse_loss(network(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=create_graph)
        fast = [w - INNER_RATE * g for w, g in zip(fast, grads)]
    return fast


class Learner:
    def __init__(self):
        self.weights = initial_weights()
        self.optimizer = torch.optim.Adam(self.weights, lr=1e-3)

    def step(self):
        meta_loss = 0.0
        for _ in range(TASKS):
            task = SineTask()
            fast = adapt(self.weights, *task.sample(SHOTS), INNER_STEPS, create_graph=True)
            x, y = task.sample(SHOTS)
            meta_loss = meta_loss + F.mse_loss(network(x, fast), y)
        meta_loss = meta_loss / TASKS
        self.optimizer.zero_grad()
        meta_loss.backward()
        self.optimizer.step()
        return meta_loss.item()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    learner = Learner()
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = learner.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    total = 0.0
    for _ in range(20):
        task = SineTask()
        fast = adapt(learner.weights, *task.sample(SHOTS), 5, create_graph=False)
        x, y = task.sample(100)
        with torch.no_grad():
            total += F.mse_loss(network(x, fast), y).item()
    print(f"loss on new tasks {total / 20:.5f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
