"""Policy gradients (REINFORCE) on CartPole.

    python benches/models/cartpole_pg.py [STEPS [SEED [HIDDEN]]]

A step is one episode and the update after it. HIDDEN is 10, 100 or 1000 in the Snek paper.
"""

import math
import random
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

SHOWN = 24


class CartPole:
    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.x, self.x_dot, self.theta, self.theta_dot = [self.rng.uniform(-0.05, 0.05) for _ in range(4)]
        self.steps = 0
        return self.observe()

    def observe(self):
        return [self.x, self.x_dot, self.theta, self.theta_dot]

    def step(self, action):
        force = 10.0 if action == 1 else -10.0
        cos, sin = math.cos(self.theta), math.sin(self.theta)
        temp = (force + 0.05 * self.theta_dot**2 * sin) / 1.1
        theta_acc = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
        x_acc = temp - 0.05 * theta_acc * cos / 1.1
        self.x += 0.02 * self.x_dot
        self.x_dot += 0.02 * x_acc
        self.theta += 0.02 * self.theta_dot
        self.theta_dot += 0.02 * theta_acc
        self.steps += 1
        done = abs(self.x) > 2.4 or abs(self.theta) > 0.2095 or self.steps >= 200
        return self.observe(), 1.0, done


class Policy(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.fc1 = nn.Linear(4, hidden)
        self.fc2 = nn.Linear(hidden, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.fc2(F.relu(self.fc1(x))), dim=1)

    def act(self, state):
        probs = self(torch.tensor(state).unsqueeze(0))
        m = torch.distributions.Categorical(probs)
        action = m.sample()
        self.saved_log_probs.append(m.log_prob(action))
        return action.item()


class Learner:
    def __init__(self, hidden, rng):
        self.policy = Policy(hidden)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=1e-2)
        self.env = CartPole(rng)
        self.running = 10.0

    def episode(self):
        state = self.env.reset()
        done = False
        while not done:
            state, reward, done = self.env.step(self.policy.act(state))
            self.policy.rewards.append(reward)
        self.running = 0.05 * len(self.policy.rewards) + 0.95 * self.running

    def update(self):
        returns = []
        total = 0.0
        for reward in reversed(self.policy.rewards):
            total = reward + 0.99 * total
            returns.insert(0, total)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + 1e-8)
        losses = [-log_prob * value for log_prob, value in zip(self.policy.saved_log_probs, returns)]
        self.optimizer.zero_grad()
        loss = torch.cat(losses).sum()
        loss.backward()
        self.optimizer.step()
        del self.policy.rewards[:]
        del self.policy.saved_log_probs[:]
        return loss.item()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    hidden = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    torch.manual_seed(seed)
    learner = Learner(hidden, random.Random(seed))
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        learner.episode()
        loss = learner.update()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"episode {step:2d}  length {learner.env.steps}  loss {loss:.5f}")
    seconds = time.perf_counter() - start
    print(f"running length {learner.running:.4f} after {steps} episodes")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
