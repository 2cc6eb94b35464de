"""Attributes of a module that a loop reads and assigns, or that a generator assigns which it goes through."""
import types, sys
cfg = types.ModuleType("cfg")
cfg.k = 1
def f(n):
    s = 0
    for i in range(n):
        s += cfg.k
        if i % 3 == 0:
            cfg.k = i % 7
    return s
print([f(n) for n in (10, 1000, 5000)])
def g(n):
    for i in range(n):
        cfg.k = i % 5
        yield i
def h(n):
    s = 0
    for i in g(n):
        s += cfg.k
    return s
print([h(n) for n in (10, 1000, 5000, 7)])
space = vars(cfg)
def by_item(n):
    s = 0
    for i in range(n):
        s += cfg.k
        space["k"] = i % 4
    return s
print([by_item(n) for n in (10, 1000, 5000)])
def by_call(n):
    s = 0
    for i in range(n):
        s += cfg.k
        if i % 2:
            setattr(cfg, "k", i % 9)
        else:
            space.update(k=i % 6)
    return s
print([by_call(n) for n in (10, 1000, 5000)])
def by_globals(n):
    global level
    names = globals()
    s = 0
    for i in range(n):
        s += level
        names["level"] = i % 3
    return s
level = 5
print([by_globals(n) for n in (10, 1000, 5000)])
