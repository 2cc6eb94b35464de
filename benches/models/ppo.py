"""Proximal policy optimisation on a small game of Pong, written in Python.

    python benches/models/ppo.py [STEPS [SEED]]

A step is one rollout and its epochs of minibatch updates.
"""

import random
import sys
import time

import torch
import torch.nn as nn
from torch.distributions import Categorical

ROLLOUT = 64
EPOCHS = 2
MINIBATCH = 32
GAMMA, LAMBDA, CLIP = 0.99, 0.95, 0.2
SHOWN = 22


class Pong:
    """The left paddle follows the ball slowly, the right one is the player. A point ends nothing."""

    HEIGHT, WIDTH, PADDLE = 1.0, 1.5, 0.15

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.left = self.right = 0.5
        self.score = 0
        self._serve()

    def _serve(self):
        self.x, self.y = self.WIDTH / 2, self.rng.uniform(0.3, 0.7)
        self.vx = 0.06 if self.rng.random() < 0.5 else -0.06
        self.vy = self.rng.uniform(-0.04, 0.04)

    def observe(self):
        return [self.x / self.WIDTH, self.y, self.vx * 10, self.vy * 10, self.left, self.right]

    def step(self, action):
        """0 stays, 1 goes up, 2 goes down."""
        if action == 1:
            self.right = min(self.HEIGHT, self.right + 0.06)
        elif action == 2:
            self.right = max(0.0, self.right - 0.06)
        self.left += max(-0.03, min(0.03, self.y - self.left))
        self.x += self.vx
        self.y += self.vy
        if self.y < 0.0 or self.y > self.HEIGHT:
            self.vy = -self.vy
            self.y = max(0.0, min(self.HEIGHT, self.y))
        reward = 0.0
        if self.x >= self.WIDTH:
            if abs(self.y - self.right) < self.PADDLE:
                self.vx = -self.vx
                self.vy += 0.3 * (self.y - self.right)
                self.x = self.WIDTH
                reward = 0.1
            else:
                reward = -1.0
        elif self.x <= 0.0:
            if abs(self.y - self.left) < self.PADDLE:
                self.vx = -self.vx
                self.vy += 0.1 * (self.y - self.left)
                self.x = 0.0
            else:
                reward = 1.0
        if abs(reward) == 1.0:
            self.score += int(reward)
            self._serve()
        return self.observe(), reward


def layer_init(layer, std=2**0.5):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, 0.0)
    return layer


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(
            layer_init(nn.Linear(6, 64)), nn.Tanh(),
            layer_init(nn.Linear(64, 64)), nn.Tanh(),
            layer_init(nn.Linear(64, 1), std=1.0),
        )
        self.actor = nn.Sequential(
            layer_init(nn.Linear(6, 64)), nn.Tanh(),
            layer_init(nn.Linear(64, 64)), nn.Tanh(),
            layer_init(nn.Linear(64, 3), std=0.01),
        )

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        probs = Categorical(logits=self.actor(x))
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(x)


class PPO:
    def __init__(self, seed):
        self.env = Pong(seed)
        self.agent = Agent()
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=1e-3, eps=1e-5)
        self.observation = torch.tensor(self.env.observe())

    def collect(self):
        observations = torch.zeros(ROLLOUT, 6)
        actions = torch.zeros(ROLLOUT, dtype=torch.long)
        log_probs = torch.zeros(ROLLOUT)
        rewards = torch.zeros(ROLLOUT)
        values = torch.zeros(ROLLOUT)
        for t in range(ROLLOUT):
            with torch.no_grad():
                action, log_prob, _, value = self.agent.get_action_and_value(self.observation)
            observations[t] = self.observation
            actions[t] = action
            log_probs[t] = log_prob
            values[t] = value.flatten()
            observation, reward = self.env.step(action.item())
            rewards[t] = reward
            self.observation = torch.tensor(observation)
        with torch.no_grad():
            next_value = self.agent.get_value(self.observation)
            advantages = torch.zeros_like(rewards)
            last = 0
            for t in reversed(range(ROLLOUT)):
                following = next_value if t == ROLLOUT - 1 else values[t + 1]
                delta = rewards[t] + GAMMA * following - values[t]
                advantages[t] = last = delta + GAMMA * LAMBDA * last
        return observations, actions, log_probs, advantages, advantages + values

    def minibatch(self, observations, actions, old_log_probs, advantages, returns):
        _, log_probs, entropy, value = self.agent.get_action_and_value(observations, actions)
        ratio = (log_probs - old_log_probs).exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        loss1 = -advantages * ratio
        loss2 = -advantages * torch.clamp(ratio, 1 - CLIP, 1 + CLIP)
        policy_loss = torch.max(loss1, loss2).mean()
        value_loss = 0.5 * ((value.view(-1) - returns) ** 2).mean()
        loss = policy_loss - 0.01 * entropy.mean() + 0.5 * value_loss
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
        self.optimizer.step()
        return loss.item()

    def step(self):
        rollout = self.collect()
        losses = []
        for _ in range(EPOCHS):
            order = torch.randperm(ROLLOUT)
            for at in range(0, ROLLOUT, MINIBATCH):
                chosen = order[at : at + MINIBATCH]
                losses.append(self.minibatch(*[part[chosen] for part in rollout]))
        return sum(losses) / len(losses)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    torch.manual_seed(seed)
    ppo = PPO(seed)
    half_score = 0
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            half_score = ppo.env.score
            start = time.perf_counter()
        loss = ppo.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"points of the second half {ppo.env.score - half_score}, after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
