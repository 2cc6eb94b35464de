import sys, io
def t(f,*a,**k):
    try: r=f(*a,**k); print(repr(r)[:80])
    except Exception as e: print(type(e).__name__, e)
print(sys.get_int_max_str_digits())
t(str, 10**4300); t(str, 10**4299); t(int, '1'*4301); t(int,'1'*4300); t(int,'f'*5000,16); t(int,'0x'+'f'*5000,0); t(int, 'z'*5000); t(format, 10**5000, 'd'); t(lambda: '%d' % 10**5000); t(lambda: f'{10**5000:x}'); t(int, ' -1_0'+'0'*4400)
t(repr, -10**4300)
t(sys.set_int_max_str_digits, 100); t(sys.set_int_max_str_digits, -1)
sys.set_int_max_str_digits(0); t(lambda: len(str(10**5000))); t(lambda: len(str(int('9'*5000))))
sys.set_int_max_str_digits(1000); t(str, 10**1000); t(str, 10**999); print(sys.int_info, sys.flags.int_max_str_digits)
import json
t(json.loads, '1'*2000)
s = io.StringIO(); s.seek(3); t(s.write, 'hi'); print(repr(s.getvalue()), s.tell())
s = io.StringIO('ééé'); t(s.write, 'a'); print(repr(s.getvalue()), s.tell()); s.write('bcde'); print(repr(s.getvalue()))
s = io.StringIO('abc'); s.seek(10); print(s.tell(), s.read(), s.truncate(5), repr(s.getvalue())); s.truncate(1); print(repr(s.getvalue()))
def f(a=1,*,b=2): pass
f.__annotations__={'a':int}
del f.__defaults__, f.__kwdefaults__, f.__annotations__
print(f.__defaults__, f.__kwdefaults__, f.__annotations__)
import struct
print(struct.pack('300p', 290*b'w')[:3], struct.pack('5p', b'wop'), struct.unpack('300p', struct.pack('300p', 290*b'w'))[0]==b'w'*255)
t(lambda: 'abc'[2**70]); t(lambda: [1][-2**70]); t(lambda: (1,)[2**70]); t(lambda: b'a'[2**70]); t(lambda: range(3)[2**70])
class I:
    def __index__(s): return 2**80
t(lambda: [1][I()]); t(lambda: 'a'[I()])
t(lambda: 1 << 10**30); t(lambda: 0 << 10**30); t(lambda: 1 >> 10**30)
print(Ellipsis.__reduce__(), NotImplemented.__reduce__(), (1+2j).__getnewargs__())
t(getattr, type, '__abstractmethods__'); t(getattr, int, '__abstractmethods__')
print([].index.__name__, 'abc'.find('', 4), 'abc'.find('', 3), 'abc'.count('',4), b'abc'.startswith(b'', 4))
import collections
c = {}; collections._count_elements(c, 'aab'); print(c)
import gc
n = 0
def cb(phase, info):
    global n; n += 1
    gc.collect()
gc.callbacks.append(cb); gc.collect(); gc.callbacks.remove(cb); print(n)
