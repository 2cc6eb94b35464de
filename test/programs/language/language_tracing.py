# sys.settrace and sys.setprofile: which events come, where, with what.
import sys
import threading

log = []


def tracer(frame, event, arg):
    if event == "exception":
        arg = (arg[0].__name__, str(arg[1]), arg[2] is not None)
    log.append((event, frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, arg))
    return tracer


def run(f, *args):
    log.clear()
    sys.settrace(tracer)
    try:
        f(*args)
    except Exception as e:
        failed = type(e).__name__
    finally:
        sys.settrace(None)
    for entry in log:
        if entry[1] != "run":
            print(*entry)
    print("--")


def plain(a):
    b = a + 1
    if b > 3:
        b -= 1
    else:
        b += 1
    return b


def loops(n):
    total = 0
    for i in range(n):
        total += i
    while n:
        n -= 1
    return total


def calls():
    x = plain(1)
    y = list(map(plain, (1, 5)))
    return x


def catches():
    x = 0
    try: raise ValueError("a")
    except ValueError:
        x += 1
    finally:
        x += 2
    return x


def fails():
    return inner_fails()


def inner_fails():
    {}["k"]


def gen():
    got = yield 1
    yield got


def drives():
    g = gen()
    next(g)
    g.send("s")
    for x in g:
        print(x)


class C:
    def __init__(self):
        self.x = 1

    @property
    def p(self):
        return self.x

    def __add__(self, other):
        return self.x + other


def objects():
    c = C()
    c.p
    return c + 2


def one_line(n):
    for i in range(n): pass


def with_statement():
    class M:
        def __enter__(self):
            return 1

        def __exit__(self, *args):
            return True

    with M() as m:
        raise KeyError(m)
    return 2


for f, args in [(plain, (1,)), (plain, (9,)), (loops, (2,)), (calls, ()), (catches, ()), (fails, ()), (drives, ()),
                (objects, ()), (one_line, (2,)), (with_statement, ())]:
    print(f.__name__)
    run(f, *args)


# A local function that is not there, that changes, that is switched off
def only_calls(frame, event, arg):
    log.append((event, frame.f_code.co_name))


log.clear()
sys.settrace(only_calls)
calls()
sys.settrace(None)
print(log)


def quiet_lines(frame, event, arg):
    frame.f_trace_lines = False
    log.append((event, frame.f_code.co_name))
    return quiet_lines


log.clear()
sys.settrace(quiet_lines)
calls()
sys.settrace(None)
print(log)


def first(frame, event, arg):
    log.append(("first", event))
    return second


def second(frame, event, arg):
    log.append(("second", event))
    return None if event == "line" and len(log) > 3 else second


log.clear()
sys.settrace(first)
plain(1)
sys.settrace(None)
print(log, sys.gettrace())


def failing(frame, event, arg):
    raise RuntimeError("in tracer")


sys.settrace(failing)
try:
    plain(1)
except RuntimeError as e:
    print(e, sys.gettrace())


# f_trace of a frame that runs
def sets():
    sys.settrace(lambda *args: None)
    sys._getframe().f_trace = lambda frame, event, arg: log.append((event, frame.f_lineno - frame.f_code.co_firstlineno))
    a = 1
    b = 2
    for i in range(2):
        a += i
    sys.settrace(None)
    return a


log.clear()
print(sets(), log)


# Locals, as a tracer sees them
def shows(frame, event, arg):
    if frame.f_code is loops.__code__:
        log.append(dict(frame.f_locals))
        return shows


log.clear()
sys.settrace(shows)
loops(2)
sys.settrace(None)
print(log)


# Profiles
def profiler(frame, event, arg):
    name = frame.f_code.co_name
    if name in ("run_profiled", "<module>"):
        return
    log.append((event, name, getattr(arg, "__name__", arg)))


def native():
    x = len([1, 2])
    s = sorted([3, 1], key=lambda v: -v)
    "a b".split()
    try:
        int("x")
    except ValueError:
        x = 1
    return plain(x)


def run_profiled(f):
    log.clear()
    sys.setprofile(profiler)
    f()
    sys.setprofile(None)
    print(log)


run_profiled(native)
run_profiled(drives)
print(sys.getprofile())

# Threads
seen = set()


def in_thread(frame, event, arg):
    if frame.f_code is plain.__code__:
        seen.add((event, threading.current_thread().name))
    return in_thread


threading.settrace(in_thread)
t = threading.Thread(target=plain, args=(1,), name="worker")
t.start()
t.join()
threading.settrace(None)
plain(2)
print(sorted(seen))

# Hot code, before and after
for i in range(2000):
    loops(3)
run(loops, 1)
total = 0
for i in range(2000):
    total += loops(3)
print(total)
