"""A language model with a large vocabulary: two LSTM cells with projections, 10,000 words.

    python benches/models/lm.py [STEPS [SEED]]

The words come from a random Markov chain with Zipf's frequencies.
"""

import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

WORDS = 10000
EMBEDDED = 64
HIDDEN = 128
LENGTH = 10
BATCH = 16
SHOWN = 22


class ProjectedLSTM(nn.Module):
    """An LSTM layer whose output is a projection of its hidden state."""

    def __init__(self, inputs, hidden, outputs):
        super().__init__()
        self.cell = nn.LSTMCell(inputs, hidden)
        self.projection = nn.Linear(hidden, outputs, bias=False)

    def forward(self, x, state):
        h, c = self.cell(x, state)
        return self.projection(h), (h, c)


class LanguageModel(nn.Module):
    def __init__(self, layers=2, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, EMBEDDED)
        self.layers = nn.ModuleList([ProjectedLSTM(EMBEDDED, HIDDEN, EMBEDDED) for _ in range(layers)])
        self.dropout = nn.Dropout(dropout)
        self.softmax = nn.Linear(EMBEDDED, WORDS)

    def initial_state(self, batch):
        return [(torch.zeros(batch, HIDDEN), torch.zeros(batch, HIDDEN)) for _ in self.layers]

    def forward(self, words, states):
        outputs = []
        x = self.embedding(words)
        for t in range(words.size(1)):
            h = self.dropout(x[:, t])
            after = []
            for layer, state in zip(self.layers, states):
                h, state = layer(h, state)
                h = self.dropout(h)
                after.append(state)
            states = after
            outputs.append(h)
        return self.softmax(torch.stack(outputs, dim=1)), states


def make_words(count):
    """Each word leads to one of four others, mostly frequent ones; one time in five to any."""
    u = torch.rand(WORDS, 4)
    successors = (torch.exp(u * 9.2103) - 1).long().clamp(0, WORDS - 1)
    choice = torch.randint(0, 4, (count,))
    jump = (torch.exp(torch.rand(count) * 9.2103) - 1).long().clamp(0, WORDS - 1)
    jumps = torch.rand(count) < 0.2
    words = [0]
    table, choice, jump, jumps = successors.tolist(), choice.tolist(), jump.tolist(), jumps.tolist()
    for i in range(1, count):
        words.append(jump[i] if jumps[i] else table[words[-1]][choice[i]])
    return torch.tensor(words)


def repackage(states):
    return [(h.detach(), c.detach()) for h, c in states]


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    data = make_words(BATCH * 1001).view(BATCH, -1)
    model = LanguageModel()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    states = model.initial_state(BATCH)
    position = 0
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        if position + LENGTH + 1 > data.size(1):
            position = 0
            states = model.initial_state(BATCH)
        x = data[:, position : position + LENGTH]
        y = data[:, position + 1 : position + LENGTH + 1]
        position += LENGTH
        optimizer.zero_grad()
        states = repackage(states)
        logits, states = model(x, states)
        loss = F.cross_entropy(logits.reshape(-1, WORDS), y.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss.item():.6f}")
    seconds = time.perf_counter() - start
    print(f"last loss {loss.item():.5f}")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
