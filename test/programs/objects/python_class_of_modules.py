# A module, a class and a property are given another class, or their functions, after they were made.
import sys
import types


class Lazy(types.ModuleType):
    @property
    def prop(self):
        return 42

    def __getattr__(self, name):
        return "made " + name

    def method(self):
        return self.__name__

    def __setattr__(self, name, value):
        super().__setattr__(name, value if name.startswith("_") else ("set", value))


x = 5
me = sys.modules[__name__]
print(me.x, type(me).__name__)


def total():
    t = 0
    for i in range(200):
        t += me.x
    return t


print(total())
me.__class__ = Lazy
print(me.prop, me.foo, me.method(), me.x, type(me).__name__, isinstance(me, Lazy), me.__class__ is Lazy, total())
me.y = 3
print(y, me.y)
try:
    me.__class__ = int
except TypeError as e:
    print(e)
me.__class__ = types.ModuleType
try:
    me.foo
except AttributeError as e:
    print(e)


class Sentinel(type):
    def __new__(cls, name, bases, namespace):
        made = super().__new__(cls, name, bases, namespace)
        made.__class__ = made
        return made

    def __repr__(self):
        return "<" + self.__name__ + ">"


class CLIENT(Sentinel, metaclass=Sentinel):
    pass


print(CLIENT, type(CLIENT) is CLIENT, isinstance(CLIENT, Sentinel), CLIENT.__class__ is CLIENT)
try:
    class Plain:
        pass

    Plain.__class__ = Sentinel
except TypeError as e:
    print(e)


class Field(property):
    """What takes other arguments than a property."""

    def __init__(self, name, default):
        def get(self):
            return self.__dict__.get(name, default)

        def set(self, value):
            self.__dict__[name] = value

        property.__init__(self, get, set, doc="field " + name)
        self.name = name


class Record:
    a = Field("_a", 1)
    b = Field("_b", [])


r = Record()
print(r.a, r.b, Record.a.__doc__, Record.a.name)
for i in range(50):
    r.a += i
print(r.a, vars(r), Record.a.fget(r))
try:
    del r.a
except AttributeError as e:
    print("no deleter")

# Tracebacks are linked anew.


def deep(n):
    if n:
        deep(n - 1)
    raise ValueError("deep")


try:
    deep(3)
except ValueError as e:
    stack, tb = [], e.__traceback__
    while tb is not None:
        stack.append(tb)
        tb = tb.tb_next
    kept = [t for i, t in enumerate(stack) if i != 2]
    following = None
    for tb in reversed(kept):
        tb.tb_next = following
        following = tb
    again = e.with_traceback(following)
    names, tb = [], again.__traceback__
    while tb is not None:
        names.append(tb.tb_frame.f_code.co_name)
        tb = tb.tb_next
    print(len(stack), names)
heard = []
sys.addaudithook(lambda event, args: heard.append((event, args)) if event.startswith("mine") else None)
sys.audit("mine.a", 1, "b")
print(heard, sys.getfilesystemencodeerrors())
