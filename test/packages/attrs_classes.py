# needs: attr
import attr
import attrs


@attrs.define(order=True)
class P:
    x: int
    y: int = attrs.field(default=0, converter=int, validator=attrs.validators.ge(0))
    z: list = attrs.field(factory=list, repr=False, eq=False)


@attrs.frozen
class Q(P):
    name: str = attrs.field(kw_only=True, default="q", metadata={"k": 1})


@attr.s(auto_attribs=True, slots=False)
class Old:
    a: int = attr.ib(default=attr.Factory(lambda self: self.b if hasattr(self, "b") else 1, takes_self=True))

    def __attrs_post_init__(self):
        self.b = self.a + 1


print(P(1, "2"), P(1, 2) == P(1, 2), P(1) < P(2), attrs.asdict(P(3, 4)), attrs.astuple(P(3, 4)))
print(Q(1, name="n"), attrs.evolve(Q(1), x=9), Old(), Old().b, [f.name for f in attrs.fields(Q)], hash(Q(1)) == hash(Q(1)))
for bad in (lambda: P(1, -1), lambda: P(), lambda: setattr(Q(1), "x", 2), lambda: setattr(P(1), "w", 2)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
