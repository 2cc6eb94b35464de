# One code object that runs in several namespaces while it is hot: modules executed again, functions made of the code of
# others, class bodies, separate locals, and builtins of a namespace's own.
import types

SOURCE = '''
for i in range(n):
    t = t + i * k
    if i % 50 == 0: seen.append(t)
def f(a): return a + k
def total(n):
    s = 0
    for i in range(n): s += k * i
    return s
class C:
    v = k
    for j in range(20): v = v + j
    def m(self): return self.v + k
'''
code = compile(SOURCE, 'source', 'exec')
out = []
for r in range(25):
    space = {'n': 300 + r, 't': r, 'k': r if r % 2 else r * 0.5, 'seen': []}
    exec(code, space)
    out.append((space['t'], len(space['seen']), space['f'](1), space['total'](300), space['C']().m()))
    own = {'t': 1, 'seen': []}
    exec(code, space, own)
    out.append((own['t'], space['t'], len(own['seen']), own['C'].v, own['total'](40)))
print(out[:2], out[-2:], len(out))


def base(n):
    s = 0
    for i in range(n): s += K * i
    return s


K = 2
others = [types.FunctionType(base.__code__, {'K': k, 'range': range}) for k in (3, 2.5, 10**20)]
print([base(400)] + [f(400) for f in others] + [base(400)])
spaces = [{'k': 1}, {'k': 3}]
exec_count = compile('def inc(n):\n    global c\n    for _ in range(n): c += k\n    return c', 'm', 'exec')
for space in spaces:
    space['c'] = 0
    exec(exec_count, space)
for _ in range(60):
    for space in spaces: space['inc'](20)
print([space['c'] for space in spaces])
text = compile('x * y + len(z)', 'e', 'eval')
print(sum(eval(text, {'x': i}, {'y': 2, 'z': 'ab'}) + eval(text, {'x': 1, 'y': i, 'z': ''}) for i in range(700)))


def with_builtins(k):
    space = {'k': k, '__builtins__': {'range': range, 'len': lambda x: -1}}
    exec('def f(n):\n    s = 0\n    for i in range(n): s += k + len([1])\n    return s\n'
         'def g(): return [print]', space)
    return space['f'], space['g']


made = [with_builtins(k) for k in range(4)]
print([f(300) for f, _ in made for _ in range(3)], sum(f(2) for f, _ in made for _ in range(200)))
for f in (made[0][1], eval('lambda: abs(1)', {'__builtins__': {}}), types.FunctionType(base.__code__, {'__builtins__': {}})):
    try:
        print(f() if f.__code__.co_argcount == 0 else f(3))
    except NameError as e:
        print(e)
print(len([1, 2]), eval('len([])', {'__builtins__': {'len': lambda x: 'own'}}), [len('abc') for _ in range(2)])


def class_of(k):
    class A:
        s = 0
        for i in range(30): s += i * k
        def get(self): return A.s * k
        @property
        def p(self): return self.s + k
    return A


t = 0
for i in range(150):
    A = class_of(i)
    t += A().get() + A().p
print(t, A.i)
