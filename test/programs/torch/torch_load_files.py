"""Files that PyTorch wrote (test/files/make.py), and files that either of the two reads back."""

import io
import os
import pickle
import tempfile

import torch
from torch import nn

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "files")


def shown(data):
    for key, value in data.items():
        if key == "model":
            print(key, {name: f"{t.sum().item():.4f}" for name, t in value.items()})
        elif key == "optimizer":
            print(key, value["param_groups"][0]["lr"], sorted(value["state"]), value["state"][0]["exp_avg"].shape)
        else:
            print(key, value)


for name in ("checkpoint.pt", "old.pt"):
    data = torch.load(os.path.join(here, name))
    shown(data)
    data["grid"][0, 0] = 9
    print(data["turned"][0, 0], data["turned"].stride(), data["row"].storage_offset(), type(data["parameter"]).__name__)
    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.PReLU())
    optimizer = torch.optim.Adam(model.parameters(), lr=0.5)
    print(model.load_state_dict(data["model"]))
    optimizer.load_state_dict(data["optimizer"])
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(torch.ones(4, 2) * torch.arange(4.0).unsqueeze(1)).square().sum()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.2f}")

try:
    torch.load(os.path.join(here, "module.pt"))
except pickle.UnpicklingError as error:
    print(type(error).__name__, "Weights only load failed" in str(error))
whole = torch.load(os.path.join(here, "module.pt"), weights_only=False)
print(whole, whole(torch.ones(2, 2)).shape)
with torch.serialization.safe_globals([nn.Linear]):
    kept = io.BytesIO()
    torch.save(nn.Linear, kept)
    kept.seek(0)
    print(torch.load(kept))

folder = tempfile.mkdtemp()
path = os.path.join(folder, "again.pt")
data["more"] = [torch.arange(4)[1:3], {"x": torch.tensor(1.5)}]
torch.save(data, path)
again = torch.load(path, map_location="cpu")
shown(again)
again["grid"][1, 2] = 7
print(again["turned"][2, 1], again["more"])
model = nn.Linear(2, 2)
torch.save(model, path)
print(torch.load(path, weights_only=False))
for what in (
    lambda: torch.load(os.path.join(folder, "missing.pt")), lambda: torch.save(1, os.path.join(folder, "no/such.pt")),
    lambda: torch.load(io.BytesIO(b"")), lambda: torch.load(io.BytesIO(b"PK\x03\x04 and nothing else")),
    lambda: torch.load(io.BytesIO(b"no such file")),
):
    try:
        print(what())
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        print(type(error).__name__)
x = pickle.loads(pickle.dumps({"a": torch.arange(3), "p": nn.Parameter(torch.ones(2))}))
print(x["a"], x["p"])
