# __getattr__, __setattr__, __slots__, dynamic attributes.
class Record:
    def __init__(self, **kw):
        self.__dict__.update(kw)

    def __getattr__(self, name):
        if name.startswith("auto_"):
            return name[5:]
        raise AttributeError(f"no {name}")

    def __setattr__(self, name, value):
        if name == "locked":
            raise AttributeError("locked")
        super().__setattr__(name, value)

    def __delattr__(self, name):
        print("deleting", name)
        super().__delattr__(name)


r = Record(a=1, b=2)
r.c = r.a + r.b
print(r.c, r.auto_x, sorted(r.__dict__))
for action in (lambda: r.zzz, lambda: setattr(r, "locked", 1), lambda: delattr(r, "nope")):
    try:
        action()
    except AttributeError as e:
        print("AttributeError", e)
del r.a
print(hasattr(r, "a"), getattr(r, "b"), hasattr(r, "auto_b"))


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self):
        self.x = 1


s = Slotted()
print(s.x, hasattr(s, "y"), hasattr(s, "__dict__"))
try:
    s.z = 1
except AttributeError as e:
    print(e)


class Proxy:
    def __init__(self, target):
        self._target = target

    def __getattr__(self, name):
        return getattr(self._target, name)


print(Proxy([3, 1, 2]).index(1), Proxy("abc").upper())


class Private:
    def __init__(self):
        self.__secret = 42

    def reveal(self):
        return self.__secret


p = Private()
print(p.reveal(), p._Private__secret, hasattr(p, "__secret"))
