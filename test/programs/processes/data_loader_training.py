# A training loop fed by worker processes.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
class D(Dataset):
    def __len__(self): return 96
    def __getitem__(self, i):
        x = torch.linspace(0, 1, 12) * (i % 7) + torch.randn(12) * 0.1
        return x, i % 3
if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 3))
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    for epoch in range(4):
        total = 0.0
        for x, y in DataLoader(D(), batch_size=8, shuffle=True, num_workers=2):
            opt.zero_grad(); loss = nn.functional.cross_entropy(net(x), y); loss.backward(); opt.step(); total += loss.item()
        print(epoch, round(total, 3))
