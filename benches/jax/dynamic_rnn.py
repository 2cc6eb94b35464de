"""benches/models/dynamic_rnn.py in JAX: lax.scan over the longest length there can be, masked."""

import functools
import math
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

from torch_random import Generator

SHOWN = 22


def initial(generator, inputs, hidden, classes):
    bound = 1.0 / math.sqrt(hidden)
    cell = [generator.uniform(bound, *shape) for shape in [(hidden, inputs), (hidden, hidden), (hidden,), (hidden,)]]
    return jax.tree.map(jnp.asarray, (cell, generator.linear(hidden, classes)))


def model(parameters, x, lengths):
    """States and outputs freeze where a sequence has ended."""
    (w_ih, w_hh, b_ih, b_hh), (w_out, b_out) = parameters

    def step(state, item):
        i, x = item
        new_state = jnp.tanh(x @ w_ih.T + b_ih + state @ w_hh.T + b_hh)
        running = (i < lengths)[:, None]
        return jnp.where(running, new_state, state), jnp.where(running, new_state, 0.0)

    state = jnp.zeros((x.shape[0], w_hh.shape[0]))
    time_first = (jnp.arange(x.shape[1]), x.swapaxes(0, 1))
    state, outputs = jax.lax.scan(step, state, time_first)
    return state @ w_out.T + b_out, outputs


def loss_of(parameters, x, lengths, labels):
    logits, outputs = model(parameters, x, lengths)
    # The mean is over steps up to the longest sequence's end: after it outputs are 0.
    count = lengths.max() * (x.shape[0] * outputs.shape[-1])
    entropy = -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(labels)), labels])
    return entropy + 1e-3 * (jnp.sum(outputs**2) / count)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def train_step(parameters, adam, x, lengths, labels):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, x, lengths, labels)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    scale = jnp.minimum(1.0 / (norm + 1e-6), 1.0)
    gradients = jax.tree.map(lambda g: g * scale, gradients)
    count, first, second = adam
    count = count + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    rate, root = 1e-3 / (1 - 0.9**count), jnp.sqrt(1 - 0.999**count)
    parameters = jax.tree.map(
        lambda p, m, v: p - rate * m / (jnp.sqrt(v) / root + 1e-8), parameters, first, second
    )
    return parameters, (count, first, second), loss


def make_batch(generator, batch, length):
    labels = generator.randint(0, 4, (batch,))
    lengths = generator.randint(length // 2, length + 1, (batch,))
    t = np.arange(length, dtype=np.float32)
    phase = generator.rand(batch, 1) * np.float32(6.28318)
    wave = np.sin(t * (np.float32(0.2) + np.float32(0.25) * labels[:, None].astype(np.float32)) + phase)
    other = np.broadcast_to(np.cos(t * np.float32(0.1)), (batch, length))
    x = np.stack([wave, other], axis=2)
    x = x + np.float32(0.1) * generator.randn(*x.shape)
    return jnp.asarray(x), jnp.asarray(lengths), jnp.asarray(labels)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    generator = Generator(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    hidden, batch, length = [int(v) for v in sys.argv[3:6]] if len(sys.argv) > 5 else (64, 32, 64)
    parameters = initial(generator, 2, hidden, 4)
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    adam = (jnp.float32(0), zeros, jax.tree.map(jnp.zeros_like, parameters))
    batches = [make_batch(generator, batch, length) for _ in range(20)]
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        parameters, adam, loss = train_step(parameters, adam, *batches[step % len(batches)])
        loss = loss.item()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"last loss {loss:.5f}")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
