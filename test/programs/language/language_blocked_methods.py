# A special method that is None blocks what a base class defines: what it was for is a TypeError.
import operator


def show(call, *args):
    try:
        return repr(call(*args))
    except TypeError as error:
        return f'TypeError: {error}'


def blocked(base, name, *args):
    return type('Blocked', (base,), {name: None})(*args)


for base, args in [(int, (5,)), (str, ('ab',)), (list, ([1, 2],)), (tuple, ((1, 2),)), (dict, ({1: 2},)), (object, ())]:
    print(base.__name__)
    plain = base(*args)
    for name, call in [('__eq__', operator.eq), ('__ne__', operator.ne), ('__lt__', operator.lt), ('__ge__', operator.ge)]:
        value = blocked(base, name, *args)
        print(name, show(call, value, plain), show(call, plain, value), show(operator.contains, [plain], value))
    print('hash', show(hash, blocked(base, '__hash__', *args)))
    print('len', show(len, blocked(base, '__len__', *args)), show(bool, blocked(base, '__bool__', *args)))
    print('iter', show(iter, blocked(base, '__iter__', *args)), show(operator.contains, blocked(base, '__contains__', *args), 1))
    print('item', show(operator.getitem, blocked(base, '__getitem__', *args), 0))
    print('set', show(operator.setitem, blocked(base, '__setitem__', *args), 0, 1))
    print('del', show(operator.delitem, blocked(base, '__delitem__', *args), 0))
    print('reversed', show(reversed, blocked(base, '__reversed__', *args)))
    print('add', show(operator.add, blocked(base, '__add__', *args), plain), show(operator.iadd, blocked(base, '__iadd__', *args), plain))


class Half:
    def __setitem__(self, key, value):
        print('set', key, value)


half = Half()
half[1] = 2
try:
    del half[1]
except AttributeError as error:
    print('AttributeError:', error)


class Sequence:
    def __getitem__(self, index):
        return index


print(show(reversed, Sequence()), show(operator.contains, blocked(object, '__iter__'), 1))
