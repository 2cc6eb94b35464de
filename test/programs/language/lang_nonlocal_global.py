# global and nonlocal declarations, and scopes in general.
counter = 0
x = "module"


def bump():
    global counter, created
    counter += 1
    created = f"made by call {counter}"


bump()
bump()
print(counter, created)


def outer():
    x = "outer"

    def middle():
        nonlocal x
        x += "+middle"

        def inner():
            global x
            x += "+inner"
            return x

        return inner(), x

    return middle(), x


print(outer(), x)


def unbound():
    try:
        print(late)
    except UnboundLocalError as e:
        print(e)
    late = 1
    return late


unbound()


def shadow(print=print, len=lambda s: "shadowed"):
    print(len("abc"))


shadow()


class Body:
    x = "class"

    def read(self):
        return x

    y = x + "!"


print(Body().read(), Body.y)
for loop_var in range(3):
    pass
print(loop_var, "loop_var" in globals(), [name for name in ("Body", "nope") if name in globals()])
print((lambda: (x := "local", x))(), x)
exec("made = 5") if False else globals().update(made=5)
print(made)
