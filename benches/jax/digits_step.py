"""benches/digits_step.py in JAX: the step under jit, parameters and momentum handed through."""

import sys
import time

import jax
import jax.numpy as jnp

from torch_random import Generator


def loss_of(parameters, x, y):
    (w1, b1), (w2, b2) = parameters
    hidden = jax.nn.relu(x @ w1.T + b1)
    logits = hidden @ w2.T + b2
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(y)), y])


@jax.jit
def train_step(parameters, momentum, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, x, y)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradients)
    parameters = jax.tree.map(lambda p, m: p - 0.05 * m, parameters, momentum)
    return parameters, momentum, loss


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    generator = Generator(0)
    x = jnp.asarray(generator.rand(64, 64))
    y = jnp.asarray(generator.randint(0, 10, (64,)))
    parameters = (generator.linear(64, 128), generator.linear(128, 10))
    parameters = jax.tree.map(jnp.asarray, parameters)
    momentum = jax.tree.map(jnp.zeros_like, parameters)
    running_loss = 0.0
    done, half = 0, steps // 2
    start = time.perf_counter()
    while done < steps:
        chunk = 1 if done < 20 else min(100, (half if done < half else steps) - done)
        for _ in range(chunk):
            parameters, momentum, loss = train_step(parameters, momentum, x, y)
            running_loss += loss.item() * len(y)
        done += chunk
        print(f"step {done} running loss {running_loss:.4f}")
        if done == half:
            start = time.perf_counter()
    seconds = time.perf_counter() - start
    print(f"{(steps - half) / seconds:.0f} steps/s")


if __name__ == "__main__":
    main()
