# An RNN as a loop over sequences whose length changes with every call.
import torch

torch.manual_seed(16)
wx = torch.randn(3, 4, requires_grad=True)
wh = (torch.randn(4, 4) * 0.3).requires_grad_()


def rnn(seq):
    h = torch.zeros(4)
    for x in seq:
        h = torch.tanh(x @ wx + h @ wh)
    return h


for n in [4, 4, 4, 7, 2, 9, 30, 1, 15, 3, 22, 11]:
    h = rnn(torch.randn(n, 3))
    loss = (h * h).sum()
    loss.backward()
    print(n, f"{loss.item():.5f}", f"{wh.grad.abs().sum().item():.4f}")
