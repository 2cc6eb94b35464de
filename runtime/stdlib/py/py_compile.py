"""Checks that a file compiles. Files of CPython's bytecode are not written: nothing here could read them."""

import builtins
import enum
import sys
import traceback

__all__ = ["compile", "main", "PyCompileError", "PycInvalidationMode"]


class PyCompileError(Exception):
    """A file that does not compile, and why."""

    def __init__(self, exc_type, exc_value, file, msg=""):
        name = exc_type.__name__
        if exc_type is SyntaxError:
            text = "".join(traceback.format_exception_only(exc_type, exc_value))
            reason = text.replace('File "<string>"', f'File "{file}"')
        else:
            reason = f"Sorry: {name}: {exc_value}"
        Exception.__init__(self, msg or reason, name, exc_value, file)
        self.exc_type_name, self.exc_value, self.file, self.msg = name, exc_value, file, msg or reason

    def __str__(self):
        return self.msg


class PycInvalidationMode(enum.Enum):
    TIMESTAMP = 1
    CHECKED_HASH = 2
    UNCHECKED_HASH = 3


def compile(file, cfile=None, dfile=None, doraise=False, optimize=-1, invalidation_mode=None, quiet=0):
    if cfile is not None:
        raise NotImplementedError("py_compile.compile(cfile=...): files of CPython's bytecode are not written in janus-jit")
    if invalidation_mode is not None:
        PycInvalidationMode(invalidation_mode)
    with open(file, "rb") as source:
        text = source.read()
    try:
        builtins.compile(text, dfile or file, "exec", dont_inherit=True, optimize=optimize)
    except Exception as error:
        failure = PyCompileError(error.__class__, error, dfile or file)
        if quiet < 2:
            if doraise:
                raise failure from None
            sys.stderr.write(failure.msg + "\n")


def main():
    import argparse

    parser = argparse.ArgumentParser(description="Checks that files compile.")
    parser.add_argument("-q", "--quiet", action="store_true", help="Suppress error output")
    parser.add_argument("filenames", nargs="+", help="Files to check")
    args = parser.parse_args()
    names = [line.rstrip("\n") for line in sys.stdin] if args.filenames == ["-"] else args.filenames
    for name in names:
        try:
            compile(name, doraise=True)
        except PyCompileError as error:
            if args.quiet:
                parser.exit(1)
            parser.exit(1, error.msg)
        except OSError as error:
            if args.quiet:
                parser.exit(1)
            parser.exit(1, str(error))


if __name__ == "__main__":
    main()
