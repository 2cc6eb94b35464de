# Two ints that begin alike and grow alike stay known to be as far apart.
# relax: symbolic n
import torch

def step(n):  # region
    a, b = torch.zeros(n), torch.ones(n)
    return a + b

for i in range(2, 7):
    step(i)
