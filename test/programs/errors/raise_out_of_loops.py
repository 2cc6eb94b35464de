# Exceptions that leave loops whose trip count moves, to a handler around them in the same function.
import torch

torch.manual_seed(8)


class Found(Exception):
    pass


def search(xs, limit):
    total = torch.zeros(())
    try:
        for k in range(xs.size(0)):
            total = total + xs[k]
            if total > limit:
                raise Found(k)
    except Found as e:
        return total, e.args[0]
    return total * 2, -1


out, places = torch.zeros(()), []
for i in range(60):
    total, k = search(torch.rand(3 + i * 7 % 40), 6.0)
    out = out + total
    places.append(k)
print(out, places[:12], sum(places))


# Out of two loops, with a value of the inner one; the outer one goes on below.
def nested(n, m, limit):
    count, x = 0, torch.ones(2)
    for round in range(2 + n % 3):
        try:
            for a in range(n):
                for b in range(m):
                    x = x * 0.99 + 0.01 * (a - b)
                    count += 1
                    if x[0] + count * 0.01 > limit:
                        raise Found(a, b)
        except Found as e:
            x = x * 0.5 + e.args[0] - e.args[1]
        else:
            count += 1000
        finally:
            x = x + 0.125
    return x, count


out, counts = torch.zeros(2), 0
for i in range(40):
    x, count = nested(2 + i % 9, 1 + i % 7, 1.1 + 0.1 * (i % 5))
    out = out + x
    counts += count
print(out, counts)


# A loop that only ends by raising, and one that a `return` leaves, too.
def descend(x, low):
    steps = 0
    try:
        while True:
            x = x * 0.8
            steps += 1
            if x.sum() < low:
                raise StopIteration
            if steps > 20:
                raise ValueError(steps)
    except StopIteration:
        return x, steps
    except ValueError as e:
        return x * 0, e.args[0]


out, counts = torch.zeros(3), 0
for i in range(50):
    x, steps = descend(torch.rand(3) * (1 + i % 10), 0.3 if i % 4 else 0.01)
    out = out + x
    counts += steps
print(out, counts)


# The exception has another name, which lives on behind the handler.
def named(xs):
    kept = None
    try:
        for k in range(xs.size(0)):
            if xs[k] > 0.9:
                kept = Found(k)
                raise kept
    except Found as e:
        return e is kept, e.args, kept.args[0]
    return kept


print([named(torch.rand(2 + i % 9)) for i in range(40)][-6:])
