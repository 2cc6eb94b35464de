"""Samples of torch's functions and tensors' methods, by their schemas."""
import torch

from draw import COMPLEX, DTYPES, FLOATS, INTS, SHAPES, STYLES, nested, shape_like, tensor

# What must not be called, or gives what nobody can foretell.
SKIPPED = set('''
empty empty_like empty_strided empty_permuted new_empty new_empty_strided from_file save load compile set_
manual_seed seed initial_seed get_rng_state set_rng_state fork_rng set_num_threads set_num_interop_threads get_num_threads
get_num_interop_threads set_default_device set_default_dtype set_default_tensor_type set_flush_denormal
set_printoptions use_deterministic_algorithms set_deterministic_debug_mode set_warn_always set_anomaly_enabled
resize_ resize_as_ resize_as_sparse_ share_memory_ data_ptr backward cuda xpu ipu mtia vmap cond import_ir_module
set_grad_enabled init_num_threads set_autocast_enabled set_float32_matmul_precision set_vital storage untyped_storage
typed_storage register_hook register_post_accumulate_grad_hook pin_memory to_dense to_sparse to_mkldnn from_blob
is_shared_ get_device segment_reduce unsafe_chunk unsafe_split unsafe_split_with_sizes as_strided_ as_strided
as_strided_copy as_strided_scatter record_stream apply_ map_ map2_ parse_ir parse_schema parse_type_comment wait fork
read_vitals rand_like randn_like random_ to_sparse_csr to_sparse_csc to_sparse_coo to_sparse_bsr to_sparse_bsc
sparse_coo_tensor sparse_csr_tensor sparse_compressed_tensor sparse_bsr_tensor sparse_bsc_tensor sparse_csc_tensor
hspmm sspaddmm sspmm smm sparse_resize_ sparse_resize_and_clear_ nonzero_static
'''.split())
# Words in a name that say what a tensor is of.
MATRIX = {'addmm', 'mm', 'matmul', 'mv', 'addmv', 'bmm', 'baddbmm', 'addbmm', 'addr', 'ger', 'outer', 'dot', 'vdot', 'inner',
          'tensordot', 'chain_matmul', 'linalg_multi_dot', 'kron', 'cdist'}
SQUARE = {'inverse', 'det', 'logdet', 'slogdet', 'trace', 'cholesky', 'cholesky_inverse', 'matrix_power', 'matrix_exp',
          'linalg_inv', 'linalg_det', 'linalg_slogdet', 'linalg_cholesky', 'linalg_eigh', 'linalg_eigvalsh',
          'linalg_eig', 'linalg_eigvals', 'linalg_matrix_power', 'linalg_matrix_exp', 'linalg_inv_ex', 'linalg_cholesky_ex',
          'linalg_solve', 'linalg_solve_ex', 'linalg_cond', 'linalg_ldl_factor', 'linalg_lu_factor', 'linalg_lu_factor_ex'}
# Shapes that fit together, of the tensors in turn.
FITTING = {
    'mm': [(2, 3), (3, 2)], 'bmm': [(2, 2, 3), (2, 3, 2)], 'mv': [(2, 3), (3,)], 'dot': [(3,), (3,)], 'vdot': [(3,), (3,)],
    'addmm': [(2, 2), (2, 3), (3, 2)], 'addmv': [(2,), (2, 3), (3,)], 'addr': [(2, 3), (2,), (3,)], 'ger': [(2,), (3,)],
    'baddbmm': [(2, 2, 2), (2, 2, 3), (2, 3, 2)], 'addbmm': [(2, 2), (2, 2, 3), (2, 3, 2)],
    'chain_matmul': [(2, 3), (3, 2), (2, 2)], 'linalg_multi_dot': [(2, 3), (3, 2), (2, 2)], 'cdist': [(2, 3), (4, 3)],
    'conv1d': [(1, 2, 4), (3, 2, 2), (3,)], 'conv2d': [(1, 1, 3, 3), (2, 1, 2, 2), (2,)], 'conv3d': [(1, 1, 2, 2, 2), (1, 1, 2, 1, 2), (1,)],
    'conv_transpose1d': [(1, 2, 3), (2, 1, 2), (1,)], 'conv_transpose2d': [(1, 1, 2, 2), (1, 2, 2, 2), (2,)],
    'max_pool1d': [(1, 2, 4)], 'avg_pool1d': [(1, 2, 4)], 'max_pool2d': [(1, 1, 4, 4)], 'max_pool3d': [(1, 1, 2, 2, 2)],
    'linalg_solve': [(2, 2), (2,)], 'cholesky_solve': [(2, 1), (2, 2)],
}
DIMS = {'dim', 'dim0', 'dim1', 'axis', 'axis0', 'axis1', 'dims', 'start_dim', 'end_dim', 'source', 'destination'}


