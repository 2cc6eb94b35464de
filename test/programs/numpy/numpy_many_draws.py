"""Many random numbers at a time are those that are drawn one by one: of RandomState, in any order with others."""
import numpy as np

np.random.seed(3)
print(np.random.randn(3), np.random.randn(64)[-2:], np.random.randn())
print(np.random.rand(8, 9).sum(), np.random.rand(2))
for n in (1, 2, 63, 64, 65, 129, 1000):
    print(n, np.random.permutation(n)[:6], np.random.normal(2.0, 0.5, n)[-1], np.random.uniform(-1, 1, n)[-1])
state = np.random.RandomState(7)
print(state.standard_normal((5, 13))[4, 12], state.standard_normal(), state.standard_normal(65)[0])
saved = state.get_state()
first = state.normal(size=(10, 10))
state.set_state(saved)
print(np.array_equal(first, state.normal(size=100).reshape(10, 10)), saved[3:])
items = np.arange(200).reshape(100, 2)
state.shuffle(items)
print(items[:3].tolist(), state.choice(500, 3, replace=False), state.choice(100, 70, replace=False)[:5])
words = [str(n) for n in range(70)]
state.shuffle(words)
print(words[:5], state.permutation(items)[0], np.random.rand(0, 5).shape, np.random.permutation(0))
print(np.random.lognormal(0.0, 1.0, 70)[:2], np.random.exponential(2.0, 70)[:2])


def noisy(x):
    return (x + 0.1 * np.random.randn(*x.shape)).sum()


total = 0.0
for step in range(40):
    total += noisy(np.zeros((4, 20 if step % 2 else 3)))
print(round(total, 10))
