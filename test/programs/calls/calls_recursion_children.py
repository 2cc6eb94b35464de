# lists of children, of one length or none
import torch, random
rng = random.Random(3)
torch.manual_seed(1)
class Node:
    def __init__(self, children=(), word=-1):
        self.children = list(children); self.word = word
def build(n):
    if n == 1:
        return Node(word=rng.randrange(6))
    c = rng.randint(1, n - 1)
    return Node([build(c), build(n - c)])
E = torch.randn(6, 5); W = torch.randn(5, 5); V = torch.randn(5, 5)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(5, 5)
    def forward(self, node):
        if not node.children:
            x = E[node.word]
            return x, x * 2
        (a, p), (b, q) = [self.forward(c) for c in node.children]
        h = torch.tanh(self.l(a) + b @ V)
        return h, p + q * torch.sigmoid(h)
net = Net()
trees = [build(rng.randint(1, 9)) for _ in range(25)]
with torch.no_grad():
    for k in range(3):
        total = 0.0
        for t in trees:  # expect: tier 2, at most 20 entries in tier 0
            h, c = net(t)
            total += (h.sum() + c.mean()).item()
        print(f"{total:.5f}")
