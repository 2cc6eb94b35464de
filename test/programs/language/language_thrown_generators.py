# An exception thrown into a generator that has not begun enters none of its `try` statements.
import sys
import traceback


def counting():
    try:
        yield 1
    except ValueError:
        yield 3
    finally:
        print('finally')


fresh = counting()
try:
    print(fresh.throw(ValueError('early')))
except ValueError as error:
    print('raised', error, [entry.name for entry in traceback.extract_tb(error.__traceback__)])
print(list(fresh))

begun = counting()
print(next(begun), begun.throw(ValueError), list(begun))

closed = counting()
closed.close()
print(list(closed))


def outer():
    try:
        yield from counting()
    except ValueError:
        yield 'outer'


g = outer()
try:
    g.throw(ValueError)
except ValueError:
    print('raised out of outer')
g = outer()
print(next(g), g.throw(ValueError), list(g))

total = 0
for i in range(40):
    g = outer()
    try:
        g.throw(KeyError(i))
    except KeyError as error:
        total += error.args[0]
print(total)


# StopIteration out of a function that an iterator calls ends the iteration.
def stop(value):
    if value > 2:
        raise StopIteration
    return value


print(list(map(stop, [1, 2, 3, 4])), list(filter(stop, [1, 2, 5, 1])), [x for x in map(stop, [1, 9, 2])])
print(next(map(stop, [5]), 'default'), list(map(next, [iter([1]), iter([])])))


class Numbered(enumerate):
    pass


class Zipped(zip):
    def first(self):
        return next(self)


class Mapped(map):
    pass


class Filtered(filter):
    pass


class Turned(reversed):
    pass


print(type(Numbered('ab')).__name__, list(Numbered('ab', 5)), Zipped([1], [2]).first(), list(Zipped('ab', 'cd')))
print(type(Mapped(str, [1])).__name__, list(Mapped(str, [1, 2])), list(Filtered(None, [0, 1])), list(Turned([1, 2])))
for pair in Numbered('xy'):
    print(pair, end=' ')
print(isinstance(Numbered('a'), enumerate))
