"""Samples of the built-in types and of standard modules."""
import builtins
import collections
import datetime
import fractions
import functools
import itertools
import json
import math
import operator
import random
import re
import statistics
import string
import struct

INTS = ['0', '1', '-1', '2', '3', '-7', '10', '255', '2**31 - 1', '2**63', '-2**63', '2**64 + 1', '10**30', 'True', 'False']
SMALL = ['0', '1', '2', '-1', '3', '-2', '5', 'None']
FLOATS = ['0.0', '-0.0', '1.0', '-1.5', '0.1', '2.5', '3.5', '1e16', '1e22', '1.5e300', '5e-324', 'inf', '-inf', 'nan', '123456.789', '1e-7', '0.5']
COMPLEX = ['1j', '1+2j', '-0.5j', 'complex(nan, 1.0)', 'complex(-0.0, inf)', '3+0j', 'complex(0.0, -0.0)']
STRS = ["''", "'a'", "'abc'", "'Hello World'", "'  x y\\t'", "'a,b,,c'", "'\\u00e9\\u00df\\u01c5'", "'\\U0001F600x'", "'123'", "'-12.5e3'",
        "'aXbXc'", "'line1\\r\\nline2\\x0b\\x1cz'", "'ABC'", "'a b c a'", "'{} {x}'", "'\\u0661\\u00b2'", "'\\x00'", "'%d %s'", "'_a1'"]
BYTES = ["b''", "b'a'", "b'abc'", "b'Hello World'", "b' x\\ty '", "b'a,b,,c'", "b'\\xff\\x00\\x80'", "b'12f'", "b'aXbX'"]
ARRAYS = ['bytearray(%s)' % b for b in BYTES]
LISTS = ['[]', '[1]', '[1, 2, 3]', '[3, 1, 2, 1]', "['b', 'a']", '[1, 1.0, True]', '[[1], [2, 3]]', '[nan, 1.0]', '[None, 2]', '[2, True, 0.5]']
TUPLES = ['()', '(1,)', '(1, 2, 3)', "('a', 1)", '((1, 2), (3, 4))', '(1.0, 1, True)', '(nan,)', '(2, 3, 1)']
DICTS = ['{}', "{'a': 1}", "{1: 'x', 2: 'y'}", "{1: 'i', 1.0: 'f', True: 'b'}", '{(1, 2): [3]}', "{'a': {'b': 2}}", '{None: 0, nan: 1}']
SETS = ['set()', '{1}', '{1, 2, 3}', '{2, 3, 4}', "{'a'}", '{1.0, True}', '{(1, 2)}']
FROZEN = ['frozenset(%s)' % s.replace('set()', '()') for s in SETS]
RANGES = ['range(0)', 'range(5)', 'range(1, 10, 3)', 'range(5, 0, -2)', 'range(-3, 3)', 'range(2**70, 2**70 + 3)', 'range(0, 3, 5)']
SLICES = ['slice(2)', 'slice(1, None, 2)', 'slice(None, None, -1)', 'slice(-3, -1)', "slice('a', 1)"]
OTHERS = ['None', '...', 'NotImplemented', 'object', 'int', 'len', 'lambda x: x', 'lambda x, y: x', 'lambda *x: len(x)']
ITER = ['iter([1, 2, 3])', 'iter("ab")', 'zip([1, 2], "ab")', 'map(str, [1, 2])', '(x for x in [3, 1])', 'enumerate("ab")', 'reversed([1, 2])']

POOLS = {'int': INTS, 'bool': ['True', 'False'], 'float': FLOATS, 'complex': COMPLEX, 'str': STRS, 'bytes': BYTES, 'bytearray': ARRAYS,
         'list': LISTS, 'tuple': TUPLES, 'dict': DICTS, 'set': SETS, 'frozenset': FROZEN, 'range': RANGES, 'slice': SLICES}
ANY = [INTS, FLOATS, COMPLEX, STRS, BYTES, ARRAYS, LISTS, TUPLES, DICTS, SETS, FROZEN, RANGES, OTHERS, ITER]
# What the arguments of a type's methods are, mostly.
LIKELY = {'int': [INTS, SMALL, FLOATS], 'bool': [INTS], 'float': [FLOATS, INTS, STRS], 'complex': [COMPLEX, FLOATS], 'str': [STRS, STRS, STRS, SMALL, LISTS, ["['a', 'b']", "('x', 'y')"]],
          'bytes': [BYTES, BYTES, SMALL, ARRAYS, ["[b'a', b'b']"]], 'bytearray': [BYTES, SMALL, ARRAYS, INTS[:8]],
          'list': [SMALL, LISTS, STRS[:4], TUPLES, ITER], 'tuple': [SMALL, TUPLES], 'dict': [STRS[:3], DICTS, SMALL, LISTS[:2]],
          'set': [SETS, LISTS, SMALL, FROZEN], 'frozenset': [SETS, FROZEN, SMALL], 'range': [SMALL, FLOATS[:4]], 'slice': [SMALL]}
