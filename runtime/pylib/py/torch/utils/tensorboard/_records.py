"""Event files: records of protocol buffers, each with its length and checksums (CRC-32C, masked as in TensorFlow)."""

import os
import socket
import struct
import time
import zlib


def _table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC = _table()


def checksum(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


# Fields of messages


def varint(number, value):
    return _bare(number << 3) + _bare(value & 0xFFFFFFFFFFFFFFFF)


def _bare(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def double(number, value):
    return _bare(number << 3 | 1) + struct.pack("<d", value)


def single(number, value):
    try:
        return _bare(number << 3 | 5) + struct.pack("<f", value)
    except OverflowError:
        return _bare(number << 3 | 5) + struct.pack("<f", float("inf") if value > 0 else float("-inf"))


def text(number, value):
    data = value.encode() if isinstance(value, str) else value
    return _bare(number << 3 | 2) + _bare(len(data)) + data


def doubles(number, values):
    return text(number, struct.pack(f"<{len(values)}d", *values))


# Values of a summary


def scalar(tag, value):
    return text(1, text(1, tag) + single(2, value))


def histogram(tag, low, high, count, total, squares, limits, buckets):
    inside = double(1, low) + double(2, high) + double(3, count) + double(4, total) + double(5, squares)
    return text(1, text(1, tag) + text(5, inside + doubles(6, limits) + doubles(7, buckets)))


def image(tag, height, width, channels, data):
    inside = varint(1, height) + varint(2, width) + varint(3, channels) + text(4, data)
    return text(1, text(1, tag) + text(4, inside))


def string(tag, value):
    shape = text(2, text(2, varint(1, 1)))
    tensor = varint(1, 7) + shape + text(8, value)
    return text(1, text(1, tag) + text(8, tensor) + text(9, text(1, text(1, "text"))))


def png(rows, width, height, channels):
    """A picture of bytes, row after row."""
    step = width * channels
    raw = b"".join([b"\0" + rows[i * step : (i + 1) * step] for i in range(height)])

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    colour = {1: 0, 3: 2, 4: 6}[channels]
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


class Events:
    """One event file."""

    _made = 0

    def __init__(self, folder, suffix=""):
        os.makedirs(folder, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}.{os.getpid()}.{Events._made}{suffix}"
        Events._made += 1
        self._file = open(os.path.join(folder, name), "wb")
        self._put(double(1, time.time()) + text(3, "brain.Event:2"))

    def _put(self, event):
        head = struct.pack("<Q", len(event))
        self._file.write(head + struct.pack("<I", checksum(head)) + event + struct.pack("<I", checksum(event)))

    def add(self, values, step, walltime):
        event = double(1, time.time() if walltime is None else walltime)
        # Zero is what a step is that is not there.
        if step:
            event += varint(2, int(step))
        self._put(event + text(5, values))

    def add_graph(self, graph):
        self._put(double(1, time.time()) + text(4, graph))

    def flush(self):
        self._file.flush()

    def close(self):
        self._file.close()
