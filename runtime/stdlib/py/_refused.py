"""What is raised for what is known and is not there yet: arguments, and names of packages."""


def refused(function, argument):
    return NotImplementedError(f"{function}(): argument '{argument}' is not implemented in janus-jit yet")


def absent(module, name, why=None):
    """The error of a name that can be imported, and is not there."""
    return NotImplementedError(f"{module}.{name} is not implemented in janus-jit yet" + (f": {why}" if why else ""))


class Absent(type):
    """The class of a class that has no instances, and no attributes but those of every class: `isinstance(x, C)` answers
    what is so, False. `_why` says more in its error."""

    _why = None

    def __call__(cls, *args, **kwargs):
        raise cls._refusal()

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        raise cls._refusal()

    def _refusal(cls):
        return absent(cls.__module__, cls.__qualname__, cls._why)
