"""What `except*` does: its clauses take parts of what was raised, and what is left is raised again."""


class Matching:
    """The clauses of one statement, at work on one exception."""

    def __init__(self, exception):
        self.whole = self.rest = exception
        self.depth = _depth(exception)
        self.raised = []

    def match(self, classes):
        """The part that fits a clause, as a group; None if nothing does."""
        for one in classes if isinstance(classes, tuple) else (classes,):
            if not (isinstance(one, type) and issubclass(one, BaseException)):
                raise TypeError("catching classes that do not inherit from BaseException is not allowed")
            if issubclass(one, BaseExceptionGroup):
                raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
        rest = self.rest
        if rest is None:
            return None
        if isinstance(rest, BaseExceptionGroup):
            found, self.rest = rest.split(classes)
            return found
        if isinstance(rest, classes):
            self.rest = None
            return BaseExceptionGroup("", [rest])
        return None

    def add(self, exception):
        """What the body of a clause raised."""
        self.raised.append(exception)

    def result(self):
        """What the statement raises; None if nothing is left."""
        whole = self.whole
        if not isinstance(whole, BaseExceptionGroup):
            return self.raised[0] if self.raised else self.rest
        new = [e for e in self.raised if not self._is_part(e)]
        old = [e for e in self.raised if self._is_part(e)]
        if self.rest is not None:
            old.append(self.rest)
        left = _projection(whole, old) if old else None
        if not new:
            return left
        if left is not None:
            new.append(left)
        return BaseExceptionGroup("", new)

    def _is_part(self, exception):
        """Whether this is a part of the whole that `raise` raised again as it was."""
        whole = self.whole
        return (isinstance(exception, BaseExceptionGroup) and exception.__cause__ is whole.__cause__
                and exception.__context__ is whole.__context__ and _depth(exception) == self.depth
                and getattr(exception, "__notes__", None) == getattr(whole, "__notes__", None)
                and _leaves(exception) <= _leaves(whole))


def _depth(exception):
    depth, traceback = 0, exception.__traceback__
    while traceback is not None:
        depth, traceback = depth + 1, traceback.tb_next
    return depth


def _leaves(exception):
    if not isinstance(exception, BaseExceptionGroup):
        return {id(exception)}
    return set().union(*map(_leaves, exception.exceptions))


def _projection(whole, parts):
    wanted = set().union(*map(_leaves, parts))
    return whole.split(lambda e: id(e) in wanted)[0]
