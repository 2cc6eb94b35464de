# One code object with tensors that runs in several namespaces while it is hot.
import types

import torch


def body_of(k):
    class C:
        x = torch.zeros(2)
        for i in range(20): x = x + i * k
        y = x * k

        def __enter__(self): return self.x + k
        def __exit__(self, *rest): return True
        def m(self): return self.x + k
    with C() as entered:
        entered = entered + 1
    return C.x, C.y, C().m(), entered, sorted(n for n in vars(C) if n[0] != '_')


for i in range(30): r = body_of(i)
print(r)
code = compile('''
for i in range(20): x = x + i
for j in range(600): s += j
def f(): return x
def step(n):
    global count
    y = x
    for i in range(n):
        count += 1
        y = y + k
    return y
def h(a): return a * k + x
''', 'source', 'exec')
out = []
for i in range(30):
    space = {'torch': torch, 'x': torch.ones(2) * i, 's': i, 'k': i, 'count': 0}
    exec(code, space)
    out.append((space['x'][0].item(), space['s'], space['f']()[1].item(), space['step'](15)[0].item(), space['count'],
                space['h'](torch.ones(2))[0].item()))
    own = {'x': torch.zeros(1), 's': 0}
    exec(code, space, own)
    out.append((own['x'].item(), own['s'], space['x'][0].item(), own['f']().sum().item(), own['h'](torch.ones(1))[0].item()))
print(out[:2], out[-2:])
short = compile('y = x * 2 + 1\nx = y - k', 'short', 'exec')
for i in range(40):
    space = {'x': torch.ones(2) * i, 'k': i}
    exec(short, space)
    own = {'k': 100}
    exec(short, space, own)
print(space['x'], own['x'], own['y'], sorted(k for k in space if k[0] != '_'))
text = compile('x * k + 1', 'text', 'eval')
print(sum(eval(text, {'x': torch.ones(1) * i, 'k': i}).item() for i in range(50)))
a, b = {'x': torch.ones(2), 'k': 1, 's': 0, 'count': 0}, {'x': torch.zeros(2), 'k': 2.5, 's': 0, 'count': 0}
for space in (a, b): exec(code, space)
seen = []
for i in range(40):
    one, other = (a, b) if i % 2 else (b, a)
    seen.append((one['step'](12)[0].item(), other['h'](torch.ones(2))[0].item()))
print(seen[-2:], a['count'], b['count'])
again = types.FunctionType(a['h'].__code__, {'k': 100, 'x': torch.ones(2) * 7})
print([again(torch.ones(2) * i)[0].item() for i in range(20)][-2:])


# A `with` statement asks the class for its methods.
class Managed:
    def __enter__(self): return 1
    def __exit__(self, *rest): self.left = rest[0]; return True


class Static(Managed):
    @staticmethod
    def __enter__(): return 7


class Fails(Managed):
    def __enter__(self): raise ValueError('enter')


class Nothing: pass


class Anything:
    def __getattr__(self, name): return lambda *rest: 1


def managed(x, manager):
    try:
        with manager as entered: x = x + entered; x = x + x.nope
    except Exception as e:
        return x * 2, type(e).__name__, str(e)
    return x, manager.left


own = Managed()
own.__enter__ = lambda: 100
own.__exit__ = lambda *rest: print('never')
for i in range(25): r = [managed(torch.ones(1) * i, m) for m in (own, Managed(), Static(), Fails(), Nothing(), Anything())]
for line in r: print(line)

# Arguments that are given as None are those that are not given.
x = torch.tensor([[1.0, float('inf')], [float('nan'), -float('inf')]])
for i in range(20):
    r = torch.nan_to_num(x, None, None, None), torch.nan_to_num(x, 2.0, None, -1.0), torch.nn.functional.pad(x, (1, 1), 'constant', None), torch.nn.functional.pad(x, (1, 0), 'replicate', None)
print(r)
