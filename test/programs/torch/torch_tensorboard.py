"""Event files of SummaryWriter, read back. (PyTorch needs tensorboard to be installed to record this.)"""

import glob
import os
import struct
import tempfile
import zlib

import torch
from torch.utils.tensorboard import SummaryWriter


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def fields(data):
    """Number and value of each field of a message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        else:
            size = varint() if kind == 2 else {1: 8, 5: 4}[kind]
            value = data[at : at + size]
            at += size
        yield key >> 3, value


def shown(value):
    """One value of a summary."""
    parts = dict(fields(value))
    tag = parts[1].decode()
    if 2 in parts:
        return tag, round(struct.unpack("<f", parts[2])[0], 6)
    if 4 in parts:
        image = dict(fields(parts[4]))
        data = image[4]
        pixels, at = b"", 8
        while at < len(data):
            (length,) = struct.unpack(">I", data[at : at + 4])
            if data[at + 4 : at + 8] == b"IDAT":
                pixels += data[at + 8 : at + 8 + length]
            at += 12 + length
        return tag, image[1], image[2], image[3], len(zlib.decompress(pixels))
    if 5 in parts:
        histogram = dict(fields(parts[5]))
        numbers = [round(struct.unpack("<d", histogram[i])[0], 4) for i in range(1, 6)]
        count = len(histogram[7]) // 8
        limits = [round(x, 4) for x in struct.unpack(f"<{count}d", histogram[6])]
        return tag, numbers, count, limits[:2], limits[-2:], [n for n in struct.unpack(f"<{count}d", histogram[7]) if n]
    return tag, dict(fields(parts[8]))[8], dict(fields(dict(fields(parts[9]))[1]))[1]


def events(folder):
    for path in sorted(glob.glob(os.path.join(folder, "events*"))):
        with open(path, "rb") as f:
            data = f.read()
        at = 0
        while at < len(data):
            (length,) = struct.unpack("<Q", data[at : at + 8])
            body = data[at + 12 : at + 12 + length]
            heads = struct.unpack("<I", data[at + 8 : at + 12]) == (crc32c(data[at : at + 8]),)
            tails = struct.unpack("<I", data[at + 12 + length : at + 16 + length]) == (crc32c(body),)
            event = list(fields(body))
            parts = dict(event)
            if 3 in parts:
                print(parts[3], heads, tails)
            for _, value in [item for n, summary in event if n == 5 for item in fields(summary)]:
                print(parts.get(2), shown(value), heads, tails)
            at += 16 + length


folder = tempfile.mkdtemp()
with SummaryWriter(folder) as writer:
    for step in range(3):
        writer.add_scalar("loss/train", 1.0 / (step + 1), step)
    writer.add_scalar("tensor", torch.tensor(2.5), torch.tensor(300))
    writer.add_scalar("none", 7)
    writer.add_scalars("both", {"a": 1.0, "b": 2.0}, 5)
    writer.add_text("hyperparameters", "|param|value|\n|-|-|\n|lr|0.1|", 1)
    torch.manual_seed(0)
    writer.add_histogram("weights", torch.randn(100), 2)
    writer.add_histogram("few", torch.tensor([1.0, 2.0, 3.0]), 2, bins=[0, 1.5, 2.5, 4])
    writer.add_image("picture", torch.rand(3, 4, 5), 1)
    writer.add_image("grey", torch.rand(1, 4, 5), 1)
    print(writer.get_logdir() == folder, writer.log_dir == folder)
events(folder)
for name in sorted(os.listdir(folder)):
    if os.path.isdir(os.path.join(folder, name)):
        print(name)
        events(os.path.join(folder, name))
