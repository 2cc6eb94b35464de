# Convolutions whose windows, groups or weights PyTorch refuses, with its errors.
import torch
import torch.nn.functional as F

x = torch.randn(1, 3, 4, 4)
w = torch.zeros(2, 3, 1, 1)
wide = torch.zeros(1, 4, 4, 4)
for name, f in {
    "no filters": lambda: F.conv2d(x, torch.zeros(0, 3, 1, 1)),
    "no filters of lines": lambda: F.conv1d(x[0], torch.zeros(0, 4, 1)),
    "no kernel": lambda: F.conv2d(x, torch.zeros(2, 3, 0, 1)),
    "no samples": lambda: F.conv2d(x[:0], w),
    "no groups": lambda: F.conv2d(x, w, groups=0),
    "negative padding": lambda: F.conv2d(x, w, padding=-1),
    "no stride": lambda: F.conv2d(x, w, stride=0),
    "no dilation": lambda: F.conv2d(x, w, dilation=0),
    "groups that do not divide": lambda: F.conv2d(wide, torch.zeros(3, 2, 1, 1), groups=2),
    "fewer filters than groups": lambda: F.conv2d(wide, torch.zeros(1, 2, 1, 1), groups=2),
    "large kernel": lambda: F.conv2d(x, torch.zeros(2, 3, 5, 5)),
    "channels": lambda: F.conv2d(x, torch.zeros(2, 4, 1, 1)),
    "bias": lambda: F.conv2d(x, w, torch.zeros(3)),
    "dtype": lambda: F.conv2d(x, w.double()),
    "same": lambda: F.conv2d(x, torch.zeros(2, 3, 2, 3), padding="same", dilation=2),
}.items():
    try:
        print(name, f().shape)
    except RuntimeError as e:
        print(name, e)
