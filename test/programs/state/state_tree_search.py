import math
import torch

P = torch.arange(81.0).reshape(27, 3)


class Node:
    def __init__(self, state):
        self.state, self.n, self.kids = state, 0, {}


def search(root, sims):
    for _ in range(sims):
        node, path = root, [root]
        while node.kids:
            best, arg = -math.inf, None
            for a, k in node.kids.items():
                u = -k.n + a * 0.1
                if u > best:
                    best, arg = u, a
            node = node.kids[arg]
            path.append(node)
        if node.state < 9:
            priors = P[node.state].softmax(0)
            for a in range(3):
                node.kids[a] = Node(node.state * 3 + a)
                node.kids[a].prior = priors[a]
        for visited in reversed(path):
            visited.n += 1
    counts = torch.tensor([float(k.n) for k in root.kids.values()])
    return counts / counts.sum()


for s in range(10):
    root = Node(s % 3 + 1)
    print(s, [f'{p:.4f}' for p in search(root, 20).tolist()], root.n, [k.n for k in root.kids.values()])
