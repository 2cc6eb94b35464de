"""Samples of numpy: functions and methods, tried with arguments by name."""
import inspect

import numpy as np

from draw import SHAPES, STYLES, nested

DTYPES = [(8, 'float64'), (4, 'float32'), (5, 'int64'), (2, 'int32'), (1, 'int16'), (2, 'int8'), (2, 'uint8'), (1, 'uint64'), (1, 'uint16'), (3, 'bool'),
          (2, 'complex128'), (1, 'float16'), (1, 'complex64')]
SKIPPED = set('''
array2string array_repr array_str empty empty_like fromfile save savez savez_compressed load loadtxt savetxt genfromtxt memmap show_config show_runtime
set_printoptions get_printoptions printoptions seterr geterr seterrcall geterrcall errstate info test asarray_chkfinite setbufsize getbufsize
get_include ndarray recarray record nditer broadcast ndenumerate ndindex vectorize frompyfunc require void tofile dump dumps data ctypes
setflags getfield setfield resize tobytes typecodes sctypeDict busdaycalendar iterable from_dlpack get_state set_state RandomState BitGenerator
MT19937 PCG64 PCG64DXSM Philox SFC64 SeedSequence Generator bit_generator base flags may_share_memory shares_memory
bytes_ str_ datetime64 timedelta64 fromregex frombuffer byteswap newbyteorder partition argpartition
'''.split())
INTS = [(6, '0'), (6, '1'), (5, '-1'), (5, '2'), (3, '3'), (1, '-2'), (1, '5'), (1, '7')]


def array(d, shape=None, dtype=None, style=None):
    shape = d.weighted(SHAPES) if shape is None else shape
    dtype = dtype or d.weighted(DTYPES)
    style = style or d.weighted(STYLES)
    form = d.below(12) if shape and 0 not in shape else 99
    if form == 0 and len(shape) == 2:
        return 'A(%s, %r).T' % (nested(d, shape[::-1], dtype, style), dtype)
    if form == 1:
        return 'A(%s, %r)[::2]' % (nested(d, (shape[0] * 2,) + shape[1:], dtype, style), dtype)
    if form == 2:
        return 'A(%s, %r)[::-1]' % (nested(d, shape, dtype, style), dtype)
    if form == 3:
        return 'np.broadcast_to(A(%s, %r), %r)' % (nested(d, shape[1:], dtype, style), dtype, shape)
    if form == 4 and not shape:
        return 'np.%s(%s)' % (dtype.replace('bool', 'bool_'), nested(d, (), dtype, style))
    text = nested(d, shape, dtype, style)
    return 'A(%s)' % text if dtype == 'float64' else 'A(%s, %r)' % (text, dtype)


