# What backward needs is written over: PyTorch's error, also where forward and backward are compiled.
import torch


def step(w, x, bad):
    h = (w * x).exp()
    y = h.sum()
    if bad:
        h.add_(1)
    y.backward()
    return y


w = torch.tensor([0.1, 0.2], requires_grad=True)
x = torch.tensor([1.0, -1.0])
for i in range(60):
    try:
        m = round(step(w, x, i > 40 and i % 3 == 0).item(), 4)
    except RuntimeError as e:
        m = str(e)[:60]
    if i > 38:
        print(i, m, w.grad)
    w.grad = None


def forward(w, x):
    return (w * x).sum()


errors = 0
for i in range(60):
    loss = forward(w, x)
    if i % 4 == 3 and i > 30:
        x += 0.01
    try:
        loss.backward()
    except RuntimeError as e:
        errors += 1
        if errors == 1:
            print(str(e)[:76])
    if i % 20 == 19:
        print(i, errors, w.grad.tolist())


def always(w, x):
    h = torch.sigmoid(w * x)
    y = (h * h).sum()
    h.mul_(2)
    y.backward()


for i in range(40):
    try:
        always(w, x)
        print("not raised", i)
    except RuntimeError:
        errors += 1
print(errors)


def fine(w, x):
    h = w * x
    h += 1
    h *= x
    y = (h.exp() + x).sum()
    y.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        x.mul_(1.001)
    w.grad = None
    return y


for i in range(40):
    y = fine(w, x)
print(round(y.item(), 4), [round(v, 4) for v in w.tolist()])
