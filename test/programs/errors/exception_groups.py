# except*, and groups that are split.


def shown(e):
    if isinstance(e, BaseExceptionGroup):
        return f"{type(e).__name__}({e.message!r}, [{', '.join(map(shown, e.exceptions))}])"
    return repr(e)


def attempt(raised):
    log = []
    try:
        try:
            raise raised
        except* ValueError as e:
            log.append(("value", shown(e)))
        except* (TypeError, KeyError) as e:
            log.append(("type or key", shown(e)))
        else:
            log.append("else")
        finally:
            log.append("finally")
    except BaseException as e:
        log.append(("left", shown(e)))
    return log


nested = ExceptionGroup("a", [ValueError(1), ExceptionGroup("b", [TypeError(2), OSError(3), ValueError(4)]), KeyError(5)])
for e in [ValueError(0), OSError(1), nested, ExceptionGroup("o", [OSError(1)]), KeyboardInterrupt(),
          BaseExceptionGroup("base", [KeyboardInterrupt(), ValueError(7)])]:
    print(attempt(e))

print(nested.split(ValueError)[0].exceptions, shown(nested.subgroup(lambda e: isinstance(e, OSError))))
print([shown(e) for e in nested.split((OSError, KeyError))], nested.subgroup(IndexError), nested.split(ExceptionGroup)[1])
print(shown(nested.derive([ValueError(9)])), repr(ExceptionGroup("x", (ValueError(1),))), str(nested))


def again(kind):
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2), OSError(3)])
        except* ValueError:
            if kind == "same":
                raise
            if kind == "new":
                raise KeyError("new")
            if kind == "from":
                raise KeyError("new") from None
        except* TypeError as e:
            if kind == "both":
                raise e
    except BaseException as e:
        return shown(e), shown(e.__context__) if e.__context__ else None


for kind in ("same", "new", "from", "both", "none"):
    print(kind, again(kind))


def wrong(f):
    try:
        return f()
    except BaseException as e:
        return f"{type(e).__name__}: {e}"




def bad_type(what):
    try:
        raise ValueError(1)
    except* what:
        print("caught")


for what in (ValueError, ExceptionGroup, 3, (ValueError, int)):
    print(wrong(lambda: bad_type(what)))

print(wrong(lambda: ExceptionGroup("a", [])), wrong(lambda: ExceptionGroup("a", [1])), wrong(lambda: ExceptionGroup(1, [ValueError()])))
print(wrong(lambda: ExceptionGroup("a", [KeyboardInterrupt()])), type(BaseExceptionGroup("a", [ValueError()])).__name__)
print(wrong(lambda: ExceptionGroup("a", 3)), wrong(lambda: ExceptionGroup("a")), wrong(lambda: nested.split(3)))
for source in ("for i in x:\n try: pass\n except* ValueError: break", "def f():\n try: pass\n except* ValueError: return 1",
               "try: pass\nexcept* ValueError: pass"):
    try:
        compile(source, "s", "exec")
    except SyntaxError as e:
        print(e.msg)


class Own(ExceptionGroup):
    def __new__(cls, message, exceptions, code):
        made = super().__new__(cls, message, exceptions)
        made.code = code
        return made

    def derive(self, exceptions):
        return Own(self.message, exceptions, self.code)


own = Own("own", [ValueError(1), TypeError(2)], 42)
own.add_note("noted")
match, rest = own.split(ValueError)
print(shown(match), match.code, match.__notes__, type(rest).__name__)

total = 0
for i in range(60):
    try:
        if i % 3 == 0:
            raise ExceptionGroup("g", [ValueError(i), TypeError(i)])
        total += 1
    except* ValueError as e:
        for inner in e.exceptions:
            if inner.args[0] > 50:
                break
            total += inner.args[0]
    except* TypeError:
        total += 100
print(total)
