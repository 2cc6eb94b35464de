"""Advantage actor-critic with several workers (A3C) on CartPole; the workers take turns.

    python benches/models/a3c.py [STEPS [SEED]]

Each worker has its own copy of the network and its own environment; it sends its gradients to the
shared network and fetches the new weights.
"""

import math
import random
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

WORKERS = 2
ROLLOUT = 20
GAMMA = 0.99
SHOWN = 24


class CartPole:
    """The classic task, as in Barto, Sutton and Anderson 1983."""

    def __init__(self, rng):
        self.rng = rng
        self.state = None
        self.steps = 0

    def reset(self):
        self.state = [self.rng.uniform(-0.05, 0.05) for _ in range(4)]
        self.steps = 0
        return list(self.state)

    def step(self, action):
        x, x_dot, theta, theta_dot = self.state
        force = 10.0 if action == 1 else -10.0
        cos, sin = math.cos(theta), math.sin(theta)
        temp = (force + 0.05 * theta_dot**2 * sin) / 1.1
        theta_acc = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
        x_acc = temp - 0.05 * theta_acc * cos / 1.1
        x += 0.02 * x_dot
        x_dot += 0.02 * x_acc
        theta += 0.02 * theta_dot
        theta_dot += 0.02 * theta_acc
        self.state = [x, x_dot, theta, theta_dot]
        self.steps += 1
        fallen = abs(x) > 2.4 or abs(theta) > 12 * math.pi / 180
        return list(self.state), 1.0, fallen or self.steps >= 500


class ActorCritic(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.body = nn.Linear(4, hidden)
        self.policy = nn.Linear(hidden, 2)
        self.value = nn.Linear(hidden, 1)

    def forward(self, state):
        h = torch.tanh(self.body(state))
        return self.policy(h), self.value(h)


class Worker:
    def __init__(self, shared, optimizer, rng):
        self.shared = shared
        self.optimizer = optimizer
        self.local = ActorCritic()
        self.env = CartPole(rng)
        self.state = self.env.reset()
        self.score = 0.0
        self.finished = []

    def rollout(self):
        log_probs, entropies, values, rewards = [], [], [], []
        done = False
        for _ in range(ROLLOUT):
            logits, value = self.local(torch.tensor(self.state))
            probs = F.softmax(logits, dim=-1)
            log_prob = F.log_softmax(logits, dim=-1)
            entropies.append(-(log_prob * probs).sum())
            action = torch.multinomial(probs, 1).item()
            self.state, reward, done = self.env.step(action)
            self.score += reward
            log_probs.append(log_prob[action])
            values.append(value)
            rewards.append(reward * 0.01)
            if done:
                self.finished.append(self.score)
                self.score = 0.0
                self.state = self.env.reset()
                break
        return log_probs, entropies, values, rewards, done

    def update(self):
        self.local.load_state_dict(self.shared.state_dict())
        log_probs, entropies, values, rewards, done = self.rollout()
        if done:
            ret = torch.zeros(1)
        else:
            with torch.no_grad():
                ret = self.local(torch.tensor(self.state))[1]
        policy_loss = torch.zeros(1)
        value_loss = torch.zeros(1)
        for i in reversed(range(len(rewards))):
            ret = rewards[i] + GAMMA * ret
            advantage = ret - values[i]
            value_loss = value_loss + 0.5 * advantage.pow(2)
            policy_loss = policy_loss - log_probs[i] * advantage.detach() - 0.01 * entropies[i]
        loss = policy_loss + 0.5 * value_loss
        self.local.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.local.parameters(), 40.0)
        for mine, ours in zip(self.local.parameters(), self.shared.parameters()):
            ours.grad = mine.grad.clone()
        self.optimizer.step()
        return loss.item()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    torch.manual_seed(seed)
    shared = ActorCritic()
    optimizer = torch.optim.Adam(shared.parameters(), lr=5e-3)
    workers = [Worker(shared, optimizer, random.Random(seed + i)) for i in range(WORKERS)]
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = workers[step % WORKERS].update()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    scores = [score for worker in workers for score in worker.finished[-20:]]
    print(f"{len(scores)} last episodes, mean return {sum(scores) / len(scores):.2f}, after {steps} updates")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
