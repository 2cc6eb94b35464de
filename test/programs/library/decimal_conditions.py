# What exceptions of decimal hold: the conditions that were met, as its version in C says.
from decimal import (
    Clamped, Context, Decimal, DecimalException, DivisionByZero, FloatOperation, Inexact, InvalidOperation, Overflow, Rounded,
    Subnormal, Underflow, getcontext, localcontext,
)

cases = {
    "1 / 0": lambda: Decimal(1) / 0,
    "0 / 0": lambda: Decimal(0) / 0,
    "x": lambda: Decimal("x"),
    "1 2": lambda: Decimal("1 2"),
    "sqrt(-1)": lambda: Decimal(-1).sqrt(),
    "too large": lambda: Decimal("1e999999") * Decimal("1e999999"),
    "1 // 0": lambda: Decimal(1) // 0,
    "10 % 0": lambda: Decimal(10) % 0,
    "sNaN": lambda: Decimal("sNaN") + 1,
    "inf - inf": lambda: Decimal("inf") - Decimal("inf"),
    "0 ** 0": lambda: Decimal(0) ** 0,
    "quantize": lambda: Decimal("1e30").quantize(Decimal(".1")),
    "NaN < 1": lambda: Decimal("NaN") < 1,
    "ln(-1)": lambda: Decimal(-1).ln(),
    "float": lambda: Context(traps=[FloatOperation]).create_decimal(1.5),
    "shift": lambda: Decimal(5).shift(100),
}
for name, case in cases.items():
    try:
        print(name, case())
    except DecimalException as e:
        print(name, type(e).__name__, e, e.args[0], isinstance(e, ArithmeticError))
with localcontext() as context:
    context.traps[DivisionByZero] = context.traps[InvalidOperation] = False
    print(Decimal(-1) / 0, Decimal("x"), Decimal(0) / 0, [flag.__name__ for flag, met in context.flags.items() if met and flag in (
        DivisionByZero, InvalidOperation)])
    context.traps[Inexact] = True
    context.clear_flags()
    try:
        Decimal(1) / 4 + Decimal(2).sqrt()
    except Inexact as e:
        print("inexact", *[bool(context.flags[signal]) for signal in (Inexact, Overflow, Clamped)])
print(getcontext())
print(Context(prec=5, traps=[Inexact, Overflow]))
print([signal.__name__ for signal in getcontext().flags])
for traps in ([Underflow], [Overflow], [Inexact], [Rounded], [Underflow, Inexact, Rounded, Subnormal], [Overflow, Inexact]):
    context = Context(traps=traps, prec=3)
    for name, case in {
        "tiny": lambda: context.create_decimal("1.2345e-1000000"),
        "huge": lambda: context.multiply(Decimal("9e999999"), Decimal(9)),
        "long": lambda: context.create_decimal("1.2345"),
        "subnormal": lambda: context.create_decimal("1e-1000001"),
    }.items():
        context.clear_flags()
        try:
            print(name, case(), end=" ")
        except DecimalException as e:
            print(name, type(e).__name__, e, end=" ")
        print([signal.__name__ for signal, met in context.flags.items() if met])
