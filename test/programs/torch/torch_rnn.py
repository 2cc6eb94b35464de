import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.randn(5, 2, 3)
rnn = nn.RNN(3, 4)
out, h = rnn(x)
print(rnn, out.shape, h.shape, out[-1], h)
lstm = nn.LSTM(3, 4, num_layers=2, batch_first=True)
out, (h, c) = lstm(x.transpose(0, 1))
print(lstm, out.shape, h.shape, c.shape, out[:, -1], c[0])
gru = nn.GRU(3, 4, bidirectional=True)
out, h = gru(x)
print(gru, out.shape, h.shape, out[0])
print([n for n, _ in gru.named_parameters()])
out.sum().backward()
print(gru.weight_ih_l0.grad.sum(), gru.bias_hh_l0_reverse.grad)
cell = nn.LSTMCell(3, 4)
hx, cx = torch.zeros(2, 4), torch.zeros(2, 4)
for t in range(3):
    hx, cx = cell(x[t], (hx, cx))
print(cell, hx, cx)
print(nn.GRUCell(3, 4)(x[0]), nn.RNNCell(3, 4)(x[0], hx), nn.RNNCell(3, 2, nonlinearity="relu"))
out, h = rnn(x[:, 0])
print(out.shape, h.shape)
out, _ = lstm(x.transpose(0, 1), (torch.ones(2, 2, 4), torch.ones(2, 2, 4)))
print(out[0, 0])
try:
    rnn(torch.ones(5, 2, 7))
except RuntimeError as e:
    print(e)
