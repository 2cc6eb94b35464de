with open("f") as f:
    f.read()


def several():
    with a() as x, b(), c() as (y, z):
        return x


def in_loop(items):
    for item in items:
        with item:
            if item:
                continue
            break
