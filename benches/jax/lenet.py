"""benches/models/lenet.py in JAX: the step under jit, batches drawn as PyTorch draws them."""

import functools
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

from torch_random import Generator

BATCH = 32
SHOWN = 24


def bilinear(images, size):
    """torch's F.interpolate without aligned corners."""
    old = images.shape[-1]
    at = np.maximum((np.arange(size, dtype=np.float32) + 0.5) * np.float32(old / size) - 0.5, 0)
    low = at.astype(np.int32)
    high = np.minimum(low + 1, old - 1)
    part = at - low
    rows = images[..., low, :] * (1 - part)[:, None] + images[..., high, :] * part[:, None]
    return rows[..., low] * (1 - part) + rows[..., high] * part


def load_digits():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/data/digits.csv")
    rows = np.loadtxt(path, delimiter=",", dtype=np.float32)
    return bilinear((rows[:, :64] / 16).reshape(-1, 1, 8, 8), 28), rows[:, 64].astype(np.int32)


def initial(generator):
    layers = [generator.conv(1, 6, 5), generator.conv(6, 16, 5)]
    layers += [generator.linear(16 * 5 * 5, 120), generator.linear(120, 84), generator.linear(84, 10)]
    return jax.tree.map(jnp.asarray, layers)


def conv(x, layer, padding):
    w, b = layer
    out = jax.lax.conv_general_dilated(x, w, (1, 1), [(padding, padding)] * 2)
    return out + b[:, None, None]


def max_pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def model(parameters, x):
    conv1, conv2, fc1, fc2, fc3 = parameters
    x = max_pool(jax.nn.relu(conv(x, conv1, 2)))
    x = max_pool(jax.nn.relu(conv(x, conv2, 0)))
    x = x.reshape(len(x), -1)
    x = jax.nn.relu(x @ fc1[0].T + fc1[1])
    x = jax.nn.relu(x @ fc2[0].T + fc2[1])
    return x @ fc3[0].T + fc3[1]


def loss_of(parameters, x, y):
    return -jnp.mean(jax.nn.log_softmax(model(parameters, x))[jnp.arange(len(y)), y])


@functools.partial(jax.jit, donate_argnums=(0, 1))
def train_step(parameters, momentum, images, labels, index):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, images[index], labels[index])
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradients)
    parameters = jax.tree.map(lambda p, m: p - 0.05 * m, parameters, momentum)
    return parameters, momentum, loss


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    generator = Generator(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    images, labels = load_digits()
    shuffled = generator.randperm(len(images))
    images, labels = jnp.asarray(images[shuffled]), jnp.asarray(labels[shuffled])
    parameters = initial(generator)
    momentum = jax.tree.map(jnp.zeros_like, parameters)
    train, train_labels = images[300:], labels[300:]
    order, position = generator.randperm(len(train)), 0
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        if position + BATCH > len(train):
            order, position = generator.randperm(len(train)), 0
        index = order[position : position + BATCH]
        position += BATCH
        parameters, momentum, loss = train_step(parameters, momentum, train, train_labels, index)
        loss = loss.item()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    hits = int((jax.jit(model)(parameters, images[:300]).argmax(1) == labels[:300]).sum())
    print(f"accuracy {hits / 300:.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
