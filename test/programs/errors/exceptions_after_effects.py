import torch, traceback, sys, warnings

class MyErr(Exception):
    def __init__(self, t, code=3):
        super().__init__("my", code)
        self.t = t

state = {"n": 0, "log": []}

def mutate_then_raise(x, i):
    state["n"] += 1
    state["log"].append(i)
    x.add_(1)
    if i % 7 == 6:
        raise MyErr(x * 2)
    state["n"] += 10
    return x

def chain(x, i):
    try:
        return mutate_then_raise(x, i)
    except MyErr as e:
        try:
            raise ValueError("wrapped") from e
        except ValueError as v:
            return v.__cause__.t + v.__cause__.args[1]
    finally:
        state["log"].append("f")

def asserts(x):
    assert x.sum() < 50, f"too big: {x.sum():.1f}"
    return x

def idx(l, i):
    try:
        return l[i]
    except (IndexError, KeyError) as e:
        return type(e).__name__ + str(e)

def group(i):
    try:
        [1, 2][i % 4]
        {}["k"] if i % 2 else 1 / (i % 3)
        int("x" if i % 5 == 0 else "3")
        torch.zeros(2)[i % 3]
        torch.zeros(2) + torch.zeros(i % 3 + 1)
    except ZeroDivisionError:
        return "zd"
    except (IndexError, KeyError) as e:
        return repr(e)
    except ValueError as e:
        return str(e)
    except RuntimeError as e:
        return str(e)[:60]
    else:
        return "ok"

def reraise(i):
    try:
        try:
            if i % 2:
                raise KeyError(i)
            return "no"
        except KeyError:
            raise
        finally:
            state["log"].append("re")
    except KeyError as e:
        return e.args[0] * 2

def ctxerr():
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            None.x
    except AttributeError as e:
        return type(e.__context__).__name__, str(e)

def stop(n):
    def g():
        yield 1
        if n % 2:
            raise StopIteration
        return 5
    try:
        return list(g())
    except RuntimeError as e:
        return str(e)

def ret(n):
    for i in range(3):
        try:
            if i == n % 4:
                return i
        finally:
            if n % 5 == 4:
                continue
    return "end"

x = torch.zeros(2)
for i in range(40):
    a = chain(x, i)
    try:
        b = asserts(x)
    except AssertionError as e:
        b = str(e)
    r = a, b, idx([1, 2], i % 4), idx({1: 2}, i % 3), group(i), reraise(i), ctxerr(), stop(i), ret(i)
    if i % 6 == 0 or i > 36:
        print(i, r)
print(state["n"], len(state["log"]), state["log"][-4:], x)

def deep(n, x):
    if n == 0:
        return x @ torch.zeros(3, 3)
    return deep(n - 1, x + 1)
try:
    deep(3, torch.zeros(2, 2))
except RuntimeError as e:
    tb = traceback.extract_tb(e.__traceback__)
    print(e, [(f.name, f.lineno) for f in tb])
try:
    for i in range(20):
        deep(2, torch.zeros(2, 2) if i == 19 else torch.zeros(2, 3))
except RuntimeError:
    print(traceback.format_exc().splitlines()[-3:])
with warnings.catch_warnings(record=True) as ws:
    warnings.simplefilter("always")
    for i in range(12):
        warnings.warn(f"w{i % 2}")
    print(len(ws), ws[-1].category.__name__, str(ws[-1].message))
print(sys.exc_info())