def settings(d, name):
    """A dtype, a shape and a style for all tensors of one sample."""
    dtype = d.weighted(DTYPES)
    shape = d.weighted(SHAPES)
    style = d.weighted(STYLES)
    if name.startswith('special_') or name.startswith('fft_'):
        dtype = d.weighted([(6, 'float32'), (4, 'float64'), (1, 'int64'), (1, 'bool'), (1, 'complex64')])
    if name.startswith('linalg_') or name in SQUARE:
        dtype = d.weighted([(6, 'float32'), (6, 'float64'), (1, 'int64'), (1, 'complex64')])
        style = d.of(['plain', 'unit', 'positive'])
        shape = d.weighted([(6, (2, 2)), (3, (3, 3)), (2, (2, 2, 2)), (2, (2, 3)), (1, (3,)), (1, (0, 0))])
    if name.startswith('bitwise') or name in ('gcd', 'lcm', 'bincount'):
        dtype = d.of(INTS + ['bool', 'float32'])
    return dtype, shape, style


class Call:
    """Arguments of one call, as they are drawn."""

    def __init__(self, d, name, grad):
        self.d, self.name = d, name
        self.dtype, self.shape, self.style = settings(d, name)
        if grad:
            self.dtype = d.of(['float32', 'float32', 'float64'])
        self.grad = grad
        self.fits = d.chance(75)
        self.tensors = 0
        self.arguments = []
        self.leaves = []

    def argument(self, text, leaf=False):
        from keep import PARAMETERS
        name = PARAMETERS[len(self.arguments)]
        self.arguments.append(text)
        if leaf:
            self.leaves.append(name)
        return name

    def tensor(self, arg):
        d, name = self.d, arg
        dtype, shape, style, grad = self.dtype, self.shape, self.style, self.grad
        first = self.tensors == 0
        self.tensors += 1
        fitting = FITTING.get(self.name.rstrip('_'))
        if self.fits and fitting and self.tensors <= len(fitting):
            shape = fitting[self.tensors - 1]
        elif self.name.split('linalg_')[-1] in MATRIX or 'mat' in name or 'vec' in name or 'batch' in name:
            shape = d.of([(2, 3), (3, 2), (3,), (2, 2), (3, 3), (2,), (2, 3, 2), (2, 2, 3)])
        elif name in ('index', 'indices', 'idx', 'ind'):
            if d.chance(88):
                dtype, grad = 'int64', False
                style = 'index'
            shape = d.of([shape, shape[:1] or (2,), (2,), (3,), (1,)])
        elif name in ('mask', 'condition', 'pred'):
            dtype, grad = ('bool' if d.chance(90) else dtype), False
            shape = shape if d.chance(60) else shape_like(d, shape)
        elif not first:
            shape = shape_like(d, shape)
            if d.chance(25):
                dtype = d.weighted(DTYPES) if not grad else d.of(FLOATS[2:])
        if style == 'index':
            text = _indices(d, shape, dtype)
            return self.argument(text)
        leaf = grad and d.chance(85)
        return self.argument(tensor(d, shape, dtype, style, leaf), leaf)

    def number(self):
        d = self.d
        if d.chance(25):
            return self.argument(d.of(['0.5', '2.0', '-1.5', '0.0', 'nan', 'inf', '3', '-2']))
        return d.weighted([(5, '2'), (4, '0.5'), (2, '-1.5'), (2, '0'), (2, '3'), (1, '-1'), (1, 'nan'), (1, 'inf'),
                           (1, 'True'), (1, '300'), (1, '-0.0'), (1, '1+2j')])

    def value(self, arg, type_):
        """The text of an argument of this type, or None to leave it out."""
        d = self.d
        name = arg.name
        if name == 'dtype':
            return 'torch.' + d.of(FLOATS + INTS + ['bool'] + COMPLEX[:1])
        if name in ('layout', 'device', 'pin_memory', 'generator', 'memory_format', 'names', 'driver', 'non_blocking'):
            return None
        if type_.startswith('Optional['):
            type_ = type_[9:-1]
            if not arg.has_default_value() and d.chance(12):
                return 'None'
        if type_ == 'Tensor':
            return self.tensor(name)
        if type_ == 'number' or type_ == 'float':
            return self.number()
        if type_ == 'int':
            if name in DIMS:
                return str(d.weighted([(6, 0), (6, 1), (6, -1), (2, -2), (1, 2), (1, 5)]))
            return str(d.weighted([(6, 1), (5, 2), (4, 0), (4, 3), (3, -1), (1, -2), (1, 7)]))
        if type_ == 'bool':
            return d.of(['True', 'False'])
        if type_ == 'List[int]':
            if name in DIMS:
                return d.weighted([(3, '0'), (3, '1'), (3, '-1'), (3, '(0, 1)'), (1, '[1, 0]'), (1, '()'), (1, '(0, 0)'),
                                   (1, '(-1,)'), (1, '3')])
            return d.weighted([(3, '(2, 3)'), (2, '(3, 2)'), (2, '(6,)'), (2, '(-1,)'), (1, '(2, -1)'), (1, '(1, 2)'), (1, '(4,)'),
                               (1, '[2]'), (1, '()'), (1, '(0,)'), (1, '(2, 1, 3)'), (1, '2'), (1, '(-2,)'), (1, '(2, 2)')])
        if type_ == 'List[Tensor]' or type_ == 'List[Optional[Tensor]]':
            n = d.weighted([(5, 2), (2, 3), (2, 1), (1, 0)])
            brackets = '[%s]' if d.chance(60) else '(%s,)'
            if n == 0:
                return '[]'
            return brackets % ', '.join(self.tensor('tensors') for _ in range(n))
        if type_ == 'str':
            return repr(_word(d, self.name, name))
        if type_ == 'List[number]' or type_ == 'List[float]':
            return '[0.5, 2.0]'
        return None


