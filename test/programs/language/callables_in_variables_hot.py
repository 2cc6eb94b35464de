# Callables that variables, containers and attributes hold: called by their code, with defaults and cells of their own.
import functools


def counter(start):
    value = start

    def step(by=1, *, scale=2):
        nonlocal value
        value += by * scale
        return value

    def plain(by=start, more=10):
        nonlocal value
        value += by + more
        return value

    return step, plain


def counts(n):
    all_steps = [counter(k) for k in range(5)]
    total = 0
    for k in range(n):
        for step, plain in all_steps:
            total += plain()
            total += plain(k)
            total += plain(more=k % 3)
            total += step(k % 7, scale=3) if k % 50 == 0 else 0
    return total


print(counts(10), counts(400))


# Defaults that are replaced, removed, and of other types, while the calls are compiled.
def replaced(n):
    def f(a, b=1, c=2):
        return a + b * c

    total = []
    for k in range(n):
        if k == n // 2:
            f.__defaults__ = (3, 4.5)
        if k == n * 3 // 4:
            f.__defaults__ = ("x", 2)
        try:
            total.append(f(k) if k < n * 3 // 4 else f("y"))
        except TypeError as e:
            total.append(str(e))
    f.__defaults__ = None
    try:
        f(1)
    except TypeError as e:
        total.append(str(e))
    f.__defaults__ = (7,)
    try:
        f(1)
    except TypeError as e:
        total.append(str(e))
    return total[0], total[n // 2], total[-3:], f(1, 2)


for _ in range(30):
    result = replaced(40)
print(result, replaced(600)[1:])


# The usual loop with a default for each function.
def by_loop(n):
    functions = []
    for k in range(4):
        def f(x, k=k):
            return x * k

        functions.append(f)
    functions.append(lambda x, k="z": k * x)
    return [f(n % 3) for f in functions]


print([by_loop(k) for k in range(300)][-2:])


class Button:
    def __init__(self, action, hook=None):
        self.action = action
        self.hook = hook

    def press(self, k):
        if self.hook:
            self.hook(k)
        return self.action(k)


def buttons(n):
    log = []
    base = 3
    made = [Button(lambda k: k + base), Button(lambda k: k + base, log.append), Button(abs), Button(str, print)]
    total = 0
    for k in range(n):
        total += made[k % 2].press(k)
        total += made[2].press(-k)
    made[3].hook = None
    return total, len(log), made[3].press(5)


print(buttons(9), buttons(600))


def dispatch(n):
    table = {"a": lambda x: x + 1, "b": lambda x: x * 2, "c": counter(1)[1], "d": max}
    total = 0
    for k in range(n):
        for name in "abc":
            total += table[name](k)
        total += table["d"](k, 3)
    return total


print(dispatch(10), dispatch(500))


def logged(f):
    calls = []

    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        calls.append(len(args) + 10 * len(kwargs))
        return f(*args, **kwargs)

    wrapper.calls = calls
    return wrapper


@logged
def add(a, b=2):
    return a + b


print(sum(add(k) for k in range(300)), sum(add(k, b=k) for k in range(300)), sum(add.calls), add.__name__)


@functools.lru_cache(maxsize=None)
def paths(i, j):
    return 1 if i == 0 or j == 0 else paths(i - 1, j) + paths(i, j - 1)


@functools.lru_cache(maxsize=3)
def few(k):
    return [k]


@functools.lru_cache(maxsize=0)
def none(k):
    return [k]


@functools.lru_cache(typed=True)
def typed(k, *, name=None):
    return type(k).__name__, name


print(paths(25, 25), paths.cache_info())
first = [few(k) for k in (1, 2, 3, 1, 4, 2)]
print(first, few(1) is first[0], few(3) is first[2], few.cache_info(), few(1.0) is few(1))
print(none(1) is none(1), none.cache_info(), typed(1), typed(1.0), typed(True), typed(1, name="x"), typed.cache_info())
few.cache_clear()
print(few.cache_info(), few.cache_parameters(), paths.__wrapped__.__name__)
for bad in ([], {}):
    try:
        few(bad)
    except TypeError as e:
        print(e)


class Point:
    def __init__(self, x):
        self.x = x

    def __lt__(self, other):
        return self.x < other.x

    def __hash__(self):
        return hash(self.x)

    def __eq__(self, other):
        return self.x == other.x


def sorts(n):
    points = [Point(k * 37 % 101) for k in range(n)]
    low = min(points, key=lambda p: p.x)
    return [p.x for p in sorted(points)[:3]], [p.x for p in sorted(points, key=lambda p: (-p.x % 7, p.x))[:3]], low.x, len(set(points)), list(map(lambda p: p.x + n, points))[:2]


print([sorts(60) for _ in range(40)][-1], sorts(300))


def failing(n):
    def key(k):
        if k == n - 1:
            raise KeyError(k)
        return -k

    try:
        return sorted(range(n), key=key)
    except KeyError as e:
        trace = e.__traceback__
        names = []
        while trace:
            names.append(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
        return e.args, names


print([failing(50) for _ in range(60)][-1])
