import torch
torch.manual_seed(16)
board = torch.zeros(3, 3)
lines = [[(r, c) for c in range(3)] for r in range(3)] + [[(r, c) for r in range(3)] for c in range(3)] + [[(k, k) for k in range(3)], [(k, 2 - k) for k in range(3)]]
def winner(b):
    for line in lines:
        s = sum(b[p] for p in line)
        if s == 3:
            return 'x'
        if s == -3:
            return 'o'
    return None
def play(policy):
    b, player = torch.zeros(3, 3), 1
    for move in range(9):
        free = [(r, c) for r in range(3) for c in range(3) if b[r, c] == 0]
        r, c = max(free, key=lambda p: policy[p].item() * player)
        b[r, c] = player
        w = winner(b)
        if w:
            return w, move
        player = -player
    return 'draw', 8
score = {'x': 0, 'o': 0, 'draw': 0}
for g in range(15):
    w, m = play(torch.randn(3, 3))
    score[w] += 1
    print(g, w, m)
print(score)