SKIPPED = {'__init_subclass__', '__subclasshook__', '__new__', '__class__', '__reduce__', '__reduce_ex__', '__dir__', '__sizeof__',
           '__getattribute__', '__doc__', '__init__', '__getstate__', '__setattr__', '__delattr__', '__alloc__', '__class_getitem__',
           '__getnewargs__', '__getformat__', '__format__', '__hash__', '__pow__', '__rpow__', '__lshift__', '__rlshift__', '__mul__', '__rmul__', '__imul__'}
KEYWORDS = {'str.split': ['sep', 'maxsplit'], 'str.rsplit': ['sep', 'maxsplit'], 'str.encode': ['encoding', 'errors'], 'bytes.decode': ['encoding', 'errors'],
            'str.splitlines': ['keepends'], 'str.expandtabs': ['tabsize'], 'list.sort': ['key', 'reverse'], 'int.to_bytes': ['length', 'byteorder', 'signed'],
            'str.format': ['x'], 'bytes.split': ['sep', 'maxsplit'], 'bytes.hex': ['sep'], 'int.from_bytes': ['byteorder', 'signed']}
WORDS = {'encoding': ["'utf-8'", "'ascii'", "'latin-1'", "'utf-16'", "'nonsense'"], 'errors': ["'ignore'", "'replace'", "'strict'", "'backslashreplace'", "'xmlcharrefreplace'"],
         'byteorder': ["'big'", "'little'"], 'signed': ['True', 'False'], 'length': ['1', '4', '16'], 'key': ['len', 'str', 'lambda x: -x', 'None'], 'reverse': ['True', '0', '1'],
         'keepends': ['True'], 'tabsize': ['4', '0'], 'maxsplit': ['0', '1', '-1'], 'sep': ["','", 'None', "' '", "':'"], 'x': ['1', "'z'"]}


def any_of(d, pools):
    return d.of(d.of(pools))


def methods(samples, scale):
    for kind, pool in POOLS.items():
        for name in sorted(dir(getattr(builtins, kind))):
            key = kind + '.' + name
            if name in SKIPPED or not samples.knows(key):
                continue
            likely = LIKELY[kind]
            is_call = callable(getattr(getattr(builtins, kind), name))
            changes = kind in ('list', 'dict', 'set', 'bytearray')

            def draw(d):
                receiver = d.of(pool)
                if not is_call:
                    return 'a.%s' % name, [receiver]
                n = d.weighted([(4, 0), (6, 1), (4, 2), (1, 3)])
                given = [any_of(d, likely if d.chance(85) else ANY) for _ in range(n)]
                text = ['b', 'c', 'd', 'e'][:n]
                for word in KEYWORDS.get(key, []):
                    if d.chance(35):
                        text.append('%s=%s' % (word, d.of(WORDS[word])))
                call = 'a.%s(%s)' % (name, ', '.join(text))
                if changes:
                    call = '%s, a' % call
                return call, [receiver] + given
            dunder = name.startswith('__')
            samples.keep('types', key, draw, (4 if dunder else 12) * scale, (1 if dunder else 4) * scale, (60 if dunder else 260) * scale)


BINARY = ['+', '-', '*', '/', '//', '%', '&', '|', '^', '<', '<=', '==', '!=', '>', '>=', 'in', 'not in', '@', 'and', 'or', 'is']


