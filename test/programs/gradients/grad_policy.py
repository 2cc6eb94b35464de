# REINFORCE: sampled actions, log probabilities in a list, rewards to go.
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(22)
policy = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
opt = torch.optim.Adam(policy.parameters(), lr=0.05)


def episode():
    s = torch.zeros(2)
    logs, rewards = [], []
    for t in range(6):
        dist = Categorical(logits=policy(s))
        a = dist.sample()
        logs.append(dist.log_prob(a))
        s = s + torch.tensor([0.1, -0.1]) * (1 if a.item() else -1)
        rewards.append(s[0].item())
        if abs(s[0]) > 0.35:
            break
    return logs, rewards


for i in range(14):
    logs, rewards = episode()
    g, returns = 0.0, []
    for r in reversed(rewards):
        g = r + 0.9 * g
        returns.insert(0, g)
    loss = -sum(l * r for l, r in zip(logs, returns))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 4 == 0:
        print(i, len(rewards), f"{sum(rewards):.3f} {loss.item():.4f}")
