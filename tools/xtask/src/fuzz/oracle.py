"""Runs scripts as they are named on standard input, one a line, each in a process that has imported torch already.

Answers each with the length of what it printed, in bytes, on a line, and the text. An uncaught exception is its last line.
"""
import io
import os
import signal
import sys
import tempfile
import traceback
import types
import warnings

import torch

LIMIT_S = 60


def run(path, out):
    os.dup2(out.fileno(), 1)
    sys.stdout = io.TextIOWrapper(os.fdopen(1, 'wb', closefd=False))
    warnings.simplefilter('ignore')
    try:
        with open(path) as script:
            code = compile(script.read(), path, 'exec')
        # Pickles name classes by their module.
        sys.modules['__main__'] = main = types.ModuleType('__main__')
        main.__file__ = path
        exec(code, main.__dict__)
    except BaseException as e:
        print(traceback.format_exception_only(e)[-1], end='')
    sys.stdout.flush()


def main():
    torch.set_num_threads(1)
    answers = os.fdopen(os.dup(1), 'wb')
    for line in sys.stdin:
        with tempfile.TemporaryFile() as out:
            child = os.fork()
            if child == 0:
                signal.alarm(LIMIT_S)
                run(line.strip(), out)
                os._exit(0)
            os.waitpid(child, 0)
            out.seek(0)
            text = out.read()
        answers.write(b'%d\n' % len(text) + text)
        answers.flush()


main()
