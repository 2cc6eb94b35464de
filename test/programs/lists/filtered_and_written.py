import torch
torch.manual_seed(4)
def simulate(pos, vel, walls):
    bounces = 0
    for t in range(5):
        pos = pos + 0.2 * vel
        hit = [d for d in range(2) if not walls[0] < pos[d].item() < walls[1]]
        for d in hit:
            vel[d] = -vel[d]
            bounces += 1
        pos = pos.clamp(*walls)
    return pos, vel, bounces
pos, vel = torch.zeros(2), torch.tensor([0.9, -0.6])
total = 0
for i in range(40):
    pos, vel, b = simulate(pos, vel, (-1.0, 1.0))
    total += b
    print(i, [round(v, 3) for v in pos.tolist()], b, total)
