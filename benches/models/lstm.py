"""A character language model with an LSTM written as a Python loop over time.

    python benches/models/lstm.py [STEPS [SEED]]

The state lives on the model and is kept from one sequence to the next.
"""

import math
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 8
LENGTH = 20
HIDDEN = 96
SHOWN = 24


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.x2h = nn.Linear(input_size, 4 * hidden_size)
        self.h2h = nn.Linear(hidden_size, 4 * hidden_size, bias=False)

    def forward(self, x, state):
        h, c = state
        i, f, g, o = (self.x2h(x) + self.h2h(h)).chunk(4, dim=1)
        c = torch.sigmoid(f + 1.0) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        return h, c


class CharModel(nn.Module):
    def __init__(self, vocabulary, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.cell = LSTMCell(hidden, hidden)
        self.out = nn.Linear(hidden, vocabulary)
        self.hidden = hidden
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, sequence):
        """`sequence` is (time, batch); the logits are (time, batch, vocabulary)."""
        if self.state is None:
            zeros = torch.zeros(sequence.shape[1], self.hidden)
            self.state = (zeros, zeros)
        state = self.state
        outputs = []
        for item in self.embedding(sequence):
            state = self.cell(item, state)
            outputs.append(state[0])
        self.state = (state[0].detach(), state[1].detach())
        return self.out(torch.stack(outputs))


def load_text():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data/text.txt")
    with open(path) as f:
        text = f.read()
    characters = sorted(set(text))
    index = {c: i for i, c in enumerate(characters)}
    return torch.tensor([index[c] for c in text]), characters


def columns(data, batch):
    length = len(data) // batch
    return data[: length * batch].view(batch, length).t().contiguous()


class Trainer:
    def __init__(self, model, data):
        self.model = model
        self.data = columns(data, BATCH)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.position = 0

    def step(self):
        if self.position + LENGTH + 1 > len(self.data):
            self.position = 0
            self.model.reset()
        x = self.data[self.position : self.position + LENGTH]
        y = self.data[self.position + 1 : self.position + LENGTH + 1]
        self.position += LENGTH
        logits = self.model(x)
        loss = F.cross_entropy(logits.view(-1, logits.shape[-1]), y.reshape(-1))
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()


def perplexity(model, data):
    model.reset()
    data = columns(data, 1)
    total, count = 0.0, 0
    with torch.no_grad():
        for at in range(0, len(data) - 1, LENGTH):
            y = data[at + 1 : at + LENGTH + 1]
            logits = model(data[at : at + len(y)])
            total += F.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
            count += len(y)
    model.reset()
    return math.exp(total / count)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    data, characters = load_text()
    print(f"{len(data)} characters, {len(characters)} different ones")
    model = CharModel(len(characters), HIDDEN)
    trainer = Trainer(model, data[:10500])
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = trainer.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"perplexity {perplexity(model, data[10500:]):.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
