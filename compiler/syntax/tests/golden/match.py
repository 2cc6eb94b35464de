match subject:
    case 0 | -1 | 2.5 | 1 + 2j | "s" | b"b":
        literal()
    case None | True:
        singleton()
    case Color.RED:
        value()
    case [a, b, *rest] if a > b:
        sequence(a, b, rest)
    case [first, *_, last]:
        ends(first, last)
    case {"k": v, Color.BLUE: [w], **others}:
        mapping(v, w, others)
    case Point(x=0) | Point(0, y=0) as p:
        klass(p)
    case (1, x) | [2, x, _]:
        alternative(x)
    case [a, b] | [b, a, 1]:
        reordered(a, b)
    case str() as s:
        bound(s)
    case _:
        default()
