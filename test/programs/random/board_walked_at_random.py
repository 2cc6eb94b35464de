import torch
board = torch.zeros(5, 5, dtype=torch.int64)
torch.manual_seed(25)
for game in range(20):
    board.zero_()
    turn = 1
    done = False
    while not done:
        r, c = divmod(int(torch.randint(0, 25, ())), 5)
        if board[r, c] != 0:
            continue
        board[r, c] = turn
        for line in (board[r], board[:, c]):
            if (line == turn).sum() >= 4:
                done = True
print(board, r, c, turn, line)
