"""A name that one side of a branch sets, in a hot loop that began to be compiled before it was ever set."""
import torch

torch.manual_seed(0)


def main():
    torch.manual_seed(0)
    w = torch.randn(4)
    wins = 0
    for step in range(1, 61):
        x = torch.randn(4)
        w = w * 0.9 + x
        if step % 15 == 0:
            a = w.sum().round(decimals=3).item()
            b = x.sum().round(decimals=3).item()
            wins += b < a
    print(wins, round(a, 3), round(b, 3), sorted(locals()))


def two():
    w = torch.ones(4)
    for step in range(1, 61):
        w = w * 0.9 + 1
        if step % 15 == 0:
            a = w.sum().round(decimals=3).item()
            b = a + step
        if step % 20 == 0:
            try:
                print(b, a)
            except NameError as e:
                print(e)
    print(w)


main()
two()
w = torch.ones(4)
for step in range(1, 61):
    w = w * 0.9 + 1
    if step % 15 == 0:
        a = w.sum().round(decimals=3).item()
        b = a + step
    if step % 20 == 0:
        try:
            print(b, a)
        except NameError as e:
            print(e)
print(w)


class B:
    pass


def three():
    w, o = torch.ones(4), B()
    for step in range(1, 61):
        w = w * 0.9 + 1
        if step % 15 == 0:
            o.a = w.sum().round(decimals=3).item()
        if step % 20 == 0:
            print(getattr(o, 'a', None))
    print(w)


three()


def four():
    w = torch.ones(4)
    def show():
        try:
            print(b)
        except NameError as e:
            print(e)
    for step in range(1, 61):
        w = w * 0.9 + 1
        if step % 15 == 0:
            b = w.sum().round(decimals=3).item()
        if step % 20 == 0:
            show()
    print(w)


four()


def five():
    w, d = torch.ones(4), {}
    for step in range(1, 61):
        w = w * 0.9 + 1
        if step % 15 == 0:
            d['b'] = w.sum().round(decimals=3).item()
        if step % 20 == 0:
            print(d.get('b'), len(d))
    print(w)


five()


def six():
    w = torch.ones(4)
    for step in range(1, 61):
        w = w * 0.9 + 1
        if step % 15 == 0:
            b = w.sum().round(decimals=3).item()
        if step % 14 == 0:
            b = 0
            del b
        if step % 20 == 0:
            try:
                print(b)
            except NameError as e:
                print(e)
    print(w)


six()
