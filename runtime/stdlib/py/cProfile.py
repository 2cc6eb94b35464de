"""Profiles of programs."""

import _lsprof

__all__ = ["run", "runctx", "Profile"]


def run(statement, filename=None, sort=-1):
    _shown(Profile(), lambda profile: profile.run(statement), filename, sort)


def runctx(statement, globals, locals, filename=None, sort=-1):
    _shown(Profile(), lambda profile: profile.runctx(statement, globals, locals), filename, sort)


def _shown(profile, act, filename, sort):
    try:
        act(profile)
    except SystemExit:
        pass
    finally:
        if filename is not None:
            profile.dump_stats(filename)
        else:
            profile.print_stats(sort)


class Profile(_lsprof.Profiler):
    def print_stats(self, sort=-1):
        import pstats

        pstats.Stats(self).strip_dirs().sort_stats(*(sort if isinstance(sort, tuple) else (sort,))).print_stats()

    def dump_stats(self, file):
        import marshal

        self.create_stats()
        with open(file, "wb") as out:
            marshal.dump(self.stats, out)

    def create_stats(self):
        self.disable()
        self.snapshot_stats()

    def snapshot_stats(self):
        entries = self.getstats()
        callers = {label(entry.code): {} for entry in entries}
        self.stats = {}
        for entry in entries:
            function = label(entry.code)
            for called in entry.calls or ():
                callers[label(called.code)][function] = (
                    called.callcount, called.callcount - called.reccallcount, called.inlinetime, called.totaltime)
        for entry in entries:
            function = label(entry.code)
            self.stats[function] = (
                entry.callcount - entry.reccallcount, entry.callcount, entry.inlinetime, entry.totaltime, callers[function])

    def run(self, cmd):
        import __main__

        return self.runctx(cmd, __main__.__dict__, __main__.__dict__)

    def runctx(self, cmd, globals, locals):
        self.enable()
        try:
            exec(cmd, globals, locals)
        finally:
            self.disable()
        return self

    def runcall(self, func, /, *args, **kw):
        self.enable()
        try:
            return func(*args, **kw)
        finally:
            self.disable()

    def __enter__(self):
        self.enable()
        return self

    def __exit__(self, *exc_info):
        self.disable()


def label(code):
    if isinstance(code, str):
        return "~", 0, code
    return code.co_filename, code.co_firstlineno, code.co_name


def main():
    import os
    import runpy
    import sys
    from optparse import OptionParser

    parser = OptionParser(usage="cProfile.py [-o output_file_path] [-s sort] [-m module | scriptfile] [arg] ...")
    parser.allow_interspersed_args = False
    parser.add_option("-o", "--outfile", dest="outfile", help="Save stats to <outfile>", default=None)
    parser.add_option("-s", "--sort", dest="sort", default=2, help="Sort order when printing to stdout")
    parser.add_option("-m", dest="module", action="store_true", help="Profile a library module.", default=False)
    options, args = parser.parse_args()
    if not args:
        parser.print_usage()
        return
    sys.argv[:] = args
    if options.module:
        scope = {"run_module": runpy.run_module, "name": args[0]}
        code = "run_module(name, run_name='__main__')"
    else:
        sys.path.insert(0, os.path.dirname(args[0]))
        with open(args[0], "rb") as file:
            code = compile(file.read(), args[0], "exec")
        scope = {"__file__": args[0], "__name__": "__main__", "__package__": None, "__cached__": None}
    runctx(code, scope, None, options.outfile, options.sort)


if __name__ == "__main__":
    main()
