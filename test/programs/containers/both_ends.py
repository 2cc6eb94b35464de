# Deques that are used from both ends, in the middle and as lists, against a list that is used likewise.
from collections import deque
import random

random.seed(4)


def compare(steps, bound):
    q, model = deque(maxlen=bound), []
    for step in range(steps):
        what = random.randrange(12)
        if what < 3:
            q.append(step)
            model.append(step)
            if bound is not None and len(model) > bound:
                del model[0]
        elif what < 5:
            q.appendleft(step)
            model.insert(0, step)
            if bound is not None and len(model) > bound:
                del model[-1]
        elif what < 8 and model:
            assert q.popleft() == model.pop(0)
        elif what == 8 and model:
            assert q.pop() == model.pop()
        elif what == 9 and model:
            at = random.randrange(-len(model), len(model))
            q[at] = model[at] = -step
            assert q[at] == model[at]
        elif what == 10 and model and step % 5 == 0:
            at = random.randrange(len(model))
            del q[at]
            del model[at]
        elif what == 11 and step % 7 == 0:
            q.rotate(3)
            if model:
                n = 3 % len(model)
                model[:] = model[len(model) - n:] + model[:len(model) - n]
        assert len(q) == len(model) and bool(q) == bool(model)
        if step % 50 == 0:
            assert list(q) == model and list(reversed(q)) == model[::-1]
            assert (step in q) == (step in model)
    return list(q)


for bound in (None, 5, 40):
    print(bound, compare(4000, bound)[:6])


def breadth_first(n):
    seen, queue, order = {1}, deque([1]), 0
    while queue:
        node = queue.popleft()
        order = (order * 31 + node) % 1000003
        for other in (node * 2, node * 3 + 1):
            if other < n and other not in seen:
                seen.add(other)
                queue.append(other)
    return order, len(seen)


print(breadth_first(60000))

q = deque(range(30))
for _ in range(10):
    q.popleft()
it = iter(q)
print(next(it), next(it), q[0], q[-1], len(q), q.index(15), q.count(12))
q.popleft()
try:
    next(it)
except RuntimeError as e:
    print(e)
q.insert(2, "x")
q.extendleft("ab")
print(q, q == deque(list(q)), q.copy() == q, q + deque([1]) > q)
q.clear()
print(q, bool(q), len(q))
try:
    q.popleft()
except IndexError as e:
    print(e)


class Counted(deque):
    def __len__(self):
        return 7

    def append(self, item):
        super().append(item * 2)


c = Counted([1, 2])
c.append(3)
print(len(c), list(c), bool(Counted()), c.popleft())
gone = []


class Noisy:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        gone.append(self.n)


q = deque((Noisy(n) for n in range(40)), maxlen=40)
for n in range(40, 60):
    q.append(Noisy(n))
print(gone)
q.popleft()
print(gone[-1])
