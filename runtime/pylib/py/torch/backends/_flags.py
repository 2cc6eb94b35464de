"""Switches of a module that are set for a while."""

import contextlib


@contextlib.contextmanager
def set_for_a_while(module, **values):
    """Sets a module's switches, but for those that are None, and puts them back in the end."""
    before = {name: getattr(module, name) for name in values}
    given = {name: value for name, value in values.items() if value is not None}
    vars(module).update(given)
    try:
        yield
    finally:
        vars(module).update(before)
