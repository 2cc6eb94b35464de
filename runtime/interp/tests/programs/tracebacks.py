# Where the carets stand.
import traceback

class Box:
    def __init__(self, v=None):
        self.v = v

    def __add__(self, other):
        raise RuntimeError("add")

    def __getitem__(self, key):
        raise KeyError(key)

    def method(self, *args):
        return args[5]

def binary(a, b):
    return a + b

def spaced(a, b):
    return (a )  *  (b)

def nested(a, b):
    return 1 + a / b - 2

def subscript(x):
    return x[1]["k"][0]

def call(x):
    return x.method(1,
                    2)

def attribute(x):
    return x.v.missing.more

def unicode(x):
    return "ää" + str(x.v) + x.ö

def compare(a, b):
    return a < b < 3

def conditional(a):
    return 1 if a.x else 2

def statement(a):
    a.b.c = 5

def store(a):
    a[0][1] = 2

def delete(a):
    del a["x"], a["y"]

def augmented(a):
    a.v += "x"

def unpack(a):
    x, y = a
    return x

def raises():
    raise ValueError("explicit")

def multi_line(a):
    return (a +
            [1,
             2][5])

def lambda_in(a):
    f = lambda q: q.zip
    return f(a)

def comprehension(a):
    return [i / 0 for i in a]

def generator(a):
    return sum(i / 0 for i in a)

def keyword(a):
    return dict(a=1, **a)

def assertion(a):
    assert a == 1, "no"

def with_block(a):
    with a:
        pass

def for_loop(a):
    for i in a.items:
        print(i)

def negative(a):
    return -a

def fstring(a):
    return f"{a.q} and {1}"

def power(a):
    return a ** 2 ** "x"

def imports(a):
    import no_such_module

def from_import(a):
    from sys import no_such_name

def slicing(a):
    return a[1:2, 3]

def boolean(a):
    return a and a.foo or a.bar

def globals_missing(a):
    return missing_global_name(a)

def star(a):
    return max(*a)

def tabs(a):
	return	a	+	None

def comment(a):
    return a + None  # why

def delayed(a): return a.one.two; pass

cases = [
    (binary, (1, None)), (binary, (Box(), 1)), (spaced, ("x", "y")), (nested, (1, 0)),
    (subscript, ([1, 2],)), (subscript, (Box(),)), (call, (Box(),)), (attribute, (Box(),)),
    (unicode, (Box(),)), (compare, (1, "x")), (conditional, (1,)), (statement, (Box(),)),
    (store, ([1],)), (delete, ({"x": 1},)), (augmented, (Box(),)), (unpack, ((1, 2, 3),)),
    (raises, ()), (multi_line, ([],)), (lambda_in, (1,)), (comprehension, ([1],)),
    (generator, ([1],)), (keyword, ({"a": 1},)), (assertion, (2,)), (with_block, (1,)),
    (for_loop, (1,)), (negative, ("x",)), (fstring, (1,)), (power, (2,)), (imports, (1,)),
    (from_import, (1,)), (slicing, ([1],)), (boolean, (Box(),)), (globals_missing, (1,)),
    (star, ((1, "x"),)), (tabs, (1,)), (comment, (1,)), (delayed, (Box(),)),
]
for function, args in cases:
    try:
        function(*args)
    except Exception:
        traceback.print_exc()
