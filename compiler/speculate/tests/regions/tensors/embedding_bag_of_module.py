# A module's parameters are found through its attributes.
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 2)
        self.out = nn.Linear(2, 3)

    def forward(self, ids):
        return self.out(self.emb(ids)).relu()

model = Model()

def step(ids):  # region
    return model(ids)

for _ in range(5):
    step(torch.tensor([1, 2]))