class Call:
    def __init__(self, d):
        self.d = d
        self.shape = d.weighted(SHAPES)
        self.dtype = d.weighted(DTYPES)
        self.style = d.weighted(STYLES)
        self.arguments = []

    def give(self, text):
        from keep import PARAMETERS
        self.arguments.append(text)
        return PARAMETERS[len(self.arguments) - 1]

    def array(self, first):
        d = self.d
        shape = self.shape
        if not first and d.chance(45):
            shape = d.of([(), (1,), shape[1:], shape[-1:], (2,) + shape, (3,), (2, 3), (3, 2)])
        dtype = self.dtype if first or d.chance(65) else None
        if not first and d.chance(20):
            return d.of(['2', '-1', '0.5', 'True', '0', 'nan', '1j', '300', '[1, 2, 3]', '(1.5, 2)'])
        return self.give(array(d, shape, dtype, self.style))

    def value(self, name, default):
        d = self.d
        if name in ('axis', 'axes', 'axis1', 'axis2', 'source', 'destination'):
            return d.weighted(INTS + [(2, 'None'), (2, '(0, 1)'), (1, '(-1,)')])
        if name in ('dtype', 'newdtype'):
            return d.of(['np.float32', 'np.int64', "'int8'", 'bool', 'float', 'np.uint8', 'complex', "'f2'", 'int', "'<i4'", "'nonsense'"])
        if name in ('shape', 'newshape', 'reps', 'size'):
            return d.of(['(2, 3)', '(3, 2)', '6', '-1', '(-1, 2)', '(2, -1)', '()', '(0,)', '4', '2', '(2, 2)', '(1, 2, 3)'])
        if name in ('order',):
            return d.of(["'C'", "'F'", "'K'", "'A'"])
        if name in ('indices', 'indices_or_sections', 'obj', 'ind', 'index'):
            return d.of(['0', '1', '[0, 1]', '[1, 0, 1]', '2', '[-1]', '[]', '3', '[[0, 1]]', '[True, False]'])
        if name in ('k', 'n', 'N', 'M', 'num', 'decimals', 'bins', 'ndmin', 'deg', 'start', 'stop', 'step', 'repeats', 'shift', 'pad_width', 'minlength', 'diagonal', 'offset', 'length', 'dx', 'ddof', 'correction', 'kth', 'width', 'base'):
            return d.weighted(INTS + [(1, '2.5'), (1, '[1, 2]'), (1, '(1, 2)')])
        if name in ('keepdims', 'endpoint', 'sparse', 'return_index', 'return_inverse', 'return_counts', 'equal_nan', 'right', 'density', 'rowvar', 'bias', 'increasing', 'assume_unique', 'invert', 'copy', 'returned', 'retstep', 'subok', 'overwrite_input'):
            return d.of(['True', 'False'])
        if name in ('q',):
            return d.of(['0.5', '[0.25, 0.75]', '50', '0', '1', '[10, 90.5]'])
        if name in ('rtol', 'atol'):
            return d.of(['0.1', '0', '1e-8'])
        if name in ('mode',):
            return d.of(["'constant'", "'edge'", "'reflect'", "'wrap'", "'clip'", "'raise'", "'full'", "'same'", "'valid'", "'symmetric'", "'reduced'"])
        if name in ('side',):
            return d.of(["'left'", "'right'"])
        if name in ('indexing',):
            return d.of(["'ij'", "'xy'"])
        if name in ('kind',):
            return d.of(["'stable'", "'mergesort'", "'quicksort'"])
        if name in ('method', 'interpolation'):
            return d.of(["'linear'", "'lower'", "'nearest'", "'midpoint'", "'higher'"])
        if name in ('ord',):
            return d.of(['None', '1', '2', 'inf', "'fro'", '-inf', '0', "'nuc'", '3'])
        if name in ('where', 'condition', 'mask'):
            return d.of(['True', 'False', self.give(array(d, self.shape, 'bool', 'plain'))])
        if name in ('initial', 'fill_value', 'prepend', 'append', 'values', 'to_begin', 'to_end', 'v', 'nan', 'posinf', 'neginf', 'period', 'left'):
            return d.of(['0', '1.5', '-3', '100', self.array(False)])
        if name in ('a_min', 'a_max', 'min', 'max', 'low', 'high'):
            return d.of(['0', '1', '2.5', '-1', 'None', self.array(False)])
        if name in ('out',):
            return self.give(d.of(['np.zeros((2, 3))', 'np.zeros(4)', 'np.zeros((2, 3), int)', 'np.zeros(())', 'np.zeros(3, np.float32)']))
        if name in ('casting',):
            return d.of(["'same_kind'", "'unsafe'", "'no'", "'safe'"])
        if name in ('subscripts',):
            return repr(d.of(['ij->ji', 'i,i->', 'ij,jk', 'ii', 'ij->i', 'i,j->ij', '...i->...', 'ij,j->i']))
        if name in ('range',):
            return d.of(['(0, 2)', 'None', '(-1.0, 1.0)'])
        if name in ('weights',):
            return self.array(False)
        if name in ('arrays', 'tup', 'seq', 'arys', 'ary', 'choices', 'xi') and d.chance(70):
            n = 1 + d.below(3)
            return '(%s,)' % ', '.join(self.array(k == 0) for k in range(n))
        if name in ('object', 'a', 'x', 'm', 'array', 'arr', 'x1', 'x2', 'b', 'y', 'p', 'A', 'B', 'other') or default is inspect.Parameter.empty:
            return self.array(not self.arguments)
        return None


def parameters(function):
    if isinstance(function, np.ufunc):
        names = ['x1', 'x2', 'x3'][:function.nin]
        plain = [(n, inspect.Parameter.empty, True) for n in names]
        return plain + [('out', None, False), ('where', True, False), ('dtype', None, False)]
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    out = []
    for p in signature.parameters.values():
        if p.kind in (p.VAR_POSITIONAL,):
            out.append((p.name, inspect.Parameter.empty, True))
        elif p.kind is not p.VAR_KEYWORD and p.name not in ('like', 'device', 'self', 'signature', 'stream'):
            out.append((p.name, p.default, p.kind is not p.KEYWORD_ONLY))
    return out


