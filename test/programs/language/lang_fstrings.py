# Formatted string literals.
name, n, pi = "world", 42, 3.14159265
print(f"hello {name}! {n + 1} {n!r} {name!r:>10}")
print(f"{pi:.2f}|{pi:10.3f}|{pi:<10.1f}|{pi:^10.1f}|{pi:+.1e}|{n:05d}|{n:x}|{n:#b}|{n:,}")
width, prec = 8, 3
print(f"{pi:{width}.{prec}f}|{name:{'*'}^{width + 4}}|")
print(f"{n=} {n = } {pi=:.1f} {name=!s} {n + 1=}")
print(f"{{literal}} {'nested ' + f'{n}'} {[i for i in range(3)]} {({'a': 1})['a']}")
print(f"{1234567.891:,.2f} {0.25:.0%} {1e10:g} {123456789:_} {-5:+} {5: d}")
print(f"{'left':<8}|{'right':>8}|{'mid':^8}|{True}|{None!s:>6}|{'x':3}|")
print(f"{n if n > 3 else 0} {(lambda v: v * 2)(4)} {'a' 'b'}")
print("joined " f"{n}" " pieces" f" {name}")
value = [1, 2]
print(f'{value[0]} {value[-1]:03} {len(value)}')
multi = f"""
{name}:
  {n:>6}
"""
print(multi)


class Money:
    def __format__(self, spec):
        return f"<{spec or 'none'}>"

    def __str__(self):
        return "money"


print(f"{Money()} {Money():abc} {Money()!s:>7} {format(Money(), 'q')}")
print("%s %d %5.2f %r %x %%" % ("s", 3, 2.5, "r", 255), "{} {1!r:>4}".replace("{}", "{0}").format("a", "b"))
print("{:>5}|{key:<4}|{0[1]}".format([1, 2].__len__(), key="k") if False else "{a[1]} {b.real}".format(a=[1, 2], b=3))
