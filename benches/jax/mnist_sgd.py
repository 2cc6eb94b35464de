"""benches/models/mnist_sgd.py in JAX: the step under jit, the loop over steps in Python."""

import functools
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

from torch_random import Generator

BATCH = 64
SHOWN = 30


def load_digits():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/data/digits.csv")
    rows = np.loadtxt(path, delimiter=",", dtype=np.float32)
    return rows[:, :64] / 16, rows[:, 64].astype(np.int32)


def loss_of(parameters, x, y):
    w, b = parameters
    log_probs = jax.nn.log_softmax(x @ w + b)
    return -jnp.mean(log_probs[jnp.arange(len(y)), y])


@functools.partial(jax.jit, donate_argnums=0)
def step(parameters, x, y, at, rate):
    x = jax.lax.dynamic_slice_in_dim(x, at, BATCH)
    y = jax.lax.dynamic_slice_in_dim(y, at, BATCH)
    loss, gradients = jax.value_and_grad(loss_of)(parameters, x, y)
    return jax.tree.map(lambda p, g: p - rate * g, parameters, gradients), loss


def train(x, y, parameters, steps, lr, losses):
    batches = len(x) // BATCH
    for i in range(steps):
        rate = lr / (1.0 + i / 100) ** 0.5
        parameters, loss = step(parameters, x, y, (i % batches) * BATCH, rate)
        losses.append(loss.item())
    return parameters


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    generator = Generator(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    x, y = load_digits()
    order = generator.randperm(len(x))
    x, y = jnp.asarray(x[order]), jnp.asarray(y[order])
    parameters = (jnp.asarray(np.float32(0.01) * generator.randn(64, 10)), jnp.zeros(10))
    losses = []
    start = time.perf_counter()
    while len(losses) < steps:
        done = len(losses)
        if done == steps // 2:
            start = time.perf_counter()
        # Two pieces, or of a long run two hundred times as many; the rate begins anew in each.
        count = min(max(SHOWN // 2, steps // 400), steps - done if done >= steps // 2 else steps // 2 - done)
        parameters = train(x[300:], y[300:], parameters, count, 0.5, losses)
        for step in range(done, min(SHOWN, len(losses))):
            print(f"step {step:2d}  loss {losses[step]:.6f}")
        if len(losses) > SHOWN:
            print(f"step {len(losses) - 1}  loss {losses[-1]:.6f}")
    seconds = time.perf_counter() - start
    w, b = parameters
    hits = int(((x[:300] @ w + b).argmax(1) == y[:300]).sum())
    print(f"accuracy {hits / 300:.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
