# A method that only runs inside of a built-in function.
import torch

class Key:
    def __hash__(self):
        return 5

    def __eq__(self, other):
        return True

key = Key()
table = {key: 1.0}

def step(x):  # region
    y = x * 2 + 1
    return y * table[key]

for _ in range(5):
    step(torch.ones(2))
