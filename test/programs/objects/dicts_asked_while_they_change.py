# The dict of an object or a module is asked for a key whose `__eq__` changes the dict: the lookup begins again.
class O:
    def __init__(self, n):
        self.a, self.b, self.c = n, n + 1, n + 2


class Key:
    def __init__(self, text, act=None):
        self.text, self.act, self.asked = text, act, 0

    def __hash__(self):
        return hash(self.text)

    def __eq__(self, other):
        self.asked += 1
        if self.act and self.asked == 1:
            self.act()
        return self.text == other


def emptied(d):
    d.clear()
    d["x"], d["y"], d["z"] = 1, 2, 3


def moved(d):
    value = d.pop("a")
    d["new"] = 0
    d["a"] = value


def grown(d):
    d["more"] = 5


for act in (None, emptied, moved, grown, lambda d: d.update(b="changed"), lambda d: d.pop("b")):
    o = O(10)
    d = o.__dict__
    key = Key("b", act and (lambda: act(d)))
    print(d.get(key, "none"), key in d, key.asked > 0, list(d.items()))

o, p = O(1), O(5)
o.d = 4
del p.b
p.b = 7
print(list(o.__dict__), list(p.__dict__), vars(p) == {"a": 5, "c": 7, "b": 7})
p.__dict__[3] = "three"
print(list(p.__dict__.items()), p.c)
q = O(2)
q.__dict__.clear()
try:
    q.a
except AttributeError as e:
    print(e)
q.c = 1
print(q.__dict__, O(2).__dict__, dict(O(3).__dict__), {**vars(O(4))})
r = O(0)
r.__dict__ = {"a": "own", "b": 2}
r.b += 1
print(r.__dict__, r.a, hasattr(r, "c"))
many = O(0)
for i in range(40):
    setattr(many, f"n{i}", i)
print(sum(v for k, v in vars(many).items() if k != "c"), many.n39, list(vars(many))[-2:], getattr(many, "n40", "none"))
first, second = O(1), O(1)
first.left, second.right = 1, 2
print(hasattr(first, "right"), hasattr(second, "left"), first.__dict__, second.__dict__)
print(vars(first).popitem(), list(vars(first)), list(reversed(vars(second))))
for name in list(vars(second)):
    delattr(second, name)
print(vars(second), second.__dict__ | {"k": 1})
