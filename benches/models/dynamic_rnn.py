"""A dynamic RNN: a loop over time in which every sequence stops at its own length.

    python benches/models/dynamic_rnn.py [STEPS [SEED [HIDDEN BATCH LENGTH]]]

The sequences are waves; their label is which of four frequencies they have.
"""

import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

SHOWN = 22


class DynamicRNN(nn.Module):
    def __init__(self, inputs, hidden, classes):
        super().__init__()
        self.cell = nn.RNNCell(inputs, hidden)
        self.out = nn.Linear(hidden, classes)
        self.hidden = hidden

    def forward(self, x, lengths):
        """`x` is (batch, time, inputs); states and outputs freeze where a sequence has ended."""
        state = x.new_zeros(x.shape[0], self.hidden)
        outputs = []
        for i in range(int(lengths.max())):
            new_state = self.cell(x[:, i], state)
            running = (i < lengths).unsqueeze(1)
            outputs.append(torch.where(running, new_state, torch.zeros_like(new_state)))
            state = torch.where(running, new_state, state)
        return self.out(state), torch.stack(outputs, dim=1)


def make_batch(batch, length):
    labels = torch.randint(0, 4, (batch,))
    lengths = torch.randint(length // 2, length + 1, (batch,))
    t = torch.arange(length, dtype=torch.float32)
    phase = torch.rand(batch, 1) * 6.28318
    wave = torch.sin(t * (0.2 + 0.25 * labels.unsqueeze(1)) + phase)
    x = torch.stack([wave, torch.cos(t * 0.1).expand(batch, length)], dim=2)
    return x + 0.1 * torch.randn_like(x), lengths, labels


class Trainer:
    def __init__(self, hidden):
        self.model = DynamicRNN(2, hidden, 4)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def step(self, x, lengths, labels):
        logits, outputs = self.model(x, lengths)
        # A little pressure on what the units do over time.
        loss = F.cross_entropy(logits, labels) + 1e-3 * outputs.pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    hidden, batch, length = [int(v) for v in sys.argv[3:6]] if len(sys.argv) > 5 else (64, 32, 64)
    trainer = Trainer(hidden)
    batches = [make_batch(batch, length) for _ in range(20)]
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = trainer.step(*batches[step % len(batches)])
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"last loss {loss:.5f}")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
