"""What is asked of the library now and then: asynchronous contexts, archives, keys, clocks, proxies."""
import asyncio
import contextlib
import hashlib
import json.decoder
import os
import shutil
import tempfile
import time
import types
import weakref

log = []


@contextlib.asynccontextmanager
async def opened(name):
    log.append(f"enter {name}")
    try:
        yield name.upper()
    finally:
        log.append(f"exit {name}")


class Closes:
    async def aclose(self):
        log.append("aclose")


async def main():
    async with opened("a") as a, contextlib.nullcontext(3) as three:
        log.append((a, three))
    async with contextlib.AsyncExitStack() as stack:
        log.append([await stack.enter_async_context(opened(n)) for n in "xy"])
        stack.callback(log.append, "callback")
    async with contextlib.aclosing(Closes()):
        pass
    try:
        async with opened("b"):
            raise ValueError("inside")
    except ValueError as e:
        log.append(str(e))


asyncio.run(main())
print(log)
print(hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 10).hex())
print(hashlib.pbkdf2_hmac("sha1", b"p" * 100, b"salt", 3, 45).hex())
print(json.decoder.scanstring('xy"ab\\u00e9\\n" rest', 3))
print(time.clock_gettime(time.CLOCK_MONOTONIC) > 0, time.clock_gettime_ns(time.CLOCK_REALTIME) // 10**18, time.clock_getres(time.CLOCK_REALTIME) < 1)
proxy = types.MappingProxyType({"a": 1, "b": 2})
print(list(reversed(proxy)), proxy | {"c": 3}, {"z": 0} | proxy, type(proxy | proxy).__name__, types.MappingProxyType[int, str])
try:
    proxy |= {}
except TypeError as e:
    print(e)


class Target:
    pass


target = Target()
ref = weakref.ref(target, lambda r: print("gone", r() is None))
print(ref.__callback__ is None)
del target
print(ref.__callback__ is None)

with tempfile.TemporaryDirectory() as folder:
    inside = os.path.join(folder, "tree", "sub")
    os.makedirs(inside)
    with open(os.path.join(inside, "f.txt"), "w") as f:
        f.write("text")
    for kind in ("zip", "tar", "gztar"):
        made = shutil.make_archive(os.path.join(folder, "made"), kind, os.path.join(folder, "tree"))
        out = os.path.join(folder, "out_" + kind)
        shutil.unpack_archive(made, out)
        print(kind, os.path.basename(made), open(os.path.join(out, "sub", "f.txt")).read())
print(sorted(name for name, _ in shutil.get_archive_formats())[:3], isinstance(os.getcwdb(), bytes))
