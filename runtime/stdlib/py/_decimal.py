"""CPython's decimal in Python, with the signals of its version in C: their order, which go together, what exceptions hold."""

import _pydecimal
from _pydecimal import *
from _pydecimal import __doc__, __libmpdec_version__, __version__, _condition_map

_SIGNALS = [
    InvalidOperation, FloatOperation, DivisionByZero, Overflow, Underflow, Subnormal, Inexact, Rounded, Clamped,
]
# As they are printed: by the names that its library has for them.
_PRINTED = (
    Clamped, InvalidOperation, DivisionByZero, Inexact, FloatOperation, Overflow, Rounded, Subnormal, Underflow,
)
# What a signal is never without.
_WITH = {Overflow: (Inexact, Rounded), Underflow: (Subnormal, Inexact, Rounded), Inexact: (Rounded,)}


def _raise_error(self, condition, explanation=None, *args):
    error = _condition_map.get(condition, condition)
    if error in self._ignored_flags:
        return error().handle(self, *args)
    self.flags[error] = 1
    if not self.traps[error]:
        return condition().handle(self, *args)
    met = {error, *_WITH.get(error, ())}
    for signal in met:
        self.flags[signal] = 1
    raise error([condition] if error is InvalidOperation else [s for s in _SIGNALS if s in met and self.traps[s]])


def __repr__(self):
    flags, traps = (
        ", ".join(signal.__name__ for signal in _PRINTED if of[signal]) for of in (self.flags, self.traps)
    )
    return (
        f"Context(prec={self.prec}, rounding={self.rounding}, Emin={self.Emin}, Emax={self.Emax}, capitals={self.capitals}, "
        f"clamp={self.clamp}, flags=[{flags}], traps=[{traps}])"
    )


_pydecimal.Context._raise_error = _raise_error
_pydecimal.Context.__repr__ = __repr__
_pydecimal._signals = _SIGNALS
for _context in (DefaultContext, BasicContext, ExtendedContext):
    _context.flags, _context.traps = (
        {signal: of[signal] for signal in _SIGNALS} for of in (_context.flags, _context.traps)
    )
del _context
