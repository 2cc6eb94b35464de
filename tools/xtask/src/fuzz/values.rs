//! Expressions over Python's own values, to evaluate as CPython does.

use super::expressions::{Language, Rule};

macro_rules! rules {
    ($($name:literal: [$($leaf:literal),* $(,)?], [$($form:literal),* $(,)?];)*) => {
        &[$(Rule { name: $name, leaves: &[$($leaf),*], forms: &[$($form),*] },)*]
    };
}

/// `v` any value but a set, `i` int, `f` float, `s` text, `b` bytes, `l` list of ints, `w` list of texts, `t` tuple,
/// `d` dict, `e` set, `c` bool. Nothing grows beyond what a machine holds, and no set is shown in its own order.
pub const LANGUAGE: Language = Language {
    rules: rules! {
        'v': ["None", "k", "f", "s", "l", "d", "()", "Ellipsis", "P(k, n)", "3j"],
            ["$i", "$f", "$s", "$b", "$l", "$w", "$t", "$d", "$c", "sorted($e)", "$v + $v", "$v[$i]", "$v[$v]", "$v < $v",
             "len($v)", "-$v", "$v - $v", "$v / $v", "$v // $v", "$v & $v", "$v ** 2", "$v.name", "$v()", "int($v)", "float($v)",
             "list($v)", "tuple($v)", "sum($v)", "max($v, $v)", "max($v)", "dict($v)", "type($v).__name__", "$v if $c else $v",
             "$v or $v", "$v and $v", "[*$v]", "abs($v)", "round($v)", "next(iter($v))", "getattr($v, 'real', $v)",
             "$v[$i:$i]", "sorted($v)", "bool($v)", "str($v)", "divmod($v, $v)", "reduce(lambda p, q: p + q, $v)",
             "callable($v)", "isinstance($v, (int, str))", "$v in $v", "complex($v)", "$v == $v", "~$v",
             "[q for q in $v]", "{q: 1 for q in $v}", "list(zip($v, $l))", "list(enumerate($v))", "any($v)", "all($v)",
             "Fraction($i, 7)", "min($v, key=str)", "list(map(str, $v))", "list(chain($v, $v))",
             "list(accumulate($l))", "Counter($s).most_common(2)", "$v is None", "bytes($v)", "hex($v)", "ord($v)", "chr($v)"];
        'i': ["0", "1", "-1", "2", "7", "255", "10 ** 20", "n", "k", "-n", "True", "i"],
            ["$i + $i", "$i - $i", "$i * $i", "$i // $i", "$i % $i", "$i ** 2", "$i ** -1", "$i << 5", "$i >> 1", "$i & $i", "$i | $i",
             "$i ^ $i", "~$i", "-$i", "abs($i)", "divmod($i, $i)[0]", "divmod($i, $i)[1]", "len($s)", "len($l)", "$l[$i]", "sum($l)",
             "max($l)", "min($l, default=5)", "int($f)", "int($s)", "int($s, 16)", "round($f)", "ord($s[:1])", "$s.find($s)",
             "$s.rfind($s)", "$s.count($s)", "$s.index($s)", "$l.index($i)", "$l.count($i)", "$i.bit_length()", "$i.bit_count()",
             "hash($i)", "pow($i, 3, 7)", "pow($i, -1, 7)", "math.gcd($i, 12)", "math.isqrt($i)", "math.comb(9, k)", "$b[0]",
             "int.from_bytes($b, 'big')", "$i.numerator", "len($d)", "len($e)", "math.floor($f)", "math.ceil($f)", "$d[$s]",
             "$d.get($s, 4)", "$d.pop($s, 3)", "operator.index($v)", "round($i, -1)", "int($c)", "$i.conjugate()", "$t.index($i)",
             "$i if $c else $i", "reduce(operator.mul, $l, 1)", "len(range($i, 9))", "range(9)[$i]", "bisect.bisect($l, $i)"];
        'f': ["0.5", "-0.0", "1e300", "math.inf", "math.nan", "f", "2.5", "1e-7", "-1.5"],
            ["$f + $f", "$f - $f", "$f * $f", "$f / $f", "$f // $f", "$f % $f", "$f ** 2", "$f ** $f", "-$f", "abs($f)", "round($f, 2)",
             "round($f, k)", "float($i)", "float($s)", "$i / $i", "math.sqrt($f)", "math.fmod($f, $f)", "math.copysign($f, $f)",
             "math.log($f)", "math.hypot($f, $f)", "math.exp($f)", "math.sin($f)", "math.pow($f, $f)", "math.modf($f)",
             "math.frexp($f)", "math.ldexp($f, k)", "divmod($f, $f)", "max($f, $f)", "min($f, $i)", "$f.is_integer()",
             "$f.as_integer_ratio()", "$f.hex()", "float.fromhex('0x1.8p3')", "math.isclose($f, $f)", "math.fsum([$f, $f])",
             "sum([$f, $f])", "$i * $f", "$f + $i", "$f // $i", "math.trunc($f)", "math.atan2($f, $f)", "$f == $i", "$f < $i",
             "hash($f)", "math.degrees($f)", "math.remainder($f, 2)", "math.nextafter($f, 1)", "statistics.mean([$f, $f])"];
        's': ["''", "'a'", "'ab,c d'", "' x '", "'ÄßÉ'", "'12'", "'Hello World'", "s", "'a\\tb\\n'", "'x=1'"],
            ["$s + $s", "$s * k", "$s[$i]", "$s[$i:$i]", "$s[::-1]", "$s.upper()", "$s.lower()", "$s.title()", "$s.capitalize()",
             "$s.swapcase()", "$s.casefold()", "$s.strip()", "$s.lstrip($s)", "$s.rstrip($s)", "$s.replace($s, $s)",
             "$s.replace($s, $s, 1)", "$s.center(9, '*')", "$s.ljust(9)", "$s.rjust(9, $s)", "$s.zfill(5)", "$s.join($w)",
             "'{:>8}|{!r:^12}'.format($s, $v)", "'{0}{1}{0}'.format($i, $s)", "'{a}'.format(a=$v)", "format($i, ',')",
             "format($i, '+05d')", "format($i, '#x')", "format($i, 'b')", "format($i, '>6')", "format($f, '.3f')",
             "format($f, '8.2e')", "format($f, 'g')", "format($f, '%')", "format($f, ',.2f')", "format($f, '+')",
             "format($s, '*^9.2')", "format($v, '>9')", "'%5d|%-6s|%.2f' % ($i, $s, $f)", "'%s %r' % ($v, $v)", "'%x' % $i",
             "'%e|%g' % ($f, $f)", "str($v)", "repr($v)", "ascii($s)", "chr(97 + k)", "hex($i)", "oct($i)", "bin($i)",
             "$s.expandtabs(4)", "$s.removeprefix($s)", "$s.removesuffix($s)", "$s.translate(str.maketrans('abc', 'xyz'))",
             "','.join(map(str, $l))", "$s.partition(',')[0]", "$s.rpartition($s)[2]", "$b.decode('latin1')", "$b.hex()",
             "max($s)","f'{i:>4}{f:6.2f}{s!r}'", "textwrap.shorten($s, 8)", "re.sub('[a-c]', '_', $s)", "json.dumps($v)",
             "str($f)", "str($i)", "str(bytes(k))", "$d and min($d)", "string.capwords($s)", "$s % $i", "$s.format($i)"];
        'b': ["b''", "b'abc'", "b'\\x00\\xff'", "bytes(k)"],
            ["$s.encode()", "bytes($l)", "$b + $b", "$b[$i:$i]", "$b.upper()", "$b.replace(b'a', b'zz')", "$b * 2", "bytes.fromhex('ff00')",
             "$i.to_bytes(4, 'big')", "$i.to_bytes(2, 'little', signed=True)", "bytearray($b)", "$b.strip()", "$b[::-1]",
             "$b.split(b'b')", "$b.join([$b, $b])", "$s.encode('ascii')", "$b.find(b'c')", "$b.center(6, b'-')"];
        'l': ["[]", "[3, 1, 2]", "l", "[k]", "list(range(n))"],
            ["[$i, $i]", "$l + $l", "$l * 2", "$l[$i:$i]", "$l[::-1]", "$l[::2]", "sorted($l)", "sorted($l, reverse=True)",
             "sorted($l, key=lambda q: -q)", "list(range(k, 9, 2))", "[q * 2 for q in $l if q % 2]", "list(map(abs, $l))",
             "list($b)", "list(reversed($l))", "list($d.values())", "[*$l, $i]", "changed($l, $i)", "[q for p in [$l, $l] for q in p]",
             "list(filter(None, $l))", "list(islice($l, k))", "$l.copy()", "sorted($e)", "[p + q for p, q in zip($l, $l)]",
             "[*map(len, $w)]", "list(dict.fromkeys($l))", "heapq.nsmallest(2, $l)", "$l + $t", "[$l][0]", "$l if $c else $l"];
        'w': ["[]", "['b', 'a']", "[s]"],
            ["$s.split()", "$s.split($s)", "$s.split(',', 1)", "$s.rsplit(None, 1)", "$s.splitlines()", "list($s)", "sorted($s)",
             "[$s, $s]", "$w + $w", "sorted($w, key=len)", "[q.upper() for q in $w]", "$w[::-1]", "list($d)", "re.findall('[a-z]+', $s)",
             "re.split('[, ]', $s)", "[str(q) for q in $l]", "$w[$i:]", "list(map(str.strip, $w))", "sorted(set($w))"];
        't': ["()", "(1, 2)", "(k,)", "P(1, n)"],
            ["($i, $s)", "$t + $t", "$t * 2", "tuple($l)", "$t[$i:$i]", "divmod($i, $i)", "$s.partition($s)", "tuple($w)",
             "($t, $t)", "P($i, $i)", "tuple($d.items())", "tuple(q for q in $l)", "math.frexp($f)", "$t[::-1]", "P($i, 0)._replace(b=$i)",
             "P($i, $i)._asdict()", "next(zip($l, $w), ())"];
        'd': ["{}", "{'a': 1}", "d", "{'a': k, 'b': n}"],
            ["{$s: $i}", "{**$d, $s: $i}", "$d | $d", "dict(zip($w, $l))", "{q: len(q) for q in $w}", "dict(a=$i)", "dict.fromkeys($w, $i)",
             "{q: p for p, q in $d.items()}", "dict(sorted($d.items()))", "dict(Counter($s))", "vars(Q($i))", "$d.copy()",
             "{$i: $s, $i: $s}", "{$v: $v}", "dict($t)", "json.loads(json.dumps($d))"];
        'e': ["set()", "{1, 2}", "{k, n}", "frozenset([1])"],
            ["{$i, $i}", "set($l)", "$e | $e", "$e & $e", "$e - $e", "$e ^ $e", "$e.union($l)", "{q % 3 for q in $l}", "frozenset($l)",
             "set($t)", "$e.difference($l)", "$e.symmetric_difference($l)"];
        'c': ["True", "False", "n > 1", "not k"],
            ["$i < $i", "$i == $f", "$v == $v", "$v in $l", "$s in $s", "$s.startswith($s)", "$s.endswith(('a', $s))", "$s.isalpha()",
             "$s.isdigit()", "$s.isupper()", "$s.isspace()", "$s.isidentifier()", "$l < $l", "$t <= $t", "$t == $t", "$l == $l", "$d == $d",
             "isinstance($v, (int, str))", "not $v", "bool($v)", "any($l)", "all($l)", "$e <= $e", "$e == $e", "$c and $c", "$c or $c",
             "$v is None", "$i < $i < $i", "$s < $s", "$s == $s", "$b < $b", "$s != $s", "$v != $v", "$i in $e", "$i in $t", "$s in $d",
             "$e.isdisjoint($l)", "issubclass(bool, int)", "hasattr($v, 'append')", "math.isnan($f)", "$c ^ $c", "$c == $i", "$l is $l",
             "$i not in $l", "$s.istitle()", "$s.isalnum()", "$s.isprintable()", "$f < $f", "$f == $f", "$f >= $i"];
    },
    prologue: "\
import bisect, heapq, json, math, operator, re, statistics, string, textwrap
from collections import Counter, namedtuple
from fractions import Fraction
from functools import reduce
from itertools import accumulate, chain, islice
import torch

torch.manual_seed(0)
P = namedtuple('P', 'a b')


class Q:
    def __init__(self, v):
        self.v = v


def changed(l, v):
    l = list(l)
    l.append(v)
    l.insert(1, v)
    l.remove(v)
    l.extend([v, 0])
    del l[:1]
    l[1:1] = [v]
    l.reverse()
    l.pop(0)
    return l


def show(v):
    return repr(v)


",
    step: "    \
    s, f, l, d = 'ab,c d'[k:], n * 0.5 - 0.7, [k, n, 3], {'a': k, 'b': n}
",
};
