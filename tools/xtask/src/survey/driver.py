import sys

_DTYPES = {'float32': ('f32', '%.9g'), 'float64': ('f64', '%.17g'), 'float16': ('f16', '%.5g'),
           'bfloat16': ('bf16', '%.4g'), 'complex64': ('c64', '%.9g'), 'complex128': ('c128', '%.17g')}
_MOST = 200


def _number(x, form):
    if isinstance(x, complex):
        return _number(x.real, form) + ',' + _number(x.imag, form) + 'j'
    if isinstance(x, float):
        if x != x:
            return 'nan'
        return form % x
    if isinstance(x, bool):
        return 'T' if x else 'F'
    return str(x)


def _flat(values):
    if isinstance(values, list):
        out = []
        for v in values:
            out.extend(_flat(v))
        return out
    return [values]


def _elements(values, name):
    short, form = _DTYPES.get(name, (name, '%r'))
    flat = _flat(values)
    text = ' '.join([_number(v, form) for v in flat[:_MOST]])
    if len(flat) > _MOST:
        text += ' ...'
    return short, text


def _show_tensor(t):
    name = str(t.dtype)[6:]
    kind = type(t).__name__
    kind = '' if kind == 'Tensor' else kind + ' '
    d = t.detach()
    short, text = _elements(d.tolist(), name)
    shape = 'x'.join([str(n) for n in t.shape])
    return '%s%s[%s]%s(%s)' % (kind, short, shape, 'g' if t.requires_grad else '', text)


def _show_array(a):
    short, text = _elements(a.tolist(), str(a.dtype))
    return 'nd %s[%s](%s)' % (short, 'x'.join([str(n) for n in a.shape]), text)


def _show_dict(d, depth):
    return '{' + ', '.join([_show(k, depth) + ': ' + _show(v, depth) for k, v in d.items()]) + '}'


def _all(items, depth):
    out = []
    for item in items:
        if len(out) == _MOST:
            out.append('...')
            break
        out.append(_show(item, depth))
    return ', '.join(out)


def _without_address(text):
    at = text.find(' at 0x')
    if at < 0:
        return text
    return text[:at] + '>'


def _show(v, depth=0):
    depth += 1
    if depth > 8:
        return '...'
    if isinstance(v, torch.Tensor):
        return _show_tensor(v)
    if v is None or v is True or v is False:
        return str(v)
    kind = type(v)
    name = kind.__name__
    if kind is int and (v > 1 << 2000 or v < -(1 << 2000)):
        return hex(v)
    if kind is int or kind is str or kind is bytes or kind is bytearray:
        return repr(v)
    if kind is float:
        return 'nan' if v != v else repr(v)
    if kind is complex:
        return 'complex(%s, %s)' % (_show(v.real, depth), _show(v.imag, depth))
    if isinstance(v, np.ndarray):
        return _show_array(v)
    if isinstance(v, np.generic):
        short, text = _elements(v.item(), str(v.dtype))
        return 'np.%s(%s)' % (short, text)
    if kind is tuple:
        return '(' + _all(v, depth) + ')'
    if kind is list:
        return '[' + _all(v, depth) + ']'
    if isinstance(v, torch.Size):
        return 'Size[' + _all(v, depth) + ']'
    if isinstance(v, tuple):
        return name + '(' + _all(v, depth) + ')'
    if isinstance(v, (set, frozenset)):
        return name + '{' + ', '.join(sorted([_show(x, depth) for x in v])) + '}'
    if kind is dict:
        return _show_dict(v, depth)
    if isinstance(v, dict):
        return name + _show_dict(v, depth)
    if isinstance(v, (list, collections.deque)):
        return name + '[' + _all(v, depth) + ']'
    if isinstance(v, (int, float, complex, str, bytes)):
        return name + ' ' + repr(v)
    if isinstance(v, BaseException):
        return 'raised ' + name + _without_address(str(v)).split('\n')[0]
    if hasattr(v, '__next__') or isinstance(v, (type({}.keys()), type({}.values()), type({}.items()))):
        return name + ':[' + _all(v, depth) + ']'
    return _without_address(repr(v))


def fresh(value):
    """The value, behind what no region can hold: so nothing but a sample's own function is compiled."""
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    return value


def _one(arguments, function):
    """What a call of a sample gives, as text."""
    fresh(None)
    try:
        out = fresh(function(*arguments()))
    except Exception as e:
        lines = [line for line in str(e).split('\n') if line.strip()] or ['']
        return '! ' + type(e).__name__ + ': ' + _without_address(lines[0].strip())
    try:
        return _show(out)
    except Exception as e:
        return '! in printing: ' + type(e).__name__ + ': ' + str(e).split('\n')[0]


def _line(text):
    return text.replace('\\', '\\\\').replace('\n', '\\n').replace('\r', '\\r')


def survey(samples, calls):
    """Prints for each sample its number, then what it gives; what a later call gives otherwise follows.

    The number stands on a line before the sample runs, so that what ends the process, ends it there.
    """
    warnings.simplefilter('ignore')
    try:
        torch.set_num_threads(1)
    except Exception:
        pass
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    for number, arguments, function in samples[first:]:
        sys.stdout.write('#%d\n' % number)
        sys.stdout.flush()
        text = _one(arguments, function)
        sys.stdout.write('=' + _line(text) + '\n')
        for k in range(1, calls):
            again = _one(arguments, function)
            if again != text:
                sys.stdout.write('~%d %s\n' % (k, _line(again)))
                break
    sys.stdout.write('#end\n')
