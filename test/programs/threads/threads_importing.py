# Modules that several threads import at once, two of which import each other.
import sys, os, tempfile, threading, time
d = tempfile.mkdtemp(); sys.path.insert(0, d)
open(d+"/slow_a.py","w").write("import time\ntime.sleep(0.1)\nx = 1\n")
open(d+"/cyc_a.py","w").write("import time\ntime.sleep(0.05)\nimport cyc_b\ny = 1\n")
open(d+"/cyc_b.py","w").write("import time\ntime.sleep(0.05)\nimport cyc_a\nz = 1\n")
out = []
def f(n):
    m = __import__(n); time.sleep(0.01)
    out.append((n, sorted(k for k in vars(m) if len(k) == 1)))
ts = [threading.Thread(target=f, args=("slow_a",)) for _ in range(4)] + [threading.Thread(target=f, args=(n,)) for n in ("cyc_a", "cyc_b")]
[t.start() for t in ts]; [t.join() for t in ts]
print([o for o in out if o[0] == "slow_a"], len(out), sys.modules["cyc_a"].y, sys.modules["cyc_b"].z)
