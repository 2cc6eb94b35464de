"""Beam search over a recurrent decoder; stops as soon as the best beam has ended.

    python benches/models/beam_search.py [STEPS [SEED]]

A step decodes one sequence. The decoder is trained for a few steps first, on sequences that count.
"""

import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCABULARY = 24
END = 0
HIDDEN = 64
BEAM = 5
LONGEST = 24
SHOWN = 24


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, 32)
        self.cell = nn.GRUCell(32, HIDDEN)
        self.out = nn.Linear(HIDDEN, VOCABULARY)

    def forward(self, token, state):
        state = self.cell(self.embedding(token), state)
        return F.log_softmax(self.out(state), dim=1), state


def make_sequences(count):
    """From a start the numbers go up by two or three, alternately, and then comes the end."""
    rows = []
    for start in torch.randint(1, 6, (count,)).tolist():
        row, value = [], start
        for i in range(9):
            row.append(value if value < VOCABULARY else END)
            value += 2 + i % 2
        rows.append(row)
    return torch.tensor(rows)


def train(model, steps):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(steps):
        rows = make_sequences(16)
        state = torch.zeros(16, HIDDEN)
        loss = torch.zeros(())
        for t in range(rows.size(1) - 1):
            log_probs, state = model(rows[:, t], state)
            loss = loss + F.nll_loss(log_probs, rows[:, t + 1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"training {step:2d}  loss {loss.item():.6f}")


def beam_search(model, start):
    """The most likely sequence and its score."""
    tokens = torch.full((BEAM, 1), start)
    scores = torch.full((BEAM,), float("-inf"))
    scores[0] = 0.0
    state = torch.zeros(BEAM, HIDDEN)
    ended = torch.zeros(BEAM, dtype=torch.bool)
    for _ in range(LONGEST):
        log_probs, state = model(tokens[:, -1], state)
        # What has ended goes on with the end, at no cost.
        only_end = torch.full_like(log_probs, float("-inf"))
        only_end[:, END] = 0.0
        log_probs = torch.where(ended.unsqueeze(1), only_end, log_probs)
        total = (scores.unsqueeze(1) + log_probs).view(-1)
        scores, flat = total.topk(BEAM)
        origin = flat // VOCABULARY
        token = flat % VOCABULARY
        tokens = torch.cat([tokens[origin], token.unsqueeze(1)], dim=1)
        state = state[origin]
        ended = ended[origin] | (token == END)
        if bool(ended[0]) or bool(ended.all()):
            break
    return tokens[0], scores[0]


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    model = Decoder()
    train(model, 25)
    model.eval()
    start = time.perf_counter()
    decoded = 0
    with torch.no_grad():
        for step in range(steps):
            if step == steps // 2:
                start = time.perf_counter()
            tokens, score = beam_search(model, 1 + step % 7)
            decoded += len(tokens)
            if step < SHOWN or step % (steps // 400 or 1) == 0:
                print(f"step {step:2d}  {' '.join(str(t) for t in tokens.tolist())}  score {score.item():.6f}")
    seconds = time.perf_counter() - start
    print(f"{decoded} tokens in {steps} sequences")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
