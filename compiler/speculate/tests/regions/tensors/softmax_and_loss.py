# A loss is the primitives that it is made of.
import torch
import torch.nn.functional as F

def step(logits, labels):  # region
    return F.cross_entropy(logits, labels)

for _ in range(5):
    step(torch.ones(2, 3), torch.tensor([0, 2]))
