# Cycles of every kind of object are collected, and gc tells the truth.
import gc
import weakref
from collections import deque
from functools import partial


class Node:
    pass


class Slotted:
    __slots__ = ("me", "__weakref__")


class Names(list):
    pass


class Table(dict):
    pass


class Error(Exception):
    pass


def by_attribute():
    node = Node()
    node.me = node
    return node


def by_slot():
    node = Slotted()
    node.me = node
    return node


def by_list():
    names = Names()
    names.append(names)
    return names


def by_dict():
    table = Table()
    table["me"] = (table,)
    return table


def by_method():
    node = Node()
    node.call = node.__init__
    node.other = node.__eq__
    return node


def by_closure():
    node = Node()

    def look():
        return node

    node.look = look
    return node


def by_function():
    def function(default=[]):
        return function

    function.__defaults__[0].append(function)
    function.me = function
    return function


def by_class():
    class Inner:
        def method(self):
            return super().__init__()

    return Inner


def by_generator():
    node = Node()

    def generate(held):
        yield 1
        yield held

    node.steps = generate(node)
    next(node.steps)
    return node


def by_exception():
    try:
        raise Error("x")
    except Error as error:
        error.me = error
        try:
            raise Error("y") from error
        except Error as second:
            error.second = second
            return second


def by_deque():
    node = Node()
    node.line = deque([1, node])
    return node


def by_partial():
    node = Node()
    node.call = partial(print, node, key=node)
    return node


def by_property():
    node = Node()

    class Local:
        value = property(lambda self: node)
        static = staticmethod(lambda: node)

    node.local = Local()
    return node


def by_iterators():
    node = Node()
    node.parts = [iter([node]), enumerate([node]), zip([node]), map(str, [node]), filter(None, (node,)),
                  iter({1: node}.values()), reversed([node]), {1: node}.items(), slice(node, None)]
    return node


def by_dict_of_instance():
    node = Node()
    node.names = node.__dict__
    return node


def by_pair():
    a, b = Node(), Node()
    a.other, b.other = b, a
    return a


for make in (by_attribute, by_slot, by_list, by_dict, by_method, by_closure, by_function, by_class, by_generator,
             by_exception, by_deque, by_partial, by_property, by_iterators, by_dict_of_instance,
             by_pair):
    gc.collect()
    reference = weakref.ref(make())
    alive = reference() is not None
    found = gc.collect()
    print(make.__name__, alive, found > 0, reference() is None)

# What is reachable stays, whatever cycles it is in.
kept = by_pair()
kept.names = by_list()
gc.collect()
print(kept.other.other is kept, kept.names[0] is kept.names)

node = Node()
node.me = node
del node
print(gc.collect(), gc.collect())

# Nothing grows that only cycles hold.
total = 0
for i in range(60000):
    node = by_pair()
    node.data = [i] * 20
    total += len(node.data)
print(total, len(gc.get_objects()) < 30000)

print(gc.isenabled(), gc.get_threshold(), [0 <= n for n in gc.get_count()])
gc.disable()
before = len(gc.get_objects())
for i in range(5000):
    by_attribute()
print(gc.isenabled(), len(gc.get_objects()) - before >= 5000)
gc.enable()
print(gc.collect() >= 5000)
gc.set_threshold(500, 5, 5)
print(gc.get_threshold())
gc.set_threshold(700, 10, 10)

seen = []
watcher = lambda phase, info: seen.append((phase, sorted(info), info["generation"]))
gc.callbacks.append(watcher)
gc.collect(1)
gc.callbacks.remove(watcher)
print(seen)

inner = [1, "a"]
outer = {"k": inner}
print(gc.is_tracked(inner), gc.is_tracked(1), gc.is_tracked("a"), inner in gc.get_referents(outer))
print(any(one is outer for one in gc.get_referrers(inner)))
print([sorted(one) for one in gc.get_stats()][0], gc.garbage, gc.get_debug())
print(gc.get_freeze_count())
gc.freeze()
print(gc.get_freeze_count() > 100)
gc.unfreeze()
print(gc.get_freeze_count())
for bad in (lambda: gc.collect(3), lambda: gc.collect("x"), lambda: gc.set_threshold()):
    try:
        bad()
    except (ValueError, TypeError) as error:
        print(type(error).__name__)

# A chain is dropped link by link, however long it is.
chain = None
for i in range(300000):
    chain = (i, chain) if i % 3 else [chain]
del chain
chain = None
for i in range(100000):
    node = Node()
    node.next = chain
    chain = node
del chain, node
print("dropped")
