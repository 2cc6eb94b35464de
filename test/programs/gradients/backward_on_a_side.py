# A backward() on one side of a branch only, where what it went through is kept: gone through again, it is an error
# where that side was taken, and none where it was not.
import torch

torch.manual_seed(5)
gen, critic = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)
og = torch.optim.SGD(gen.parameters(), lr=0.05)
oc = torch.optim.SGD(critic.parameters(), lr=0.05)
last = None


def again(loss):
    try:
        loss.backward()
    except RuntimeError as e:
        return str(e)[:41]
    return "fine"


def alternate(step, x):
    out = gen(x).tanh()
    if step % 3 < 2:
        real = x + 0.5
        loss = (critic(out.detach()) - critic(real)).mean()
        oc.zero_grad()
        loss.backward()
        oc.step()
    else:
        loss = -critic(out).mean()
        og.zero_grad()
        loss.backward()
        og.step()
    return out, loss


for step in range(18):  # expect: tier 2, at most 8 entries in tier 0
    out, loss = alternate(step, torch.randn(2, 4))
    if step % 4 == 3:
        print(step, f"{loss.item():.4f}", again(loss), again(out.sum()))

w = torch.randn(3, requires_grad=True)


def maybe(flag, x):
    y = (w * x).sin()
    z = y * y
    if flag:
        z.sum().backward()
    return y, z


for step in range(18):
    y, z = maybe(step % 3 == 0, torch.full((3,), 0.1 * step))
    w.grad = None
    print(step, again(y.sum()), again(z.sum()), w.grad)

# The state of a whole loop at module level, of which only one side goes back.
w.grad = None
kept = []
for step in range(24):  # expect: tier 2, at most 8 entries in tier 0
    x = torch.full((3,), 0.1 * step)
    pred = (w * x).tanh()
    if step % 2:
        cost = (pred - 1).pow(2).sum()
        cost.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    else:
        cost = pred.detach().sum()
    last = pred
print(f"{cost.item():.4f}", again(last.sum()), again((w * 2).sum()), w.grad)


def one_of_two(flag, x):
    h = (w * x).exp()
    if flag:
        y = h * 2
        h.sum().backward()
    else:
        y = h * 3
    return y


for step in range(18):
    w.grad = None
    y = one_of_two(step % 3 == 0, torch.full((3,), 0.1 * step))
    print(step, again(y.sum()), w.grad)
