# Globals and cells that a loop assigns, and that what it calls reads, fills and assigns too: functions, generators, methods
# that raise half-way, destructors.
items = [1]
count = 0


def fill(k):
    items.append(k)
    return len(items)


def fill_and_raise(k):
    for j in range(4):
        try:
            if j == k % 5:
                return j
            if k % 7 == 3:
                raise KeyError(k)
        finally:
            items.append(j)
            if len(items) > 9:
                del items[2:]
    return k


def a_list_held_by_a_global(n):
    global items
    seen = 0
    for i in range(n):
        items = [i, 1]
        seen += fill(i)
        items = items + [seen % 10]
        try:
            seen += fill_and_raise(i)
        except KeyError:
            seen += len(items)
        items[:] = [v + 1 for v in items]
        if i % 200 == 0:
            print(i, seen, items)
    return seen, items


def counted(k):
    global count
    for at in range(k):
        try:
            yield at
        finally:
            count += 1
    count += 100
    return k


def a_generator_ends_with_an_exception(n):
    global count
    total = 0
    g = counted(3)
    for i in range(n):
        count = count % 1000 + 1
        try:
            total += g.send(None)
        except StopIteration as e:
            total += count + e.value if e.value else count
            if i % 9 == 0:
                g = counted(i % 4)
        total += count
    return total, count


class Touchy:
    def __lt__(self, other):
        global count
        count += 1
        raise ValueError(count)

    def __add__(self, other):
        global count
        count += 2
        return NotImplemented

    def __radd__(self, other):
        global count
        count += 3
        if other % 3 == 0:
            raise ArithmeticError
        return count

    def __index__(self):
        global count
        count += 5
        return 1

    def __bool__(self):
        global count
        count += 7
        return False

    def __iter__(self):
        global count
        count += 11
        yield count
        count += 13
        raise LookupError

    def __getattr__(self, name):
        global count
        count += 17
        raise AttributeError(name)

    def __del__(self):
        global count
        count += 19


def operators_that_raise(n):
    global count
    a, b, three = Touchy(), Touchy(), [1, 2, 3]
    total = 0
    for i in range(n):
        count = count % 997 + 1
        try:
            total += a < b
        except ValueError as e:
            total += count + e.args[0]
        try:
            total += i + a
        except ArithmeticError:
            total += count
        try:
            total += a + b
        except TypeError:
            total += count
        count += 1
        total += three[a] + count
        if not a:
            total += count
        try:
            for x in a:
                total += x
        except LookupError:
            total += count
        total += hasattr(b, "name") + count
        gone = Touchy()
        count += 1
        gone = None
        total = (total + count) % 1000003
    return total, count


def cells(n):
    x = 0
    kept = []

    def up():
        nonlocal x, kept
        x += 5
        kept = kept[-3:] + [x]
        if x % 3 == 0:
            raise ValueError(x)
        return x

    for i in range(n):
        x += 1
        kept = [*kept, i][-4:]
        try:
            x += up()
        except ValueError as e:
            x -= e.args[0] // 2
        x = x % 100003 + len(kept)
    return x, kept


for n in (5, 700):
    print(a_list_held_by_a_global(n))
    print(a_generator_ends_with_an_exception(n))
    print(operators_that_raise(n))
    print(cells(n))
