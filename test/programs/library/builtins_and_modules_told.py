import itertools, array
for p in ('.0','.1','.2','.4','8.0','.3e','.0f','.0e','.0g'):
    print(f'{3.1415:#{p}}' if p[0]=='.' else '', f'{31415.9:#.0}', f'{0.00001:#.1}', f'{100.0:#.3}')
def t(f,*a,**k):
    try: r=f(*a,**k); print(repr(r)[:100])
    except Exception as e: print(type(e).__name__, e)
x = itertools.chain(1, [2]); t(next, x); t(next, x)
x = itertools.chain([1], 2, [3]); t(next, x); t(next, x); t(next,x)
import types
m = types.ModuleType('mm'); t(lambda: m.x); del m.__name__; t(lambda: m.x)
p = property('a','b','c'); print(p.getter(None).fget, p.setter(1).fset, p.deleter(None).fdel)
a = array.array('d', [float('nan'), 1]); print(a == a, a != a, array.array('d',[1]) == array.array('f',[1]), array.array('i',[1]) == array.array('d',[1.0]))
print(type(__builtins__).__name__, __builtins__.__name__)
exec('print(type(__builtins__).__name__)', {})
t(type(...)); t(type(...)); t(type(...).__new__, int)
for c in (object,type,int,str,list,dict,set,tuple,range,property,super,zip): print(isinstance(c.__doc__, str), c.__name__ in c.__doc__.lower() or c in (object,))
class A: pass
class B(list): pass
print(A.__doc__, B.__doc__, A().__doc__, isinstance([].__doc__, str))
class S:
    __slots__ = ('__doc__', 'x')
s = S(); s.__doc__ = 'text'; print(s.__doc__)
