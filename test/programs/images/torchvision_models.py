"""Models: names of parameters, initial weights for a seed, results; weights from the hub's directory."""

import hashlib
import os
import tempfile
import warnings

import torch
from torchvision import models

warnings.simplefilter("ignore")


def describe(name, m):
    state = m.state_dict()
    sums = [v.double().sum().item() for v in state.values()]
    names = hashlib.md5(" ".join(state).encode()).hexdigest()[:8]
    weighted = sum(a * (i % 7) for i, a in enumerate(sums))
    print(name, len(state), sum(p.numel() for p in m.parameters()), names, f"{sum(sums):.2f} {weighted:.2f}")
    print("   ", f"{torch.rand(1).item():.6f}")


def result(m, size):
    m.eval()
    with torch.no_grad():
        out = m(torch.rand(1, 3, size, size, generator=torch.Generator().manual_seed(1)))
    print("   ", out.shape, f"{out.mean().item():.3g} {out.std().item():.3g}")


for name, size in (
    ("resnet18", 64),
    ("resnet50", 64),
    ("resnext50_32x4d", 0),
    ("squeezenet1_0", 64),
    ("squeezenet1_1", 64),
    ("densenet121", 64),
    ("mobilenet_v2", 64),
    ("mobilenet_v3_large", 64),
    ("mobilenet_v3_small", 64),
    ("googlenet", 64),
    ("inception_v3", 0),
    ("efficientnet_b0", 64),
    ("efficientnet_v2_s", 0),
    ("shufflenet_v2_x0_5", 64),
    ("shufflenet_v2_x2_0", 0),
    ("mnasnet0_75", 0),
    ("convnext_tiny", 64),
    ("swin_t", 64),
    ("swin_v2_t", 64),
):
    torch.manual_seed(0)
    m = getattr(models, name)(num_classes=10)
    describe(name, m)
    if size:
        result(m, size)
torch.manual_seed(0)
vit = models.VisionTransformer(32, 8, 2, 4, 32, 64, num_classes=7)
describe("vit", vit)
torch.nn.init.normal_(vit.heads.head.weight)
result(vit, 32)

torch.manual_seed(0)
net = models.resnet18(num_classes=10, replace_stride_with_dilation=None, zero_init_residual=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.rand(4, 3, 32, 32), torch.tensor([1, 2, 3, 4])
for _ in range(2):
    loss = torch.nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.3f}")
net = models.googlenet(num_classes=5, init_weights=False)
out = net(torch.rand(2, 3, 64, 64))
print(type(out).__name__, [o.shape for o in out])

# Files of weights lie where PyTorch's hub keeps them.
with tempfile.TemporaryDirectory() as folder:
    torch.hub.set_dir(folder)
    os.makedirs(os.path.join(folder, "checkpoints"))
    torch.manual_seed(7)
    trained = models.squeezenet1_1()
    file = os.path.join(folder, "checkpoints", os.path.basename(models.SqueezeNet1_1_Weights.DEFAULT.url))
    torch.save(trained.state_dict(), file)
    for weights in ("DEFAULT", "IMAGENET1K_V1", models.SqueezeNet1_1_Weights.IMAGENET1K_V1):
        found = models.squeezenet1_1(weights=weights).state_dict()
        print(all(torch.equal(a, b) for a, b in zip(found.values(), trained.state_dict().values())))
    print(torch.equal(models.squeezenet1_1(pretrained=True).features[0].weight, trained.features[0].weight))
    try:
        models.squeezenet1_1(weights="DEFAULT", num_classes=3)
    except ValueError as e:
        print(e)
weights = models.ResNet50_Weights.DEFAULT
print(repr(weights), models.ResNet50_Weights.DEFAULT is models.ResNet50_Weights.IMAGENET1K_V2, weights.url)
print(weights.transforms())
print(models.get_weight("ResNet18_Weights.DEFAULT"), models.get_model("resnet18").fc)
print("resnet18" in models.list_models(), callable(models.__dict__["resnet18"]))
print(models.get_model_weights("vgg16").IMAGENET1K_FEATURES.url)
