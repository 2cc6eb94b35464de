# needs: vit_pytorch
"""Models of vit-pytorch."""
import torch
from vit_pytorch import ViT
from vit_pytorch.simple_vit import SimpleViT

for make in (lambda: ViT(image_size=32, patch_size=8, num_classes=5, dim=32, depth=2, heads=4, mlp_dim=64, dropout=0.1,
                         emb_dropout=0.1),
             lambda: SimpleViT(image_size=32, patch_size=8, num_classes=5, dim=32, depth=2, heads=4, mlp_dim=64)):
    torch.manual_seed(0)
    model = make()
    x, y = torch.randn(4, 3, 32, 32), torch.tensor([0, 1, 2, 3])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(3):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(type(model).__name__, step, f"{loss.item():.4f}")
