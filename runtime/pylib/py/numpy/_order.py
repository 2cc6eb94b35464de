"""The order in which an array's numbers lie in memory, as arguments tell it."""


def order_of(order, default):
    """One of C, F, A and K, by its name in any case; None is what the function takes without."""
    if order is None:
        return default
    if not isinstance(order, str):
        raise TypeError(f"order must be str, not {type(order).__name__}")
    found = order.upper()
    if found not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")
    return found


def laid(a, order, default="K"):
    """An array that nobody else has yet, in this order; K and A leave it as it is."""
    return a.copy("F") if order_of(order, default) == "F" else a


_SHORT = {"C": "C_CONTIGUOUS", "F": "F_CONTIGUOUS", "O": "OWNDATA", "W": "WRITEABLE", "A": "ALIGNED", "CONTIGUOUS": "C_CONTIGUOUS",
          "FORTRAN": "F_CONTIGUOUS", "X": "WRITEBACKIFCOPY"}


class Flags:
    """How an array lies in memory."""

    def __init__(self, a):
        t = a._t
        self.c_contiguous = self.contiguous = t.is_contiguous()
        self.f_contiguous = t.permute(tuple(reversed(range(t.dim())))).is_contiguous()
        self.owndata = not t._is_view()
        self.writeable = self.aligned = True
        self.writebackifcopy = False

    @property
    def fortran(self):
        """Whether it lies in columns, and not in rows as well."""
        return self.f_contiguous and not self.c_contiguous

    fnc = fortran

    @property
    def forc(self):
        return self.f_contiguous or self.c_contiguous

    def __getitem__(self, key):
        name = _SHORT.get(key, key)
        if name not in _SHORT.values() and name not in ("FNC", "FORC"):
            raise KeyError("Unknown flag")
        return getattr(self, name.lower())

    def __eq__(self, other):
        return isinstance(other, Flags) and vars(self) == vars(other)

    def __repr__(self):
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "".join(f"  {name} : {self[name]}\n" for name in names)