def operators(samples, scale):
    for left, pool in POOLS.items():
        for right, other in POOLS.items():
            def draw(d):
                op = d.of(BINARY)
                a, b = d.of(pool), d.of(other)
                if op == '*' and (len(a) > 6 or len(b) > 6):
                    return None
                if op == 'is':
                    return None
                return 'a %s b' % op, [a, b]
            samples.keep('operators', '%s op %s' % (left, right), draw, 10 * scale, 3 * scale, 60 * scale)

        def index(d):
            form = d.below(6)
            a = d.of(pool)
            if form < 2:
                return 'a[b]', [a, d.of(SMALL + ["'a'", 'True', '1.0', '(0, 1)', '2**70', 'slice(0, 2)'])]
            if form == 2:
                return 'a[b:c]', [a, d.of(SMALL), d.of(SMALL)]
            if form == 3:
                return 'a[b:c:d]', [a, d.of(SMALL + ['-2**70']), d.of(SMALL + ['2**70']), d.of(['1', '2', '-1', '-2', '0', 'None', '2**70'])]
            if form == 4:
                return 'a.__setitem__(b, c), a', [a, d.of(SMALL + ['slice(0, 2)', 'slice(None, None, 2)', "'a'"]), d.of(['9', "'z'", '[7, 8]', "b'q'", '(1,)'])]
            return 'a.__delitem__(b), a', [a, d.of(SMALL + ['slice(0, 2)', "'a'", 'slice(None, None, 2)'])]
        samples.keep('operators', left + ' subscript', index, 14 * scale, 5 * scale, 120 * scale)

        def one(d):
            form = d.of(['-a', '+a', '~a', 'not a', 'bool(a)', 'str(a)', 'repr(a)', 'len(a)', 'abs(a)', 'int(a)', 'float(a)', 'complex(a)', 'list(a)',
                         'tuple(a)', 'sorted(a)', 'sum(a)', 'min(a)', 'max(a)', 'any(a)', 'all(a)', 'round(a)', 'round(a, 1)', 'round(a, -1)', 'bytes(a)', 'set(a)',
                         'dict(a)', 'type(a).__name__', 'list(reversed(a))', 'list(enumerate(a, 1))', 'iter(a)', 'next(iter(a))', 'hash(a) == hash(a)', 'ascii(a)', '[*a]',
                         '{**a}', 'a == a', 'a is a', 'callable(a)', 'divmod(a, 3)', 'divmod(a, -2.5)', 'f"{a!r:>8}"', 'f"{a}"', 'a.__class__.__mro__[1:]', 'bin(a)', 'hex(a)', 'chr(a)', 'ord(a)'])
            return form, [d.of(pool)]
        samples.keep('operators', left + ' of one', one, 30 * scale, 8 * scale, 160 * scale)
    numbers = INTS + FLOATS + COMPLEX

    def power(d):
        form = d.below(4)
        if form == 0:
            return 'a ** b', [d.of(['0', '1', '-1', '2', '10', '-3', '0.5', '-0.0', '0.0', 'inf', '-inf', 'nan', '-8', '1j', '2.5', 'True']),
                              d.of(['0', '1', '2', '-1', '-2', '0.5', '3', 'inf', '-inf', 'nan', '0.0', '70', '1j', '-0.5', '1/3'])]
        if form == 1:
            return 'pow(a, b, c)', [d.of(['3', '-3', '2', '7', '10**20']), d.of(['2', '-1', '0', '10**9', '3']), d.of(['5', '-5', '1', '0', '7', '6', '1.0'])]
        if form == 2:
            return 'a << b', [d.of(INTS), d.of(['0', '1', '3', '64', '-1', '100', 'True', '1.0'])]
        return 'a >> b', [d.of(INTS), d.of(['0', '1', '3', '64', '-1', '2**70', 'True', '1.0'])]
    samples.keep('operators', 'power and shifts', power, 130 * scale, 25 * scale, 1500 * scale)

    def rounding(d):
        return 'round(a, b)', [d.of(numbers), d.of(['0', '1', '2', '-1', '-2', 'None', '5', '300', '-300', '1.0'])]
    samples.keep('operators', 'round', rounding, 60 * scale, 6 * scale, 600 * scale)

    def reading(d):
        text = d.of(["'12'", "' 12 '", "'1_000'", "'0x1f'", "'-0b11'", "'1__0'", "''", "'+'", "'1.5'", "'1e5'", "'inf'", "'-Infinity'", "'nan'", "'1e400'", "'.5'", "'5.'",
                     "'_1'", "'\\u0663'", "'1+2j'", "'j'", "'(1-2j)'", "'1 + 2j'", "b'12'", "'0o17'", "'z'", "'1e'", "'0x1.8p3'", "'9' * 25", "'infinity'", "'1e-400'"])
        form = d.of(['int(a)', 'int(a, 0)', 'int(a, 16)', 'int(a, 36)', 'int(a, 2)', 'float(a)', 'complex(a)', 'int(a, base=37)', 'int(a, -1)', 'float.fromhex(a)'])
        return form, [text]
    samples.keep('operators', 'numbers from text', reading, 90 * scale, 60 * scale, 1500 * scale)


