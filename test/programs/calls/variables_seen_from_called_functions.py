# `f_locals` of a caller, also of one that is hot.
import sys


def callee(): return sys._getframe(1).f_locals['v'] + sys._getframe(1).f_lineno % 2


def caller(n):
    t = 0
    for v in range(n): t += callee()
    return t


def render(text, depth=1):
    names = sys._getframe(depth).f_locals
    return text.format(**names)


def greeted(n):
    out = 0
    for i in range(n):
        name = 'n' * (i % 3)
        out += len(render('{name}-{i}'))
    return out, render('{out}')


class Op:
    def __add__(self, other): return sys._getframe(1).f_locals['k'] + other
    def __lt__(self, other): return sys._getframe(1).f_locals['k'] % 2 == 0
    def __iter__(self): yield sys._getframe(1).f_locals['k']


def operated(n):
    t = 0
    for k in range(n):
        t += Op() + 1
        if Op() < 1: t += 1
        for v in Op(): t += v
        t += sum(Op())
    return t


print(caller(900), greeted(600), operated(500))
count = 0
for count in range(700): last = sys._getframe().f_locals['count'] + sys._getframe().f_globals['count']
print(last)


def seen(): return sys._getframe(1).f_locals['count']


for count in range(800): last = seen()
print(last)
