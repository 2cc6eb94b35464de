# A state in a tuple that a loop replaces, and whose tensors a list gets: one gradient, in the tape's order.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
W = torch.randn(6, 2, requires_grad=True)
b = torch.randn(6, requires_grad=True)


def run(x):
    state = (torch.zeros(4, 2), torch.zeros(4, 2))
    outs = []
    for row in x:
        gates = F.linear(state[0], W, b) + row
        r, z, n = gates.chunk(3, 1)
        h = (state[0] - torch.tanh(n)) * torch.sigmoid(z) + torch.tanh(n)
        state = (h, state[1] * torch.sigmoid(r) + h)
        outs.append(state[0])
    return torch.stack(outs), state


for T in [30, 30, 30, 6, 12, 30, 5, 40, 7]:
    W.grad = b.grad = None
    out, state = run(torch.randn(T, 4, 6))
    (out.sum() + state[1].mean()).backward()
    print(T, [f"{g:.3f}" for g in b.grad.tolist()], f"{W.grad.sum().item():.3f}")

for cell in (nn.GRU(4, 2), nn.LSTM(4, 2, num_layers=2), nn.RNN(4, 2, bidirectional=True)):
    for T in [12, 12, 12, 6, 6, 12, 5, 26, 27, 9]:
        out, _ = cell(torch.randn(T, 3, 4))
        cell.zero_grad()
        (out * out).sum().backward()
        total = sum(p.grad.abs().sum() for p in cell.parameters())
        print(type(cell).__name__, T, tuple(out.shape), f"{out.sum().item():.3f} {total.item():.3f}")
