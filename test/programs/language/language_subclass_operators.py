# Operators that subclasses of built-in classes define, plain, reflected and in place: which operand's
# method runs, and where the built-in class takes the short way itself.
import operator
from collections import Counter, OrderedDict, defaultdict, namedtuple

Pair = namedtuple('Pair', 'a b')
BASES = [
    (int, (5,)), (float, (2.5,)), (str, ('abc',)), (bytes, (b'abc',)), (tuple, ((1, 2),)), (list, ([1, 2],)),
    (dict, ({1: 2},)), (set, ([1, 2],)), (frozenset, ([1, 2],)), (OrderedDict, ({1: 2},)),
    (defaultdict, (int, {1: 2})), (Counter, ({1: 2},)), (Pair, (1, 2)),
]
OPS = ['add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'lshift', 'and', 'or', 'xor', 'matmul']


def show(call, *args):
    try:
        result = call(*args)
    except TypeError as error:
        return f'TypeError: {error}'
    return result if isinstance(result, str) else f'{type(result).__name__} {result!r}'


def named(word, op):
    return lambda self, *other: f'{word} {op}'


for base, args in BASES:
    for op in OPS:
        methods = {f'__{op}__': named('plain', op), f'__r{op}__': named('reflected', op), f'__i{op}__': named('in place', op)}
        both = type('Both', (base,), methods)(*args)
        right = type('Right', (base,), {f'__r{op}__': named('reflected', op)})(*args)
        plain = base(*args)
        call = getattr(operator, op + '_' if op in ('and', 'or') else op)
        in_place = getattr(operator, 'i' + op)
        row = [show(call, both, plain), show(call, plain, both), show(call, both, 3), show(call, 3, both), show(call, 1.5, both)]
        row += [show(call, [1], both), show(in_place, both, 3), show(in_place, 3, both), show(call, plain, right), show(call, 3, right)]
        print(base.__name__, op, '|', ' | '.join(row))


class Word(str):
    pass


class Row(list):
    pass


class Number(int):
    pass


print(show(operator.add, Word('a'), 1), '|', show(operator.add, Row([1]), 1), '|', show(operator.mul, Row([1]), 'a'))
print(show(operator.mul, Word('a'), Word('b')), '|', show(operator.mul, Number(2), Row([1])), '|', show(operator.add, 1.5, Number(2)))
print(1.5 < Number(2), Number(2) > 1.5, [1] == Row([1]), Row([1]) < [2], {1: 2} == Counter({1: 2}), Counter({1: 2}) == {1: 2})
for method in ('__add__', '__mul__', '__rmul__', '__imul__'):
    print(method, [show(getattr([1], method), value) for value in (3, 'a', [2])])


class Index:
    def __index__(self):
        return 2


items = same = [1]
items *= Index()
print(items, same is items, 'ab' * Index(), Index() * (1,), [1].__mul__(Index()))


class Power:
    def __pow__(self, other, modulus=None):
        return 'pow', other, modulus


class PowerInt(int):
    def __pow__(self, other, modulus=None):
        return 'pow', other, modulus


print(pow(Power(), 2, 5), pow(PowerInt(3), 2, 5), pow(PowerInt(3), 2), show(pow, 3, PowerInt(2), 5), show(pow, 'a', 2, 5))


class Divided(int):
    def __divmod__(self, other):
        return 'divmod'

    def __rdivmod__(self, other):
        return 'rdivmod'


print(divmod(Divided(5), 2), divmod(7, Divided(5)), show(divmod, 7.5, Divided(5)), show(divmod, 'a', 1))
