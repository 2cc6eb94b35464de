# Classes that derive from classmethod and staticmethod, and streams that pass on what they lack.
import csv
import io


class Restricted(classmethod):
    def __init__(self, method):
        super().__init__(method)
        self.method = method

    def __get__(self, instance, owner):
        if instance is not None:
            raise TypeError(f"{self.method.__name__} is for the class")
        return self.method.__get__(owner)


class Counted(staticmethod):
    calls = 0

    def __init__(self, function):
        super().__init__(function)
        self.note = "counted " + function.__name__

    def __call__(self, *args):
        type(self).calls += 1
        return super().__call__(*args)


class Plain(classmethod):
    pass


class A:
    @Restricted
    def load(cls, path):
        "loads"
        return cls.__name__, path

    @Counted
    def double(x):
        return 2 * x

    @Plain
    def name(cls):
        return cls.__name__


print(A.load("p"), A.double(3), A().double(4), A.name(), A().name())
try:
    A().load("p")
except TypeError as e:
    print(e)
load, double = vars(A)["load"], vars(A)["double"]
print(load.__func__ is load.method, load.__wrapped__.__name__, load.__doc__, isinstance(load, classmethod), double.note, double(5), Counted.calls)
for make in (classmethod, staticmethod, Restricted, Counted):
    for args in ((), (len, len)):
        try:
            print(make(*args))
        except TypeError as e:
            print(make.__name__, len(args), "TypeError")
wrapped = classmethod(len)
print(wrapped.__init__(len), wrapped.__func__ is len)


class Opener(io.IOBase):
    """What it lacks is the file's."""

    def __init__(self, file):
        self.file = file

    def __getattr__(self, name):
        return getattr(self.file, name)

    def readable(self):
        return True


class Reader(io.BufferedIOBase):
    def __init__(self):
        self.data = io.BytesIO(b"x,y\n5,6\n")

    def readable(self):
        return True

    def read(self, size=-1):
        return self.data.read(size)


class Loose:
    closed = False
    readable = lambda self: True
    writable = seekable = lambda self: False
    flush = close = lambda self: None

    def __init__(self):
        self.data = io.BytesIO(b"x,y\n7,8\n")

    def read(self, size=-1):
        return self.data.read(size)


print(list(csv.DictReader(io.TextIOWrapper(Opener(io.BytesIO(b"a,b\n1,2\n3,4\n"))))))
print(list(csv.DictReader(io.TextIOWrapper(Loose()))))
try:
    io.TextIOWrapper(Reader()).readline()
except io.UnsupportedOperation as e:
    print("UnsupportedOperation", e)
for cls in (io.IOBase, io.RawIOBase, io.BufferedIOBase, io.TextIOBase):
    print(cls.__name__, [name for name in ("read", "read1", "readinto", "readline", "readall", "write", "detach", "seek") if hasattr(cls, name)])
