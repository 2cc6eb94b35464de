# An environment whose flag is a bool or a tensor, in a loop of the module.
import torch

torch.manual_seed(17)


class Env:
    def __init__(self):
        self.pos = torch.zeros(2)
        self.t = 0

    def reset(self):
        self.pos = torch.zeros(2)
        self.t = 0
        return self.pos

    def step(self, action):
        moves = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}
        self.pos = self.pos + torch.tensor(moves[action], dtype=torch.float32)
        self.t += 1
        done = self.t >= 10 or self.pos.abs().max() > 3
        return self.pos, -self.pos.norm().item(), done


env = Env()
w = torch.randn(2, 4)
returns = []
for ep in range(30):
    s = env.reset()
    done = False
    R = 0.0
    while not done:
        p = torch.softmax(s @ w, -1)
        a = torch.multinomial(p, 1).item()
        s, r, done = env.step(a)
        R += r
    returns.append(R)
print(f"{sum(returns):.4f}", len(returns))