def formats(samples, scale):
    def spec(d):
        fill = d.of(['', '', '', '<', '>', '^', '=', '*<', 'x>', '0=', '_^'])
        return fill + d.of(['', '', '+', '-', ' ']) + d.of(['', '', '', 'z']) + d.of(['', '', '', '#']) + d.of(['', '', '0']) + d.of(['', '8', '12', '3']) + \
            d.of(['', '', ',', '_']) + d.of(['', '', '.0', '.2', '.10', '.3']) + d.of(['', 'd', 'f', 'e', 'g', 'G', 'E', 'F', '%', 's', 'x', 'X', 'b', 'o', 'c', 'n'])

    def draw(d):
        value = d.of(d.of([INTS, FLOATS, STRS[:6], COMPLEX[:3], INTS, FLOATS]))
        if d.chance(10):
            value = d.of(d.of([LISTS, TUPLES, OTHERS[:2], BYTES]))
        return d.of(['format(a, %r)', "f'{a:%s}'", "'{:%s}'.format(a)"]) .replace('%r', repr(spec(d))).replace('%s', spec(d)), [value]
    samples.keep('formats', 'format', draw, 420 * scale, 60 * scale, 4000 * scale)

    def percent(d):
        spec = '%' + d.of(['', '', '-', '+', ' ', '#', '0', '-0', '+0']) + d.of(['', '', '8', '3', '*']) + d.of(['', '', '.2', '.0', '.10', '.*', '.']) + d.of(['', '', 'l']) + \
            d.of(['d', 'i', 'u', 'f', 'e', 'g', 'G', 'E', 'x', 'X', 'o', 's', 'r', 'a', 'c', '%', 'q', 'b', 'F'])
        stars = ['5'] * spec.count('*')
        value = d.of(d.of([INTS, FLOATS, STRS[:6], COMPLEX[:2], LISTS[:3]]))
        quote = 'b' if d.chance(8) else ''
        return '%s%r %% (%s,)' % (quote, '<%s>' % spec, ', '.join(stars + ['a'])), [value]
    samples.keep('formats', 'percent', percent, 220 * scale, 50 * scale, 2500 * scale)

    def fields(d):
        text = d.of(['{}', '{0}', '{1} {0}', '{a}', '{0[1]}', '{0.real}', '{0!r}', '{0!s:>5}', '{:{}}', '{0:{1}}', '{{}}', '{', '}', '{0', '{!x}', '{0[a]}', '{} {0}', '{2}', '{a.b}', '{:>{w}}', '{0!a}'])
        given = d.of(['1', "'x', 5", '[1, 2], 3', "{'a': 1}", '1.5', "'\\u00e9'", '', '1, 2'])
        named = d.of(['', '', 'a=1', 'w=4', 'a=1j'])
        return '%r.format(%s)' % (text, ', '.join(p for p in [given, named] if p)), []
    samples.keep('formats', 'str.format fields', fields, 60 * scale, 30 * scale, 900 * scale)


def mathematics(samples, scale):
    reals = FLOATS + INTS[:8] + ['0.7', '-0.3', '1e-300', '710.0', '-745.2', '170.0', '171.7', '1e308', '25.0', '4', '20', "'x'", 'None', '1j', '10**400']
    for name in sorted(dir(math)):
        if not callable(getattr(math, name)) or not samples.knows('math.' + name):
            continue
        if name in ('comb', 'perm', 'factorial'):
            pool = ['0', '1', '5', '10', '20', '3', '-1', '2.0', '2.5', 'True', "'a'", '60']
        elif name in ('gcd', 'lcm', 'isqrt'):
            pool = INTS + ['12', '18', '2.0']
        else:
            pool = reals

        def draw(d):
            n = d.weighted([(6, 1), (4, 2), (1, 3), (1, 0)])
            if name in ('fsum', 'prod', 'dist', 'sumprod'):
                sequences = LISTS + TUPLES + ['[1e16, 1.0, -1e16]', '[0.1] * 10', '[inf, -inf]', '(1.0, 2.5)', '(0.0, -1.0)', '[2**70, 3]']
                return 'math.%s(%s)' % (name, ', '.join('ab'[:n % 3])), [d.of(sequences) for _ in 'ab'[:n % 3]]
            given = ['a', 'b', 'c'][:n]
            extra = ', rel_tol=1e-3' if name == 'isclose' and d.chance(40) else ''
            return 'math.%s(%s%s)' % (name, ', '.join(given), extra), [d.of(pool) for _ in given]
        samples.keep('math', 'math.' + name, draw, 12 * scale, 4 * scale, 260 * scale)
    for name in sorted(dir(operator)):
        if name.startswith('_') or not samples.knows('operator.' + name) or name in ('pow', 'ipow', 'lshift', 'ilshift', 'mul', 'imul'):
            continue

        def draw(d):
            n = d.weighted([(3, 1), (6, 2), (1, 3)])
            if name in ('itemgetter', 'attrgetter', 'methodcaller'):
                return 'operator.%s(%s)(b)' % (name, d.of(['0', '1, 0', "'real'", "'upper'", "'index', 1", 'a'])), ['0', any_of(d, ANY)]
            return 'operator.%s(%s)' % (name, ', '.join('abc'[:n])), [any_of(d, ANY[:12] if d.chance(60) else [INTS, FLOATS]) for _ in range(n)]
        samples.keep('math', 'operator.' + name, draw, 6 * scale, 2 * scale, 120 * scale)


FUNCTIONS = ['None', 'lambda x: x', 'lambda x, y: x', 'len', 'str', 'bool', 'lambda x: -x', 'lambda x, y: (x, y)', 'operator.add', 'lambda x: x > 1', 'max']
SEQUENCES = LISTS + TUPLES + STRS[:4] + RANGES[:4] + ITER + SETS[:2] + DICTS[:2] + ['5', 'None']


