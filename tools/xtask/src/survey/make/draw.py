"""Small random numbers of our own, so that a seed gives the same samples everywhere, and drawn literals."""


class Draw:
    """A stream of random numbers that begins with a text."""

    def __init__(self, text):
        state = 0xCBF29CE484222325
        for byte in text.encode():
            state = ((state ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        self.state = state

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return (z ^ (z >> 31)) % n

    def of(self, items):
        return items[self.below(len(items))]

    def chance(self, percent):
        return self.below(100) < percent

    def weighted(self, pairs):
        """One of (weight, item) pairs."""
        at = self.below(sum(w for w, _ in pairs))
        for w, item in pairs:
            at -= w
            if at < 0:
                return item
        raise AssertionError


FLOATS = ['float16', 'bfloat16', 'float32', 'float64']
INTS = ['uint8', 'int8', 'int16', 'int32', 'int64']
COMPLEX = ['complex64', 'complex128']
DTYPES = [(8, 'float32'), (4, 'float64'), (2, 'float16'), (2, 'bfloat16'), (4, 'int64'), (2, 'int32'), (1, 'int16'),
          (2, 'int8'), (2, 'uint8'), (2, 'bool'), (1, 'complex64'), (1, 'complex128')]
ENDS = {'uint8': (0, 255), 'int8': (-128, 127), 'int16': (-2**15, 2**15 - 1), 'int32': (-2**31, 2**31 - 1),
        'int64': (-2**63, 2**63 - 1), 'uint16': (0, 2**16 - 1), 'uint32': (0, 2**32 - 1), 'uint64': (0, 2**64 - 1)}
# The largest, the smallest normal and the smallest number of each.
EDGES = {'float32': ['3.4028234663852886e+38', '1.1754943508222875e-38', '1e-45'],
         'float64': ['1.7976931348623157e+308', '2.2250738585072014e-308', '5e-324'],
         'float16': ['65504.0', '6.103515625e-05', '6e-08'],
         'bfloat16': ['3.3895313892515355e+38', '1.1754943508222875e-38', '9.2e-41']}
PLAIN = ['0.5', '1.0', '-1.5', '2.0', '-0.25', '3.0', '0.75', '-2.0', '1.25', '0.1', '-0.7', '4.5', '0.3', '-3.25']
POSITIVE = ['0.5', '1.0', '1.5', '2.0', '0.25', '3.0', '0.75', '0.1', '0.7', '4.5', '0.3']
UNIT = ['0.5', '0.25', '0.75', '0.1', '0.9', '0.3', '-0.5', '-0.25', '0.6', '-0.9', '0.05']
SPECIAL = ['nan', 'inf', '-inf', '-0.0', '0.0']

SHAPES = [(10, (2, 3)), (8, (4,)), (4, (3, 3)), (3, ()), (3, (0,)), (3, (1,)), (3, (2, 1, 3)), (2, (2, 0)), (1, (0, 3)),
          (2, (2, 2, 2)), (1, (1, 1)), (1, (7,)), (1, (1, 2, 1, 2))]


def number(d, dtype, style):
    """The literal of one element."""
    if dtype == 'bool':
        return d.of(['True', 'False'])
    if dtype in ENDS:
        low, high = ENDS[dtype]
        if style == 'extreme' and d.chance(50):
            return str(d.of([low, high, low + 1, high - 1, 0]))
        if style == 'positive':
            return str(1 + d.below(5))
        return str(d.below(9) - (4 if low < 0 else 0))
    if dtype in COMPLEX:
        part = 'float32' if dtype == 'complex64' else 'float64'
        re, im = number(d, part, style), number(d, part, style)
        if 'nan' in re + im or 'inf' in re + im:
            return 'complex(%s, %s)' % (re, im)
        return '%s%sj' % (re, im if im.startswith('-') else '+' + im)
    if style == 'special' and d.chance(50):
        return d.of(SPECIAL)
    if style == 'extreme' and d.chance(50):
        return d.of(['', '-']) + d.of(EDGES.get(dtype, EDGES['float32']))
    if style == 'ties' or style == 'whole':
        return d.of(['1.0', '2.0', '-1.0', '0.0', '2.0'])
    if style == 'positive':
        return d.of(POSITIVE)
    if style == 'unit':
        return d.of(UNIT)
    return d.of(PLAIN)


STYLES = [(10, 'plain'), (4, 'special'), (3, 'extreme'), (2, 'ties'), (3, 'positive'), (3, 'unit')]


def nested(d, shape, dtype, style):
    """Nested lists of literals."""
    if not shape:
        return number(d, dtype, style)
    return '[' + ', '.join(nested(d, shape[1:], dtype, style) for _ in range(shape[0])) + ']'


def tensor(d, shape, dtype, style='plain', grad=False, strides=True):
    """The text of a tensor; now and then a view with strides of its own."""
    form = d.below(12) if strides and not grad and shape and 0 not in shape else 99
    head = 'T(%s, %r)'
    if form == 0 and len(shape) == 2:
        return head % (nested(d, shape[::-1], dtype, style), dtype) + '.t()'
    if form == 1 and shape[0] <= 3:
        return head % (nested(d, (shape[0] * 2,) + shape[1:], dtype, style), dtype) + '[::2]'
    if form == 2 and len(shape) >= 2 and shape[-1] <= 3:
        return head % (nested(d, shape[:-1] + (shape[-1] + 1,), dtype, style), dtype) + '[..., 1:]'
    if form == 3:
        return head % (nested(d, shape[1:], dtype, style), dtype) + '.expand(%s)' % ', '.join(map(str, shape))
    if grad:
        return 'T(%s, %r, True)' % (nested(d, shape, dtype, style), dtype)
    if dtype == 'float32':
        return 'T(%s)' % nested(d, shape, dtype, style) if shape else 'T(%s)' % number(d, dtype, style)
    return head % (nested(d, shape, dtype, style), dtype)


def shape_like(d, shape):
    """A shape that broadcasts with this one, or, rarely, does not."""
    form = d.below(10)
    if form < 5 or not shape:
        return shape if form < 8 else d.of([(), (1,), (2, 1), (2, 3)])
    if form == 5:
        return ()
    if form == 6:
        return shape[1:]
    if form == 7:
        return tuple(1 if k == 0 else n for k, n in enumerate(shape))
    if form == 8:
        return (2,) + shape
    return shape[:-1] + (d.of([1, 5]),)
