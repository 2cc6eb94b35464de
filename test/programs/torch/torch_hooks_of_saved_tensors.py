# What a backward pass keeps goes through functions of the script.

import torch

class Pack:
    n = 0

def pack(x):
    Pack.n += 1
    return x * 1

def unpack(x):
    return x
a = torch.ones(5, requires_grad=True)
b = torch.ones(5, requires_grad=True) * 2
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = a * b
y.sum().backward()
print(Pack.n, a.grad)
packed = []

def pack2(x):
    packed.append(tuple(x.shape))
    return x.numpy() if not x.requires_grad else x.detach().numpy()

def unpack2(x):
    packed.append('u')
    return torch.from_numpy(x)
x = torch.arange(4.0, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(pack2, unpack2):
    z = (x.exp() * x).sum()
z.backward()
print(packed, x.grad)
with torch.autograd.graph.save_on_cpu():
    w = (x ** 3).sum()
w.backward()
print(x.grad)
with torch.autograd.graph.disable_saved_tensors_hooks('not allowed here'):
    try:
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            x * x
    except RuntimeError as e:
        print(e)
lin = torch.nn.Linear(3, 2)
torch.manual_seed(0)
with torch.autograd.graph.saved_tensors_hooks(lambda t: t.half(), lambda t: t.float()):
    out = lin(torch.ones(2, 3)).relu().sum()
out.backward()
print(lin.weight.grad.shape)

import os, tempfile, torch, uuid
tmp = tempfile.mkdtemp()

class SelfDeletingTempFile:

    def __init__(self):
        self.name = os.path.join(tmp, str(uuid.uuid4()))

    def __del__(self):
        os.remove(self.name)

def pack_hook(t):
    f = SelfDeletingTempFile()
    torch.save(t, f.name)
    return f

def unpack_hook(f):
    return torch.load(f.name)
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
x = torch.randn(6, 4)
with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):
    loss = model(x).pow(2).mean()
print(loss.item(), len(os.listdir(tmp)) > 0)
loss.backward()
print([p.grad.norm().item() for p in model.parameters()])
del loss
print(len(os.listdir(tmp)))
