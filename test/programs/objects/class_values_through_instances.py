# Values of classes that are read through instances in compiled code: containers, Ellipsis, complex numbers, functions.
class Base:
    table = {"a": 1, "b": 2}
    names = ["x", "y"]
    seen = set()
    pair = (1, 2)
    rest = ...
    unit = 1j
    step = 2.5
    big = 1 << 80
    of = staticmethod(len)
    other = NotImplemented

    def look(self, key):
        self.seen.add(key)
        n = self.table[key] + len(self.names) + self.pair[1] + self.step + self.of("abc")
        if self.rest is ...:
            n += (self.unit * self.unit).real + self.big % 7
        return n if self.other is NotImplemented else None


class Derived(Base):
    names = []
    table = {"a": 10, "b": 20}


total = 0
objects = [Base(), Derived(), Base()]
for i in range(900):
    o = objects[i % 3]
    total += o.look("ab"[i % 2])
    if i == 500:
        o.names = list(range(50))
        Base.table = {"a": 3, "b": 4}
        Derived.names.append(1)
    if i == 700:
        Base.rest = None
        del objects[2].names
print(total, sorted(Base.seen))
