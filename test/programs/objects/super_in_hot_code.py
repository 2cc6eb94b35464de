# super() in methods that are compiled: all its forms, and what can be odd about them.
class A:
    made = 0

    def __init__(self, x):
        self.x = x
        A.made += 1

    def area(self, k):
        return self.x * k

    @classmethod
    def build(cls, x):
        return cls(x)

    @property
    def size(self):
        return self.x

    def who(self):
        return "A"


class B(A):
    def __init__(self, x):
        super().__init__(x + 1)
        self.y = x

    def area(self, k):
        return super().area(k) + super(B, self).area(1) + self.y

    @classmethod
    def build(cls, x):
        made = super().build(x)
        made.y += 1
        return made

    @property
    def size(self):
        return super().size + 1

    def who(self):
        return "B" + super().who()


class C(A):
    def who(self):
        return "C" + super().who()


class D(B, C):
    def who(self):
        return "D" + super().who()

    def kept(self):
        return lambda k: super(D, self).area(k) + self.x

    def captured(self, k):
        add = lambda v: v + self.x
        return add(super().area(k))

    def replaced(self, k, other):
        self = other
        return super().area(k)


total, names = 0, set()
d = D(3)
e = D(7)
for i in range(600):
    b = B.build(i % 5)
    total += b.area(i % 7) + b.size + d.area(2)
    names.add(d.who())
    names.add(b.who())
    total += d.kept()(2) + d.captured(3) + d.replaced(2, e)
print(total, A.made, sorted(names))


class Odd(A):
    def no_arguments():
        return super().who()

    def not_mine(self):
        self = 5
        return super().who()

    def gone(self):
        del self
        return super().who()

    def missing(self):
        return super().nothing


def attempt(call):
    try:
        return call()
    except (TypeError, RuntimeError, AttributeError) as e:
        return f"{type(e).__name__}: {e}"


odd = Odd(1)
told = set()
for i in range(300):
    told.add(attempt(Odd.no_arguments))
    told.add(attempt(odd.not_mine))
    told.add(attempt(odd.gone))
    told.add(attempt(odd.missing))
for line in sorted(told):
    print(line)

# The class of a class is found, too; a base that changes is seen.
class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.tag = cls.__name__
        return made


class E(A, metaclass=Meta):
    def __init__(self, x):
        super().__init__(x * 2)


tags = 0
for i in range(400):
    if i == 300:
        A.area = lambda self, k: 1000
    tags += len(E(i).tag) + B(1).area(2)
print(tags)
