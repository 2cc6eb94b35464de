"""A double DQN with steps of n and a prioritized memory: the sum tree is gone through recursively, in NumPy.

Nothing of the recursion is known where the loop of an episode is looked at. That it has no iteration does not follow.
"""
import numpy as np, random, collections, torch
from torch import nn, optim
import torch.nn.functional as F
Transition = collections.namedtuple("Transition", "s a r s2 d")
class Cliff:
    H, W = 4, 6
    ACTS = {0: (-1, 0), 1: (0, 1), 2: (1, 0), 3: (0, -1)}
    def __init__(self, slip=0.1, seed=0):
        self.rng = np.random.RandomState(seed); self.slip = slip
    def reset(self):
        self.pos = [self.H - 1, 0]; self.t = 0; return self._obs()
    def _obs(self):
        g = np.zeros((self.H, self.W), dtype=np.float32); g[tuple(self.pos)] = 1.0; return g.ravel()
    def step(self, a):
        if self.rng.rand() < self.slip: a = self.rng.randint(4)
        dy, dx = self.ACTS[int(a)]
        self.pos[0] = int(np.clip(self.pos[0] + dy, 0, self.H - 1)); self.pos[1] = int(np.clip(self.pos[1] + dx, 0, self.W - 1))
        self.t += 1
        if self.pos[0] == self.H - 1 and 0 < self.pos[1] < self.W - 1: return self._obs(), -10.0, True, {"cliff": True}
        if self.pos == [self.H - 1, self.W - 1]: return self._obs(), 10.0, True, {}
        return self._obs(), -0.1, self.t >= 40, {"timeout": self.t >= 40}
class SumTree:
    def __init__(self, cap): self.cap = cap; self.tree = np.zeros(2 * cap - 1); self.data = np.zeros(cap, dtype=object); self.write = 0; self.n = 0
    def _prop(self, i, ch):
        p = (i - 1) // 2; self.tree[p] += ch
        if p != 0: self._prop(p, ch)
    def _get(self, i, s):
        l = 2 * i + 1
        if l >= len(self.tree): return i
        return self._get(l, s) if s <= self.tree[l] else self._get(l + 1, s - self.tree[l])
    def total(self): return self.tree[0]
    def add(self, p, d):
        i = self.write + self.cap - 1; self.data[self.write] = d; self.update(i, p)
        self.write = (self.write + 1) % self.cap; self.n = min(self.n + 1, self.cap)
    def update(self, i, p): ch = p - self.tree[i]; self.tree[i] = p; self._prop(i, ch)
    def get(self, s): i = self._get(0, s); return i, self.tree[i], self.data[i - self.cap + 1]
class PER:
    e, a, beta, inc = 0.01, 0.6, 0.4, 1e-3
    def __init__(self, cap): self.t = SumTree(cap)
    def push(self, err, *tr): self.t.add((abs(err) + self.e) ** self.a, Transition(*tr))
    def sample(self, n):
        seg = self.t.total() / n; idx, batch, pr = [], [], []
        self.beta = min(1.0, self.beta + self.inc)
        for i in range(n):
            j, p, d = self.t.get(random.uniform(seg * i, seg * (i + 1)))
            if d == 0: continue
            idx.append(j); batch.append(d); pr.append(p)
        w = np.power(self.t.n * np.array(pr) / self.t.total(), -self.beta); w /= w.max()
        return idx, Transition(*zip(*batch)), w
class Dueling(nn.Module):
    def __init__(self, n, a):
        super().__init__(); self.f = nn.Sequential(nn.Linear(n, 32), nn.ReLU()); self.v = nn.Linear(32, 1); self.adv = nn.Linear(32, a)
    def forward(self, x):
        h = self.f(x); a = self.adv(h); return self.v(h) + a - a.mean(-1, keepdim=True)
random.seed(3); np.random.seed(3); torch.manual_seed(3)
env = Cliff(seed=1); q = Dueling(24, 4); tgt = Dueling(24, 4); tgt.load_state_dict(q.state_dict()); tgt.requires_grad_(False)
opt = optim.RMSprop(q.parameters(), lr=2e-3, alpha=0.95, eps=1e-5); mem = PER(256); gamma = 0.97; nstep = 3; steps = 0; rets = []
for ep in range(20):
    s = env.reset(); done = False; R = 0; buf = collections.deque(maxlen=nstep)
    while not done:
        eps = 0.05 + 0.9 * np.exp(-steps / 150.0)
        if np.random.rand() < eps: a = np.random.randint(4)
        else:
            with torch.no_grad(): a = q(torch.from_numpy(s).unsqueeze(0)).max(1)[1].item()
        s2, r, done, info = env.step(a); R += r; steps += 1; buf.append((s, a, r))
        if len(buf) == nstep or done:
            G = sum(gamma ** i * x[2] for i, x in enumerate(buf)); s0, a0, _ = buf[0]
            with torch.no_grad():
                nq = tgt(torch.as_tensor(s2)).max().item() if not done else 0.0
                err = G + gamma ** len(buf) * nq - q(torch.as_tensor(s0))[a0].item()
            mem.push(err, s0, a0, G, s2, done)
        s = s2
        if mem.t.n >= 32 and steps % 2 == 0:
            idx, b, w = mem.sample(16)
            S = torch.tensor(np.array(b.s)); A = torch.tensor(b.a).view(-1, 1); Rw = torch.tensor(b.r, dtype=torch.float32); S2 = torch.tensor(np.stack(b.s2)); D = torch.tensor(np.array(b.d, dtype=np.uint8)).float()
            qa = q(S).gather(1, A).squeeze(1)
            with torch.no_grad():
                best = q(S2).argmax(1, keepdim=True); y = Rw + gamma ** nstep * tgt(S2).gather(1, best).squeeze(1) * (1 - D)
            td = (y - qa).detach().abs().numpy()
            loss = (torch.from_numpy(w).float() * F.smooth_l1_loss(qa, y, reduction="none")).mean()
            opt.zero_grad(); loss.backward()
            for p in q.parameters(): p.grad.data.clamp_(-1, 1)
            opt.step()
            for j, e in zip(idx, td): mem.t.update(j, (abs(e) + mem.e) ** mem.a)
            for tp, p in zip(tgt.parameters(), q.parameters()): tp.data.copy_(0.02 * p.data + 0.98 * tp.data)
    rets.append(R)
    if (ep + 1) % 5 == 0: print(f"ep {ep+1:3d} steps {steps} eps {eps:.4f} ret {R:+.2f} avg {np.mean(rets[-5:]):.3f} loss {loss.item():.5f} beta {mem.beta:.3f} total {mem.t.total():.4f}")
policy = q(torch.eye(24)).argmax(1).view(4, 6).numpy()
print("\n".join("".join("^>v<"[c] for c in row) for row in policy))
