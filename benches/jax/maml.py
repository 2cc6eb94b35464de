"""benches/models/maml.py in JAX: a gradient through a gradient step, under jit, tasks under vmap."""

import functools
import math
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

from torch_random import Generator

HIDDEN = 40
TASKS = 4
SHOTS = 10
INNER_STEPS = 1
INNER_RATE = 0.01
SHOWN = 24


def initial(generator):
    weights = []
    for inputs, outputs in [(1, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 1)]:
        bound = math.sqrt(6.0 / (inputs + outputs))
        weights += [jnp.asarray(generator.uniform(bound, inputs, outputs)), jnp.zeros(outputs)]
    return weights


def network(x, weights):
    for i in range(0, len(weights) - 2, 2):
        x = jax.nn.relu(x @ weights[i] + weights[i + 1])
    return x @ weights[-2] + weights[-1]


def loss_of(weights, x, y):
    return jnp.mean((network(x, weights) - y) ** 2)


class SineTask:
    def __init__(self, generator):
        self.generator = generator
        amplitude, phase = generator.rand(2).tolist()
        self.amplitude = 0.1 + 4.9 * amplitude
        self.phase = 3.14159 * phase

    def sample(self, count):
        x = self.generator.rand(count, 1) * np.float32(10) - np.float32(5)
        return x, np.float32(self.amplitude) * np.sin(x + np.float32(self.phase))


def adapt(weights, x, y, steps):
    for _ in range(steps):
        gradients = jax.grad(loss_of)(weights, x, y)
        weights = [w - INNER_RATE * g for w, g in zip(weights, gradients)]
    return weights


def meta_loss_of(weights, tasks):
    def of_task(x, y, other_x, other_y):
        return loss_of(adapt(weights, x, y, INNER_STEPS), other_x, other_y)

    return jnp.mean(jax.vmap(of_task)(*tasks))


@functools.partial(jax.jit, donate_argnums=(0, 1))
def train_step(weights, adam, tasks):
    loss, gradients = jax.value_and_grad(meta_loss_of)(weights, tasks)
    count, first, second = adam
    count = count + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    rate, root = 1e-3 / (1 - 0.9**count), jnp.sqrt(1 - 0.999**count)
    weights = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) / root + 1e-8), weights, first, second)
    return weights, (count, first, second), loss


def draw(generator):
    drawn = []
    for _ in range(TASKS):
        task = SineTask(generator)
        drawn.append(task.sample(SHOTS) + task.sample(SHOTS))
    return tuple(np.stack(part) for part in zip(*drawn))


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    generator = Generator(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    weights = initial(generator)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    adam = (jnp.float32(0), zeros, jax.tree.map(jnp.zeros_like, weights))
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        weights, adam, loss = train_step(weights, adam, draw(generator))
        loss = loss.item()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    adapted = jax.jit(lambda weights, x, y: adapt(weights, x, y, 5))
    total = 0.0
    for _ in range(20):
        task = SineTask(generator)
        fast = adapted(weights, *task.sample(SHOTS))
        total += float(loss_of(fast, *task.sample(100)))
    print(f"loss on new tasks {total / 20:.5f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
