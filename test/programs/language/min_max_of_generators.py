# min and max of generators
import traceback
class Noisy:
    log = []
    def __init__(self, v): self.v = v
    def __lt__(self, o): Noisy.log.append(('lt', self.v, o.v)); return self.v < o.v
    def __gt__(self, o): Noisy.log.append(('gt', self.v, o.v)); return self.v > o.v
    def __repr__(self): return f'N{self.v}'
def made(v):
    Noisy.log.append(('made', v)); return Noisy(v)
print(min(made(v) for v in (3, 1, 2)), max(made(v) for v in (3, 1, 5, 5)), Noisy.log)
def run(n):
    lo, hi, t = 0, 0, 0
    xs = [5, 3, 8, 1, 9, 2]
    for k in range(n):
        lo += min(x * k % 7 for x in xs)
        hi += max((x + k) % 11 for x in xs if x != k % 5)
        t += max(min(a * b for a in xs) for b in xs[:3])
    return lo, hi, t
print(run(700))
def floats(n):
    out = []
    for k in range(n):
        out.append((min(x / (k + 1) for x in (1.5, 0.5, -0.0, 0.0)), max(float('nan') if i == k % 3 else float(i) for i in range(3))))
    return out[-3:]
print(floats(500))
for f in (lambda: min(x for x in []), lambda: max(x for x in ()), lambda: min((x for x in []), default=4), lambda: max((x for x in [1, 2]), key=lambda v: -v), lambda: min(x for x in [1, 'a']), lambda: max(1 / x for x in [1, 0])):
    try: print(f())
    except Exception as e:
        print(type(e).__name__, e); 
        print([l.split(', in ')[-1] for l in traceback.format_exc().splitlines() if 'line' in l])
def rebound():
    def min(g): return sorted(g)
    return min(x for x in [3, 1])
print(rebound())
def strs(words): return min(w.lower() for w in words), max(len(w) for w in words), min((len(w), w) for w in words)
for _ in range(300): r = strs(['Bb', 'a', 'CCC'])
print(r)
class Q:
    def __init__(self): self.q = {(s, a): (s * 7 + a * 3) % 5 / 4 for s in range(6) for a in range(3)}
    def best(self, s): return max(self.q[s, a] for a in range(3))
    def arg(self, s):
        top = self.best(s); return [a for a in range(3) if self.q[s, a] == top]
q = Q(); t = 0
for k in range(900):
    t += q.best(k % 6) + len(q.arg(k % 6)); q.q[k % 6, k % 3] = (k * 13 % 17) / 16
print(round(t, 6))
def gen(): yield 1; raise KeyError('inside')
try: min(x for x in gen())
except KeyError as e: print('KeyError', e)
def stop(): raise StopIteration(3)
try: print(max(stop() for _ in [1]))
except RuntimeError as e: print('RuntimeError', e)
class B:
    def __init__(s, v): s.v = v
    def __lt__(s, o): return W(s.v < o.v)
class W:
    def __init__(s, b): s.b = b
    def __bool__(s): print('bool', s.b); return s.b
print(min(B(v) for v in (2, 1, 3)).v)
