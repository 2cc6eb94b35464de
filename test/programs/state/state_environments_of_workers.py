# Workers with environments of their own: lists that each step replaces, generators that differ, rollouts that end early.
import math, random
import torch
import torch.nn as nn

class Env:
    def __init__(self, rng):
        self.rng = rng
        self.state = [0.0, 0.0]
        self.n = 0
        self.old = None
    def reset(self):
        self.state = [self.rng.uniform(-0.05, 0.05) for _ in range(2)]
        self.n = 0
        return list(self.state)
    def step(self, a):
        x, v = self.state
        v = v + (0.1 if a == 1 else -0.1) + 0.01 * math.sin(3 * x)
        x = x + v
        self.state = [x, v]
        self.n += 1
        return list(self.state), 1.0 - abs(x), abs(x) > 0.4 or self.n >= 30

class Agent:
    def __init__(self, seed):
        self.env = Env(random.Random(seed))
        self.net = nn.Linear(2, 2)
        self.state = self.env.reset()
        self.scores = []
        self.score = 0.0

    def rollout(self, n):
        logs, rewards = [], []
        done = False
        for _ in range(n):
            logits = self.net(torch.tensor(self.state))
            p = torch.softmax(logits, -1)
            a = torch.multinomial(p, 1).item()
            self.state, r, done = self.env.step(a)
            self.score += r
            logs.append(torch.log(p[a]))
            rewards.append(r)
            if done:
                self.scores.append(self.score)
                self.score = 0.0
                self.state = self.env.reset()
                break
        return logs, rewards, done

    def update(self, n):
        logs, rewards, done = self.rollout(n)
        ret = 0.0 if done else 0.5
        loss = torch.zeros(())
        for i in reversed(range(len(rewards))):
            ret = rewards[i] + 0.9 * ret
            loss = loss - logs[i] * ret
        self.net.zero_grad()
        loss.backward()
        with torch.no_grad():
            for q in self.net.parameters():
                q -= 0.01 * q.grad
        return loss.item()

torch.manual_seed(1)
agents = [Agent(s) for s in range(5)]
for step in range(300):
    l = agents[step % 5].update(10)
    if step % 20 == 0:
        print(step, f"{l:.5f}", agents[step % 5].state, len(agents[step % 5].scores))
print([a.scores[-1] for a in agents], [a.env.n for a in agents])
print(agents[0].env.rng.random(), torch.rand(1))
