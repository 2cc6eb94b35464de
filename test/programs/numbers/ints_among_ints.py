"""Whether an int that moves is in a set, a dict's keys, or a list; corridors and masks."""
import torch

torch.manual_seed(0)


class Corridor:
    def __init__(self, n=6, flipped=(2, 4)):
        self.n, self.flipped = n, set(flipped)
        self.bonus = {1: 0.5, 3: 0.25}
        self.walls = [0, 5]

    def reset(self):
        self.pos, self.t = 0, 0
        return self.pos

    def step(self, a):
        move = 1 if a == 1 else -1
        if self.pos in self.flipped:
            move = -move
        self.pos = max(0, self.pos + move)
        self.t += 1
        reward = 0.1 if self.pos in self.bonus else -0.1
        if self.pos in self.walls:
            reward -= 0.05
        done = self.pos >= self.n or self.t >= 30
        return self.pos, (2.0 if self.pos >= self.n else reward), done


env = Corridor()
logits = torch.zeros(8, 2, requires_grad=True)
opt = torch.optim.Adam([logits], lr=0.1)
for episode in range(40):  # expect: tier 2, at most 12 entries in tier 0
    pos, done, logps, total = env.reset(), False, [], 0.0
    while not done:
        p = torch.softmax(logits[pos], 0)
        a = int(torch.multinomial(p, 1))
        logps.append(torch.log(p[a]))
        pos, r, done = env.step(a)
        total += r
    loss = -torch.stack(logps).sum() * total / 10
    opt.zero_grad()
    loss.backward()
    opt.step()
    if episode == 20:
        env.flipped.add(3)
    if episode % 5 == 0:
        print(episode, env.t, f"{total:.2f} {loss.item():.4f}")

skip = {3, 5}
for i in range(40):
    k = int(torch.randint(0, 7, ()))
    x = torch.full((3,), float(i))
    if k not in skip:
        x = x * 2
    if i == 25:
        skip = {0, 1, 2}
    if i % 6 == 0:
        print(i, k, k in skip, x.sum().item())
