"""Policy gradients and Q-learning on a toy environment."""

import random
from collections import deque, namedtuple
import torch, torch.nn as nn, torch.nn.functional as F, torch.optim as optim
from torch.distributions import Categorical
torch.manual_seed(543)
random.seed(0)


class Policy(nn.Module):

    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)
        self.saved = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return (F.softmax(self.action_head(x), dim=-1), self.value_head(x))
SavedAction = namedtuple('SavedAction', ['log_prob', 'value'])
model = Policy()
optimizer = optim.Adam(model.parameters(), lr=0.03)
eps = torch.finfo(torch.float32).eps


class Env:

    def reset(self):
        self.s = [random.uniform(-0.05, 0.05) for _ in range(4)]
        self.t = 0
        return self.s

    def step(self, a):
        self.t += 1
        f = 0.1 if a == 1 else -0.1
        self.s = [self.s[0] + 0.1 * self.s[1], self.s[1] + f, self.s[2] * 0.9, self.s[3] + 0.01 * f]
        return (self.s, 1.0 if abs(self.s[0]) < 0.5 else 0.0, self.t > 20 or abs(self.s[0]) > 1)
env = Env()

def select_action(state):
    state = torch.tensor(state).float()
    probs, v = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved.append(SavedAction(m.log_prob(action), v))
    return action.item()

def finish():
    R = 0
    pl, vl, returns = ([], [], deque())
    for r in model.rewards[::-1]:
        R = r + 0.99 * R
        returns.appendleft(R)
    returns = torch.tensor(list(returns))
    returns = (returns - returns.mean()) / (returns.std() + eps)
    for (lp, value), R in zip(model.saved, returns):
        adv = R - value.item()
        pl.append(-lp * adv)
        vl.append(F.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(pl).sum() + torch.stack(vl).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved[:]
    return loss.item()
for ep in range(8):
    s = env.reset()
    tot = 0
    while True:
        s, r, done = env.step(select_action(s))
        model.rewards.append(r)
        tot += r
        if done:
            break
    print(ep, tot, f'{finish():.3f}')
memory = deque(maxlen=100)
for i in range(50):
    memory.append((torch.randn(1, 4), torch.tensor([[random.randrange(2)]]), torch.tensor([random.random()]), None if i % 7 == 0 else torch.randn(1, 4)))
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
tgt = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
tgt.load_state_dict(q.state_dict())
tgt.eval()
o = optim.RMSprop(q.parameters())
for it in range(5):
    batch = random.sample(list(memory), 16)
    s, a, r, n = zip(*batch)
    mask = torch.tensor(tuple(map(lambda x: x is not None, n)), dtype=torch.bool)
    nn_ = torch.cat([x for x in n if x is not None])
    sv = q(torch.cat(s)).gather(1, torch.cat(a))
    nv = torch.zeros(16)
    with torch.no_grad():
        nv[mask] = tgt(nn_).max(1).values
    loss = F.smooth_l1_loss(sv, (nv * 0.9 + torch.cat(r)).unsqueeze(1))
    o.zero_grad()
    loss.backward()
    for p in q.parameters():
        p.grad.data.clamp_(-1, 1)
    o.step()
    print(f'{loss.item():.4f}')
for tp, p in zip(tgt.parameters(), q.parameters()):
    tp.data.copy_(0.5 * p.data + 0.5 * tp.data)
print(tgt[0].bias[:4])
