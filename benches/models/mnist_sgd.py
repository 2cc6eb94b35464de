"""Softmax regression by gradient descent, with the whole training loop in one function.

    python benches/models/mnist_sgd.py [STEPS [SEED]]

No module and no optimizer: weights are plain tensors, updated by hand. Real digits.
"""

import os
import sys
import time

import torch

BATCH = 64
SHOWN = 30


def load_digits():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/data/digits.csv")
    with open(path) as f:
        rows = torch.tensor([[float(v) for v in line.split(",")] for line in f])
    return rows[:, :64] / 16, rows[:, 64].long()


def loss_of(x, y, w, b):
    log_probs = torch.log_softmax(x @ w + b, dim=1)
    return -log_probs[torch.arange(len(y)), y].mean()


def train(x, y, w, b, steps, lr, losses):
    """Keeps the loss of every step; the rate falls with the square root of time."""
    batches = len(x) // BATCH
    i = 0
    while i < steps:
        at = (i % batches) * BATCH
        loss = loss_of(x[at : at + BATCH], y[at : at + BATCH], w, b)
        dw, db = torch.autograd.grad(loss, (w, b))
        rate = lr / (1.0 + i / 100) ** 0.5
        with torch.no_grad():
            w -= rate * dw
            b -= rate * db
        losses.append(loss.item())
        i += 1
    return w, b


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    x, y = load_digits()
    order = torch.randperm(len(x))
    x, y = x[order], y[order]
    w = (0.01 * torch.randn(64, 10)).requires_grad_()
    b = torch.zeros(10, requires_grad=True)
    losses = []
    start = time.perf_counter()
    while len(losses) < steps:
        done = len(losses)
        if done == steps // 2:
            start = time.perf_counter()
        # Two pieces, or of a long run two hundred times as many; the rate begins anew in each.
        count = min(max(SHOWN // 2, steps // 400), steps - done if done >= steps // 2 else steps // 2 - done)
        train(x[300:], y[300:], w, b, count, 0.5, losses)
        for step in range(done, min(SHOWN, len(losses))):
            print(f"step {step:2d}  loss {losses[step]:.6f}")
        if len(losses) > SHOWN:
            print(f"step {len(losses) - 1}  loss {losses[-1]:.6f}")
    seconds = time.perf_counter() - start
    with torch.no_grad():
        hits = ((x[:300] @ w + b).argmax(1) == y[:300]).sum().item()
    print(f"accuracy {hits / 300:.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
