//! Programs that tier 1 compiles, construct by construct.

use crate::harness::agree;

/// Runs a program in all ways; the regions must have run as compiled code without a deopt.
fn compiled(source: &str, regions: &[&str]) {
    let ran = agree(source);
    for name in regions {
        let seen = ran.region(name);
        assert!(seen.ran > 0, "{name} did not run: {:?}", seen.refused);
        assert!(seen.left.is_empty(), "{name} was left: {:?}", seen.left);
    }
}

#[test]
fn mandelbrot_in_a_function() {
    compiled(
        "def f(w, h, most):
    total = 0
    for py in range(h):
        y0 = py / h * 2.0 - 1.0
        for px in range(w):
            x0 = px / w * 3.5 - 2.5
            zr = zi = 0.0
            n = 0
            while n < most and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + x0, 2.0 * zr * zi + y0
                n += 1
            total += n
    return total
for count in map(f, [20] * 5, range(10, 15), [30] * 5):
    print(count)
",
        &["f", "f:3", "f:5"],
    );
}

#[test]
fn mandelbrot_at_module_level() {
    compiled(
        "w, h, most = 20, 12, 30
total = 0
for py in range(h):
    y0 = py / h * 2.0 - 1.0
    for px in range(w):
        x0 = px / w * 3.5 - 2.5
        zr = zi = 0.0
        n = 0
        while n < most:
            if zr * zr + zi * zi > 4.0:
                break
            zr, zi = zr * zr - zi * zi + x0, 2.0 * zr * zi + y0
            n += 1
        total += n
print(total, py, px, zr, zi, n, x0, y0)
",
        &["<module>:3", "<module>:5"],
    );
}

#[test]
fn mandelbrot_with_complex() {
    compiled(
        "def escape(c, most):
    z = 0
    for n in range(most):
        if abs(z) > 2:
            return n
        z = z * z + c
    return most
def square(c, most):
    z = 0j
    n = 0
    while n < most and z.real ** 2 + z.imag ** 2 < 4:
        z = z ** 2 + c
        n += 1
    return n, z
def main():
    total = 0
    for y in range(12):
        for x in range(20):
            c = complex(x / 20 * 3.5 - 2.5, y / 12 * 2.0 - 1.0)
            total += escape(c, 30)
            n, z = square(c, 20)
            total += n
            total += z.real
    return total
print(main())
print(main())
print(-(1+2j), 1j == 1j, 1j != 2j, not 0j)
",
        &["main:18"],
    );
}

#[test]
fn arithmetic_of_ints() {
    compiled(
        "def f(a, b):
    return (a + b, a - b, a * b, a // b, a % b, a / b, a & b, a | b, a ^ b, a << (b & 7), a >> (b & 7), -a, +a, ~a,
            a ** 2, a < b, a <= b, a == b, a != b, a > b, a >= b, abs(a), min(a, b), max(a, b, 3), divmod(a, b))
for a in range(-9, 10):
    for b in (-7, -4, -3, -2, -1, 1, 2, 3, 4, 8, 9):
        print(*map(f, [a], [b]))
",
        &["f"],
    );
}

