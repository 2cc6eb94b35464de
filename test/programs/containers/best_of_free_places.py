import torch
torch.manual_seed(16)
places = [(r, c) for r in range(2) for c in range(2)]
def play(policy):
    b, player = torch.zeros(2, 2), 1.0
    moves = []
    for move in range(3):
        free = [p for p in places if b[p] == 0]
        r, c = max(free, key=lambda p: policy[p].item() * player)
        b[r, c] = player
        moves.append((r, c))
        if b.sum().abs() > 1:
            break
        player = -player
    return b, moves
for g in range(30):
    b, moves = play(torch.randn(2, 2))
    print(g, moves, b.tolist(), min(moves, key=lambda m: b[m].item()))
