//! Ways out of compiled code: what tier 0 goes on with must be exact.

use crate::harness::{agree, run_interrupted};

#[test]
fn overflow_in_mid_loop() {
    let ran = agree(
        "def f(n):
    x = 1
    for i in range(n):
        x = x * 3 + i
    return x
print(f(10), f(20), f(30), f(50), f(100))
def square(x):
    return x * x
for i in (3, 10, 100, 10 ** 9, 10 ** 10, 5, 2 ** 63 - 1, -2 ** 63, 7):
    print(square(i), -square(i), abs(-i))
def neg(x):
    return -x, abs(x), x // -1
for i in (1, 2, 3, -2 ** 63, 4):
    print(neg(i))
def shift(x, n):
    return x << n
for i in range(0, 80, 7):
    print(shift(5, i), shift(-5, i))
y = 1
for i in range(100):
    y += y
print(y)
",
    );
    assert!(ran.region("f:3").ran + ran.region("f").ran > 0);
}

#[test]
fn a_type_changes_in_mid_loop() {
    agree(
        "def f(a):
    total = 0
    for x in a:
        total = total + x
    return total
print(f(list(range(50))))
print(f([1] * 20 + [0.5] * 20))
print(f([1] * 20 + [10 ** 30] + [1] * 20))
class N:
    def __init__(self, n):
        self.n = n
    def __radd__(self, other):
        print('radd', other)
        return other + self.n
print(f([1] * 20 + [N(5)] + [1] * 20))
print(f([1.5] * 20 + [True] + [1] * 20))
try:
    print(f([1] * 20 + ['x'] + [1] * 20))
except TypeError as e:
    print(e)
def g(n):
    x = 0
    for i in range(n):
        if i == 30:
            x = 'text'
        if i == 31:
            x = 1.5
        if i == 40:
            x = None
        if i == 41:
            x = [1, 2]
        if i == 45:
            x = 3
        y = x
    return y
print(g(20), g(31), g(40), g(41), g(45), g(60))
",
    );
}

#[test]
fn exceptions_inside_loops() {
    agree(
        "def f(a, n):
    bad = 0
    good = 0
    for i in range(n):
        try:
            good += 10 // (i % 4)
            good += a[i]
        except ZeroDivisionError:
            bad += 1
        except IndexError:
            bad += 100
        finally:
            good += 1
    return good, bad
print(f([1, 2, 3] * 10, 40))
print(f([1, 2, 3] * 10, 40))
def g(i):
    return 10 // (i - 20)
total = 0
for i in range(50):
    try:
        total += g(i)
    except ZeroDivisionError as e:
        total += 1000
        print('caught', e)
print(total)
def h(n):
    total = 0
    for i in range(n):
        try:
            total += g(i)
        except ZeroDivisionError:
            total += 5
    return total
print(h(50), h(60))
def deep(n):
    if n == 0:
        return 1 // 0
    return deep(n - 1) + 1
for i in range(8):
    try:
        deep(i)
    except ZeroDivisionError:
        import traceback
        traceback.print_exc()
def last(a):
    s = 0
    i = 0
    while True:
        s += a[i]
        i += 1
    return s
last([1, 2, 3] * 20)
",
    );
}

#[test]
fn indices_out_of_range() {
    agree(
        "def f(a, i):
    return a[i]
a = [1, 2, 3]
for i in range(-5, 6):
    try:
        print(f(a, i))
    except IndexError as e:
        print(e)
def g(a, i, x):
    a[i] = x
    return a
for i in range(-5, 6):
    try:
        print(g(a, i, i), g([[1], 'a', None], i % 3, 1.5))
    except IndexError as e:
        print(e)
",
    );
}

#[test]
fn the_recursion_limit_holds() {
    agree(
        "import sys
def down(n):
    if n == 0:
        return 0
    return down(n - 1) + 1
print(down(100), down(200))
for i in range(3):
    try:
        print(down(5000))
    except RecursionError as e:
        print(e)
print(down(900))
sys.setrecursionlimit(3000)
print(down(2500))
def forever(n):
    return forever(n + 1)
try:
    forever(0)
except RecursionError as e:
    print(e)
depth = 0
def count():
    global depth
    depth += 1
    count()
for i in range(3):
    depth = 0
    try:
        count()
    except RecursionError:
        print(depth)
sys.setrecursionlimit(500)
forever(1)
",
    );
}

#[test]
fn functions_and_globals_are_rebound() {
    agree(
        "def helper(x):
    return x + 1
SCALE = 2
def f(n):
    total = 0
    for i in range(n):
        total += helper(i) * SCALE
    return total
print(f(30), f(30), f(30))
def helper(x):
    return x * 10
print(f(30))
SCALE = 2.5
print(f(30))
SCALE = 'ab'
print(f(3) if SCALE == 2 else 'no')
SCALE = 7
print(f(30))
import math
def g(x):
    return math.sqrt(x)
print([g(i) for i in range(20)])
math.sqrt = lambda x: -x
print([g(i) for i in range(20)])
helper.__code__ = (lambda x: x - 1).__code__
print(f(30))
len_ = len
def h(a):
    return len(a)
print([h([1] * i) for i in range(9)])
len = lambda a: 99
print([h([1] * i) for i in range(9)])
",
    );
}

#[test]
fn what_others_see_is_up_to_date() {
    agree(
        "total = 0
log = []
class Spy:
    def __add__(self, other):
        log.append(total)
        return 1
def peek(x):
    return x + 1
for i in range(100):
    total += i
    peek(i)
    if i == 50:
        peek(Spy())
print(total, log)
def change(x):
    global total
    if x == 70:
        total = 1.5
    return x
for i in range(100):
    total += change(i)
print(total, i)
def show(n):
    k = 0
    for i in range(n):
        k += i
        if i == 40:
            print(sorted(locals().items()))
    return k
print(show(60))
",
    );
}

#[test]
fn iterators_go_on() {
    agree(
        "def f(a):
    out = 0
    it = iter(a)
    for x in it:
        out += x
        if x == 30:
            break
    return out, list(it)
print(f(range(50)), f(list(range(60))))
def grow(a):
    n = 0
    for x in a:
        if len(a) < 80:
            a.append(x + 1)
        n += x
    return n, len(a)
print(grow([1, 2, 3]), grow([1, 2, 3]), grow([1.5]))
def skip(n):
    out = 0
    for i in range(n):
        if i % 7 == 6:
            out += len(str(i))
        out += i
    return out
print(skip(50), skip(100))
for i in range(100, 0, -3):
    if i == 40:
        print('at', i)
print(i)
",
    );
}

#[test]
fn interrupts_are_seen() {
    for spin in [
        "i = 0
    while i >= 0:
        i += 1",
        "for i in range(1 << 62):
        pass",
        "return spin() if fib(60) else 0",
    ] {
        let source = format!(
            "def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(10)
def spin():
    {spin}
try:
    spin()
except KeyboardInterrupt:
    print('stopped')
"
        );
        assert_eq!(run_interrupted(&source).output, "stopped\nexit 0\n");
    }
}
