# slices in all forms
class L(list):
    def __getitem__(self, k): return ('L', k)
    def __setitem__(self, k, v): print('set', k, v)
class I:
    def __init__(self, v): self.v = v
    def __index__(self):
        lst.append(0)
        return self.v
lst = [1, 2, 3]
def run(a, i, j):
    return a[i:j], a[i:], a[:j], a[:], a[i:j:2], a[::-1]
for n in range(600):
    for a in ([1, 2, 3, 4], (1, 2, 3), 'hello', b'hello', bytearray(b'xyz'), range(10), L([1])):
        r = run(a, n % 3, 3)
print(r)
print(lst[I(1):I(9)], lst)
def setting(a, i):
    a[i:i + 2] = [i]
    a[:0] = (7, 8)
    a[::2] = a[::2][::-1]
    return a
for n in range(600):
    x = setting(list(range(10)), n % 5)
print(x)
setting(L(), 2)
def bad(a, i):
    return a[
        i:
        'x']
import traceback
for k in range(600):
    try:
        bad([1, 2], k)
    except TypeError as e:
        t = traceback.format_exc()
print(t)
def bad2(a, i):
    a[::2] = i
for k in range(600):
    try:
        bad2([1, 2, 3], [1] if k > 300 else 5)
    except (TypeError, ValueError) as e:
        t = traceback.format_exc()
    if k in (300, 599): print(t)
