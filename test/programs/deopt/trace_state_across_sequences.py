# A recurrent state kept on the object from one sequence to the next, and dropped now and then.
import torch
import torch.nn as nn

torch.manual_seed(5)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.RNNCell(3, 6)
        self.out = nn.Linear(6, 1)
        self.state = None
        self.sequences = 0

    def forward(self, sequence):
        state = self.state
        if state is None:
            state = torch.zeros(sequence.size(1), 6)
        outputs = []
        for x in sequence:
            state = self.cell(x, state)
            outputs.append(self.out(state))
        self.state = state.detach()
        self.sequences += 1
        return torch.stack(outputs)


tagger = Tagger()
optimizer = torch.optim.Adam(tagger.parameters(), lr=0.02)


def step(x, y):
    optimizer.zero_grad()
    loss = ((tagger(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


stream = torch.randn(48, 2, 3)
# The target remembers more than one sequence.
target = stream.sum(2, keepdim=True).cumsum(0).tanh()
for epoch in range(5):
    total = 0.0
    for at in range(0, 48, 4):
        total += step(stream[at : at + 4], target[at : at + 4])
    print(f"epoch {epoch} loss {total:.5f} state {tagger.state.norm().item():.5f} {tagger.sequences}")
    if epoch % 2 == 1:
        tagger.state = None
