"""Samples from PyTorch's own operator database, read from the installed package: opinfo.py FOLDER NAMES [SCALE]."""
import itertools
import sys

import torch
from torch.testing._internal.common_methods_invocations import op_db

import keep

# Elements of a tensor that is still written out; of a larger one, where it is the only one, a corner is.
MOST = 130
CORNER = 4
# Samples of one operator and dtype.
EACH = 8
# What is no public name, leaves memory as it is, or ends the process.
SKIPPED = ('empty', 'new_empty', '_', 'jiterator', 'ops.', 'torch.', 'sparse', 'as_strided', 'resize', 'to_sparse',
           'nn.functional.ctc_loss')


class Unwritable(Exception):
    pass


def number(x):
    if isinstance(x, complex):
        return 'complex(%s, %s)' % (number(x.real), number(x.imag))
    return repr(x)


def nested(values):
    if isinstance(values, list):
        return '[' + ', '.join(nested(v) for v in values) + ']'
    return number(values)


class Writer:
    def __init__(self):
        self.arguments = []

    def tensor(self, t):
        if t.numel() > MOST or t.is_sparse or t.layout is not torch.strided or t.is_quantized or t.device.type != 'cpu':
            raise Unwritable
        name = str(t.dtype)[6:]
        values = nested(t.detach().cpu().tolist())
        if name != 'float32' or t.requires_grad:
            text = 'T(%s, %r%s)' % (values, name, ', True' if t.requires_grad and t.is_leaf else '')
        else:
            text = 'T(%s)' % values
        if t.numel() > 1 and not t.is_contiguous() and not t.requires_grad:
            order = sorted(range(t.dim()), key=lambda k: -t.stride(k))
            inner = t.permute(order)
            if inner.is_contiguous():
                back = [order.index(k) for k in range(t.dim())]
                head = 'T(%s, %r)' % (nested(inner.tolist()), name)
                text = '%s.permute(%s)' % (head, ', '.join(map(str, back)))
        if len(self.arguments) >= len(keep.PARAMETERS):
            raise Unwritable
        self.arguments.append(text)
        return keep.PARAMETERS[len(self.arguments) - 1]

    def value(self, v):
        if isinstance(v, torch.Tensor):
            return self.tensor(v)
        if isinstance(v, torch.Size):
            return '(' + ''.join(str(n) + ', ' for n in v) + ')'
        if isinstance(v, tuple) and type(v) is tuple:
            return '(' + ''.join(self.value(x) + ', ' for x in v) + ')'
        if isinstance(v, list):
            return '[' + ', '.join(self.value(x) for x in v) + ']'
        if v is None or isinstance(v, (bool, int, float, complex, str)):
            return number(v) if not isinstance(v, str) else repr(v)
        if isinstance(v, torch.dtype):
            return repr(v)
        if isinstance(v, slice):
            return 'slice(%s, %s, %s)' % (self.value(v.start), self.value(v.stop), self.value(v.step))
        if v is Ellipsis:
            return '...'
        raise Unwritable


def is_tensor(v):
    return isinstance(v, torch.Tensor) or isinstance(v, (list, tuple)) and any(is_tensor(x) for x in v)


def cornered(sample):
    """The input, or a corner of it if it is large and nothing else has to fit."""
    t = sample.input
    others = list(sample.args) + list(sample.kwargs.values())
    if not isinstance(t, torch.Tensor) or t.layout is not torch.strided or t.numel() <= MOST or any(map(is_tensor, others)):
        return t
    corner = t.detach()[tuple(slice(0, CORNER) for _ in range(t.dim()))].clone()
    return corner.requires_grad_(t.requires_grad)


def called(op, sample):
    """The expression and arguments of one sample."""
    w = Writer()
    given = [w.value(cornered(sample))]
    given += [w.value(a) for a in sample.args]
    given += ['%s=%s' % (k, w.value(v)) for k, v in sample.kwargs.items()]
    name = op.name
    found = torch
    for part in name.split('.'):
        found = getattr(found, part, None)
    if found is not None:
        text = 'torch.%s(%s)' % (name, ', '.join(given))
    elif name.startswith('__') and hasattr(torch.Tensor, name) or hasattr(torch.Tensor, name):
        text = '%s.%s(%s)' % (given[0], name, ', '.join(given[1:]))
    else:
        raise Unwritable
    leaves = [n for n, text_ in zip(keep.PARAMETERS, w.arguments) if text_.endswith(', True)')]
    if leaves:
        text = 'back(%s, %s)' % (text, ', '.join(leaves))
    return text, w.arguments


def main():
    # Names that are missing here have samples, too: they count as missing.
    folder = sys.argv[1]
    each = EACH * (int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    samples = keep.Samples(None)
    ops = sorted({op.name: op for op in reversed(op_db)}.values(), key=lambda op: op.name)
    for op in ops:
        if op.name.startswith(SKIPPED) and not op.name.startswith('__'):
            continue
        chosen, seen = [], set()
        for dtype, grad in [(torch.float32, False), (torch.float32, True), (torch.float64, True), (torch.int64, False), (torch.bool, False), (torch.bfloat16, False), (torch.complex64, False)]:
            if dtype not in op.dtypes:
                continue
            torch.manual_seed(7)
            n = 0
            try:
                for sample in itertools.islice(op.sample_inputs('cpu', dtype, requires_grad=grad), 60):
                    try:
                        body, arguments = called(op, sample)
                    except Unwritable:
                        continue
                    source = body + str(arguments)
                    if source in seen or len(source) > 4000 or '\n' in source:
                        continue
                    seen.add(source)
                    if keep.outcome(body, arguments, 5000) is None:
                        continue
                    chosen.append((body, arguments))
                    n += 1
                    if n == each:
                        break
            except Exception as e:
                print(op.name, dtype, type(e).__name__, e, file=sys.stderr)
        samples.add('opinfo', 'opinfo ' + op.name, chosen)
    total = samples.write(folder)
    print(total, 'samples of', len(samples.topics['opinfo']), 'of', len(ops), 'operators')


main()
