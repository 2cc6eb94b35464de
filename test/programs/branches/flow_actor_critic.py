"""An actor-critic as it is mostly written: the state is the environment's own list, rewards and saved actions are
attributes that are emptied, returns are put in front of one another."""

import math
import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

SavedAction = namedtuple("SavedAction", ["log_prob", "value"])


class Pole:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.s = [self.rng.uniform(-0.05, 0.05) for _ in range(3)]
        self.t = 0
        return self.s

    def step(self, action):
        x, angle, speed = self.s
        push = 1.0 if action == 1 else -1.0
        speed = speed + 0.3 * math.sin(angle) - 0.05 * push
        self.s = [x + 0.02 * push, angle + 0.1 * speed, speed]
        self.t += 1
        done = abs(self.s[1]) > 0.12 or self.t >= 25
        return self.s, 1.0, done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 16)
        self.action = nn.Linear(16, 2)
        self.value = nn.Linear(16, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.body(x))
        return F.softmax(self.action(x), dim=-1), self.value(x)


torch.manual_seed(543)
env = Pole(543)
model = Policy()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)


def select_action(state):
    probs, value = model(torch.tensor(state).float())
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append(SavedAction(m.log_prob(action), value))
    return action.item()


def finish_episode():
    R = 0
    policy_losses, value_losses, returns = [], [], []
    for r in model.rewards[::-1]:
        R = r + 0.9 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-3)
    for (log_prob, value), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]
    return loss.item()


def train(episodes):
    running = 10
    for episode in range(episodes):  # expect: tier 2, at most 12 entries in tier 0
        state = env.reset()
        total = 0
        for t in range(1, 1000):
            action = select_action(state)
            state, reward, done = env.step(action)
            model.rewards.append(reward)
            total += reward
            if done:
                break
        running = 0.05 * total + 0.95 * running
        loss = finish_episode()
        if episode % 5 == 4:
            print(f"{episode} length {t} total {total} running {running:.2f} loss {loss:.2f}", state is env.s)


train(40)


def two_names(box, n):
    """A variable and an attribute name one list; both see what is written to it."""
    current = box.s
    for i in range(n):
        box.s = [current[0] + i, current[1] * 0.5, 0.0]
        current = box.s
        current[2] = i + 0.5
    box.s[0] += 100.0
    return current, current is box.s


def at_times(box, n, x):
    """They do so in some iterations only."""
    current = [0.0, 0.0]
    for i in range(n):
        box.s = [current[0] + i, x.sum().item()]
        current = box.s if i % 2 else [box.s[0], -1.0]
    box.s[0] = 50.0
    return current, current is box.s


x = torch.ones(3)
for step in range(24):
    n = 1 + step * 5 % 7
    env.s = [float(step), 1.0, 0.0]
    one = two_names(env, n)
    other = at_times(env, n, x * step)
    if step % 6 == 5:
        print(one, other, env.s)
