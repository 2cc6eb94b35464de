"""torch.return_types: named tuples of results."""

import torch


def _made(name, *fields):
    """A class of tuples with such fields, which shows each on a line of its own."""

    def __new__(cls, items):
        items = tuple(items)
        if len(items) != len(fields):
            raise TypeError(f"torch.return_types.{name}() takes a {len(fields)}-sequence ({len(items)}-sequence given)")
        return tuple.__new__(cls, items)

    def __repr__(self):
        shown = ",\n".join([f"{field}={item!r}" for field, item in zip(fields, self)])
        return f"torch.return_types.{name}(\n{shown})"

    def __reduce__(self):
        return (type(self), (tuple(self),))

    members = {
        "__new__": __new__, "__repr__": __repr__, "__reduce__": __reduce__, "__module__": "torch.return_types",
        "__slots__": (), "__match_args__": fields, "n_fields": len(fields), "n_sequence_fields": len(fields),
        "n_unnamed_fields": 0,
    }
    for k, field in enumerate(fields):
        members[field] = property(lambda self, k=k: self[k])
    return type(name, (tuple,), members)


frexp = _made("frexp", "mantissa", "exponent")
geqrf = _made("geqrf", "a", "tau")
histogram = _made("histogram", "hist", "bin_edges")
histogramdd = _made("histogramdd", "hist", "bin_edges")
linalg_cholesky_ex = _made("linalg_cholesky_ex", "L", "info")
linalg_eig = _made("linalg_eig", "eigenvalues", "eigenvectors")
linalg_eigh = _made("linalg_eigh", "eigenvalues", "eigenvectors")
linalg_inv_ex = _made("linalg_inv_ex", "inverse", "info")
linalg_lstsq = _made("linalg_lstsq", "solution", "residuals", "rank", "singular_values")
linalg_lu = _made("linalg_lu", "P", "L", "U")
linalg_lu_factor = _made("linalg_lu_factor", "LU", "pivots")
linalg_lu_factor_ex = _made("linalg_lu_factor_ex", "LU", "pivots", "info")
linalg_qr = _made("linalg_qr", "Q", "R")
linalg_solve_ex = _made("linalg_solve_ex", "result", "info")
linalg_svd = _made("linalg_svd", "U", "S", "Vh")
lu_unpack = _made("lu_unpack", "P", "L", "U")
nanmedian = _made("nanmedian", "values", "indices")
qr = _made("qr", "Q", "R")
svd = _made("svd", "U", "S", "V")
triangular_solve = _made("triangular_solve", "solution", "cloned_coefficient")

# Those that native functions give, by a call that gives one.
_NATIVE = {
    "max": lambda t: torch.max(t, 0), "min": lambda t: torch.min(t, 0), "sort": lambda t: torch.sort(t),
    "topk": lambda t: torch.topk(t, 1), "median": lambda t: torch.median(t, 0), "mode": lambda t: torch.mode(t, 0),
    "kthvalue": lambda t: torch.kthvalue(t, 1), "cummax": lambda t: torch.cummax(t, 0),
    "cummin": lambda t: torch.cummin(t, 0), "aminmax": lambda t: torch.aminmax(t),
    "slogdet": lambda t: torch.slogdet(t.reshape(1, 1)),
    "linalg_slogdet": lambda t: torch.linalg.slogdet(t.reshape(1, 1)),
}


def __getattr__(name):
    if name in _NATIVE:
        return type(_NATIVE[name](torch.ones(1)))
    return torch._C._missing_name("torch.return_types", name)
