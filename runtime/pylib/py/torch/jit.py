"""torch.jit: everything is compiled without being asked, so these hand back what they get."""


def script(obj, *args, **kwargs):
    return obj


def script_if_tracing(fn):
    return fn


def trace(func, example_inputs=None, *args, **kwargs):
    return func


def ignore(fn=None, **kwargs):
    if fn is None:
        return lambda f: f
    return fn


unused = ignore
export = ignore


def is_scripting():
    return False


def is_tracing():
    return False
