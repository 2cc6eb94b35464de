"""A list of bools."""


def sieve(n):
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    count = 0
    last = 0
    for i in range(n + 1):
        if flags[i]:
            count += 1
            last = i
    return count, last


print(sieve(10_000_000))
