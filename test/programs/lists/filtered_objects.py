import torch
torch.manual_seed(3)
class Particle:
    def __init__(self, pos):
        self.pos = pos
        self.age = 0
def step(particles):
    alive = []
    for p in particles:
        p.pos = p.pos + 0.1
        p.age += 1
        if p.pos.sum().item() < 2.0:
            alive.append(p)
    return alive
particles = [Particle(torch.randn(2)) for _ in range(5)]
for t in range(40):
    alive = step(particles)
    total = 0.0
    for p in alive:
        total += p.pos.sum().item()
    for p in particles:
        if p not in alive:
            p.pos = torch.randn(2) - 0.5
    print(t, len(alive), round(total, 4), [p.age for p in alive])
