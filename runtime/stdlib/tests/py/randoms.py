# random: the streams of CPython, bit for bit.
import random
for seed in (0, 1, 42, -7, 2**40, 2**100, "hello", 3.5, b"bytes", True):
    random.seed(seed)
    print(seed, random.random(), random.getrandbits(5), random.getrandbits(40), random.getrandbits(100))
random.seed(123)
print([random.randint(1, 10) for _ in range(20)])
print([random.randrange(0, 100, 7) for _ in range(10)], random.randrange(10**30), random.randrange(5, 1, -1))
print([random.uniform(-1, 1) for _ in range(3)])
print([random.gauss(0, 1) for _ in range(5)], [random.normalvariate(1, 2) for _ in range(3)])
print(random.choice("abcdef"), random.choice([1, 2, 3]), random.choice(range(100)))
x = list(range(20)); random.shuffle(x); print(x)
print(random.sample(range(1000), 10), random.sample("abcdefgh", 3), random.sample([1, 2, 3], 3), random.sample(["a", "b"], counts=[3, 2], k=4))
print(random.choices("abc", k=5), random.choices([1, 2, 3], weights=[1, 1, 8], k=6), random.choices("xy", cum_weights=[1, 3], k=4))
for f, a in ((random.betavariate, (2, 3)), (random.expovariate, (1.5,)), (random.gammavariate, (0.5, 1)), (random.gammavariate, (2, 2)), (random.gammavariate, (1, 2)), (random.lognormvariate, (0, 1)), (random.triangular, (0, 10, 3)), (random.vonmisesvariate, (0, 4)), (random.paretovariate, (3,)), (random.weibullvariate, (1, 2))):
    print(f.__name__, f(*a), f(*a))
state = random.getstate(); a = [random.random() for _ in range(3)]; random.setstate(state); print(a == [random.random() for _ in range(3)], len(state), len(state[1]), state[0])
r = random.Random(5); s = random.Random(5); print(r.random() == s.random(), r.random(), s.getrandbits(32), r.randbytes(4))
for f, a in ((random.randint, (5, 1)), (random.choice, ([],)), (random.sample, ([1], 2)), (random.randrange, (0,)), (random.seed, ([],)), (random.sample, ({1, 2}, 1)), (random.choices, ([], ))):
    try: print(f(*a))
    except Exception as e: print(type(e).__name__, e)
class Mine(random.Random):
    def random(self): return 0.25
m = Mine(1); print(m.random(), m.uniform(0, 4), m.choice([1, 2, 3, 4]))
import copy
r2 = copy.deepcopy(r); print(r2.random() == r.random())
