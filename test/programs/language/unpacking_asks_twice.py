# `a, *b` asks an iterator for its iterator once more; lists of more numbers than there is memory for.
class Counted:
    def __init__(self, n):
        self.n = n
        self.i = 0

    def __iter__(self):
        asked.append("iter")
        return self

    def __next__(self):
        self.i += 1
        asked.append(self.i)
        if self.i > self.n:
            raise StopIteration
        return self.i


for n in range(5):
    asked = []
    try:
        a, *b, c = Counted(n)
        print(a, b, c, asked)
    except ValueError as e:
        print(e, asked)


def grown(how):
    items = [1]
    if how == 0:
        items += range(10**18)
    elif how == 1:
        items.extend(range(10**18))
    elif how == 2:
        items[1:1] = range(10**18)
    else:
        return [*range(10**18)]


for make in (lambda: list(range(10**18)), lambda: tuple(range(10**18)), lambda: sorted(range(10**18))):
    try:
        make()
    except MemoryError as e:
        print("MemoryError", e)
for how in range(4):
    try:
        grown(how)
    except MemoryError as e:
        print("MemoryError", e)
print(list(range(3)), tuple(range(5, 0, -2)), sorted(range(3), reverse=True))
for second in ("x", None, object):
    try:
        complex(1, second)
    except TypeError as e:
        print(e)
