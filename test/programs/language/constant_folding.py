# What operators make of constants is computed when the code is made, and is what it would be when it runs.
def ints():
    return [2 * 3, 7 // 2, -7 // 2, 7 % -3, -7 % 3, 2 ** 10, 2 ** 63, 2 ** 127, 1 << 62, 1 << 63, 1 << 100, -1 >> 3, 5 & 3, 5 | 3, 5 ^ 3, 60 * 60 * 24,
            9223372036854775807 + 1, -9223372036854775808 - 1, 3 - 5, 7 / 2, 10 ** 30 // 7, (1 << 53) + 1, ((1 << 53) + 1) / 2, 9007199254740993 / 3, 2 ** -1, 0 ** 0, 1 << 0, 5 >> 200]
def floats():
    return [0.1 + 0.2, 1e308 * 10, -1e308 * 10, 1.0 - 2, 3 * 0.5, 1 / 3, 7.5 / 2, 1e308 * 10 - 1e308 * 10, 0.0 * -1, 2.5 // 1, 7.5 % 2, 2.0 ** 0.5, 9007199254740993 * 1.0]
def texts():
    return ['a' + 'b' 'c', '-' * 20, 3 * 'ab', 'x' * 0, 'x' * -3, '' * 5, len('ab' * 3000), b'a' + b'b', 'é' * 3, "%s" % 'x', 'a' 'b' * 2]
def tuples():
    return [(1, 2) + (3,), (1,) * 3, () + (), (0,) * 0, 2 * (1, 2), len((1, 2) * 500), ((1,) + (2,)) * 2, (1, 'a') + ('b', 2.0)]
def bools():
    return [True + 1, True * 3, False - 1, True & False, True | 1, True << 2]
def errors():
    out = []
    for f in (lambda: 1 // 0, lambda: 1 % 0, lambda: 1 / 0, lambda: 1.0 / 0.0, lambda: 0 ** -1, lambda: 1 << -1, lambda: 'a' + 1, lambda: 1 + 'a', lambda: 'a' * 1.0, lambda: (1,) + [2], lambda: 1.5 | 1, lambda: 2.0 % 0):
        try:
            out.append(f())
        except Exception as e:
            out.append(f'{type(e).__name__}: {e}')
    return out
for _ in range(3):
    for f in (ints, floats, texts, tuples, bools, errors):
        print(f.__name__, f())
def is_same():
    a, b = 'ab' * 2, 'ab' * 2
    return a is b, [type(x).__name__ for x in (4 / 2, 2 ** 2, 2 ** 2.0, True + True)]
print(is_same())
if 1 - 1:
    print('never')
else:
    print('always')
x = 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
print(x, x + 1 + 1 - 2 * 3)
def defaults(a=60 * 60, *, b=('x',) * 2): return a, b
print(defaults())
match 7:
    case 7: print('seven')
print(5 in (1, 2, 2 + 3), eval('2**200') == 2 ** 200, eval('"ab" * 3'))
