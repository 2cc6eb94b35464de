import os, tempfile
def self_cycle():
    try: raise ValueError(1)
    except ValueError as e:
        e.__context__ = e
        raise TypeError(2)
def ring(n):
    es = [ValueError(i) for i in range(n)]
    for a, b in zip(es, es[1:] + es[:1]): a.__context__ = b
    try: raise es[0]
    except ValueError: raise TypeError(n)
for f in (self_cycle, lambda: ring(2), lambda: ring(3), lambda: ring(4), lambda: ring(7)):
    try: f()
    except TypeError as e: print(e, repr(e.__context__), repr(e.__context__.__context__))
def tail():
    a, b, c = ValueError('a'), ValueError('b'), ValueError('c')
    a.__context__, b.__context__, c.__context__ = b, c, b
    try: raise a
    except ValueError: raise KeyError('x')
try: tail()
except KeyError as e: print(repr(e.__context__), repr(e.__context__.__context__))
try:
    try: raise ValueError(1)
    except ValueError as e:
        try: raise TypeError(2)
        except TypeError: raise e
except ValueError as e: print(repr(e), repr(e.__context__), e.__context__.__context__)
p = os.path.join(tempfile.mkdtemp(), 'f')
f = open(p, 'w', buffering=1); f.write('a'); print(repr(open(p).read()), f.line_buffering); f.write('b\nc'); print(repr(open(p).read())); f.close()
g = open(p, 'w'); g.write('a\n'); print(repr(open(p).read()), g.line_buffering); g.close()
