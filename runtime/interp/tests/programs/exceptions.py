class Mine(Exception):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code

def risky(n):
    if n == 0:
        raise Mine(7)
    if n == 1:
        return [][1]
    if n == 2:
        return {}["k"]
    if n == 3:
        return 1 / 0
    if n == 4:
        raise KeyError
    return n

for n in range(6):
    try:
        print("got", risky(n))
    except Mine as e:
        print("mine", e, e.code, e.args)
    except (IndexError, KeyError) as e:
        print(type(e).__name__, e, repr(e))
    except ArithmeticError as e:
        print("arith", e)
    else:
        print("else")
    finally:
        print("finally", n)

def order():
    try:
        return "try"
    finally:
        print("cleanup")

print(order())

def override():
    try:
        raise ValueError
    finally:
        return "swallowed"

print(override())

def loops():
    out = []
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            out.append(i)
        finally:
            out.append(-i)
    return out

print(loops())

try:
    try:
        raise ValueError("inner")
    except ValueError as e:
        raise TypeError("outer") from e
except TypeError as e:
    print(repr(e), repr(e.__cause__), repr(e.__context__), e.__suppress_context__)

try:
    try:
        raise ValueError("inner")
    except ValueError:
        raise TypeError("outer")
except TypeError as e:
    print(repr(e.__cause__), repr(e.__context__), e.__suppress_context__)

try:
    try:
        raise ValueError("a")
    except ValueError:
        raise TypeError("b") from None
except TypeError as e:
    print(e.__cause__, repr(e.__context__), e.__suppress_context__)

def reraise():
    try:
        1 / 0
    except ZeroDivisionError:
        raise

try:
    reraise()
except ZeroDivisionError as e:
    print("reraised", e)

try:
    e
except NameError as err:
    print(err)

try:
    raise
except RuntimeError as err:
    print(err)

for bad in (5, int, "x"):
    try:
        raise bad
    except TypeError as err:
        print(err)

try:
    try:
        raise ValueError
    except "no":
        pass
except TypeError as err:
    print(err)

class Ctx:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("enter", self.name)
        return self.name

    def __exit__(self, t, v, tb):
        print("exit", self.name, t and t.__name__, v)
        return self.swallow

with Ctx("a") as a, Ctx("b", True) as b:
    print(a, b)
    raise ValueError("in with")
print("after")

def ret():
    with Ctx("r"):
        return 5

print(ret())
try:
    with 5:
        pass
except TypeError as e:
    print(e)

def unbound():
    print(zz)
    zz = 1

try:
    unbound()
except UnboundLocalError as e:
    print(e)

def free():
    def g():
        return q
    try:
        g()
    except NameError as e:
        print(e)
    q = 1
    return g()

print(free())
try:
    assert 1 > 2, "math"
except AssertionError as e:
    print("assert", e)
try:
    a, b = 1, 2, 3
except ValueError as e:
    print(e)
try:
    a, b, c = 1, 2
except ValueError as e:
    print(e)
try:
    a, *b, c = [1]
except ValueError as e:
    print(e)
try:
    a, b = 5
except TypeError as e:
    print(e)
try:
    for x in 5:
        pass
except TypeError as e:
    print(e)

def deep(n):
    return deep(n + 1)

try:
    deep(0)
except RecursionError as e:
    print(e)

def nested():
    try:
        try:
            raise KeyError("k")
        finally:
            print("f1")
    except KeyError:
        try:
            raise IndexError("i")
        except IndexError:
            print("inner handled")
        print("outer handled")
        raise

try:
    nested()
except KeyError as e:
    print("out", e, e.__context__)

e1 = ValueError("note")
e1.add_note("remember")
print(e1.__notes__)
