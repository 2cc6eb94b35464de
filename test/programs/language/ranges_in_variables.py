# ranges that variables hold, and what goes through them
def sums(r, n):
    t = 0
    for _ in range(n):
        for i in r:
            t += i
        for i in reversed(r):
            t = t * 3 + i & 0xffffffff
    return t
def rev(n):
    t = 0
    for k in range(n):
        for i in reversed(range(k % 7)):
            t += i * k
        for i in reversed(range(k, k * 2, 3)):
            t ^= i
        for i in reversed(range(k, -k, -2)):
            t += i
    return t
for r in (range(5), range(0), range(3, 20, 4), range(10, -3, -3), range(-2**63, -2**63 + 3), range(2**63 - 4, 2**63 - 1), range(5, 5), range(2**62, -2**62, -2**61)):
    print(r, sums(r, 500))
print(rev(600))
cols = range(6)
def comp(v, n):
    out = []
    for k in range(n):
        out.append((len(set(v[i] + i for i in cols)), tuple(v[i] - i for i in cols), sum(i * k for i in cols), {i: k for i in cols}[3], [x for x in reversed(cols)][0]))
    return out[-1], len(out)
print(comp((3, 1, 4, 0, 5, 2), 900))
def early(r, n):
    hits = 0
    for k in range(n):
        for i in r:
            if i == k % 9:
                hits += 1
                break
        else:
            hits += 100
    return hits
print(early(range(7), 800), early(range(8, -1, -2), 800))
def change(n):
    r = range(3)
    seen = []
    for k in range(n):
        if k == n - 10:
            r = [7, 8]
        if k == n - 5:
            r = (1.5,)
        for i in r:
            seen.append(i)
    return len(seen), seen[-8:]
print(change(700))
def gens(n):
    r = range(4)
    for k in range(n):
        for i in r:
            if (i + k) % 50 == 0:
                yield i, k
print(len(list(gens(1000))), list(gens(1000))[-2:])
def finder(n):
    cols = range(n); last = None
    for k in range(n * 40):
        if len(set((k * i) % 7 for i in cols)) == len(set((k + i * i) % 11 for i in cols)):
            last = k
            yield k
    yield last
for _ in range(5):
    f = list(finder(9)); print(len(f), f[-3:])
print(set([1, 2, 2]), frozenset((1, 'a')) == {1, 'a'}, set(range(3)), set(), len(frozenset([[1].__len__(), 1.0, True])))
try: set([[]])
except TypeError as e: print(e)
print(list(reversed((1, 2, 3))), list(reversed('ab')), list(reversed({1: 2, 3: 4})), list(zip()), list(zip([1], 'ab', (3,))), list(enumerate('ab', 5)), type(reversed(range(3))).__name__, type(reversed((1,))).__name__)
it = iter(range(6)); print(list(zip(it, it)))
