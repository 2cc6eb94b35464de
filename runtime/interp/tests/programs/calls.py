# Argument binding and its errors.
def f(a, b=2, *args, c, d=4, **kw):
    return (a, b, args, c, d, kw)

print(f(1, c=3))
print(f(1, 5, 6, 7, c=3, e=9))
print(f(*[1, 2, 3], **{"c": 4, "z": 5}))
print(f(b=1, a=0, c=2))

def only(a, /, b, *, c):
    return a, b, c

def none():
    pass

def defaults(a, b=1, c=2):
    return a, b, c

def kwonly(*, x, y=1):
    return x, y

class C:
    def m(self, a):
        return a

    @classmethod
    def cm(cls, a, b=3):
        return cls.__name__, a, b

    @staticmethod
    def sm(a):
        return a

def attempt(call):
    try:
        print("ok", call())
    except TypeError as e:
        print("TypeError:", e)

attempt(lambda: f())
attempt(lambda: f(1))
attempt(lambda: only(1, 2, c=3))
attempt(lambda: only(a=1, b=2, c=3))
attempt(lambda: only(1))
attempt(lambda: only(1, 2, 3))
attempt(lambda: only(1, 2, 3, c=4))
attempt(lambda: none(1))
attempt(lambda: none(1, 2))
attempt(lambda: defaults())
attempt(lambda: defaults(1, 2, 3, 4))
attempt(lambda: defaults(1, a=2))
attempt(lambda: defaults(1, z=2))
attempt(lambda: kwonly())
attempt(lambda: kwonly(1))
attempt(lambda: kwonly(1, x=2))
attempt(lambda: (lambda a, b, c: 0)())
attempt(lambda: (lambda a, b: 0)(1))
attempt(lambda: C().m())
attempt(lambda: C().m(1, 2))
attempt(lambda: C.m(1))
attempt(lambda: C.cm(1))
attempt(lambda: C().cm(1, b=2))
attempt(lambda: C().sm(9))
attempt(lambda: f(*3))
attempt(lambda: f(**3))
attempt(lambda: f(1, **{1: 2}))
attempt(lambda: f(1, c=1, **{"c": 2}))
five = 5
attempt(lambda: five())
nothing = None
attempt(lambda: nothing())
attempt(lambda: C()())
attempt(lambda: C(1))

def g(a, b=[]):
    b.append(a)
    return b

print(g(1), g(2), g(3, []))
print((lambda *a, **k: (a, k))(1, 2, x=3))

def outer(x):
    def inner(y):
        nonlocal x
        x += y
        return x
    return inner

add = outer(10)
print(add(1), add(2), add(3))

def counter():
    count = 0
    def bump(by=1):
        nonlocal count
        count += by
        return count
    def get():
        return count
    return bump, get

bump, get = counter()
bump()
bump(5)
print(get())

fs = [lambda i=i: i * i for i in range(4)]
print([h() for h in fs])
late = [lambda: i for i in range(3)]
print([h() for h in late])

def deco(n):
    def wrap(fn):
        def inner(*args):
            return fn(*args) * n
        return inner
    return wrap

@deco(3)
@deco(2)
def one(x):
    return x

print(one(7))
print(f.__name__, f.__defaults__, f.__kwdefaults__, outer(1).__qualname__)

def fact(n):
    return 1 if n < 2 else n * fact(n - 1)

print(fact(25))
