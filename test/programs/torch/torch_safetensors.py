# The package safetensors, which is built in; its golden output needs an oracle with the package.
import torch, os, tempfile
from safetensors import safe_open, SafetensorError, deserialize
from safetensors.torch import save, save_file, load_file, load, save_model, load_model
t={'b':torch.arange(12.).reshape(3,4),'a':torch.ones(3,dtype=torch.int8), 'h':torch.ones(2,dtype=torch.bfloat16), 'e':torch.zeros(0,3), 's':torch.tensor(5)}
d=save(t,{'k':'v'}); print({k: v.shape for k, v in sorted(load(d).items())})
f=os.path.join(tempfile.mkdtemp(),'a.st'); save_file(t,f)
print(load_file(f)['b'].sum())
with safe_open(f,'pt') as g:
    print(g.keys(), g.metadata(), g.get_slice('b')[:,1:], g.get_slice('b').get_shape(), g.offset_keys())
    for e in ["g.get_tensor('zz')","g.get_slice('b')[7]","g.get_slice('b')[-1]"]:
        try: print(eval(e))
        except Exception as x: print(type(x).__name__, x)
for b in [b'abc', b'\xff'*20, b'\x02\0\0\0\0\0\0\0{}', b'\x03\0\0\0\0\0\0\0{a}', b'\x02\0\0\0\0\0\0\0{}abc', b'']:
    try: print(deserialize(b))
    except SafetensorError as x: print(x)
x=torch.ones(4)
for bad in [{'a':x,'b':x}, {'a':torch.ones(3,2).t()}, [1], {'a':3}, {'a':x[:2],'b':x[2:]}]:
    try: print(len(save(bad)))
    except Exception as e: print(type(e).__name__, str(e)[:70])
class M(torch.nn.Module):
    def __init__(s):
        super().__init__(); s.a=torch.nn.Linear(2,2,bias=False); s.b=torch.nn.Linear(2,2,bias=False); s.b.weight=s.a.weight
torch.manual_seed(0); m=M(); save_model(m,f); m2=M(); print(load_model(m2,f)); print(torch.equal(m.a.weight,m2.b.weight), load_file(f).keys())
try: load_model(torch.nn.Linear(2,2), f)
except RuntimeError as e: print(e)
