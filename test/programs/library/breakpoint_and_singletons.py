import os, sys
calls = []
old = sys.breakpointhook
sys.breakpointhook = lambda *a, **k: calls.append((a, k)) or 'result'
print(breakpoint(1, x=2), calls, sys.__breakpointhook__ is old)
sys.breakpointhook = sys.__breakpointhook__
os.environ['PYTHONBREAKPOINT'] = '0'
print(breakpoint())
os.environ['PYTHONBREAKPOINT'] = 'builtins.len'
print(breakpoint([1, 2]))
os.environ['PYTHONBREAKPOINT'] = 'len'
print(breakpoint([1, 2, 3]))
import warnings
for bad in ('nosuchmodule.f', 'os.nosuch', 'nosuch', '.f'):
    os.environ['PYTHONBREAKPOINT'] = bad
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter('always')
        print(breakpoint(), [str(x.message) for x in w], w[0].category.__name__)
del sys.breakpointhook
try: breakpoint()
except RuntimeError as e: print(e)
class Huge:
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
for n in (2**70, -2**70, -1, 2**63 - 1):
    try: print(len(Huge(n)))
    except (ValueError, OverflowError) as e: print(type(e).__name__, e)
for t in (type(None), type(...), type(NotImplemented)):
    print(t())
    try: t(1)
    except TypeError as e: print(e)
for name in ('a\0b', b'a\0b'):
    try: open(name)
    except ValueError as e: print(e)
