# A convolution is one primitive.
import torch
import torch.nn.functional as F

def step(x, w):  # region
    return F.conv2d(x, w, padding=1)

for _ in range(5):
    step(torch.ones(1, 2, 4, 4), torch.ones(3, 2, 3, 3))
