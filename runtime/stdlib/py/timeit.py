"""timeit: how long a statement takes."""

import gc
import time

dummy_src_name = "<timeit-src>"
default_number = 1000000
default_repeat = 5
default_timer = time.perf_counter


def _runner(part, space, what):
    if callable(part):
        return part
    if isinstance(part, str):
        code = compile(part, dummy_src_name, "exec")
        return lambda: exec(code, space)
    raise ValueError(f"{what} is neither a string nor callable")


class Timer:
    def __init__(self, stmt="pass", setup="pass", timer=default_timer, globals=None):
        self.timer = timer
        space = {} if globals is None else dict(globals)
        self._stmt = _runner(stmt, space, "stmt")
        self._setup = _runner(setup, space, "setup")

    def timeit(self, number=default_number):
        self._setup()
        run = self._stmt
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            start = self.timer()
            for _ in range(number):
                run()
            return self.timer() - start
        finally:
            if was_enabled:
                gc.enable()

    def repeat(self, repeat=default_repeat, number=default_number):
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        scale = 1
        while True:
            for step in (1, 2, 5):
                number = scale * step
                taken = self.timeit(number)
                if callback:
                    callback(number, taken)
                if taken >= 0.2:
                    return number, taken
            scale *= 10


def timeit(stmt="pass", setup="pass", timer=default_timer, number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).timeit(number)


def repeat(
    stmt="pass", setup="pass", timer=default_timer, repeat=default_repeat, number=default_number, globals=None
):
    return Timer(stmt, setup, timer, globals).repeat(repeat, number)
