# A state machine whose state is text, in a loop whose trip count moves.
import torch

torch.manual_seed(4)


def mode(x, eps):
    state = "idle"
    n = 0
    for i in range(x.shape[0]):
        v = x[i]
        if state == "idle":
            if v > eps:
                state = "up"
        elif state == "up":
            n += 1
            if v < -eps:
                state = "idle"
    return n, state


total = 0
ups = 0
for t in range(120):
    n, s = mode(torch.randn(6 + t % 21), 0.2)
    total += n
    ups += s == "up"
print(total, ups)
