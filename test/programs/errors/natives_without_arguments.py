# Functions and methods in Rust that take nothing say so.
import array
import gc
import io
import itertools
import os
import queue
import re
import sys
import threading
import weakref

calls = [
    gc.enable, gc.disable, gc.isenabled, gc.get_count, gc.get_threshold, gc.freeze, gc.unfreeze,
    sys.getdefaultencoding, sys.getfilesystemencoding, sys.getswitchinterval, sys.is_finalizing,
    os.getpid, os.getppid, os.getuid,
    threading.get_ident, threading.Lock().locked, threading.Lock().release,
    array.array("i", [1]).tolist, array.array("i", [1]).tobytes, array.array("i", [1]).reverse,
    array.array("i", [1]).byteswap, array.array("i", [1]).buffer_info, array.array("u", "a").tounicode,
    queue.SimpleQueue().qsize, queue.SimpleQueue().empty,
]
for call in calls:
    words = []
    for args, kwargs in (((object(),), {}), ((1, 2, 3), {}), ((), {"x": 1})):
        try:
            call(*args, **kwargs)
            words.append("taken")
        except TypeError as error:
            words.append(str(error).split("(", 1)[-1])
    print(call.__name__, words)
for slot in ("__len__", "__repr__"):
    for value in (array.array("i", [1]), re.compile("a"), memoryview(b"a")):
        method = getattr(value, slot, None)
        if method is not None:
            try:
                method(1)
                print(slot, type(value).__name__, "taken")
            except TypeError as error:
                print(slot, type(value).__name__, error)
for call, args in ((gc.is_tracked, (1, 2)), (weakref.getweakrefcount, (1, 2)), (weakref.getweakrefs, ()), (io.StringIO("a").read, (1, 2))):
    try:
        print(call.__name__, call(*args))
    except TypeError:
        print(call.__name__, "refused")
print(gc.isenabled() in (True, False), next(itertools.count()))
