# Names that one side of a branch sets, that were not there before, and that are read only where they are, or later.
import torch

torch.manual_seed(6)
w = torch.randn(3, requires_grad=True)
skipped = 0
for step in range(40):  # expect: tier 2, at most 10 entries in tier 0
    x = torch.randn(3)
    loss = ((w * x).sum() - 1) ** 2
    if step % 11 == 10:
        reason = "every eleventh"
        skipped += 1
        continue
    loss.backward()
    if step % 2:
        norm = w.grad.norm()
        if norm > 1:
            w.grad.mul_(1 / norm)
            clipped_at = step
        with torch.no_grad():
            w -= 0.05 * w.grad
        w.grad = None
print(skipped, reason, f"{norm.item():.4f}", clipped_at)


def maybe_set(flag, x):
    if flag:
        extra = x * 2
        note = "extra"
    y = x + 1
    if flag:
        y = y + extra
    return y, (note if flag else "none")


for step in range(40):
    y, note = maybe_set(step % 3 == 0, torch.full((2,), float(step)))
print(y, note)


def never_set(flag, x):
    if flag:
        z = x * 3
    return x + z


errors = []
for step in range(40):
    try:
        y = never_set(step % 5 != 4, torch.full((2,), float(step)))
    except UnboundLocalError as e:
        errors.append((step, str(e)))
print(y, errors[0], len(errors))

total = torch.zeros(2)
for step in range(40):
    total = total + step
    if step % 4 == 3:
        late = total * 0.5
    try:
        total = total - late * 0.1
    except NameError as e:
        print(step, e)
print(total, late)


def with_cell(flag, x):
    if flag:
        inner = x * 2

    def read():
        return inner

    return read() if flag else x


for step in range(40):  # expect: tier 2, at most 10 entries in tier 0
    y = with_cell(step % 3 == 0, torch.full((2,), float(step)))
print(y)

for step in range(40):
    if step % 2:
        odd = torch.ones(2) * step
    else:
        del_me = torch.ones(2)
    if step == 30:
        del odd
print(odd, del_me)
