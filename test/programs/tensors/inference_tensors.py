import torch

def attempt(f):
    try:
        return f()
    except Exception as e:
        return type(e).__name__ + ": " + str(e)[:90]

def make():
    with torch.inference_mode():
        return torch.ones(2)

def inplace(x):
    x += 1
    return x

def inplace_in(x):
    with torch.inference_mode():
        x += 1
    return x

def save(x, w):
    return (x * w).sum()

def nosave(x, w):
    return (x + w).sum()

def rg(x):
    return x.requires_grad_().requires_grad

def view(x):
    v = x[0]
    return v.is_inference(), (x * 2).is_inference()

def normal_in(w):
    with torch.inference_mode():
        v = w[0]
        u = w * 2
        z = torch.zeros(2)
        z[0] = 3
    return v.is_inference(), u.is_inference(), z, u.requires_grad

def write_view(w):
    with torch.inference_mode():
        v = w[:1]
    v += 1
    return w

for i in range(30):
    w = torch.ones(2, requires_grad=True)
    t = make()
    r = [attempt(lambda: inplace(make())), attempt(lambda: inplace_in(t)), attempt(lambda: save(t, w)), attempt(lambda: nosave(t, w)), attempt(lambda: rg(t)), attempt(lambda: view(t)), attempt(lambda: normal_in(w)), attempt(lambda: write_view(torch.ones(2))), attempt(lambda: t.clone().requires_grad_().requires_grad), attempt(lambda: t.detach().is_inference()), attempt(lambda: t.to(torch.float64).is_inference()), attempt(lambda: t.view(2, 1).is_inference())]
for v in r:
    print(v)

@torch.inference_mode()
def evaluate(m, x):
    return m(x)

m = torch.nn.Linear(2, 2)
with torch.no_grad():
    m.weight.fill_(0.5); m.bias.zero_()
for i in range(30):
    y = evaluate(m, torch.ones(1, 2))
    s = attempt(lambda: (y * m.weight.sum()).sum().backward())
    q = y + 1
    z = attempt(lambda: (q * m.weight.sum()).sum().backward())
print(y.is_inference(), s, q.is_inference(), z, y)
