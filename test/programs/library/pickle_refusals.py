# What is not pickled, and why: by the words of the writer in C, which people look for.
import copy
import hashlib
import io
import pickle
import re
import threading
import weakref


def make():
    class Local:
        pass

    return lambda: 0, Local


class Elsewhere:
    __module__ = "nowhere.at.all"


class Again:
    pass


first = Again


class Again:
    pass


class Context(threading.local):
    pass


class Stateful(threading.local):
    def __getstate__(self):
        return {"kept": 1}


class Holder:
    def __init__(self):
        self.lock = threading.RLock()


class Careful(Holder):
    def __getstate__(self):
        return {"lock": None}


function, Local = make()
cases = [
    function, Local, Local(), Elsewhere, first(), lambda: 0, open(__file__), threading.Lock(), threading.RLock(), Holder(), Context(),
    hashlib.md5(), re.match("a", "a"), weakref.ref(Again), (i for i in ()), {}.keys(), property(), Careful(), Stateful(),
    threading.Event(), [1, {"deep": threading.Lock()}], io.BytesIO(b"x"), re.compile("a+"), len, [].append,
]
for case in cases:
    for protocol in (1, 2, 4):
        try:
            kind = type(pickle.loads(pickle.dumps(case, protocol))).__name__
        except (pickle.PicklingError, TypeError, AttributeError) as e:
            if protocol > 1:
                print(type(e).__name__, re.sub(" at 0x[0-9a-f]+", "", str(e)))
        else:
            print(kind, protocol)
for case in (threading.Lock(), Holder(), [Context()]):
    for how in (copy.copy, copy.deepcopy):
        try:
            print(how.__name__, type(how(case)).__name__)
        except TypeError as e:
            print(how.__name__, e)
for data in (b"c__main__\nmissing\n.", b"cnowhere\nx\n.", b"c__main__\nHolder.missing\n.", b"\x80\x04\x8c\x08__main__\x8c\x0eHolder.missing\x93."):
    try:
        pickle.loads(data)
    except (AttributeError, ImportError) as e:
        print(type(e).__name__, re.sub("from '.*'", "from FILE", str(e)))
