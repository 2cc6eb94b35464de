# Own exception classes, attributes, chaining, re-raising.
class AppError(Exception):
    code = 1

    def __init__(self, message, *, detail=None):
        super().__init__(message)
        self.detail = detail

    def __str__(self):
        return f"[{self.code}] {self.args[0]} ({self.detail})"


class NotFound(AppError):
    code = 404


def find(key):
    try:
        return {"a": 1}[key]
    except KeyError as e:
        raise NotFound("missing", detail=key) from e


print(find("a"))
try:
    find("z")
except AppError as e:
    print(e, e.code, e.args, repr(e.__cause__), isinstance(e, NotFound))


def reraise():
    try:
        raise NotFound("again", detail=0)
    except AppError:
        print("passing on")
        raise


try:
    reraise()
except (TypeError, NotFound) as e:
    print(type(e).__name__, e.__suppress_context__)

try:
    raise AppError
except TypeError as e:
    print("TypeError:", e)

try:
    raise NotFound("x") from None
except AppError as e:
    print(e.__cause__, e.__context__, e.__suppress_context__)
print(NotFound.__mro__[1].__name__, issubclass(NotFound, Exception))