def iteration(samples, scale):
    for name in sorted(dir(itertools)):
        if name.startswith('_') or not samples.knows('itertools.' + name):
            continue

        def draw(d):
            n = d.weighted([(5, 1), (6, 2), (3, 3), (1, 0)])
            given = [d.of(d.of([SEQUENCES, SEQUENCES, SMALL, FUNCTIONS])) for _ in range(n)]
            text = list('abc'[:n])
            if d.chance(25):
                text.append(d.of(['repeat=2', 'fillvalue=0', 'key=lambda x: x', 'initial=10', 'func=max', 'step=2', 'times=2', 'r=2', 'strict=True']))
            whole = 'taken(itertools.%s(%s), 10)' % (name, ', '.join(text))
            if name == 'groupby':
                whole = '[(k, list(v)) for k, v in itertools.groupby(%s)]' % ', '.join(text)
            return whole, given
        samples.keep('iteration', 'itertools.' + name, draw, 14 * scale, 4 * scale, 400 * scale)
    for name in sorted(dir(builtins)):
        if name.startswith('_') or not samples.knows('builtins.' + name) or not callable(getattr(builtins, name)):
            continue
        if name in ('input', 'open', 'exit', 'quit', 'help', 'breakpoint', 'eval', 'exec', 'compile', 'globals', 'locals', 'vars', 'dir', 'id', 'hash', 'print', 'copyright', 'credits',
                    'license', 'memoryview', 'pow', 'super', 'object', 'type', 'aiter', 'anext', 'bytes', 'bytearray', 'KeyboardInterrupt', 'SystemExit', 'GeneratorExit', 'BaseException'):
            continue

        def draw(d):
            n = d.weighted([(5, 1), (5, 2), (3, 3), (1, 0)])
            given = [d.of(d.of([SEQUENCES, SEQUENCES, SMALL, FUNCTIONS, INTS, FLOATS, STRS, OTHERS])) for _ in range(n)]
            text = list('abc'[:n])
            if d.chance(25):
                text.append(d.of(['key=lambda x: x', 'default=7', 'key=str', 'reverse=True', 'start=10', 'strict=True', 'base=16', 'ndigits=1', 'nonsense=1']))
            return 'taken(x) if hasattr(x := %s(%s), "__next__") else x' % (name, ', '.join(text)), given
        error = isinstance(getattr(builtins, name), type) and issubclass(getattr(builtins, name), BaseException)
        samples.keep('iteration', 'builtins.' + name, draw, (2 if error else 16) * scale, (1 if error else 6) * scale, (20 if error else 500) * scale)
    fixed = {
        'functools.reduce': ['functools.reduce(operator.add, a)', 'functools.reduce(operator.add, a, 10)', 'functools.reduce(lambda x, y: [x, y], a)', 'functools.reduce(max, a, 0)'],
        'functools.partial': ['functools.partial(max, a)(0)', 'functools.partial(sorted, reverse=True)(a)', 'functools.partial(divmod, 7)(2)', 'functools.partial(int, base=2)("101")',
                              'functools.partial(max, 1).args', 'functools.partial(int, base=2).keywords', 'functools.partial(functools.partial(max, 1), 2)(a)'],
        'functools.cmp_to_key': ['sorted(a, key=functools.cmp_to_key(lambda x, y: (y > x) - (y < x)))'],
        'sorted': ['sorted(a, key=lambda x: -x)', 'sorted(a, reverse=True)', 'sorted(a, key=str)', 'sorted(a, key=len)'],
        'collections.Counter': ['collections.Counter(a)', 'collections.Counter(a).most_common()', 'collections.Counter(a) + collections.Counter(a)', 'collections.Counter(a) - collections.Counter([1])',
                                'collections.Counter(a) & collections.Counter([1, 1])', 'collections.Counter(a) | collections.Counter("abb")', 'sorted(collections.Counter(a).elements())',
                                'collections.Counter(a).total()', '-collections.Counter(a)', 'collections.Counter(a) == {1: 1}', 'collections.Counter(a)["zz"]', 'collections.Counter(a).most_common(1)',
                                'collections.Counter(a) <= collections.Counter(a)', '(lambda c: (c.subtract([1]), c))(collections.Counter(a))', '(lambda c: (c.update(a), c))(collections.Counter(a))'],
        'collections.deque': ['collections.deque(a)', 'collections.deque(a, 2)', 'collections.deque(a, maxlen=1)', '(lambda q: (q.rotate(1), q))(collections.deque(a))', 'collections.deque(a)[0]', 'collections.deque(a)[-1]',
                              'collections.deque(a)[1:]', 'collections.deque(a) + collections.deque([9])', 'collections.deque(a) * 2', 'collections.deque(a).count(1)', 'collections.deque(a).index(2)', '(lambda q: (q.appendleft(0), q))(collections.deque(a, 2))',
                              '(lambda q: (q.extendleft(a), q))(collections.deque([0]))', '(lambda q: (q.insert(1, 7), q))(collections.deque(a))', '(lambda q: (q.remove(1), q))(collections.deque(a))', 'collections.deque(a) < collections.deque([2])',
                              '(lambda q: (q.pop(), q.popleft(), q))(collections.deque(a))', '1 in collections.deque(a)', 'repr(collections.deque(a, 3))', 'collections.deque(a, -1)', '(lambda q: (q.reverse(), q))(collections.deque(a))', 'collections.deque(a) == a'],
        'collections.OrderedDict': ['collections.OrderedDict.fromkeys(a)', '(lambda d: (d.move_to_end(1), d))(collections.OrderedDict.fromkeys(a))', '(lambda d: (d.popitem(False), d))(collections.OrderedDict.fromkeys(a))', 'collections.OrderedDict([(1, 2)]) == {1: 2}',
                                    'repr(collections.OrderedDict.fromkeys(a, 0))', 'list(reversed(collections.OrderedDict.fromkeys(a)))', '(lambda d: (d.move_to_end(2, last=False), d))(collections.OrderedDict.fromkeys(a))', 'collections.OrderedDict.fromkeys(a) | {5: 6}'],
        'collections.defaultdict': ['(lambda d: ([d[x] for x in a], d))(collections.defaultdict(int))', '(lambda d: ([d[x].append(x) for x in a], d))(collections.defaultdict(list))', 'collections.defaultdict(None)[1]', 'collections.defaultdict(1)', 'repr(collections.defaultdict(int, {1: 2}))',
                                    'collections.defaultdict(int, {1: 2}) | {3: 4}', 'collections.defaultdict(int).get(1)'],
        'collections.ChainMap': ['collections.ChainMap({1: 2}, {1: 3, 4: 5})[1]', 'list(collections.ChainMap({1: 2}, {4: 5}))', 'collections.ChainMap({1: 2}).new_child({1: 9})[1]', 'len(collections.ChainMap({1: 2}, {1: 3}))'],
        'collections.namedtuple': ['collections.namedtuple("P", "x y")(1, a)', 'collections.namedtuple("P", "x y", defaults=[5])(a)', 'collections.namedtuple("P", ["x", "y"])(1, 2)._replace(x=a)', 'collections.namedtuple("P", "x y")(1, 2)._asdict()', 'collections.namedtuple("P", "x y")(1)',
                                   'collections.namedtuple("P", "x x")', 'collections.namedtuple("P", "class y", rename=True)._fields', 'collections.namedtuple("P", "x y")(1, 2) == (1, 2)', 'collections.namedtuple("P", "x y")(1, 2) + (3,)', 'collections.namedtuple("P", "_x")', 'collections.namedtuple("P", "x y")._make(a)'],
        'statistics': ['statistics.mean(a)', 'statistics.median(a)', 'statistics.mode(a)', 'statistics.pstdev(a)', 'statistics.stdev(a)', 'statistics.variance(a)', 'statistics.median_low(a)', 'statistics.median_high(a)', 'statistics.fmean(a)', 'statistics.multimode(a)',
                       'statistics.harmonic_mean(a)', 'statistics.geometric_mean(a)', 'statistics.quantiles(a)', 'statistics.pvariance(a)'],
        'fractions.Fraction': ['fractions.Fraction(a[0], a[1])', 'fractions.Fraction("3/4") + a[0]', 'fractions.Fraction(0.5) * a[0]', 'fractions.Fraction(str(a[0]))', 'round(fractions.Fraction(7, 2))', 'fractions.Fraction(1, 0)', 'fractions.Fraction(7, 3) // a[0]', 'fractions.Fraction(-7, 3) % 2', 'float(fractions.Fraction(a[1], 3))',
                               'fractions.Fraction(a[0], 3).limit_denominator(2)', 'fractions.Fraction(a[0], 3) < 0.5', 'hash(fractions.Fraction(4, 2)) == hash(2)', 'fractions.Fraction("x")', 'fractions.Fraction(1, 3) ** a[0]', '-fractions.Fraction(a[0], -6)', 'repr(fractions.Fraction(a[0], 4))', 'fractions.Fraction(nan)'],
    }
    for key, forms in fixed.items():
        def draw(d):
            form = d.of(forms)
            return form, [d.of(LISTS + TUPLES + STRS[:3] + ['[2, 2, 1]', '[1.5, 2.5, 0.5]', '[1, 2, 2, 3, 3]', 'range(5)', '5'])]
        samples.keep('iteration', key, draw, 3 * len(forms) * scale, len(forms) * scale, 60 * len(forms) * scale)


