# What is run as a command: a zip file, a package's `__main__`, flags given twice, a child that runs Python before its program.
import asyncio
import os
import subprocess
import sys
import tempfile
import zipfile


def run(*command, **options):
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, **options)
    return done.returncode, done.stdout, done.stderr.strip().rpartition("\n")[2]


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "app.pyz")
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("__main__.py", "import sys, helper\nprint(__name__, helper.x, sys.argv[1:], __file__ == sys.path[0] + '/__main__.py', __package__ == '')\nif len(sys.argv) > 2: 1 / 0\n")
        file.writestr("helper.py", "x = 5\n")
    print(run(path, "a"), run(path, "a", "b"))
    with open(path, "rb") as file:
        archive = file.read()
    with open(path, "wb") as file:
        file.write(b"#!/usr/bin/env python3\n" + archive)
    print(run(path))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("other.py", "")
    print(run(path)[0])
    with open(os.path.join(folder, "test_one.py"), "w") as file:
        file.write("import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(1, 1)\n")
    code, out, err = run("-m", "unittest", "test_one", cwd=folder)
    print(code, out, err)
    with open(os.path.join(folder, "__main__.py"), "w") as file:
        file.write("print(__name__, __spec__ is not None, '__cached__' in globals())")
    print(run(folder)[:2])
print(run("-I", "-I", "-u", "-u", "-c", "import sys; print(sys.flags.isolated)"))
print(run("-m", "calendar", "2004", "1")[1])
print(run("-c", "print(__loader__)")[1], run("-X", "pycache_prefix=there", "-c", "import sys; print(sys.pycache_prefix)")[1])
print(run("-c", "import os; print(os.getpid() == os.getpgid(0), os.getcwd(), os.environ['X'])", preexec_fn=lambda: (os.setsid(), os.chdir("/")), env={**os.environ, "X": "y"}))
try:
    subprocess.run(["ls"], preexec_fn=lambda: 1 / 0)
except subprocess.SubprocessError as e:
    print(type(e).__name__, e)


async def doubled(x):
    await asyncio.sleep(0)
    return 2 * x


class Waits:
    """Awaited by way of a coroutine's own iterator."""

    def __init__(self, way):
        self.way = way

    def __await__(self):
        coroutine = doubled(self.way)
        return self.through(coroutine) if self.way % 2 else coroutine.__await__()

    def through(self, coroutine):
        try:
            return (yield from coroutine.__await__()) + 1
        except asyncio.CancelledError:
            return "cancelled"


async def main():
    task = asyncio.ensure_future(Waits(1))
    await asyncio.sleep(0)
    task.cancel()
    return await asyncio.gather(doubled(1), doubled(2)), await Waits(3), await Waits(4), await task


print(asyncio.run(main(), debug=True), sys.get_coroutine_origin_tracking_depth())
coroutine = doubled(5)
iterator = coroutine.__await__()
print(type(iterator).__name__, iter(iterator) is iterator, next(iterator), iterator.close())
try:
    iterator.send(None)
except RuntimeError as e:
    print(e)
