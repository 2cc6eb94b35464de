# Metaclasses, __init_subclass__, __prepare__, type as a constructor.
class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, kw)
        return {}

    def __new__(mcs, name, bases, ns, **kw):
        ns["tag"] = f"{name.lower()}-{kw.get('version', 0)}"
        return super().__new__(mcs, name, bases, ns)

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
        cls.fields = [k for k in ns if not k.startswith("_") and k != "tag"]

    def __call__(cls, *args):
        print("making", cls.__name__, args)
        return super().__call__(*args)

    def __len__(cls):
        return len(cls.fields)

    @property
    def shout(cls):
        return cls.__name__.upper()


class Model(metaclass=Meta, version=2):
    a = 1
    b = 2


class Child(Model):
    c = 3

    def __init__(self, v):
        self.v = v


print(Model.tag, Child.tag, Model.fields, Child.fields, len(Model), Child(5).v, type(Child).__name__, Child.shout)


class Plugin:
    plugins = []

    def __init_subclass__(cls, /, name=None, **kw):
        super().__init_subclass__(**kw)
        cls.plugins.append(name or cls.__name__)


class A(Plugin):
    pass


class B(Plugin, name="bee"):
    pass


print(Plugin.plugins)
Dyn = type("Dyn", (Plugin,), {"hello": lambda self: f"hi from {type(self).__name__}"})
print(Dyn().hello(), Plugin.plugins, type(Dyn), isinstance(Dyn, type))

class Counted(type):
    n = 0
    def __new__(m, name, b, d, **kw): Counted.n += 1; return super().__new__(m, name, b, d)
    def __init__(c, name, b, d, **kw): c.tag = name.lower(); super().__init__(name, b, d)
class Made(metaclass=Counted): pass
C = type("C", (Made,), {"x": 1})
print(type(C).__name__, Counted.n, C.tag, C.x)
class Other(type): pass
class Plain(metaclass=Other): pass
try: type("D", (Made, Plain), {})
except TypeError as e: print(e)
E = type("E", (Plain,), {}); print(type(E).__name__, type(E) is Other)
D = Counted("D", (), {}); print(D.tag, Counted.n)
