"""CPython's own tests, a method at a time, under CPython and here; run by CPython 3.11.

    python3.11 tools/cpython_tests.py --janus-jit target/release/janus-jit --tests FOLDER test_bisect test_heapq ...

FOLDER has CPython's folder `test` and nothing else of its library. Without names, every module in it is run. Out: a row
of a table for each module, and what is lost with the last line of each failure, the most frequent first (`--why`).
A method that hangs or ends the process counts as failed; the rest of its module goes on in a new process.
"""

import argparse
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time


C_LIMITS = {"CHAR_MAX": 2**7 - 1, "UCHAR_MAX": 2**8 - 1, "SHRT_MAX": 2**15 - 1, "USHRT_MAX": 2**16 - 1,
            "INT_MAX": 2**31 - 1, "INT_MIN": -(2**31), "UINT_MAX": 2**32 - 1, "LONG_MAX": 2**63 - 1,
            "LONG_MIN": -(2**63), "ULONG_MAX": 2**64 - 1, "LLONG_MAX": 2**63 - 1, "LLONG_MIN": -(2**63),
            "ULLONG_MAX": 2**64 - 1, "PY_SSIZE_T_MAX": 2**63 - 1, "PY_SSIZE_T_MIN": -(2**63)}


def without_c_api():
    """Stands in for `_testcapi` and `_testinternalcapi` where they are not: limits of C's types are known, and
    a test that comes to anything else of them is one for CPython and skips itself.
    """
    import types
    import unittest

    class Part:
        def __init__(self, *_args, **_kwargs):
            pass

        def __call__(self, *_args, **_kwargs):
            if not importing:
                raise unittest.SkipTest("it tests the implementation in C")
            return self

        __getattr__ = __getitem__ = __call__

    class Module(types.ModuleType):
        def __getattr__(self, name):
            if name in C_LIMITS:
                return C_LIMITS[name]
            if name == "get_recursion_depth":
                return depth
            if name.startswith("__"):
                raise AttributeError(name)
            return Part()()

    def depth():
        frame, count = sys._getframe(1), 0
        while frame is not None:
            frame, count = frame.f_back, count + 1
        return count

    importing = []
    for name in ("_testcapi", "_testinternalcapi"):
        try:
            __import__(name)
        except ImportError:
            sys.modules[name] = Module(name)
            importing.append(name)
    return importing


def child(library, name, told, done):
    """Runs a module's tests in this process and tells of each in the file `told`."""
    import importlib
    import traceback
    import unittest

    sys.path.insert(0, library)
    importing = without_c_api()
    sys.argv = sys.argv[:1]
    out = open(told, "a")
    with open(done) as names:
        known = set(names.read().split("\n"))

    def tell(kind, method="", text=""):
        out.write(json.dumps([kind, method, text]) + "\n")
        out.flush()

    def text_of(error):
        return "".join(traceback.format_exception(*error))[-2000:]

    class Result(unittest.TestResult):
        def startTest(self, test):
            super().startTest(test)
            self.kind, self.text = "ok", ""
            tell("start", test.id())

        def failed(self, test, error):
            # What stands for the set-up of a class or a module is no method.
            if isinstance(test, unittest.TestCase):
                self.kind, self.text = "failed", text_of(error)

        addError = addFailure = failed

        def addSubTest(self, test, subtest, error):
            if error is not None:
                self.failed(test, error)

        def addSkip(self, test, reason):
            if isinstance(test, unittest.TestCase):
                self.kind, self.text = "skipped", reason
                tell("skipped", test.id(), reason)

        def addUnexpectedSuccess(self, test):
            self.kind, self.text = "failed", "unexpected success"

        def stopTest(self, test):
            super().stopTest(test)
            tell(self.kind, test.id(), self.text)

    def left(suite):
        kept = []
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                kept.append(left(test))
            elif test.id() not in known:
                kept.append(test)
        return type(suite)(kept)

    try:
        module = importlib.import_module("test." + name)
        suite = left(unittest.defaultTestLoader.loadTestsFromModule(module))
        importing.clear()
    except BaseException as error:
        tell("import", name, text_of((type(error), error, error.__traceback__)))
    else:
        suite.run(Result())
    tell("end")
    out.close()
    os._exit(0)


def run(command, library, name, seconds):
    """What became of each method of a module under an interpreter."""
    results = {}
    for _ in range(16):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            told, done = os.path.join(folder, "told"), os.path.join(folder, "done")
            work = os.path.join(folder, "work")
            os.mkdir(work)
            open(told, "w").close()
            with open(done, "w") as file:
                file.write("\n".join(results))
            process = subprocess.Popen(
                [*command, os.path.abspath(__file__), "--child", library, name, told, done], cwd=work,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, env={**os.environ, "PYTHONHASHSEED": "0"})
            size, since = -1, time.monotonic()
            while process.poll() is None and time.monotonic() - since < seconds:
                time.sleep(0.05)
                if os.path.getsize(told) != size:
                    size, since = os.path.getsize(told), time.monotonic()
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            with open(told) as file:
                lines = [json.loads(line) for line in file]
        ended, begun = False, None
        for kind, method, text in lines:
            if kind == "end":
                ended = True
            elif kind == "start":
                begun = method
                results[method] = "failed", "it hangs, or ends the process"
            else:
                results[method] = kind, text
        if ended or begun is None:
            break
    return results


def main():
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    parser = argparse.ArgumentParser()
    parser.add_argument("--janus-jit", required=True)
    parser.add_argument("--tests", required=True, help="the folder that CPython's folder `test` is in")
    parser.add_argument("--seconds", type=float, default=30, help="without news, for a method; here three times as long")
    parser.add_argument("--why", action="store_true", help="tell the last lines of the failures")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    library = os.path.abspath(args.tests)
    found = sorted(os.listdir(os.path.join(library, "test")))
    names = args.names or [name.removesuffix(".py") for name in found if name.startswith("test_")]
    total, reasons = collections.Counter(), collections.Counter()
    print("| module of tests | methods | pass here | for CPython | of the others |\n|---|---|---|---|---|")
    for name in names:
        theirs = run([sys.executable], library, name, args.seconds)
        ours = run([os.path.abspath(shutil.which(args.janus_jit) or args.janus_jit), "run"], library, name,
                   3 * args.seconds)
        counted = [method for method, (kind, _) in theirs.items() if kind == "ok"]
        kinds = collections.Counter(ours.get(method, ("not run", ""))[0] for method in counted)
        row = len(counted), kinds["ok"], kinds["skipped"]
        total.update(dict(zip(("methods", "ok", "skipped"), row)))
        others = row[0] - row[2]
        print(f"| `{name}` | {row[0]} | {row[1]} | {row[2]} | {100 * row[1] / max(others, 1):.0f}% |", flush=True)
        for kind, text in ours.values():
            if kind in ("failed", "import"):
                lines = [line for line in text.split("\n") if line.strip()] or [""]
                reasons[lines[-1][:120]] += 1
    others = total["methods"] - total["skipped"]
    print(f"| together | {total['methods']} | {total['ok']} | {total['skipped']} | "
          f"{100 * total['ok'] / max(others, 1):.0f}% |")
    if args.why:
        for reason, count in reasons.most_common(60):
            print(f"{count:6} {reason}")


if __name__ == "__main__":
    main()
