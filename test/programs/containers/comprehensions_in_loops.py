"""Set and dict comprehensions of hot loops, with keys in Python and keys that cannot be hashed."""
def f(n):
    r = []
    for k in range(n):
        a = {i % 7 for i in range(60)}
        b = {i % 5: i for i in range(60)}
        c = len({x + k for x in range(50)}) == 50 == len({x - k for x in range(50)})
        d = {str(i) for i in range(40) if i % 3}
        r.append((sum(a), sum(b.values()), c, len(d)))
    return r[-1]
print(f(80))
class H:
    def __init__(s, v): s.v = v
    def __hash__(s): return s.v % 3
    def __eq__(s, o): return s.v == o.v
def g(n):
    t = 0
    for k in range(n):
        s = {H(i % 11) for i in range(40)}
        d = {H(i % 13): i for i in range(40)}
        t += len(s) + len(d) + sum(d.values())
    return t
print(g(60))
def bad(n):
    for k in range(n):
        try: s = {[] if i == 35 and k == n - 1 else i for i in range(40)}
        except TypeError as e: return str(e), k
print(bad(40))
