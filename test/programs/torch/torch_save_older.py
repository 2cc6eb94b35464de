# Files of both formats, sparse tensors in them, errors of weights_only.

import torch, tempfile, os, io, collections
from torch import nn
d = tempfile.mkdtemp()
p = os.path.join(d, 'a.pt')

class Cfg:

    def __init__(s):
        s.a = 1
        s.t = torch.ones(2)

class Net(nn.Module):

    def __init__(s):
        super().__init__()
        s.l = nn.Linear(2, 3)
        s.register_buffer('b', torch.zeros(2))
        s.register_buffer('np', torch.ones(1), persistent=False)

    def forward(s, x):
        return s.l(x)
torch.manual_seed(0)
n = Net()
torch.save(n, p)
try:
    torch.load(p)
except Exception as e:
    print(type(e).__name__, str(e).split('\n')[0][:100])
m = torch.load(p, weights_only=False)
print(type(m).__name__, torch.equal(m.l.weight, n.l.weight))
with torch.serialization.safe_globals([Cfg]):
    torch.save(Cfg(), p)
    print(torch.load(p).t)
o = torch.optim.Adam(n.parameters())
n(torch.ones(1, 2)).sum().backward()
o.step()
torch.save({'model': n.state_dict(), 'opt': o.state_dict(), 'epoch': 3, 'rng': torch.get_rng_state(), 'l': [1, (2, 'x')], 's': {1, 2}}, p)
c = torch.load(p, weights_only=True, map_location='cpu')
print(c['epoch'], list(c['model']), c['opt']['state'][0].keys(), c['l'], c['s'])
print(n.load_state_dict(c['model']))
torch.set_rng_state(c['rng'])
b = io.BytesIO()
a = torch.arange(6.0)
torch.save([a[:3], a[3:]], b)
b.seek(0)
x, y = torch.load(b)
x[0] = 9
print(x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr(), len(x.untyped_storage()))
torch.save(a, p, _use_new_zipfile_serialization=False)
print(torch.load(p))
print(torch.load(p, map_location=lambda s, l: s))
torch.save(a.to(torch.bfloat16), p)
print(torch.load(p, mmap=True))
try:
    n.load_state_dict({'l.weight': torch.ones(3, 3), 'zz': torch.ones(1)})
except RuntimeError as e:
    print(e)
print(n.load_state_dict({'zz': torch.ones(1)}, strict=False))
try:
    torch.load(os.path.join(d, 'nope'))
except FileNotFoundError as e:
    print(e.strerror)
open(p, 'wb').write(b'garbage here')
try:
    torch.load(p)
except Exception as e:
    print(type(e).__name__, str(e)[:60])
try:
    torch.load(p, weights_only=False)
except Exception as e:
    print(type(e).__name__, str(e)[:60])
s = torch.eye(3).to_sparse()
torch.save(s, p)
print(torch.load(p))
par = nn.Parameter(torch.ones(2))
torch.save({'p': par}, p)
q = torch.load(p)['p']
print(type(q).__name__, q.requires_grad)
torch.save(collections.OrderedDict(a=1), p)
print(torch.load(p))
torch.save({'d': torch.device('cpu'), 'dt': torch.float16, 'sz': torch.Size([1, 2])}, p)
print(torch.load(p))
