"""contextvars, timeit, clocks of CPU time."""

import contextvars
import time
import timeit

depth = contextvars.ContextVar("depth", default=0)
name = contextvars.ContextVar("name")
token = depth.set(3)
print(depth.get(), token.old_value is contextvars.Token.MISSING, name.get("none"))


def inside():
    depth.set(depth.get() + 1)
    name.set("inner")
    return depth.get(), name.get()


context = contextvars.copy_context()
print(context.run(inside), depth.get(), context[depth], depth in context, len(context))
depth.reset(token)
print(depth.get(), depth.name)
try:
    name.get()
except LookupError as e:
    print("LookupError", e.args[0] is name)
try:
    depth.reset(token)
except RuntimeError as e:
    print("RuntimeError", str(e)[-26:])
calls = []
took = timeit.timeit(lambda: calls.append(1), number=5)
print(len(calls), took >= 0, len(timeit.repeat("x = 1 + 1", number=3, repeat=2)), timeit.Timer("n += 1", "n = 0", globals={"n": 0}).timeit(2) >= 0)
begun, thread, wall = time.process_time(), time.thread_time(), time.perf_counter()
total = 0
while time.process_time() == begun or time.thread_time() == thread:
    total += sum(range(100))
time.sleep(0.05)
print(time.process_time() > begun, time.thread_time() > thread, time.process_time_ns() > 0, time.process_time() - begun < time.perf_counter() - wall + 1)
