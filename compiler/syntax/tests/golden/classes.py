class Plain:
    pass


class Full(Base, metaclass=Meta, flag=True):
    """Doc."""

    x: int = 1
    y: str

    def method(self):
        return super().method()

    def __private(self, __arg):
        self.__field = __arg
        return __class__

    @property
    def p(self):
        return self.__field


def factory(base):
    name = "n"

    class Local(*base, **{}):
        copied = name
        name = 1

        def read(self):
            return name

    return Local
