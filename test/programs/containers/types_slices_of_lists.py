# Slices with negative steps, slice assignment, and lists of lists used as a queue.
import torch

queue = [[float(i), torch.tensor(float(i))] for i in range(4)]


def turn(k):
    head, *tail = queue
    queue[:] = tail + [head]
    queue[-1][0] += 1
    queue[0][1] = queue[0][1] * 0.5 + k
    back = queue[::-1][1:3]
    queue[1:2] = [queue[1], [0.0, torch.tensor(1.0)]] if k % 5 == 4 else [queue[1]]
    return sum(t for _, t in back) + back[0][0]


out = [turn(k).item() for k in range(17)]
print([f"{v:.3f}" for v in out])
print(len(queue), [q[0] for q in queue])
