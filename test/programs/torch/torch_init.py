import math

import torch
import torch.nn as nn
from torch.nn import init

torch.manual_seed(0)
w = torch.empty(3, 5)
print(init.uniform_(w, -1, 1))
print(init.normal_(w, 0, 0.02))
print(init.xavier_uniform_(w))
print(init.xavier_normal_(w, gain=2.0))
print(init.kaiming_uniform_(w, a=math.sqrt(5)))
print(init.kaiming_normal_(w, mode="fan_out", nonlinearity="relu"))
print(init.constant_(w, 0.3), init.zeros_(torch.empty(2)), init.ones_(torch.empty(2)), init.eye_(torch.empty(2, 3)))
print(init.trunc_normal_(w, std=0.02))
print(init.orthogonal_(torch.empty(3, 3)))
print(init.calculate_gain("relu"), init.calculate_gain("tanh"), init.calculate_gain("leaky_relu", 0.2))
layer = nn.Linear(4, 4)
with torch.no_grad():
    layer.weight.fill_(1.0)
    layer.bias.zero_()
print(layer.weight.sum(), layer.bias)
