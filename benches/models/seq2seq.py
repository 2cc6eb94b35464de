"""Sequence to sequence with attention and teacher forcing: the task is to reverse a sequence.

    python benches/models/seq2seq.py [STEPS [SEED]]

Whether a step is forced is drawn for each sequence of a batch's length, so the two sides of the
branch alternate at random.
"""

import random
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

SOS, EOS = 0, 1
VOCABULARY = 16
HIDDEN = 48
BATCH = 16
TEACHER_FORCING = 0.5
SHOWN = 22


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, HIDDEN)
        self.gru = nn.GRU(HIDDEN, HIDDEN, batch_first=True)

    def forward(self, x):
        return self.gru(self.embedding(x))


class Attention(nn.Module):
    """Bahdanau's."""

    def __init__(self):
        super().__init__()
        self.wa = nn.Linear(HIDDEN, HIDDEN)
        self.ua = nn.Linear(HIDDEN, HIDDEN)
        self.va = nn.Linear(HIDDEN, 1)

    def forward(self, query, keys):
        scores = self.va(torch.tanh(self.wa(query).unsqueeze(1) + self.ua(keys))).squeeze(2)
        weights = F.softmax(scores, dim=-1)
        return torch.bmm(weights.unsqueeze(1), keys).squeeze(1), weights


class Decoder(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, HIDDEN)
        self.attention = Attention()
        self.cell = nn.GRUCell(2 * HIDDEN, HIDDEN)
        self.out = nn.Linear(HIDDEN, VOCABULARY)
        self.dropout = nn.Dropout(dropout)

    def step(self, token, hidden, keys):
        embedded = self.dropout(self.embedding(token))
        context, weights = self.attention(hidden, keys)
        hidden = self.cell(torch.cat((embedded, context), dim=1), hidden)
        return self.out(hidden), hidden, weights

    def forward(self, keys, hidden, length, target=None):
        token = torch.full((keys.size(0),), SOS)
        outputs = []
        for i in range(length):
            output, hidden, _ = self.step(token, hidden, keys)
            outputs.append(output)
            if target is not None:
                token = target[:, i]
            else:
                token = output.argmax(1).detach()
        return torch.stack(outputs, dim=1)


class Trainer:
    def __init__(self):
        self.encoder = Encoder()
        self.decoder = Decoder()
        parameters = list(self.encoder.parameters()) + list(self.decoder.parameters())
        self.optimizer = torch.optim.Adam(parameters, lr=3e-3)
        self.forced = 0

    def step(self, source, target):
        self.optimizer.zero_grad()
        keys, hidden = self.encoder(source)
        use_teacher = random.random() < TEACHER_FORCING
        self.forced += use_teacher
        logits = self.decoder(keys, hidden[0], target.size(1), target if use_teacher else None)
        loss = F.cross_entropy(logits.reshape(-1, VOCABULARY), target.reshape(-1))
        loss.backward()
        self.optimizer.step()
        return loss.item()


def make_batch():
    """Sequences of one length between 4 and 8, each its reverse as the target, then the end."""
    length = random.randint(4, 8)
    source = torch.randint(2, VOCABULARY, (BATCH, length))
    end = torch.full((BATCH, 1), EOS)
    return torch.cat([source, end], dim=1), torch.cat([source.flip(1), end], dim=1)


def accuracy(trainer):
    trainer.decoder.eval()
    hits = total = 0
    with torch.no_grad():
        for _ in range(5):
            source, target = make_batch()
            keys, hidden = trainer.encoder(source)
            logits = trainer.decoder(keys, hidden[0], target.size(1))
            hits += (logits.argmax(2) == target).sum().item()
            total += target.numel()
    trainer.decoder.train()
    return hits / total


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    torch.manual_seed(seed)
    random.seed(seed)
    trainer = Trainer()
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = trainer.step(*make_batch())
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"{trainer.forced} of {steps} steps forced, accuracy {accuracy(trainer):.4f}")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
