# Lists built, indexed, sliced, appended, popped, inserted, extended and sorted in the hot region.
import torch


def work(x, n):
    stack = [x]
    for i in range(n):
        stack.append(stack[-1] * 0.5 + i)
    top = stack.pop()
    first = stack.pop(0)
    stack.insert(1, top - first)
    stack.extend([x + 1, x + 2])
    stack[0], stack[-1] = stack[-1], stack[0]
    del stack[2:3]
    part = stack[1:-1]
    part.reverse()
    stack += part[:1] * 2
    order = sorted(range(len(stack)), key=lambda k: -k)
    return sum(stack[k] * (j + 1) for j, k in enumerate(order)), len(stack)


x = torch.tensor([1.0, -2.0], requires_grad=True)
for n in (3, 3, 3, 3, 3, 4, 3, 6, 3):
    y, size = work(x, n)
    y.sum().backward()
    print(n, size, [f"{v:.4f}" for v in y.tolist()], x.grad.tolist())
