# What each iteration carries has no fixed form: a tuple that grows by nesting, any number of times.
# relax: symbolic n
import torch

def step(x, n):  # region
    state = ()
    for i in range(n):
        state = (state, x * i)
    return state

for i in range(5):
    step(torch.ones(2), i + 1)
