# A namespace that loses names is searched as quickly as before, and who goes through it meanwhile misses nothing.
def names_of(space):
    return [n for n in space if not n.startswith('__')]
x = 1
y = 2
z = 3
def use():
    return y + z
print(use(), use())
del x
print(use(), 'x' in globals())
x = 10
def use_x():
    return x + y + z
print(use_x())
del x
try:
    use_x()
except NameError as e:
    print(e)
x = 'again'
print(x, names_of(list(globals())))
space = {f'n{i}': i for i in range(12)}
exec('def total():\n    return n3 + n4 + n9', space)
for k in ('n0', 'n1', 'n5'):
    del space[k]
seen = []
for k in space:
    seen.append(k)
    space['total']()
print([k for k in seen if k != '__builtins__'])
print(space['total'](), [k for k in space.keys() if k != '__builtins__'], list(reversed([k for k in space if k != '__builtins__']))[:3])
items = []
it = iter(space.items())
for _ in range(3):
    items.append(next(it)[0])
    space['total']()
items += [k for k, _ in it]
print([k for k in items if k != '__builtins__'])
code = 'a = 1\nb = a + 1\ndel a\ndef f():\n    return b\nc = f()\nfor name in list(globals()):\n    f()\n'
for _ in range(30):
    s = {}
    exec(code, s)
print(s['c'], [n for n in s if n not in ('__builtins__', 'f')])
again = {}
for i in range(30):
    exec(f'v = {i}\ndef g():\n    return v\nw = g()\ndel v', again)
print(again['w'], 'v' in again)
def counter():
    global count
    count += 1
    return count
count = 0
for i in range(300):
    counter()
del i
for j in range(300):
    counter()
print(count)
