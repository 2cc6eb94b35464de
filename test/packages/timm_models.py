# needs: timm
"""Models of timm: made, trained for two steps, evaluated."""
import timm
import torch

for name, size in (("resnet18", 32), ("vit_tiny_patch16_224", 32), ("efficientnet_b0", 96), ("convnext_atto", 32),
                   ("mobilenetv3_small_050", 96)):
    torch.manual_seed(0)
    extra = {"img_size": size} if name.startswith("vit") else {}
    model = timm.create_model(name, pretrained=False, num_classes=5, **extra)
    x, y = torch.randn(4, 3, size, size), torch.tensor([1, 3, 0, 2])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    losses = []
    for _ in range(2):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(f"{loss.item():.3f}")
    model.eval()
    with torch.no_grad():
        out = model(x)
    print(name, sum(p.numel() for p in model.parameters()), losses, tuple(out.shape), model.forward_features(x).shape)
print(len(timm.list_models("resnet*")) > 10)
