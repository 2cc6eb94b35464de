# Packed sequences through RNNs, weight norm, DataParallel, more optimizers, old names of init.
import warnings

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, remove_weight_norm, weight_norm
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence, pad_sequence

warnings.simplefilter("ignore")
torch.manual_seed(0)
seqs = [torch.randn(n, 3) for n in (5, 3, 3, 1)]
padded = pad_sequence(seqs)
packed = pack_padded_sequence(padded, [5, 3, 3, 1])
print(packed.batch_sizes.tolist(), tuple(packed.data.shape), f"{packed.data.sum().item():.4f}", packed.sorted_indices)
for kind, options in ((nn.LSTM, {}), (nn.GRU, {"bidirectional": True}), (nn.RNN, {"num_layers": 2}), (nn.LSTM, {"num_layers": 2, "bidirectional": True})):
    torch.manual_seed(1)
    rnn = kind(3, 4, **options)
    for lengths in ([5, 3, 3, 1], [1, 5, 2, 5]):
        p = pack_padded_sequence(padded, lengths, enforce_sorted=lengths[0] == 5)
        out, state = rnn(p)
        back, sizes = pad_packed_sequence(out, batch_first=True)
        state = state[0] if isinstance(state, tuple) else state
        rnn.zero_grad()
        back.pow(2).sum().backward()
        print(kind.__name__, tuple(back.shape), sizes.tolist(), f"{back.sum().item():.4f} {state.sum().item():.4f}", f"{rnn.weight_hh_l0.grad.norm().item():.4f}")
s = pack_sequence([torch.ones(2), torch.zeros(3)], enforce_sorted=False)
print(s.batch_sizes.tolist(), s.sorted_indices.tolist(), pad_packed_sequence(s, total_length=4)[0].tolist())
for f in (lambda: pack_padded_sequence(padded, [1, 2, 3, 4]), lambda: pack_padded_sequence(padded, [2, 1])):
    try:
        f()
    except RuntimeError as e:
        print(str(e)[:70])

torch.manual_seed(2)
lin = weight_norm(nn.Linear(3, 2))
print([n for n, _ in lin.named_parameters()], tuple(lin.weight_g.shape))
net = nn.DataParallel(nn.Sequential(lin, nn.Tanh()))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(5):
    opt.zero_grad()
    loss = (net(torch.ones(2, 3)) - 0.5).pow(2).mean()
    loss.backward()
    clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
print(f"{loss.item():.6f} {lin.weight.sum().item():.5f}", list(net.state_dict())[:2])
remove_weight_norm(lin)
print([n for n, _ in lin.named_parameters()], f"{net(torch.ones(1, 3)).sum().item():.5f}")
for make in (lambda p: torch.optim.RAdam(p, lr=0.05), lambda p: torch.optim.NAdam(p, lr=0.05, weight_decay=0.1), lambda p: torch.optim.Adamax(p, lr=0.05)):
    torch.manual_seed(3)
    model = nn.Linear(4, 1)
    opt = make(model.parameters())
    x = torch.randn(8, 4)
    for i in range(9):
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(type(opt).__name__, f"{loss.item():.6f} {model.weight.sum().item():.6f}")
w = torch.empty(2, 3)
nn.init.xavier_uniform(w)
print(f"{w.sum().item():.5f}", nn.init.constant(w, 2.0).sum().item(), w.nbytes, w.double().nbytes, w.get_device())
