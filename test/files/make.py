"""Makes the files here with PyTorch 2.11 and NumPy 2.4: `python test/files/make.py`."""

import collections
import os
import pickle

import numpy as np
import torch
from torch import nn

here = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.PReLU())
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
model(torch.randn(4, 2)).sum().backward()
optimizer.step()
grid = torch.arange(6.0).reshape(2, 3)
checkpoint = {
    "model": model.state_dict(),
    "optimizer": optimizer.state_dict(),
    "epoch": 3,
    "grid": grid,
    "turned": grid.t(),
    "row": grid[1],
    "mask": torch.tensor([True, False]),
    "whole": torch.arange(3),
    "small": torch.tensor([[1, -2]], dtype=torch.int8),
    "double": torch.tensor(0.1, dtype=torch.float64),
    "empty": torch.zeros(0, 2),
    "parameter": nn.Parameter(torch.ones(2)),
    "others": (torch.Size([1, 2]), torch.float32, torch.device("cpu"), collections.OrderedDict(a=1), {1, 2}, None, "text", 2.5),
}
torch.save(checkpoint, os.path.join(here, "checkpoint.pt"))
torch.save(checkpoint, os.path.join(here, "old.pt"), _use_new_zipfile_serialization=False)
torch.save(model, os.path.join(here, "module.pt"))
torch.save({"complex": torch.ones(2, dtype=torch.complex64)}, os.path.join(here, "complex.pt"))
arrays = {
    "floats": np.arange(6.0).reshape(2, 3),
    "turned": np.asfortranarray(np.arange(6, dtype=np.int32).reshape(2, 3)),
    "mask": np.array([True, False]),
    "scalars": [np.float32(0.5), np.int64(3), np.bool_(True)],
    "dtype": np.dtype("int16"),
}
with open(os.path.join(here, "arrays.pkl"), "wb") as f:
    pickle.dump(arrays, f)
