# Functions as values: map, filter, reduce, partial application, composition.
from functools import partial, reduce

compose = lambda *fs: reduce(lambda f, g: lambda x: f(g(x)), fs)
inc, double = lambda x: x + 1, lambda x: x * 2
print(compose(inc, double)(5), compose(double, inc)(5), compose(str, inc, double)(1) + "!")
print(list(map(inc, range(3))), list(filter(lambda n: n & 1, range(7))), reduce(lambda a, b: a * b, range(1, 6)))
print(reduce(lambda a, b: a + b, [], "start"), sum(map(len, ["a", "bb"])), max("abc", key=lambda c: -ord(c)))
curry = lambda f: lambda a: lambda b: f(a, b)
print(curry(pow)(2)(10), partial(pow, exp=3)(2), partial(int, base=2)("101"))
table = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}


def rpn(text):
    stack = []
    for token in text.split():
        if token in table:
            b, a = stack.pop(), stack.pop()
            stack.append(table[token](a, b))
        else:
            stack.append(int(token))
    return stack.pop()


print(rpn("3 4 + 2 *"), rpn("5 1 2 + 4 * + 3 -"))
Y = lambda f: (lambda x: f(lambda *a: x(x)(*a)))(lambda x: f(lambda *a: x(x)(*a)))
print(Y(lambda self: lambda n: 1 if n == 0 else n * self(n - 1))(10))
print((lambda a, *b, c=3, **d: (a, b, c, d))(1, 2, c=4, e=5), (lambda: None)(), inc.__name__)


def apply_n(f, n):
    return (lambda x: x) if n == 0 else lambda x: f(apply_n(f, n - 1)(x))


print(apply_n(double, 10)(1), callable(inc), callable(3))
