"""SummaryWriter.add_graph: the file that it writes, read as protocol buffers, names the model's modules and the shapes of their results."""
import os
import struct
import tempfile
import warnings

import torch
import torch.nn as nn
from torch.utils.tensorboard import SummaryWriter


def fields(data):
    at, found = 0, []

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    while at < len(data):
        key = number()
        if key & 7 == 0:
            found.append((key >> 3, number()))
        elif key & 7 == 1:
            found.append((key >> 3, data[at:at + 8]))
            at += 8
        elif key & 7 == 2:
            n = number()
            found.append((key >> 3, data[at:at + n]))
            at += n
        else:
            found.append((key >> 3, data[at:at + 4]))
            at += 4
    return found


def graphs(folder):
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            data = f.read()
        while data:
            n, = struct.unpack("<Q", data[:8])
            for key, value in fields(data[12:12 + n]):
                if key == 4:
                    yield value
            data = data[16 + n:]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(4 * 3 * 3, 10)

    def forward(self, x):
        x = torch.flatten(self.features(x), 1)
        return self.head(self.drop(x))


torch.manual_seed(0)
net = Net()
folder = tempfile.mkdtemp()
with SummaryWriter(folder) as writer:
    writer.add_graph(net, torch.rand(2, 1, 8, 8))
    writer.add_scalar("loss", 0.5, 1)
print(net.training, torch.rand(1))
graph, = graphs(folder)
classes = set()
shapes = set()
for key, node in fields(graph):
    if key == 1:
        entry = dict((k, v) for k, v in fields(node) if k < 3)
        name = entry[1].decode()
        for part in ("Conv2d", "ReLU", "MaxPool2d", "Linear", "Dropout"):
            if part in name:
                classes.add(part)
        for k, attribute in fields(node):
            if k == 5:
                pair = dict(fields(attribute))
                if pair[1] == b"_output_shapes":
                    for _, sizes in fields(pair[2]):
                        for _, shape in fields(sizes):
                            shapes.add(tuple(dict(fields(dim)).get(1, 0) for _, dim in fields(shape)))
print(sorted(classes))
print([shape in shapes for shape in ((2, 1, 8, 8), (2, 4, 6, 6), (2, 4, 3, 3), (2, 36), (2, 10))])


for step in range(8):
    with SummaryWriter(folder) as writer:
        writer.add_graph(nn.Sequential(nn.Linear(step + 1, 2), nn.Tanh()), (torch.zeros(1, step + 1),))
print(len(list(graphs(folder))), "graphs")
