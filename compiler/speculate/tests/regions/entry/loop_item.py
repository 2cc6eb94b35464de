# The region is one iteration of a loop: its item lies on the stack.
import torch

total = torch.zeros(2)
data = [torch.ones(2) for _ in range(6)]
for x in data:  # region
    total = total + x