#[test]
fn arithmetic_of_floats() {
    compiled(
        "import math
def f(a, b):
    return (a + b, a - b, a * b, a / b, a // b, a % b, -a, +a, abs(a), a < b, a <= b, a == b, a != b, a > b,
            a >= b, min(a, b), max(a, b), a ** 2, int(a), float(b), bool(a), not a, round(a), round(a, 2),
            math.floor(a), math.sin(a), math.atan2(a, b), math.isnan(a), math.sqrt(a * a), math.exp(b))
for a in (0.0, -0.0, 1.5, -2.25, 1e-300, 3.7, 12345.678, -7.5):
    for b in (0.5, -0.75, 3.0, -2.0):
        print(*map(f, [a], [b]))
def mixed(a, b):
    return (a + b, b - a, a * b, a / b, a < b, b == a, a // b, a % b)
for a in range(-4, 5):
    for b in (0.5, -0.75, 3.0, -2.0):
        print(mixed(a, b), mixed(b, a or 1), mixed(True, b))
",
        &["f"],
    );
}

#[test]
fn control_flow() {
    compiled(
        "def f(n):
    total = 0
    for i in range(n):
        if i % 3 == 0 and i % 2 == 0 or i == 7:
            total += 1
        elif not i % 5:
            total += 2 if i > 10 else 3
        else:
            total += (i and 4) + (i > 3)
        if i % 11 == 10:
            continue
        for j in range(i, 0, -2):
            if j == 4:
                break
            total += j
        else:
            total -= 1
        while total > 1000:
            total -= 7
            if total % 2:
                break
        x = None if i % 2 else i
        if x is not None and x > 2:
            total += x
        if x is None:
            total += 1
    return total
for total in map(f, range(0, 60, 3)):
    print(total)
",
        &["f", "f:3"],
    );
}

#[test]
fn lists() {
    compiled(
        "def f(a, n):
    out = 0
    for i in range(n):
        a[i] = a[i - 1] + a[-1] - i
        out += a[i] + len(a)
    for x in a:
        out += x
    if a:
        out += 1
    return out
for i in range(6):
    a = list(range(10 + i))
    print(*map(f, [a], [10]), a)
def matmul(a, b, c, n):
    for i in range(n):
        for j in range(n):
            s = 0
            for k in range(n):
                s += a[i][k] * b[k][j]
            c[i][j] = s
for i in range(5):
    a = [[x * y * 0.5 for x in range(6)] for y in range(6)]
    b = [[x - y for x in range(6)] for y in range(6)]
    c = [[None] * 6 for _ in range(6)]
    print(*map(matmul, [a], [b], [c], [6]))
    print(c)
def sieve(flags, n, primes):
    i = 2
    while i <= n:
        if flags[i]:
            primes.append(i)
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    return len(primes)
for count in map(sieve, [[True] * (n + 1) for n in range(20, 200, 30)], range(20, 200, 30), [[] for _ in range(6)]):
    print(count)
def mixed(a):
    total = 0
    for x in a:
        total = total + x
    return total
print([*map(mixed, [[1, 2.5, 3, True, 4.5]] * 5)])
def pairs(a):
    total = 0
    for x, y in a:
        total += x * y
    return total
for total in map(pairs, [[[1, 2], [3, 4]]] * 5):
    print(total)
",
        &["f", "matmul", "sieve", "mixed", "pairs", "matmul:15"],
    );
}

#[test]
fn calls() {
    compiled(
        "def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
print(fib(15), fib(16))
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
def half(x):
    return x / 2
def swap(a, b):
    return b, a
def maybe(n):
    if n % 2:
        return None
    return n
total = 0
for i in range(60):
    a, b = swap(i, half(i))
    total += a * b + even(i)
    m = maybe(i)
    if m is not None:
        total += m
print(total)
",
        &["fib", "<module>:19"],
    );
}

#[test]
fn globals_are_read_and_written() {
    compiled(
        "LIMIT = 5
count = 0
def bump(n):
    global count
    count += n
    return count
def over(x):
    return x > LIMIT
def f(n):
    t = 0
    for i in range(n):
        if over(i):
            t += bump(i)
    return t
for t in map(f, range(30)):
    print(t, count)
seen = 0
for i in range(200):
    seen += i
    if over(i):
        bump(1)
print(seen, count, i)
",
        &["f", "<module>:18"],
    );
}

#[test]
fn generators_are_resumed_and_class_bodies_left_alone() {
    let ran = agree(
        "def outer(k):
    def inner(x):
        return x * k
    return inner
f = outer(3)
def gen(n):
    for i in range(n):
        yield i * 2
total = 0
for i in range(50):
    total += f(i)
    for j in gen(3):
        total += j
print(total)
class A:
    total = 0
    for i in range(100):
        total += i
print(A.total)
",
    );
    let generator = ran.region("gen");
    assert!(
        generator.ran > 100 && generator.left.is_empty(),
        "{generator:?}"
    );
}

#[test]
fn types_that_meet_are_compiled_once_each() {
    compiled(
        "def f(a, n):
    total = 0
    last = None
    for i in range(n):
        total += a[i]
        if last is None:
            last = a[i]
        elif a[i] > last:
            last = a[i]
    return total, last
print([*map(f, [[0.5, 1.5, 2.5, -1.0]] * 8, [4] * 8)])
",
        &["f"],
    );
}

#[test]
fn cells() {
    compiled(
        "def f(n):
    total = 0
    a = [[0.5] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            total += a[i][j] * n
    return total, (lambda: total)()
for i in range(8):
    print(f(i + 3))
def counter():
    n = 0
    def bump(k):
        nonlocal n
        for i in range(k):
            n += i
        return n
    return bump
b = counter()
for i in range(20):
    print(b(i))
",
        &["f:4", "counter.<locals>.bump", "f:3"],
    );
}

#[test]
fn lists_are_made() {
    compiled(
        "def f(n):
    a = []
    b = [0] * n
    c = [1.5, n, True]
    d = []
    for i in range(n):
        a.append(i * 2)
        b[i] = a[i] + c[0]
        d.append([i, b[i]])
    total = 0
    for x, y in d:
        total += x * y
    return a, b, c, d, total
for i in range(60):
    print(f(i + 4))
def g(n):
    return [x * x for x in range(n)], [x + 0.5 for x in [1, 2, 3] if x != 2], [[]] * 2
print([*map(g, range(20))])
def churn(n):
    total = 0
    for i in range(n):
        pair = [i, i + 1]
        total += pair[0] * pair[1]
    return total
print(churn(10), churn(20), churn(30), churn(100000))
",
        &["g", "churn"],
    );
}

#[test]
fn magnitudes_are_compared_exactly() {
    compiled(
        "def f(z):
    return abs(z) > 5, abs(z) >= 5, abs(z) < 5, abs(z) <= 5, abs(z) == 5, abs(z) != 5, 5 < abs(z), abs(z) > 0, abs(z)
for re in (3, -3, 3.0000000000000004, 2.9999999999999996, 0, 1e-200, 1e150, -1e160, float('nan'), 5):
    for im in (4, 4.000000000000001, -3.9999999999999996, 0, 1e-170, 1e155, 2):
        print(f(complex(re, im)))
",
        &["f"],
    );
}

#[test]
fn numbers_that_only_their_tags_tell() {
    compiled(
        "class P:
    def __init__(self, x, y):
        self.x = x
        self.y = y
def f(ps, by):
    low, total, over = 0, 0, 0
    for p in ps:
        for q in ps:
            d = p.x * q.y - p.y * q.x
            if d < by:
                low += 1
            total = total + (-d if d else p.x / by)
            over += p.x >= q.x
    return low, total, over
ps = [P(1, 2.5), P(2.0, 3), P(-4, 0.5), P(0.0, 7)]
for r in map(f, [ps] * 6, [1, 2.0, 3, 0.5, -1, 2]):
    print(r)
",
        &["f"],
    );
}

#[test]
fn tuples_are_walked_where_they_lie() {
    compiled(
        "def f(n):
    total = 0
    for k in range(n):
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            for part in (dx, dy, k):
                total += part
    return total
for r in map(f, range(20, 26)):
    print(r)
",
        &["f"],
    );
}

#[test]
fn native_methods_of_instances() {
    compiled(
        "from collections import deque
def f(n):
    d = deque()
    total = 0
    for k in range(n):
        d.append(k)
        d.append(k * 2)
        total += d.popleft()
    return total, list(d)[-3:]
for r in map(f, range(20, 26)):
    print(r)
",
        &["f"],
    );
}
