# Where exec and eval look names up and where they put them.
import io
import sys

z = 10


def nested():
    exec('z = 2\ndef g():\n    global z; z = 3 * z\ng()')
    return z


print(nested())


class Missing(dict):
    def __missing__(self, key):
        return 'missing ' + key


class Other:
    def __init__(self):
        self.log = []

    def __getitem__(self, key):
        self.log.append(('get', key))
        if key == 'known':
            return 5
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.log.append(('set', key, value))

    def __delitem__(self, key):
        self.log.append(('del', key))


print(eval('foo', {}, Missing()), eval('len(foo)', {'len': len}, Missing(len=len)))
other = Other()
exec('x = known + 1\ndel x\nprint(abs(-3))', {}, other)
print(other.log)


def one_dict():
    a = 1
    exec('b = a + 1')
    seen = locals()
    a = 5
    return seen is locals(), sorted(seen.items(), key=lambda item: item[0])[:2], 'b' in locals()


print(one_dict())
for source, namespaces in [('1', (5,)), ('1', ({}, 5)), ('len([1])', ({'__builtins__': {}},)), ('x', ({'__builtins__': {'x': 3}},))]:
    for run in (eval, exec):
        try:
            print(run.__name__, run(source, *namespaces))
        except (TypeError, NameError) as error:
            print(run.__name__, type(error).__name__, error)


def free():
    inner = 3

    def closure():
        return inner
    return closure


for run in (eval, exec):
    try:
        run(free().__code__)
    except TypeError as error:
        print(error)
sys.stdin = io.StringIO('hello\nlast')
print(input(), input('prompt '))
try:
    input()
except EOFError as error:
    print(error)
sys.stdin = None
try:
    input()
except RuntimeError as error:
    print(error)
