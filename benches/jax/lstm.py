"""benches/models/lstm.py in JAX: the loop over time is lax.scan, the step under jit."""

import functools
import math
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

from torch_random import Generator

BATCH = 8
LENGTH = 20
HIDDEN = 96
SHOWN = 24


def initial(generator, vocabulary):
    embedding = generator.randn(vocabulary, HIDDEN)
    x2h, x2h_bias = generator.linear(HIDDEN, 4 * HIDDEN)
    h2h = generator.uniform(1.0 / math.sqrt(HIDDEN), 4 * HIDDEN, HIDDEN)
    out, out_bias = generator.linear(HIDDEN, vocabulary)
    return jax.tree.map(
        jnp.asarray,
        {"embedding": embedding, "x2h": x2h, "x2h_bias": x2h_bias, "h2h": h2h, "out": out, "out_bias": out_bias},
    )


def model(p, sequence, state):
    """`sequence` is (time, batch); the logits are (time, batch, vocabulary)."""

    def cell(state, x):
        h, c = state
        gates = x @ p["x2h"].T + p["x2h_bias"] + h @ p["h2h"].T
        i, f, g, o = jnp.split(gates, 4, axis=1)
        c = jax.nn.sigmoid(f + 1.0) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    state, outputs = jax.lax.scan(cell, state, p["embedding"][sequence])
    return outputs @ p["out"].T + p["out_bias"], state


def cross_entropy(logits, targets):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def train_step(p, adam, state, x, y):
    def loss_of(p):
        logits, after = model(p, x, state)
        return jnp.mean(cross_entropy(logits, y)), after

    (loss, state), gradients = jax.value_and_grad(loss_of, has_aux=True)(p)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    scale = jnp.minimum(1.0 / (norm + 1e-6), 1.0)
    count, first, second = adam
    count = count + 1
    gradients = jax.tree.map(lambda g: g * scale, gradients)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    rate, root = 3e-3 / (1 - 0.9**count), jnp.sqrt(1 - 0.999**count)
    p = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) / root + 1e-8), p, first, second)
    return p, (count, first, second), state, loss


def columns(data, batch):
    length = len(data) // batch
    return data[: length * batch].reshape(batch, length).T


def perplexity(p, data):
    data = columns(data, 1)
    state = (jnp.zeros((1, HIDDEN)), jnp.zeros((1, HIDDEN)))
    evaluate = jax.jit(model)
    total, count = 0.0, 0
    for at in range(0, len(data) - 1, LENGTH):
        y = data[at + 1 : at + LENGTH + 1]
        logits, state = evaluate(p, data[at : at + len(y)], state)
        total += float(cross_entropy(logits, y).sum())
        count += len(y)
    return math.exp(total / count)


def load_text():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../models/data/text.txt")
    with open(path) as f:
        text = f.read()
    characters = sorted(set(text))
    index = {c: i for i, c in enumerate(characters)}
    return np.array([index[c] for c in text], dtype=np.int32), characters


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    generator = Generator(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    data, characters = load_text()
    print(f"{len(data)} characters, {len(characters)} different ones")
    p = initial(generator, len(characters))
    adam = (jnp.float32(0), jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p))
    train = columns(data[:10500], BATCH)
    fresh = lambda: (jnp.zeros((BATCH, HIDDEN)), jnp.zeros((BATCH, HIDDEN)))
    state, position = fresh(), 0
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        if position + LENGTH + 1 > len(train):
            state, position = fresh(), 0
        x = train[position : position + LENGTH]
        y = train[position + 1 : position + LENGTH + 1]
        position += LENGTH
        p, adam, state, loss = train_step(p, adam, state, x, y)
        loss = loss.item()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"perplexity {perplexity(p, data[10500:]):.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
