"""Records what PyTorch 2.11 computes, for the tests of janus-tensor.

Run as `python runtime/tensor/tests/record.py` under CPython with torch 2.11.0 (CPU). Writes
tests/golden/*.txt, one record a line: a name, a tab, the recorded text with line breaks as \\n.
Numbers are recorded as hexadecimal bits.
"""

import pathlib
import struct

import torch

OUT = pathlib.Path(__file__).parent / "golden"


def bits(t):
    """The elements' bits, in row-major order."""
    code = {torch.float32: "f", torch.float64: "d"}.get(t.dtype)
    values = t.detach().contiguous().flatten().tolist()
    if code is None:
        return " ".join(str(int(v)) for v in values)
    return " ".join(struct.pack(">" + code, v).hex() for v in values)


def write(name, records):
    with open(OUT / f"{name}.txt", "w") as f:
        for key, text in records:
            f.write(key + "\t" + text.replace("\n", "\\n") + "\n")


def checksum(t):
    """The first and last elements and a hash (FNV-1a over the bytes) of a long tensor."""
    h = 0xCBF29CE484222325
    for b in t.contiguous().numpy().tobytes():
        h = ((h ^ b) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def random():
    r = []

    def draw(key, f):
        r.append((key, bits(f())))

    torch.manual_seed(0)
    draw("rand 5", lambda: torch.rand(5))
    draw("rand64 5", lambda: torch.rand(5, dtype=torch.float64))
    for n in range(1, 41):
        draw(f"randn {n}", lambda: torch.randn(n))
    for n in (1000, 1003):
        r.append((f"randn# {n}", checksum(torch.randn(n))))
    for n in (1, 2, 3, 15, 16, 17, 33, 40):
        draw(f"randn64 {n}", lambda: torch.randn(n, dtype=torch.float64))
    draw("normal 7 1.5 2.5", lambda: torch.empty(7).normal_(1.5, 2.5))
    draw("normal 40 1.5 2.5", lambda: torch.empty(40).normal_(1.5, 2.5))
    draw("uniform 50 -0.31 0.47", lambda: torch.empty(50).uniform_(-0.31, 0.47))
    draw("uniform64 50 -0.31 0.47", lambda: torch.empty(50, dtype=torch.float64).uniform_(-0.31, 0.47))
    for low, high in ((0, 10), (-5, 100), (0, 2**28 - 1), (0, 2**28), (0, 2**32), (-7, 2**40)):
        draw(f"randint 10 {low} {high}", lambda: torch.randint(low, high, (10,)))
    for n in (0, 1, 2, 10, 100, 1797):
        draw(f"randperm {n}", lambda: torch.randperm(n))
    draw("bernoulli_ 40 0.3", lambda: torch.empty(40).bernoulli_(0.3))
    draw("bernoulli 40", lambda: torch.bernoulli(torch.arange(40) / 40))
    draw("exponential 40 1.5", lambda: torch.empty(40).exponential_(1.5))
    draw("exponential64 40 1.5", lambda: torch.empty(40, dtype=torch.float64).exponential_(1.5))
    p = torch.tensor([[0.1, 0.2, 0.3, 0.4], [4.0, 3.0, 2.0, 1.0]])
    draw("multinomial 12 true", lambda: torch.multinomial(p, 12, replacement=True))
    draw("multinomial 3 false", lambda: torch.multinomial(p, 3))
    draw("multinomial 1 false", lambda: torch.multinomial(p, 1))
    draw("normal 3 0 1", lambda: torch.empty(3).normal_(0, 1))
    r.append(("state#", checksum(torch.get_rng_state())))
    draw("rand 3", lambda: torch.rand(3))
    write("random", r)


def printing():
    """Cases are written again in tests/it/printing.rs: the texts alone are recorded here."""
    t = torch.tensor
    a = torch.arange
    inf, nan = float("inf"), float("nan")
    cases = {
        "float": t([1.0, 2.5, -3.25]),
        "whole": t([1.0, 2.0, 300.0]),
        "scalar": t(3.25159),
        "scalar whole": t(3.0),
        "int scalar": t(7),
        "bool": t([True, False]),
        "int": t([[1, -20], [300, 4]]),
        "special": t([nan, inf, -inf, 1.0]),
        "special fraction": t([nan, inf, -inf, 1.5]),
        "all nan": t([nan, nan]),
        "zeros": torch.zeros(2, 3),
        "sci small": t([1e-5, 1.0]),
        "sci large": t([1e9, 1.0]),
        "sci whole": t([1000000.0, 1.0]),
        "sci exponent": t([1e-30, -1e30, 0.0]),
        "double": t([1.5, 2.0], dtype=torch.float64),
        "int32": t([1, 2], dtype=torch.int32),
        "uint8": t([1, 2], dtype=torch.uint8),
        "empty": t([]),
        "empty int": t([], dtype=torch.int64),
        "empty 2d": torch.zeros(0, 3),
        "empty 2d bool": torch.zeros(2, 0, dtype=torch.bool),
        "3d": a(24.0).reshape(2, 3, 4),
        "wrap": a(60.0),
        "wrap fraction": a(40) / 7,
        "summary 1d": a(2000),
        "summary 2d": a(10000.0).reshape(100, 100),
        "summary 3d": a(8000).reshape(20, 20, 20) / 3,
        "summary tall": a(3000.0).reshape(1500, 2),
        "grad": t([1.0, 2.0], requires_grad=True),
        "grad wrap": (a(20) / 7).requires_grad_(),
        "transposed": a(6).reshape(2, 3).t(),
        "negative": -a(12.0).reshape(3, 4) / 10,
        "ones 4d": torch.ones(2, 1, 2, 2),
        "scalar sci": t(1e-7),
        "scalar double": t(0.1, dtype=torch.float64),
        "scalar bool": t(True),
    }
    write("printing", [(k, repr(v)) for k, v in cases.items()])


def promotion():
    names = ["float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool"]
    dtypes = [getattr(torch, n) for n in names]
    r = []
    for a in dtypes:
        for b in dtypes:
            key = lambda d: str(d).removeprefix("torch.")
            r.append((f"promote {key(a)} {key(b)}", key(torch.promote_types(a, b))))
            for ra in (0, 1):
                for rb in (0, 1):
                    x = torch.zeros([1] * ra, dtype=a)
                    y = torch.zeros([1] * rb, dtype=b)
                    r.append((f"tensors {key(a)} {ra} {key(b)} {rb}", key(torch.result_type(x, y))))
        for ra in (0, 1):
            x = torch.zeros([1] * ra, dtype=a)
            for n, v in (("bool", True), ("int", 3), ("float", 1.5)):
                r.append((f"number {key(a)} {ra} {n}", key(torch.result_type(x, v))))
    write("promotion", r)


def integers():
    """Operations whose definition on integers and special floats is easy to get wrong."""
    r = []
    inf, nan = float("inf"), float("nan")
    ints = torch.tensor([-7, -3, -1, 1, 2, 3, 7])
    x, y = torch.meshgrid(ints, ints, indexing="ij")
    for d in (torch.int64, torch.int32, torch.int8, torch.float32, torch.float64):
        a, b = x.flatten().to(d), y.flatten().to(d)
        key = str(d).removeprefix("torch.")
        r.append((f"floor_div {key}", bits(torch.div(a, b, rounding_mode="floor"))))
        r.append((f"rem {key}", bits(torch.remainder(a, b))))
    f = torch.tensor([-inf, -2.5, -0.0, 0.0, 0.5, 3.0, inf, nan])
    x, y = torch.meshgrid(f, f, indexing="ij")
    a, b = x.flatten(), y.flatten()
    same = lambda t: bits(torch.where(torch.isnan(t), torch.full_like(t, nan), t))
    r.append(("special floor_div", same(torch.floor_divide(a, b))))
    r.append(("special rem", same(torch.remainder(a, b))))
    r.append(("special pow", same(torch.pow(a, b))))
    r.append(("special maximum nan", bits(torch.isnan(torch.maximum(a, b)))))
    r.append(("special sign", same(torch.sign(f))))
    r.append(("special round", same(torch.round(torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, nan])))))
    for n in ("exp", "log", "log1p", "expm1", "tanh", "sin", "cos", "erf", "sqrt", "rsqrt"):
        r.append((f"special {n}", same(getattr(torch, n)(f))))
    base = torch.tensor([-2, -1, 1, 2, 3])
    r.append(("int pow", bits(torch.stack([base**e for e in (0, 1, 2, 5)]))))
    s = torch.tensor([1, 5, -9, 2**40])
    r.append(("shl", bits(torch.stack([s << torch.tensor(k) for k in (0, 1, 40, 63)]))))
    r.append(("shr", bits(torch.stack([s >> torch.tensor(k) for k in (0, 1, 40, 63)]))))
    c = torch.tensor([-1.7, -0.2, 0.0, 0.9, 3.99, 200.0])
    for d in (torch.int64, torch.int32, torch.int8, torch.bool):
        r.append((f"cast {str(d).removeprefix('torch.')}", bits(c.to(d))))
    r.append(("cast uint8", bits(c.abs().to(torch.uint8))))
    m = torch.tensor([[1.0, nan, 3.0], [5.0, 5.0, -1.0], [2.0, 2.0, 2.0]])
    r.append(("argmax", bits(m.argmax(1))))
    r.append(("argmin", bits(m.argmin(1))))
    r.append(("cumsum", bits(m[1:].cumsum(1))))
    write("semantics", r)


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    random()
    printing()
    promotion()
    integers()
