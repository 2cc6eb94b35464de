# A binary tree LSTM whose leaves are told by a property, trained tree by tree.
import torch, torch.nn as nn, random
torch.manual_seed(0); random.seed(0)
class Node:
    def __init__(self, word=None, left=None, right=None, label=0):
        self.word, self.left, self.right, self.label = word, left, right, label
    @property
    def is_leaf(self): return self.left is None and self.right is None
def build(depth):
    if depth == 0 or random.random() < 0.3: return Node(word=random.randrange(20), label=random.randrange(2))
    return Node(left=build(depth - 1), right=build(depth - 1), label=random.randrange(2))
class TreeLSTM(nn.Module):
    def __init__(self, v, d):
        super().__init__()
        self.emb = nn.Embedding(v, d); self.wx = nn.Linear(d, 3 * d); self.u = nn.Linear(2 * d, 5 * d); self.out = nn.Linear(d, 2); self.d = d
    def forward(self, node):
        if node.is_leaf:
            i, o, u = self.wx(self.emb(torch.tensor([node.word]))).chunk(3, 1)
            c = torch.sigmoid(i) * torch.tanh(u)
            return torch.sigmoid(o) * torch.tanh(c), c
        hl, cl = self(node.left); hr, cr = self(node.right)
        i, fl, fr, o, u = self.u(torch.cat([hl, hr], 1)).chunk(5, 1)
        c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(fl) * cl + torch.sigmoid(fr) * cr
        return torch.sigmoid(o) * torch.tanh(c), c
trees = [build(4) for _ in range(40)]
net = TreeLSTM(20, 16); opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
crit = nn.CrossEntropyLoss()
for ep in range(3):
    tot = 0.0; right = 0
    random.shuffle(trees)
    for t in trees:
        h, _ = net(t)
        logits = net.out(h)
        loss = crit(logits, torch.tensor([t.label]))
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item(); right += int(logits.argmax(1).item() == t.label)
    print(ep, f"{tot/len(trees):.6f}", right)
