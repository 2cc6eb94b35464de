# Packed sequences whose lengths move, in both directions: extents that elements of a tensor decide.
import torch, torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
torch.manual_seed(0)
rnn = nn.GRU(4, 5, bidirectional=True, batch_first=True); lin = nn.Linear(10, 1)
opt = torch.optim.SGD(list(rnn.parameters()) + list(lin.parameters()), lr=0.05)
for step in range(120):
    lens = torch.randint(1, 7, (4,))
    x = torch.randn(4, int(lens.max()), 4)
    p = pack_padded_sequence(x, lens, batch_first=True, enforce_sorted=False)
    o, h = rnn(p)
    o, l = pad_packed_sequence(o, batch_first=True)
    loss = (lin(o) ** 2).mean() + h.sum() * 0.01
    opt.zero_grad(); loss.backward(); opt.step()
    if step % 10 == 0: print(step, f"{loss.item():.5f}")
