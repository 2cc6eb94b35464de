"""Ints."""


def collatz(limit):
    best = 0
    best_n = 0
    for n in range(1, limit):
        steps = 0
        x = n
        while x != 1:
            if x % 2 == 0:
                x //= 2
            else:
                x = 3 * x + 1
            steps += 1
        if steps > best:
            best = steps
            best_n = n
    return best, best_n


print(collatz(300_000))