def _indices(d, shape, dtype):
    if not shape:
        return 'T(%d, %r)' % (d.below(3), dtype)

    def nest(rest):
        if not rest:
            return str(d.weighted([(5, 0), (5, 1), (2, 2), (1, -1)]))
        return '[' + ', '.join(nest(rest[1:]) for _ in range(rest[0])) + ']'
    return 'T(%s, %r)' % (nest(shape), dtype)


def _word(d, function, arg):
    if arg == 'rounding_mode':
        return d.of(['floor', 'trunc', 'ceil'])
    if arg == 'reduce':
        return d.of(['sum', 'prod', 'mean', 'amax', 'amin', 'add', 'multiply'])
    if arg == 'norm':
        return d.of(['ortho', 'forward', 'backward'])
    if arg == 'indexing':
        return d.of(['ij', 'xy'])
    if arg == 'side':
        return d.of(['left', 'right'])
    if arg == 'interpolation':
        return d.of(['linear', 'lower', 'higher', 'midpoint', 'nearest'])
    if arg == 'mode':
        return d.of(['reduced', 'complete', 'r'])
    if arg == 'ord':
        return d.of(['fro', 'nuc'])
    if arg == 'approximate':
        return d.of(['none', 'tanh'])
    if arg == 'equation':
        return d.of(['ij,jk->ik', 'ij->ji', 'ij->'])
    return d.of(['none', 'mean', 'sum'])


def usable(schema):
    for a in schema.arguments:
        text = str(a.type)
        if text in ('List[str]', 'str') and a.name in ('dim', 'dims', 'names', 'out_dim'):
            return False
        if 'Dict' in text or text in ('t', 'List[t]') or text.startswith('List[bool') or text == 'complex':
            return False
    first = schema.arguments[0] if schema.arguments else None
    if first is not None and first.name in ('a', 'x') and str(first.type) in ('number', 'int', 'float', 'complex', 'bool', 'str'):
        return False
    return not str(first.type) in ('List[float]', 'List[bool]') if first is not None else True


def schemas(aten):
    found = [s for s in torch._C._jit_get_schemas_for_operator('aten::' + aten) if usable(s)]
    plain = [s for s in found if not any(a.is_out for a in s.arguments)]
    out = [s for s in found if sum(a.is_out for a in s.arguments) == 1]
    return plain, out