def drawn(prefix, name, function, method):
    known = parameters(function)

    def draw(d):
        call = Call(d)
        parts, by_name = [], False
        receiver = call.array(True) if method else None
        if method and receiver in ('2', '-1'):
            return None
        if known is None:
            for _ in range(d.weighted([(5, 1), (4, 2), (2, 0), (2, 3)])):
                parts.append(call.array(not call.arguments) if d.chance(50) else d.of(['0', '1', '-1', '2', '(2, 3)', 'None', '0.5', 'np.int64']))
        else:
            for n, default, positional in known:
                if default is not inspect.Parameter.empty and d.chance(72):
                    by_name = True
                    continue
                text = call.value(n, default)
                if text is None:
                    by_name = True
                    continue
                if by_name or not positional or d.chance(12):
                    by_name = True
                    parts.append('%s=%s' % (n, text))
                else:
                    parts.append(text)
        if d.chance(6):
            parts.append(d.of(['nonsense=1', "'x'" if not by_name else 'axis=9']))
        if d.chance(3) and parts:
            parts.pop(0)
        if len(call.arguments) > 8:
            return None
        source = '%s.%s(%s)' % (receiver if method else prefix, name, ', '.join(parts))
        if method and name in ('sort', 'fill', 'put', 'itemset'):
            source += ', a'
        if 'where=' in source and 'out=' not in source and isinstance(function, np.ufunc):
            # What is not written to holds anything.
            return None
        if 'out=' in source:
            source = '%s, %s' % (source, source.split('out=')[1][0])
        return source, call.arguments
    return draw


OPERATORS = ['+', '-', '*', '/', '//', '%', '**', '<', '<=', '==', '!=', '&', '|', '^', '<<', '>>', '@', '>']


def operators(samples, scale):
    kinds = [k for _, k in DTYPES]
    for left in kinds:
        def draw(d):
            op = d.of(OPERATORS)
            shape = d.weighted(SHAPES)
            style = d.weighted(STYLES)
            if op in ('**', '<<', '>>'):
                style = 'positive'
            a = array(d, shape, left, style)
            if d.chance(30):
                b = d.of(['2', '-1', '0.5', 'True', '0', '1j', '300', '-2.5', '[1, 2, 3]'])
            else:
                b = array(d, d.of([shape, shape, (), shape[-1:], (1,)]), d.of(kinds), style)
            form = d.below(10)
            if form == 0:
                return 'b %s a' % op, [a, b]
            if form == 1:
                return 'operator.i%s(a, b), a' % {'+': 'add', '-': 'sub', '*': 'mul', '/': 'truediv', '//': 'floordiv', '%': 'mod'}.get(op, 'add'), [a, b]
            return 'a %s b' % op, [a, b]
        samples.keep('numpy_operators', 'numpy %s operators' % left, draw, 50 * scale, 10 * scale, 500 * scale)

        def unary(d):
            return d.of(['-a', '+a', '~a', 'abs(a)', 'bool(a)', 'int(a)', 'float(a)', 'len(a)', 'str(a)', 'repr(a)', 'list(a)', 'a.T', 'a.real', 'a.imag', 'a.shape', 'a.strides', 'a.dtype', 'a.size', 'a.ndim', 'a.itemsize', 'a.nbytes',
                         'round(a, 1)', 'a.tolist()', 'a.item()', 'complex(a)', 'a == None', 'a.flat[1]', '1 in a', 'divmod(a, 2)', 'f"{a}"', 'hash(a)', 'a.dtype.kind', 'np.asarray(a) is a', 'sum(a)', 'max(a)', 'sorted(a)', 'a.flags.c_contiguous', 'type(a[0]).__name__']), [array(d, None, left)]
        samples.keep('numpy_operators', 'numpy %s of one' % left, unary, 34 * scale, 6 * scale, 200 * scale)
    indices = ['0', '-1', '5', ':', '1:', '::-1', '::2', 'None', '...', '[0, 1]', '[1, 0, -1]', '[]', 'a > 0', '[True, False]', '0, 1', ':, 0', '..., 0', '[0, 1], [1, 0]', '0, :', 'None, 0', '1:, [0]', '[[0], [1]], [0, 1]', '()', '-1:', 'np.int64(1)', ':, None',
               "'x'", '1.0', '[0, 1], :, 0', 'np.array(1)', 'a[:, 0] > 0', ':, [True, False, True]', '0, ..., 1', '[9]', ':2, 1:', '::-1, ::-1', '0, 0, 0', 'np.array([], int)', '[0.5]', 'True', '1:0']

    def get(d):
        i = d.of(indices)
        a = array(d, d.of([(2, 3), (3,), (4,), (2, 2, 2), (3, 3), (0,), ()]))
        if d.chance(45):
            value = d.of(['9', '[7, 8]', '-1.5', 'nan', 'True', '300', '[]', 'a', "'x'", '1j', 'np.zeros(3)', '[[1], [2]]'])
            return 'a.__setitem__((%s), %s), a' % (i if ':' not in i else 'np.s_[%s]' % i, value), [a]
        return 'a[%s]' % i, [a]
    samples.keep('numpy_operators', 'numpy indices', get, 260 * scale, 70 * scale, 3000 * scale)


