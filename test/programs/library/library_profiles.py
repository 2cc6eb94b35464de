# cProfile and pstats, trace, bdb and pdb over sys.settrace; limits and users of the system.
import bdb
import cProfile
import fcntl
import grp
import io
import pdb
import pstats
import pwd
import re
import resource
import sys
import tempfile
import trace


def f(n):
    total = 0
    for i in range(n):
        total += g(i)
    return total + len("x")


def g(i):
    return i * 2 if i < 2 else g(i - 1)


def shown(text):
    text = re.sub(r"\d+\.\d\d\d", "0.000", text)
    return "\n".join(line.rstrip() for line in text.splitlines())


p = cProfile.Profile()
p.enable()
f(5)
"a".upper()
[].append(1)
p.disable()
out = io.StringIO()
stats = pstats.Stats(p, stream=out)
stats.strip_dirs().sort_stats("name").print_stats()
stats.print_callers()
stats.print_callees("f")
stats.sort_stats(pstats.SortKey.CALLS, pstats.SortKey.NAME).print_stats(3)
print(shown(out.getvalue()))
print(stats.total_calls, stats.prim_calls)
out = sys.stdout = io.StringIO()
cProfile.run("f(3)")
sys.stdout = sys.__stdout__
print(shown(out.getvalue()))
with tempfile.NamedTemporaryFile() as file:
    p.dump_stats(file.name)
    print(pstats.Stats(file.name).total_calls)
with cProfile.Profile() as p:
    g(1)
print(p.runcall(f, 2))

# A debugger
script = """
x = 1
def h(a):
    b = a + x
    return b
y = h(2)
z = y * 2
"""


class Steps(bdb.Bdb):
    def __init__(self):
        super().__init__()
        self.seen = []

    def user_line(self, frame):
        if frame.f_code.co_filename == "<script>":
            self.seen.append(("line", frame.f_lineno, sorted(k for k in frame.f_locals if len(k) == 1)))
        self.set_step()

    def user_return(self, frame, value):
        self.seen.append(("return", value))
        self.set_step()


steps = Steps()
steps.run(compile(script, "<script>", "exec"), {})
for entry in steps.seen:
    print(entry)


def debugged(n):
    values = list(range(n))
    total = sum(values)
    result = total * 2
    return result


out = io.StringIO()
session = pdb.Pdb(stdin=io.StringIO("p n\nn\nn\np values, total\nw\nargs\n!total = 100\nunt\nn\nretval\nc\n"), stdout=out, nosigint=True, readrc=False)
session.use_rawinput = False
print(session.runcall(debugged, 4))
for line in out.getvalue().splitlines():
    if "bdb" not in line and "res = func" not in line:
        print(re.sub(r"^(\S* *).*/", r"\1", line))


def broken():
    here = "kept"
    raise ValueError("x")


try:
    broken()
except ValueError as e:
    out = io.StringIO()
    session = pdb.Pdb(stdin=io.StringIO("p here\nu\np e\nq\n"), stdout=out, nosigint=True, readrc=False)
    session.use_rawinput = False
    session.reset()
    session.interaction(None, e.__traceback__)
    print([line for line in out.getvalue().splitlines() if "kept" in line or "ValueError" in line])

# Which lines ran
tracer = trace.Trace(count=1, trace=0, countfuncs=0)
print(tracer.runfunc(f, 2))
first = f.__code__.co_firstlineno
print({line - first: n for (file, line), n in tracer.results().counts.items() if first < line < first + 10})
tracer = trace.Trace(count=0, trace=0, countfuncs=1)
tracer.runfunc(f, 2)
print(sorted(name for _, _, name in tracer.results().calledfuncs))

# The system
usage = resource.getrusage(resource.RUSAGE_SELF)
print(type(usage).__name__, len(usage), usage.ru_maxrss > 0, usage.ru_utime >= 0)
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], resource.RLIM_INFINITY)
for call in (lambda: resource.getrlimit(99), lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1,)), lambda: resource.getrusage(55),
             lambda: pwd.getpwnam("nobody-here"), lambda: grp.getgrgid(987654)):
    try:
        call()
    except Exception as e:
        print(type(e).__name__, e)
print(pwd.getpwuid(0)[:3], pwd.getpwnam("root").pw_uid, grp.getgrgid(0).gr_name, pwd.getpwall()[0].pw_uid)
with tempfile.TemporaryFile() as file:
    print(fcntl.fcntl(file, fcntl.F_GETFD), fcntl.fcntl(file.fileno(), fcntl.F_SETFD, 0), fcntl.fcntl(file, fcntl.F_GETFD))
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.lockf(file, fcntl.LOCK_EX)
    fcntl.lockf(file, fcntl.LOCK_UN)
