"""Language models with LSTM and GRU."""

import torch, torch.nn as nn, math, time


class RNNModel(nn.Module):

    def __init__(self, rnn_type, ntoken, ninp, nhid, nlayers, dropout=0.0, tie_weights=False):
        super().__init__()
        self.ntoken = ntoken
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        if rnn_type in ['LSTM', 'GRU']:
            self.rnn = getattr(nn, rnn_type)(ninp, nhid, nlayers, dropout=dropout)
        self.decoder = nn.Linear(nhid, ntoken)
        if tie_weights:
            self.decoder.weight = self.encoder.weight
        self.init_weights()
        self.rnn_type = rnn_type
        self.nhid = nhid
        self.nlayers = nlayers

    def init_weights(self):
        initrange = 0.1
        nn.init.uniform_(self.encoder.weight, -initrange, initrange)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -initrange, initrange)

    def forward(self, input, hidden):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        output = self.drop(output)
        decoded = self.decoder(output)
        return (nn.functional.log_softmax(decoded.view(-1, self.ntoken), dim=1), hidden)

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        if self.rnn_type == 'LSTM':
            return (weight.new_zeros(self.nlayers, bsz, self.nhid), weight.new_zeros(self.nlayers, bsz, self.nhid))
        return weight.new_zeros(self.nlayers, bsz, self.nhid)

def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple((repackage(v) for v in h))

def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    data = data.narrow(0, 0, nbatch * bsz)
    return data.view(bsz, -1).t().contiguous()
torch.manual_seed(1111)
ids = torch.tensor([(i * i + 3 * i) % 11 for i in range(400)])
train = batchify(ids, 4)
for kind in ['LSTM', 'GRU']:
    model = RNNModel(kind, 11, 8, 8, 2, tie_weights=True)
    print(model, len(list(model.parameters())))
    crit = nn.NLLLoss()
    lr = 2.0
    hidden = model.init_hidden(4)
    total = 0
    for batch, i in enumerate(range(0, train.size(0) - 1, 10)):
        seq_len = min(10, len(train) - 1 - i)
        data, targets = (train[i:i + seq_len], train[i + 1:i + 1 + seq_len].view(-1))
        model.zero_grad()
        hidden = repackage(hidden)
        output, hidden = model(data, hidden)
        loss = crit(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total += loss.item()
        print(batch, f'{loss.item():.3f} ppl {math.exp(loss.item()):.2f}')