def text_modules(samples, scale):
    patterns = ['a', 'a+', '(a)(b)?', '[a-c]+', r'\d+', r'(?P<n>\w+)=(?P<v>\d*)', '^a', 'c$', '.*?b', '(?i)ABC', r'\bfoo\b', 'a|b', '(?:ab)+', '(?=b)', '(?<!a)b', r'\s+', '[^,]+', '', '(', 'a{2}', 'a{1,2}?',
                '*', '[z-a]', r'(\w)\1', '(?m)^x', '(?s).+', r'\.', 'x*', r'(a)|(b)', r'[\w.]+@[\w.]+', '(?x) a  b', r'\Z', '(?P<n>a)(?P<n>b)', r'\u00e9', '(?<=a)b+', '(a*)*', 'a++', r'\w{3,}', '[]a]', '[a', 'a)']
    texts = ['', 'a', 'abc', 'aabbcc', 'x=12, y=', 'foo foobar', 'a,b,,c', 'ABC abc', 'line\\nxx\\n', 'me@x.org', 'aaab', 'abab', '  sp  ', 'caf\u00e9', '1 22 333', 'xx']
    forms = ['re.findall(P, a)', 're.search(P, a).group()', 're.search(P, a).groups()', 're.search(P, a).span()', 're.match(P, a)', 're.fullmatch(P, a)', 're.sub(P, "-", a)', 're.sub(P, r"<\\g<0>>", a)', 're.split(P, a)', 're.split(P, a, 1)',
             '[m.span() for m in re.finditer(P, a)]', 're.search(P, a).groupdict()', 're.subn(P, "", a)', 're.compile(P).groups', 're.compile(P).pattern', 're.sub(P, lambda m: m.group().upper(), a)', 're.findall(P, a, re.I)', 're.compile(P, re.M).findall(a)', 're.match(P, a).end()',
             're.search(P, a)[0]', 're.sub(P, "x", a, count=1)', 're.compile(P).search(a, 1)', 're.search(P, a).lastgroup', 're.sub(P, r"\\1", a)', 're.compile(P).groupindex', 're.compile(P).fullmatch(a, 1, 3)']

    def draw(d):
        return d.of(forms).replace('P', repr(d.of(patterns))), [repr(d.of(texts)).replace('\\\\n', '\\n')]
    samples.keep('text', 're', draw, 420 * scale, 60 * scale, 3000 * scale)
    values = LISTS + TUPLES + DICTS + STRS + INTS + FLOATS + ['None', '{"a": [1, {"b": None}], "c": 1.5}', '[[]]', '{1, 2}', 'b"x"', '{"b": 1, "a": 2}', '{(1, 2): 3}', '[1e100, -0.0]', '{1.5: 2, None: 3, True: 4}']

    def dumps(d):
        return 'json.dumps(a%s)' % d.of(['', '', ', indent=2', ', sort_keys=True', ', separators=(",", ":")', ', ensure_ascii=False', ', allow_nan=False', ', default=str', ', skipkeys=True', ', indent="-"']), [d.of(values)]
    samples.keep('text', 'json.dumps', dumps, 90 * scale, 20 * scale, 900 * scale)

    def loads(d):
        return 'json.loads(a%s)' % d.of(['', '', '', ', parse_float=str', ', object_pairs_hook=list', ', parse_int=float']), [d.of(
            ["'1'", "'1.0'", "'-0'", "'[1, 2]'", "'{\"a\": 1}'", "'null'", "'true'", "'\"\\\\u00e9\"'", "'NaN'", "'-Infinity'", "''", "'[1,]'", "'{1: 2}'", "'01'", "'1e5'", "'[1 2]'", "' [ ] '", "'\"a\\nb\"'", "'{\"a\": 1, \"a\": 2}'", "'tru'",
             "'\"\\\\ud83d\\\\ude00\"'", "'{\"a\"}'", "'[}'", "b'[1]'", "'1 2'", "'\"x'", "'1E400'", "'12345678901234567890'", "'{\"a\": [1, {\"b\": null}]}'", "'\"\\\\x\"'", "5", "'-'", "'{\"a\": 1,}'", "'.5'"])]
    samples.keep('text', 'json.loads', loads, 50 * scale, 40 * scale, 700 * scale)

    def packs(d):
        form = d.of(['', '<', '>', '!', '=', '@']) + ''.join(d.of(['b', 'B', 'h', 'H', 'i', 'I', 'l', 'q', 'Q', 'f', 'd', 'e', '?', 'c', '3s', 'x', '2h', 'n', '5p', 'z']) for _ in range(1 + d.below(3)))
        if d.chance(25):
            return 'struct.calcsize(%r)' % form, []
        if d.chance(35):
            return 'struct.unpack(%r, a)' % form, [d.of(["b'\\x01\\x02\\x03\\x04'", "b'\\xff' * 8", "b''", "b'\\x00\\x3c'", "b'abc'", "bytes(range(16))"])]
        n = d.below(4)
        return 'struct.pack(%s)' % ', '.join([repr(form)] + list('abc'[:n])), [d.of(INTS[:9] + FLOATS + ["b'a'", "b'abcdef'", "'a'", 'None']) for _ in range(n)]
    samples.keep('text', 'struct', packs, 200 * scale, 60 * scale, 6000 * scale)

    dates = ['datetime.date(2024, 2, 29)', 'datetime.date(1999, 12, 31)', 'datetime.datetime(2024, 1, 31, 23, 59, 59, 999999)', 'datetime.datetime(2000, 1, 1)', 'datetime.timedelta(days=1, seconds=-1)', 'datetime.timedelta(hours=36, microseconds=7)',
             'datetime.time(12, 30, 5)', 'datetime.timedelta(0)', 'datetime.datetime(2024, 3, 10, 12, tzinfo=datetime.timezone.utc)', 'datetime.timedelta(days=-1)', 'datetime.date(1, 1, 1)', 'datetime.datetime(9999, 12, 31)', 'datetime.timezone(datetime.timedelta(hours=-5))']
    forms = ['a + b', 'a - b', 'a < b', 'a == b', 'str(a)', 'repr(a)', 'a.isoformat()', 'a.strftime("%Y-%m-%d %H:%M:%S")', 'a.weekday()', 'a.isocalendar()', 'a.toordinal()', 'a.replace(day=1)', 'a.total_seconds()', 'a.days', 'a * 2', 'a / b', 'a // b', 'a % b', 'a.date()',
             'a.timetuple()[:6]', 'a.strftime("%j %U %a %b %p %I %y")', 'a.isoformat(" ")', 'abs(a)', '-a', 'bool(a)', 'a.replace(month=13)', 'divmod(a, b)', 'a.ctime()', 'a / 2', 'a.microseconds', 'a.utcoffset()', 'a.astimezone(datetime.timezone.utc)', 'a.time()', 'f"{a:%d.%m.%y}"', 'a.tzname(None)', 'a > b', 'a != b', 'a.isoweekday()',
             'datetime.date.fromisoformat("2024-02-30")', 'datetime.datetime.fromisoformat("2024-02-03T04:05:06.5")', 'datetime.datetime.strptime("03/04/21", "%d/%m/%y")', 'datetime.datetime.strptime("x", "%Y")', 'datetime.date.fromordinal(738000)', 'datetime.datetime.fromisoformat("20240203")', 'datetime.timedelta(weeks=1.5)', 'datetime.time.fromisoformat("04:05")',
             'datetime.date(2023, 2, 29)', 'datetime.timedelta(days=10**10)', 'datetime.datetime.combine(datetime.date(2020, 1, 1), datetime.time(1))', 'datetime.datetime(2020, 1, 1, 25)']

    def draw_date(d):
        return d.of(forms), [d.of(dates), d.of(dates)]
    samples.keep('text', 'datetime', draw_date, 260 * scale, 70 * scale, 3000 * scale)
    draws = ['random.random()', 'random.randint(a, 9)', 'random.randrange(a, 20, 3)', 'random.choice([1, 2, 3])', 'random.choices("abc", k=a)', 'random.choices([1, 2], [1, 5], k=4)', 'random.sample(range(10), a)', 'random.uniform(a, 5)', 'random.gauss(0, a)', 'random.normalvariate(a, 1)',
             'random.betavariate(a, 2)', 'random.expovariate(a)', 'random.triangular(0, a, 1)', 'random.getrandbits(a * 10)', 'random.gammavariate(a, 1.5)', 'random.lognormvariate(0, 1)', 'random.vonmisesvariate(a, 1)', 'random.paretovariate(a)', 'random.weibullvariate(1, a)', '(lambda x: (random.shuffle(x), x))([1, 2, 3, 4])',
             'random.Random(a).random()', '[random.Random(a).randint(0, 100) for _ in range(2)]', 'random.randbytes(a)', 'random.seed("x"), random.random()', 'random.choice([])', 'random.sample([1], a)', 'random.Random(a).sample("abcdef", 3)', 'random.seed(a), random.random()', 'random.randrange(a)', 'random.sample([1, 2], counts=[2, 1], k=2)']

    def draw_random(d):
        return d.of(draws), [d.of(['1', '2', '3', '0', '-1', '1.5', '7'])]
    samples.keep('text', 'random', draw_random, 90 * scale, 25 * scale, 900 * scale)
    for name in ['capwords', 'Template']:
        if samples.knows('string.' + name):
            def draw_string(d):
                if name == 'capwords':
                    return 'string.capwords(a%s)' % d.of(['', ', "a"']), [d.of(STRS)]
                return 'string.Template(a).%s' % d.of(['substitute(x=1)', 'safe_substitute(x=1)', 'substitute()']), [d.of(["'$x'", "'${x}y'", "'$$'", "'$'", "'$y $x'", "'a'"])]
            samples.keep('text', 'string.' + name, draw_string, 12 * scale, 4 * scale, 100 * scale)


def surrogates(samples, scale):
    forms = ['a', 'a + "x"', 'len(a)', 'a.encode()', 'a == "\\ufffd"', 'a.encode("utf-8", "surrogatepass")', 'ord(a)', 'a.upper()', 'chr(0xd800)', 'json.dumps(a)', 'b"\\xff".decode("utf-8", "surrogateescape")']

    def draw(d):
        return d.of(forms), ["'\\ud800'"]
    samples.keep('text', 'lone surrogates', draw, 8 * scale, 4 * scale, 80 * scale)


def make(samples, scale):
    surrogates(samples, scale)
    methods(samples, scale)
    operators(samples, scale)
    formats(samples, scale)
    mathematics(samples, scale)
    iteration(samples, scale)
    text_modules(samples, scale)