def drawn_call(prefix, name, aten, method, form):
    """A function that draws calls; `form` is 'plain', 'grad', 'twice', 'out' or 'wrong'."""
    plain, out = schemas(aten)
    chosen = out if form == 'out' else plain
    if not chosen:
        return None

    def draw(d):
        s = d.of(chosen)
        call = Call(d, aten, form in ('grad', 'twice'))
        parts, target, by_name = [], None, False
        keyword = d.chance(30)
        receiver = None
        for n, a in enumerate(s.arguments):
            if a.is_out:
                target = call.argument(d.of(['torch.empty(0)', 'T([0.0, 0.0, 0.0])', 'torch.zeros(2, 3)', "T([0, 0], 'int64')",
                                             "torch.zeros(2, 3, dtype=torch.float64)"]))
                parts.append('out=' + target)
                continue
            optional = a.has_default_value()
            if optional and d.chance(45):
                by_name = True
                continue
            text = call.value(a, str(a.type))
            if text is None:
                by_name = True
                continue
            if method and n == 0:
                receiver = text
                continue
            if a.kwarg_only or by_name or (keyword and d.chance(60)):
                by_name = True
                label = 'input' if a.name == 'self' else a.name
                parts.append('%s=%s' % (label, text))
            else:
                parts.append(text)
        if form == 'wrong':
            parts, receiver = spoil(d, parts), receiver
        if len(call.arguments) > 9:
            return None
        if method:
            if receiver is None:
                return None
            source = '%s.%s(%s)' % (receiver, name, ', '.join(parts))
        else:
            source = '%s.%s(%s)' % (prefix, name, ', '.join(parts))
        if form == 'out' or (name.endswith('_') and not name.endswith('__')):
            seen = target or receiver or 'a'
            if form in ('grad', 'twice'):
                return None
            source = '%s, %s' % (source, seen)
        if form == 'grad' or form == 'twice':
            if not call.leaves:
                return None
            source = '%s(%s, %s)' % ('back' if form == 'grad' else 'back_twice', source, ', '.join(call.leaves))
        return source, call.arguments
    return draw


def spoil(d, parts):
    """Arguments with one that is wrong."""
    parts = list(parts)
    form = d.below(6)
    if form == 0 and parts:
        parts.pop()
    elif form == 1:
        parts.append(d.of(['3', "'x'", 'None', '[1]']) if not parts or '=' not in parts[-1] else 'nonsense=1')
    elif form == 2 and parts:
        at = d.below(len(parts))
        wrong = d.of(["'x'", 'None', '1.5', '[1, 2]', '{}', '10', '-10', '2**70', 'object()'])
        label = parts[at].split('=')[0] + '=' if '=' in parts[at] else ''
        parts[at] = label + wrong
    elif form == 3:
        parts.append('nonsense=1')
    elif form == 4 and parts:
        parts = parts[1:]
    else:
        parts.append('out=3')
    return parts


def functions():
    """(topic, prefix, name, aten) of what has schemas."""
    for topic, prefix, module, head in [('torch', 'torch', torch, ''), ('linalg', 'torch.linalg', torch.linalg, 'linalg_'),
                                        ('special', 'torch.special', torch.special, 'special_'),
                                        ('fft', 'torch.fft', torch.fft, 'fft_')]:
        for name in sorted(dir(module)):
            if name.startswith('_') or name in SKIPPED or not callable(getattr(module, name)):
                continue
            if torch._C._jit_get_schemas_for_operator('aten::' + head + name):
                yield topic, prefix, name, head + name


def methods():
    for name in sorted(dir(torch.Tensor)):
        if name.startswith('_') or name in SKIPPED or not callable(getattr(torch.Tensor, name)):
            continue
        if torch._C._jit_get_schemas_for_operator('aten::' + name):
            yield name


def make(samples, scale):
    for topic, prefix, name, aten in functions():
        key = prefix + '.' + name
        if not samples.knows(key):
            continue
        for form, good, bad, tries in [('plain', 10, 3, 80), ('grad', 3, 0, 25), ('twice', 2, 0, 20), ('out', 2, 1, 20), ('wrong', 0, 4, 25)]:
            draw = drawn_call(prefix, name, aten, False, form)
            if draw is not None:
                samples.keep(topic, key if form == 'plain' else key + ' ' + form, draw, good * scale, bad * scale, tries * scale)
    for name in methods():
        key = 'torch.Tensor.' + name
        if not samples.knows(key):
            continue
        inplace = name.endswith('_') and not name.endswith('__')
        for form, good, bad, tries in [('plain', 6 if inplace else 5, 2, 50), ('grad', 0 if inplace else 1, 0, 12), ('wrong', 0, 2, 12)]:
            draw = drawn_call('', name, name, True, form)
            if draw is not None and good + bad:
                samples.keep('tensor', key if form == 'plain' else key + ' ' + form, draw, good * scale, bad * scale, tries * scale)
