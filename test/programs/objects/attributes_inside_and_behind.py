# Instances lie in one block with their dict, which holds the first few values itself: more of them, fewer, another dict, the dict
# without the instance, and cycles through both, in hot code and in cold.
import copy
import gc
import pickle
import weakref


class Few:
    def __init__(self, n):
        self.a = n


class Many:
    def __init__(self, n):
        self.a = n
        self.b = n + 1
        self.c = n + 2
        self.d = n + 3
        self.e = n + 4
        self.f = n + 5
        self.g = [n]


class Late:
    def __init__(self, n):
        if n % 2:
            self.x = n
        self.y = n
        if n % 3 == 0:
            self.z = self.y + 1


class Slotted:
    __slots__ = ("p", "q", "__dict__")

    def __init__(self, n):
        self.p = n
        self.q = -n
        self.r = n * 2


def made(n):
    total = 0
    for i in range(n):
        few, many, late, slotted = Few(i), Many(i), Late(i), Slotted(i)
        total += few.a + many.a + many.d + many.e + many.g[0] + late.y + slotted.p + slotted.r
        if i % 2:
            total += late.x
        if i % 3 == 0:
            total += late.z
        many.h = total % 7
        del many.c
        total += many.h + many.b
    return total


print(made(6000))


def dicts(n):
    kept = []
    for i in range(n):
        kept.append(Few(i).__dict__)
        many = Many(i)
        many.__dict__["extra"] = i
        kept.append(many.__dict__)
        other = Few(0)
        other.__dict__ = kept[-2]
        assert other.a == i
        other.a += 1
        assert kept[-2]["a"] == i + 1
    return sum(d["a"] for d in kept), len(kept[1]), list(kept[1])


print(dicts(3000))


class Node:
    alive = 0

    def __init__(self, other=None):
        Node.alive += 1
        self.other = other
        self.own = self

    def __del__(self):
        Node.alive -= 1


def cycles(n):
    for i in range(n):
        a = Node()
        b = Node(a)
        a.other = b
    del a, b
    gc.collect()
    return Node.alive


print(cycles(3000))


def alone(n):
    """The dict outlives its instance, and refers to it or not."""
    kept = []
    for i in range(n):
        node = Many(i)
        gone = weakref.ref(node)
        kept.append(node.__dict__)
        del node
        assert gone() is None
    kept[0]["self"] = kept
    return sum(d["f"] for d in kept)


print(alone(2000))
m = Many(3)
print(vars(copy.copy(m)), vars(pickle.loads(pickle.dumps(m))) == vars(m), vars(copy.deepcopy(m))["g"] is m.g)
print([hasattr(Late(k), "z") for k in range(4)], sorted(vars(Late(3))))


def chain(n):
    node = None
    for i in range(n):
        next_one = Few(node)
        next_one.b = i
        node = next_one
    count = 0
    while node is not None:
        count += node.b
        node = node.a
    return count


print(chain(200000))


def grown(n):
    """Attributes added from outside, in another order each time."""
    names = ["k%d" % k for k in range(9)]
    total = 0
    for i in range(n):
        o = Few(i)
        for name in names[i % 3::2]:
            setattr(o, name, i)
        total += sum(v for v in vars(o).values()) + getattr(o, "k2", 1)
    return total


print(grown(3000))
