# The adjoint of a loop is made after structurising; the graph only says `janus.gradient`.
import torch

w = torch.ones(2, requires_grad=True)

def step(xs):  # region
    h = torch.zeros(2)
    for x in xs:
        h = torch.tanh(h * w + x)
    h.sum().backward()

for _ in range(5):
    w.grad = None
    step(torch.ones(30, 2))
