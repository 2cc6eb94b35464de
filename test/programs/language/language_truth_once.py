# The truth of an operand of `and` and `or` is asked for once, however they are nested.
class Told:
    def __init__(self, name, truth):
        self.name, self.truth = name, truth

    def __bool__(self):
        print(self.name, end=' ')
        return self.truth

    def __repr__(self):
        return self.name.upper()


def cases(a, b, c):
    print(':', (a and b) or c)
    print(':', (a or b) and c)
    print(':', (a and b) and c)
    print(':', (a or b) or c)
    print(':', a and (b or c))
    print(':', (a and (b or c)) or b)
    print(':', ((a or b) and c) or a)
    print(':', not (a and b) or c)
    print(':', 'yes' if (a and b) or c else 'no')
    print(':', [1 for _ in [0] if (a or b) and c])
    if (a or b) and not c:
        print('taken')
    print(':', (a and 1) or 2, (a or 0) and 3, (0 or a) and 4, (1 and a) or 5)


for n in range(8):
    print(n)
    cases(Told('a', bool(n & 1)), Told('b', bool(n & 2)), Told('c', bool(n & 4)))

# A display in the middle of a chain stays what it is; the last one is a constant.
print(3 in [3, 4] in [[3, 4]], 3 in [3, 4] not in [[3, 4]], 3 in {3, 4} in [{3, 4}], 1 < 2 in [2, 3] == [2, 3])
found = 0
for i in range(40):
    if i in [1, 2, 3] in [[1, 2, 3]]:
        found += 1
print(found)
