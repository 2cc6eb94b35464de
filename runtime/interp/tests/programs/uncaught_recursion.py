def f(n):
    return g(n + 1)

def g(n):
    return f(n) + 1

def h(n):
    if n == 5:
        raise ValueError("bottom")
    h(n + 1)

try:
    f(0)
except RecursionError as e:
    print(e)
h(0)
