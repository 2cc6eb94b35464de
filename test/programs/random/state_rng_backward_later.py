# Backward passes that draw again what a branch or loop drew.
import torch
w = torch.ones(5, requires_grad=True)
for it in range(12):
    y = w * 2
    for k in range(1 + it % 2):
        if it != 8: y = torch.nn.functional.dropout(y, 0.2)
