"""Profiles of programs; the profiler is that of `cProfile`."""

import cProfile

__all__ = ["run", "runctx", "Profile"]


class Profile(cProfile.Profile):
    def __init__(self, timer=None, bias=None):
        if bias:
            raise NotImplementedError("profile.Profile(bias=) is not implemented in janus-jit yet")
        super().__init__(timer)


def run(statement, filename=None, sort=-1):
    cProfile._shown(Profile(), lambda profile: profile.run(statement), filename, sort)


def runctx(statement, globals, locals, filename=None, sort=-1):
    cProfile._shown(Profile(), lambda profile: profile.runctx(statement, globals, locals), filename, sort)