def randoms(samples, scale):
    arguments = ['', '2', '3, 5', '(2, 3)', '0.5', '1.0, 2.0', 'size=3', '0.5, size=2', '2.0, 1.5, 3', '5, size=(2, 2)', '[1, 2, 3]', '10, 3', '5, 0.5, 4', '-1', '[0.2, 0.8]', '3, [0.2, 0.3, 0.5]', '0, 10, 4', '5, 2, replace=False', '[1, 2, 3], 2, p=[0.1, 0.2, 0.7]',
                 '[[1, 2], [3, 4]]', '0', '10, size=3, dtype=np.int32', '3, 1', "'x'", '0.0', '2**40, size=2', '[0.0, 1.0], [[1.0, 0.0], [0.0, 1.0]]', '256, size=3, dtype=np.uint8', '[1, 2, 3], size=2, replace=True', 'scale=2.0, size=2', 'dtype=np.float32', '4, dtype=np.float32', '0, 10, endpoint=True']
    for name in sorted(dir(np.random)):
        if name in SKIPPED or name.startswith('_') or not samples.knows('numpy.random.' + name) or not callable(getattr(np.random, name)):
            continue

        def draw(d):
            if name == 'shuffle':
                return '(lambda x: (np.random.shuffle(x), x))(%s)' % d.of(['[1, 2, 3, 4]', 'np.arange(5)', 'np.arange(6).reshape(3, 2)']), []
            if name in ('seed', 'default_rng'):
                rest = '.random(2)' if name == 'default_rng' else ', np.random.rand(2)'
                return 'np.random.%s(%s)%s' % (name, d.of(['0', '1', '2**32 - 1', '-1', '[1, 2]', "'x'", '2**40', '1.5']), rest), []
            return 'np.random.%s(%s)' % (name, d.of(arguments)), []
        samples.keep('numpy_random', 'numpy.random.' + name, draw, 8 * scale, 3 * scale, 80 * scale)
    for name in sorted(dir(np.random.Generator)):
        if name in SKIPPED or name.startswith('_') or name in ('spawn',) or not samples.knows('numpy.random.Generator.' + name):
            continue

        def draw(d):
            if name == 'shuffle':
                return '(lambda x: (a.shuffle(x), x))(%s)' % d.of(['[1, 2, 3, 4]', 'np.arange(5)', 'np.arange(6).reshape(3, 2)', 'np.arange(6).reshape(2, 3), axis=1']), ['np.random.default_rng(3)']
            return 'a.%s(%s)' % (name, d.of(arguments)), ['np.random.default_rng(%d)' % d.below(4)]
        samples.keep('numpy_random', 'numpy.random.Generator.' + name, draw, 10 * scale, 3 * scale, 90 * scale)


def make(samples, scale):
    for prefix, module in [('numpy', np), ('numpy.linalg', np.linalg), ('numpy.fft', np.fft)]:
        for name in sorted(dir(module)):
            function = getattr(module, name)
            key = prefix + '.' + name
            if name.startswith('_') or name in SKIPPED or not callable(function) or not samples.knows(key) or isinstance(function, type) and issubclass(function, BaseException):
                continue
            source = prefix.replace('numpy', 'np')
            samples.keep('numpy', key, drawn(source, name, None if isinstance(function, type) else function, False) if not isinstance(function, type) else drawn_type(source, name), 12 * scale, 4 * scale, 160 * scale)
    for name in sorted(dir(np.ndarray)):
        key = 'numpy.ndarray.' + name
        if name.startswith('_') or name in SKIPPED or not samples.knows(key) or not callable(getattr(np.ndarray, name)):
            continue
        samples.keep('numpy_methods', key, drawn('', name, getattr(np.ndarray, name), True), 12 * scale, 4 * scale, 160 * scale)
    operators(samples, scale)
    randoms(samples, scale)


def drawn_type(prefix, name):
    def draw(d):
        return '%s.%s(%s)' % (prefix, name, d.of(['3', '-1', '2.7', 'nan', '300', "'5'", '[1, 2]', '', 'True', '1j', 'inf', '2**63', 'a'])), [array(d)]
    return draw
